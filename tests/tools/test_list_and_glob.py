import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.errors import PolicyDenied, ToolFailed, TurnCancelled
from paicli.core.messages import Listing, ToolResult
from paicli.policy.path_guard import PathGuard
from paicli.tools.search.globs import GlobPattern
from paicli.tools.search.walk import SearchTime
from tests.random_examples import examples
from tests.tools.workshop import TOOLS, Workshop

PROMPTS = Path(__file__).parents[2] / "prompts" / "tools"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_folders_come_first_with_sizes_and_marks(shop: Workshop) -> None:
    shop.put("b.txt", "x" * 1500)
    shop.put("A.txt", "")
    shop.put("z/inner", "x")
    os.mkfifo(shop.root / "pipe")
    (shop.root / "link").symlink_to("z/inner")
    assert shop.run("list_dir", {}) == ToolResult(
        "z/\nA.txt  0 B\nb.txt  1.5 KB\nlink -> z/inner\npipe |", Listing("list", 5)
    )


def test_depth_shows_what_is_below(shop: Workshop) -> None:
    shop.put("a/b/c/d", "x")
    shop.put("a/x", "y")
    assert shop.said("list_dir", {"path": ".", "depth": 2}) == "a/\n  b/\n  x  1 B"
    assert shop.said("list_dir", {"path": "a/b", "depth": 5}) == "c/\n  d  1 B"


def test_ignored_entries_are_counted(shop: Workshop) -> None:
    shop.put(".gitignore", "*.log\nbuild/\n")
    for name in ("a.log", "build/x", "keep", ".git/HEAD"):
        shop.put(name, "x")
    assert shop.said("list_dir", {"depth": 3}) == (
        ".gitignore  13 B\nkeep  1 B\n[.git 和 .gitignore 忽略的 3 项未列出]"
    )


def test_a_large_folder_is_cut_at_500(shop: Workshop) -> None:
    for n in range(510):
        shop.put(f"d/{n:03}", "")
    shop.put("e", "")
    result = shop.run("list_dir", {"depth": 2})
    lines = result.content.split("\n")
    assert lines[:2] == ["d/", "  000  0 B"]
    assert lines[-2:] == ["e  0 B", "[只列出 500 项,还有至少 12 项;请列出更小的目录或减小 depth]"]
    assert (result.detail, len(lines)) == (Listing("list", 500, is_cut=True), 501)


def test_an_empty_folder_says_so_and_a_file_is_none(shop: Workshop) -> None:
    assert shop.said("list_dir", {}) == "(空目录)"
    shop.put("f", "x")
    assert shop.refusal("list_dir", {"path": "f"})[0] == "files.not_a_folder"
    assert shop.refusal("list_dir", {"path": "no"})[0] == "files.not_found"
    with pytest.raises(PolicyDenied):
        shop.run("list_dir", {"path": ".."})


def test_listed_names_are_one_line_each_and_valid_utf8(shop: Workshop) -> None:  # C33
    for name in ("a\nb.txt", "-rf", " lead", "bad\udcff", "e\u0301.txt"):
        (shop.root / name).write_text("")
    said = shop.said("list_dir", {})
    assert said.split("\n") == [" lead  0 B", "-rf  0 B", "a\\nb.txt  0 B", "bad\ufffd  0 B", "e\u0301.txt  0 B"]
    said.encode()
    found = shop.said("glob_files", {"pattern": "*"})
    assert set(found.split("\n")) == {" lead", "-rf", "a\\nb.txt", "bad\ufffd", "e\u0301.txt"}
    found.encode()


def test_protected_folders_are_not_entered(shop: Workshop) -> None:
    shop.put("keys/secret", "x")
    shop.guard = PathGuard(shop.root, protected=[shop.root / "keys"])
    assert shop.said("list_dir", {"depth": 3}) == "keys/"
    assert shop.said("glob_files", {"pattern": "**/*"}) == "没有匹配的文件。"


def test_files_are_found_newest_first(shop: Workshop) -> None:
    for age, name in enumerate(("src/a.py", "b.py", "src/deep/c.py", "d.txt")):
        os.utime(shop.put(name, "x"), (1_000_000 - age, 1_000_000 - age))
    assert shop.run("glob_files", {"pattern": "*.py"}) == ToolResult(
        "src/a.py\nb.py\nsrc/deep/c.py", Listing("glob", 3)
    )
    assert shop.said("glob_files", {"pattern": "*.py", "path": "src"}) == "src/a.py\nsrc/deep/c.py"
    assert shop.said("glob_files", {"pattern": "src/*"}) == "src/a.py"


def test_ignored_files_are_not_found_unless_their_folder_is_named(shop: Workshop) -> None:
    shop.put(".gitignore", "out/\n")
    shop.put("out/a.py", "x")
    assert shop.said("glob_files", {"pattern": "*.py"}) == "没有匹配的文件。"
    assert shop.said("glob_files", {"pattern": "*.py", "path": "out"}) == "out/a.py"


def test_many_files_are_cut_at_500(shop: Workshop) -> None:
    for n in range(510):
        shop.put(f"{n:03}", "")
    result = shop.run("glob_files", {"pattern": "*"})
    assert result.content.endswith("\n[共 510 个文件,只列出最新的 500 个;请缩小 pattern 或 path]")
    assert result.detail == Listing("glob", 510, is_cut=True)


def test_a_link_out_of_the_project_is_not_followed(shop: Workshop, tmp_path: Path) -> None:  # C79
    root = tmp_path / "proj"
    root.mkdir()
    (tmp_path / "proj-evil").mkdir()
    (tmp_path / "proj-evil/secret.txt").write_text("x")
    (root / "link").symlink_to(tmp_path / "proj-evil")
    inner = Workshop(root)
    assert inner.said("glob_files", {"pattern": "**/*.txt"}) == "没有匹配的文件。"
    assert inner.said("list_dir", {"depth": 3}) == f"link -> {tmp_path}/proj-evil"


def test_a_broken_gitignore_line_does_not_turn_off_the_others(shop: Workshop) -> None:
    shop.put(".gitignore", b"\xff\xfe\n!\n*.log\n/\n**/\n")
    shop.put("a.log", "x")
    shop.put("b", "x")
    assert set(shop.said("glob_files", {"pattern": "*"}).split("\n")) == {".gitignore", "b"}


def test_a_gitignore_that_is_a_pipe_is_passed_over(shop: Workshop) -> None:  # C31
    os.mkfifo(shop.root / ".gitignore")
    shop.put("b", "x")
    assert set(shop.said("glob_files", {"pattern": "*"}).split("\n")) == {".gitignore", "b"}


def test_a_walk_ends_on_cancel(shop: Workshop) -> None:
    shop.cancel.cancel()
    for tool, arguments in (("glob_files", {"pattern": "*"}), ("list_dir", {})):
        with pytest.raises(TurnCancelled):
            shop.run(tool, arguments)


def test_time_runs_out_by_the_clock(shop: Workshop) -> None:
    now = [0.0]
    time = SearchTime(shop.cancel, 8.0, lambda: now[0])
    now[0] = 7.5
    assert time.left_s == 0.5
    now[0] = 9.0
    assert time.left_s == 0.0


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/e/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/d/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/d/e/a.py", True),
        ("**/test/**", "a/test/b/c", True),
        ("docs/", "docs/a/b", True),
        ("*.{js,ts}", "a.ts", True),
        ("{src,lib}/**/*.{js,ts}", "lib/x/a.js", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("[id].tsx", "pages/[id].tsx", True),
        ("./a.py", "a.py", True),
        (".*", ".env", True),
        ("*", ".env", True),
        ("*.PY", "a.py", False),
        ("a**b", "axxb", True),
    ],
)
def test_a_pattern_matches_as_people_expect(pattern: str, path: str, matches: bool) -> None:
    assert GlobPattern(pattern).matches(path) is matches


@pytest.mark.parametrize("pattern", ["", "../../*", "a/../b", "/etc/*", "{..,a}/*", "./", "a\0"])
def test_a_pattern_never_leads_out(shop: Workshop, pattern: str) -> None:  # C79
    assert shop.refusal("glob_files", {"pattern": pattern})[:2] == ("search.glob_outside", "invalid_argument")


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(ToolFailed):
        GlobPattern("{a,b}" * 10)


def test_no_pattern_takes_for_ever() -> None:
    name = "a" * 250
    assert not GlobPattern("*a" * 30 + "b").matches(name)
    assert not GlobPattern("**/*a/" * 20 + "b").matches("/".join(["a"] * 200))


@examples(200)
@given(path=st.lists(st.text("ab.", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join))
def test_every_path_matches_itself_and_the_patterns_for_all(path: str) -> None:
    if ".." in path.split("/"):
        return
    assert GlobPattern(f"**/{path}").matches(path)
    assert GlobPattern("**").matches(path)
    assert GlobPattern("*").matches(path)


def test_the_descriptions_are_short_and_there() -> None:
    sizes = {tool.name: len((PROMPTS / f"{tool.name}.md").read_bytes()) for tool in TOOLS}
    assert all(20 < size_bytes <= 250 for size_bytes in sizes.values()), sizes
