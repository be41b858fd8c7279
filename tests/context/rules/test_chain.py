import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from paicli.context.project_rules import IMPORT_DEPTH, LIMIT, MOST_IMPORTS, load_project_rules
from paicli.core.catalogue.lookup import Language, Texts
from paicli.policy.secret_files import is_secret


def lay_out(root: Path, files: Mapping[str, str]) -> Path:
    """`> target` as the content makes a link; the project is `p`, its current folder `p/a/b`, the home `h`."""
    for folder in ("p/.git", "p/a/b", "h"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("> "):
            path.symlink_to(text[2:])
        else:
            path.write_text(text, encoding="utf-8")
    return root / "p" / "a" / "b"


LAYOUTS: list[tuple[dict[str, str], list[str], list[str]]] = [
    # what stands where, the texts in order, the faults
    ({}, [], []),
    ({"PAI.md": "above the root"}, [], []),
    ({"p/PAI.md": "root"}, ["root"], []),
    ({"h/PAI.md": "mine"}, ["mine"], []),
    ({"h/PAI.md": "mine", "p/PAI.md": "root", "p/a/PAI.md": "a", "p/a/b/PAI.md": "b"}, ["mine", "root", "a", "b"], []),
    ({"p/a/b/c/PAI.md": "below"}, [], []),
    ({"p/AGENTS.md": "agents"}, ["agents"], []),
    ({"p/CLAUDE.md": "claude"}, ["claude"], []),
    ({"p/AGENTS.md": "agents", "p/CLAUDE.md": "claude"}, ["agents"], []),
    ({"p/PAI.md": "pai", "p/AGENTS.md": "agents", "p/CLAUDE.md": "claude"}, ["pai"], []),
    ({"p/PAI.md": "pai", "p/a/AGENTS.md": "agents", "p/a/b/CLAUDE.md": "claude"}, ["pai", "agents", "claude"], []),
    ({"h/AGENTS.md": "not of the home"}, [], []),
    ({"p/PAI.md": "pai", "p/PAI.local.md": "local"}, ["pai", "local"], []),
    ({"p/PAI.local.md": "local"}, ["local"], []),
    ({"p/PAI.local.md": "local", "p/a/PAI.md": "a"}, ["local", "a"], []),
    ({"p/PAI.md": " \n\t\n"}, [], []),
    ({"p/PAI.md": "\ufeffmarked"}, ["marked"], []),
    ({"p/PAI.md": "> docs/rules.md", "p/docs/rules.md": "linked"}, ["linked"], []),
    ({"p/PAI.md": "> AGENTS.md", "p/AGENTS.md": "one file"}, ["one file"], []),
    ({"p/PAI.md": "root", "p/a/PAI.md": "> ../PAI.md"}, ["root"], []),
    ({"p/PAI.md": "> ../outside.md", "outside.md": "theirs"}, [], ["outside"]),
    ({"p/PAI.md": "> ../outside.md", "outside.md": "theirs", "p/a/PAI.md": "a"}, ["a"], ["outside"]),
    ({"p/PAI.md": "> .git/config", "p/.git/config": "token"}, [], ["outside"]),
    ({"p/PAI.md": "> gone.md"}, [], ["unreadable"]),
    ({"p/PAI.md": "zero \0"}, [], ["unreadable"]),
    ({"h/PAI.md": "> ../dotfiles/PAI.md", "dotfiles/PAI.md": "kept elsewhere"}, ["kept elsewhere"], []),
    # imports
    ({"p/PAI.md": "see @docs/x.md", "p/docs/x.md": "x"}, ["x", "see @docs/x.md"], []),
    ({"p/PAI.md": "@docs/x.md.", "p/docs/x.md": "x"}, ["x", "@docs/x.md."], []),
    ({"p/PAI.md": "@docs/y.md", "p/docs/y.md": "@z.md", "p/docs/z.md": "z"}, ["z", "@z.md", "@docs/y.md"], []),
    ({"p/a/PAI.md": "@../x.md", "p/x.md": "x"}, ["x", "@../x.md"], []),
    ({"p/PAI.md": "@README", "p/README": "readme"}, ["readme", "@README"], []),
    ({"p/PAI.md": "@my\\ notes.md", "p/my notes.md": "x"}, ["x", "@my\\ notes.md"], []),
    ({"p/PAI.md": "@PAI.md"}, ["@PAI.md"], []),
    ({"p/PAI.md": "@x.md", "p/x.md": "@PAI.md"}, ["@PAI.md", "@x.md"], []),
    ({"p/PAI.md": "@x.md", "p/a/PAI.md": "@../x.md", "p/x.md": "x"}, ["x", "@x.md", "@../x.md"], []),
    ({"p/PAI.md": "@x.md @y.md", "p/x.md": "x"}, ["x", "@x.md @y.md"], ["import_missing"]),
    ({"p/PAI.md": "@dataclass and @scope/package, a@b.md"}, ["@dataclass and @scope/package, a@b.md"], []),
    ({"p/PAI.md": "@docs/", "p/docs/x.md": "x"}, ["@docs/"], []),
    ({"p/PAI.md": "@../x.md", "x.md": "out"}, ["@../x.md"], ["import_outside"]),
    ({"p/PAI.md": "@/etc/passwd"}, ["@/etc/passwd"], ["import_outside"]),
    ({"p/PAI.md": "@x.md", "p/x.md": "> ../y.md", "y.md": "out"}, ["@x.md"], ["import_outside"]),
    ({"p/PAI.md": "@d/y.md", "p/d": "> ../e", "e/y.md": "out"}, ["@d/y.md"], ["import_outside"]),
    ({"p/PAI.md": "@.git/config", "p/.git/config": "token"}, ["@.git/config"], ["import_outside"]),
    ({"p/PAI.md": "@.env", "p/.env": "KEY=1"}, ["@.env"], ["import_secret"]),
    ({"p/PAI.md": "@a.pem @b.md", "p/a.pem": "k", "p/b.md": "b"}, ["b", "@a.pem @b.md"], ["import_secret"]),
    ({"p/PAI.md": "@x.bin", "p/x.bin": "\0"}, ["@x.bin"], ["unreadable"]),
    ({"h/PAI.md": "@style.md", "h/style.md": "s"}, ["s", "@style.md"], []),
    ({"h/PAI.md": "@config.toml", "h/config.toml": "api_key"}, ["@config.toml"], ["import_secret"]),
    ({"h/PAI.md": "@../x.md", "x.md": "out"}, ["@../x.md"], ["import_outside"]),
    ({"p/PAI.md": "@../h/style.md", "h/style.md": "s"}, ["@../h/style.md"], ["import_outside"]),
    ({"p/PAI.md": "```\n@x.md\n```\n`@x.md`", "p/x.md": "x"}, ["```\n@x.md\n```\n`@x.md`"], []),
]


@pytest.mark.parametrize(("files", "texts", "faults"), LAYOUTS)
def test_which_files_are_read_in_which_order_and_what_is_told(
    tmp_path: Path, files: dict[str, str], texts: list[str], faults: list[str]
) -> None:
    rules = load_project_rules(lay_out(tmp_path, files), home=tmp_path / "h", is_secret=is_secret)
    assert [file.text for file in rules.files] == texts
    assert [fault.code.removeprefix("session.rules_") for fault in rules.faults] == faults
    assert "token" not in rules.text
    for fault in rules.faults:
        assert dict(fault.fields)["path"] in Texts(Language.EN).screen(fault.code, **dict(fault.fields))


def test_the_text_names_each_file_and_who_imports_it_nearest_last(tmp_path: Path) -> None:
    files = {"h/PAI.md": "mine", "p/PAI.md": "root @x.md", "p/x.md": "imported", "p/a/PAI.md": "near"}
    rules = load_project_rules(lay_out(tmp_path, files), home=tmp_path / "h")
    assert rules.text == (
        "── ~/.paicli/PAI.md\nmine\n\n── x.md(由 PAI.md 用 @ 引入)\nimported\n\n"
        "── PAI.md\nroot @x.md\n\n── a/PAI.md\nnear"
    )
    assert rules.path == str(tmp_path / "p" / "a" / "PAI.md")
    assert [file.imported_by for file in rules.files] == ["", str(tmp_path / "p" / "PAI.md"), "", ""]


def test_one_file_alone_needs_no_name(tmp_path: Path) -> None:
    assert load_project_rules(lay_out(tmp_path, {"p/PAI.md": "root"})).text == "root"


def test_without_git_only_the_folder_itself_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "PAI.md").write_text("above")
    assert load_project_rules(inner).files == ()
    (inner / "PAI.md").write_text("here")
    assert load_project_rules(inner).text == "here"


def test_imports_go_five_files_deep(tmp_path: Path) -> None:
    files = {"p/PAI.md": "@1.md", **{f"p/{number}.md": f"@{number + 1}.md" for number in range(1, 8)}}
    rules = load_project_rules(lay_out(tmp_path, files))
    assert [Path(file.path).name for file in rules.files] == ["5.md", "4.md", "3.md", "2.md", "1.md", "PAI.md"]
    assert len(rules.files) == IMPORT_DEPTH + 1
    assert [(fault.code, dict(fault.fields)["path"]) for fault in rules.faults] == [
        ("session.rules_import_too_deep", "6.md")
    ]


def test_the_imports_that_are_tried_are_bounded_and_that_is_told_once(tmp_path: Path) -> None:
    names = [f"{number}.md" for number in range(MOST_IMPORTS + 50)]
    files = {"p/PAI.md": " ".join(f"@{name}" for name in names), **{f"p/{name}": name for name in names}}
    rules = load_project_rules(lay_out(tmp_path, files))
    assert len(rules.files) == MOST_IMPORTS + 1
    assert [fault.code for fault in rules.faults] == ["session.rules_too_many_imports"]


def test_all_together_stay_below_the_limit_the_nearest_keep_their_room_and_the_cut_is_named(tmp_path: Path) -> None:
    far, near = "远" * 30_000, "近" * 20_000
    rules = load_project_rules(lay_out(tmp_path, {"p/PAI.md": far, "p/a/PAI.md": near}))
    assert len(rules.text) == LIMIT
    assert rules.text.endswith(f"── a/PAI.md\n{near}")
    assert "(这个文件共 30000 个字符" in rules.text
    root = str(tmp_path / "p" / "PAI.md")
    assert [(fault.code, dict(fault.fields)["path"]) for fault in rules.faults] == [("session.rules_cut", root)]
    taken = rules.files[0].character_count
    assert (far[:taken] in rules.text, far[: taken + 1] in rules.text) == (True, False)


def test_one_long_file_is_cut_and_what_has_no_room_at_all_is_named_too(tmp_path: Path) -> None:
    files = {"p/PAI.md": "left out", "p/a/PAI.md": "规" * (LIMIT + 5)}
    rules = load_project_rules(lay_out(tmp_path, files))
    assert (len(rules.text), "left out" in rules.text) == (LIMIT, False)
    (fault,) = rules.faults
    assert dict(fault.fields)["path"] == f"{tmp_path / 'p' / 'PAI.md'}, {tmp_path / 'p' / 'a' / 'PAI.md'}"


def test_invisible_tag_characters_are_taken_out_and_counted_in_imports_too(tmp_path: Path) -> None:  # C84
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run")
    files = {"p/PAI.md": f"a{hidden}b 👩\u200d💻 @x.md", "p/x.md": f"\u0645\u06cc\u200c\u062e {hidden}"}
    rules = load_project_rules(lay_out(tmp_path, files))
    assert [file.text for file in rules.files] == ["\u0645\u06cc\u200c\u062e", "ab 👩\u200d💻 @x.md"]
    assert not any("\U000e0000" <= character <= "\U000e007f" for character in rules.text)
    assert [dict(fault.fields)["count"] for fault in rules.faults] == ["3", "3"]


def test_a_loop_of_links_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    inner = lay_out(tmp_path, {"p/PAI.md": "@loop.md", "p/loop.md": "> loop.md"})
    os.symlink("PAI.md", inner / "PAI.md")
    rules = load_project_rules(inner)
    assert [file.text for file in rules.files] == ["@loop.md"]
    assert [fault.code for fault in rules.faults] == ["session.rules_import_missing", "session.rules_unreadable"]
