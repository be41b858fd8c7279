from pathlib import Path

from paicli.context.skills.finding import BODY_CHARACTERS, FoundSkills, Skill, SkillSource
from paicli.context.skills.shelf import INDEX_BYTES, INDEX_SKILLS, SkillShelf, skill_mark, skill_text
from paicli.core.faults import Fault


def skill(name: str, *, description: str = "d", body: str = "b") -> Skill:
    return Skill(name, description, body, Path("/s") / name, SkillSource.USER)


def shelf_of(*skills: Skill, off: frozenset[str] = frozenset()) -> SkillShelf:
    return SkillShelf(FoundSkills(skills), off)


def test_the_index_has_names_and_descriptions_only_and_nothing_is_no_index() -> None:
    shelf = shelf_of(skill("b", description="does b", body="BODY"), skill("a", description="做 a"), skill("c"))
    assert shelf.index_text.split("\n")[1:] == ["- b: does b", "- a: 做 a", "- c: d"]
    assert "BODY" not in shelf.index_text
    assert shelf_of().index_text == ""


def test_what_is_switched_off_is_neither_listed_nor_found() -> None:
    shelf = shelf_of(skill("a"), skill("b"), off=frozenset({"a"}))
    assert (shelf.indexed, shelf.find("a"), [each.name for each in shelf.offered]) == (("b",), None, ["b"])
    assert shelf_of(skill("a"), off=frozenset({"a"})).index_text == ""


def test_the_index_holds_twenty_skills_and_the_others_load_by_name() -> None:
    shelf = shelf_of(*(skill(f"s{number}") for number in range(30)))
    assert shelf.indexed == tuple(f"s{number}" for number in range(INDEX_SKILLS))
    assert shelf.find("s29") is not None


def test_the_index_stays_below_its_bytes_and_a_long_description_is_shortened() -> None:
    shelf = shelf_of(*(skill(f"s{number}", description="长" * 500) for number in range(5)))
    entries = shelf.index_text.partition("\n")[2]
    assert len(entries.encode()) <= INDEX_BYTES
    assert (shelf.indexed, entries.endswith("…")) == (("s0", "s1", "s2"), True)


def test_the_text_of_a_skill_is_cut_with_a_notice_that_names_the_file() -> None:
    text = skill_text(skill("a", body="x" * (BODY_CHARACTERS + 1)))
    inner = text.split("\n", 1)[1].removesuffix("\n</skill>")
    assert len(inner) == BODY_CHARACTERS
    assert inner.endswith("(技能共 5121 个字符,到此为止;其余用 read_file 读 /s/a/SKILL.md。)")
    assert skill_text(skill("a", body="y" * BODY_CHARACTERS)).count("y") == BODY_CHARACTERS


def test_no_mark_is_the_beginning_of_another_skills_text() -> None:
    assert skill_text(skill("web")).startswith(skill_mark("web"))
    assert not skill_text(skill("web-access")).startswith(skill_mark("web"))


def test_that_a_folder_is_not_trusted_is_no_warning_of_the_start() -> None:
    faults = (Fault("skills.untrusted"), Fault("skills.no_body"))
    assert SkillShelf(FoundSkills((), faults)).faults == (Fault("skills.no_body"),)
