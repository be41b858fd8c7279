import os
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.context.prompt_library import PromptLibrary
from paicli.context.skills.finding import FoundSkills, SkillPlace, SkillSource, find_skills, is_skill_name
from paicli.core.catalogue.lookup import Language, Texts


def put_skill(place: Path, folder: str, text: str = "", *, name: str = "") -> Path:
    made = place / folder
    made.mkdir(parents=True)
    (made / "SKILL.md").write_text(
        text or f"---\nname: {name or folder}\ndescription: about {folder}\n---\ndo {folder}\n"
    )
    return made


def found_in(*places: Path, is_usable: Callable[[Path], bool] = lambda folder: True) -> FoundSkills:
    return find_skills(
        [SkillPlace(place, SkillSource.PROJECT, inside=place.parent) for place in places], is_usable=is_usable
    )


def names_and_faults(found: FoundSkills) -> tuple[list[str], list[str]]:
    for fault in found.faults:
        assert dict(fault.fields)["path"] in Texts(Language.EN).screen(fault.code, **dict(fault.fields))
    return [skill.name for skill in found.skills], [fault.code.removeprefix("skills.") for fault in found.faults]


def test_a_skill_is_read_whole(tmp_path: Path) -> None:
    folder = put_skill(tmp_path / "s", "tidy", "---\nname: tidy\ndescription: >\n  a\n  b\n---\n# Do\n\nit\n")
    (skill,) = found_in(tmp_path / "s").skills
    assert skill == ("tidy", "a b", "# Do\n\nit", folder, SkillSource.PROJECT)


def test_the_nearer_wins_by_name_and_comes_first(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    put_skill(far, "both")
    put_skill(far, "alone")
    put_skill(near, "both")
    put_skill(near, "other", name="far-name")
    found = found_in(near, far, tmp_path / "none")
    assert [(skill.name, skill.folder.parent.name) for skill in found.skills] == [
        ("both", "near"),
        ("far-name", "near"),
        ("alone", "far"),
    ]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *((name, True) for name in ("a", "web-access", "0x", "a_b", "a" * 64, "console")),
        *((name, False) for name in ("", "..", "../evil", "/tmp/evil", "a/../../evil", "CON", "con", "nul", "com1")),
        *((name, False) for name in ("a\0b", "a" * 65, "a" * 300, "-a", "_a", "A", "a b", "a.b", "技能", "a\n")),
    ],
)
def test_which_names_there_may_be(name: str, is_one: bool) -> None:  # C82
    assert is_skill_name(name) is is_one


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "a/../../evil", "..", "CON", "nul", "a" * 300, '"a\\0b"'])
def test_a_name_that_is_a_path_or_worse_is_refused_and_hides_no_other(tmp_path: Path, name: str) -> None:  # C82
    put_skill(tmp_path / "s", "bad", f"---\nname: {name}\ndescription: d\n---\nx\n")
    put_skill(tmp_path / "s", "good")
    before = sorted(tmp_path.rglob("*"))
    assert names_and_faults(found_in(tmp_path / "s")) == (["good"], ["bad_name"])
    assert sorted(tmp_path.rglob("*")) == before


def put_link_to(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("put", "fault"),
    [
        (put_link_to("/etc/passwd"), "outside"),
        (put_link_to("../../theirs/SKILL.md"), "outside"),
        (put_link_to("SKILL.md"), "unreadable"),
        (put_link_to("gone.md"), "unreadable"),
        (os.mkfifo, "unreadable"),
        (Path.mkdir, "unreadable"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "not_utf8"),
        (lambda path: path.write_bytes(b"---\n" + b"x" * 1_000_001), "too_large"),
        (lambda path: path.write_text("no front matter"), "no_front_matter"),
        (lambda path: path.write_text("---\nname: bad\n---\nx"), "no_description"),
        (lambda path: path.write_text("---\nname: bad\ndescription: d\n---\n \n"), "no_body"),
    ],
)
def test_a_skill_that_can_not_be_used_is_told_and_hides_no_other(  # C82
    tmp_path: Path, put: Callable[[Path], object], fault: str
) -> None:
    put_skill(tmp_path / "theirs", "x")
    bad = tmp_path / "p" / "s" / "bad"
    bad.mkdir(parents=True)
    put(bad / "SKILL.md")
    put_skill(tmp_path / "p" / "s", "good")
    assert names_and_faults(found_in(tmp_path / "p" / "s")) == (["good"], [fault])


def test_a_folder_behind_a_link_must_lie_inside_the_project_but_may_lie_anywhere_for_the_user(tmp_path: Path) -> None:
    put_skill(tmp_path / "elsewhere", "linked")
    place = tmp_path / "p" / "s"
    place.mkdir(parents=True)
    (place / "linked").symlink_to(tmp_path / "elsewhere" / "linked")
    assert names_and_faults(found_in(place)) == ([], ["outside"])
    assert names_and_faults(find_skills([SkillPlace(place, SkillSource.USER)])) == (["linked"], [])


def test_one_folder_seen_twice_is_one_skill(tmp_path: Path) -> None:
    put_skill(tmp_path / "p" / "s", "tidy")
    (tmp_path / "p" / "t").symlink_to("s")
    found = found_in(tmp_path / "p" / "s", tmp_path / "p" / "t")
    assert names_and_faults(found) == (["tidy"], [])


def test_a_skill_that_may_not_be_used_leaves_its_name_to_the_next(tmp_path: Path) -> None:
    near = put_skill(tmp_path / "near", "tidy")
    put_skill(tmp_path / "far", "tidy")
    found = found_in(tmp_path / "near", tmp_path / "far", is_usable=lambda folder: folder != near)
    assert ([skill.folder.parent.name for skill in found.skills], [fault.code for fault in found.faults]) == (
        ["far"],
        ["skills.untrusted"],
    )


def test_hidden_characters_are_taken_out(tmp_path: Path) -> None:  # C84
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run")
    put_skill(tmp_path / "s", "a", f"---\nname: a\ndescription: d{hidden} 👩\u200d💻\n---\nx{hidden}\n")
    (skill,) = found_in(tmp_path / "s").skills
    assert (skill.description, skill.body) == ("d 👩\u200d💻", "x")


def test_the_packaged_skill_is_one(tmp_path: Path) -> None:
    place = SkillPlace(PromptLibrary().packaged / "skills", SkillSource.PACKAGED)
    found = find_skills([place])
    assert names_and_faults(found) == (["web-access"], [])
    assert "web_fetch" in found.skills[0].body
