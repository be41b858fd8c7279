import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.errors import TurnCancelled
from paicli.core.messages import Listing, ToolResult
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.grep_code import GrepCode
from paicli.tools.search.ripgrep import find_ripgrep
from tests.random_examples import examples
from tests.tools.workshop import Workshop

OWN = GrepCode(lambda root: None)
WAYS = [pytest.param(OWN, id="own")]
HAS_RIPGREP = shutil.which("rg") is not None
if HAS_RIPGREP:
    WAYS.append(pytest.param(GrepCode(), id="rg"))
needs_ripgrep = pytest.mark.skipif(not HAS_RIPGREP, reason="compares with ripgrep, which is not installed here")


@pytest.fixture(params=WAYS)
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Workshop:
    return Workshop(tmp_path, {"grep_code": request.param})


def grep(shop: Workshop, pattern: str, **more: Any) -> list[str]:
    return shop.said("grep_code", {"pattern": pattern, **more}).split("\n")


def test_matches_come_with_path_and_line(shop: Workshop) -> None:
    shop.put("src/a.py", "one\ntwo needle\n")
    shop.put("b.py", "needle\n")
    assert shop.run("grep_code", {"pattern": "need.e"}) == ToolResult(
        "b.py:1:needle\nsrc/a.py:2:two needle", Listing("grep", 2)
    )


def test_nothing_found_is_said(shop: Workshop) -> None:
    shop.put("a", "x\n")
    assert shop.run("grep_code", {"pattern": "y"}) == ToolResult("没有匹配。", Listing("grep", 0))


def test_context_lines_are_marked_and_gaps_shown(shop: Workshop) -> None:
    shop.put("a", "".join(f"{n}\n" for n in range(1, 21)))
    assert grep(shop, "^(3|4|12)$", context=1) == [
        *("a-2-2", "a:3:3", "a:4:4", "a-5-5"),
        "--",
        *("a-11-11", "a:12:12", "a-13-13"),
    ]


def test_results_are_cut_and_the_cut_is_said(shop: Workshop) -> None:
    shop.put("a", "x\n" * 30)
    shop.put("b", "x\n" * 30)
    result = shop.run("grep_code", {"pattern": "x", "max_results": 40, "context": 1})
    lines = result.content.split("\n")
    assert lines[:3] == ["a:1:x", "a:2:x", "a:3:x"]
    assert lines[-2:] == ["b:10:x", "[匹配超过 40 条,只列出前 40 条;请缩小 pattern、path 或 glob]"]
    assert result.detail == Listing("grep", 40, is_cut=True)


def test_of_very_many_matches_the_first_by_path_are_shown(shop: Workshop) -> None:
    shop.put("a/000", b"a line with many characters and a NUL\n\0")
    for n in range(1, 130):
        shop.put(f"a/{n:03}", "a line with many characters\n" * 200)
    lines = grep(shop, "many", max_results=200, context=2)
    assert lines[:200] == [f"a/001:{n}:a line with many characters" for n in range(1, 201)]
    assert lines[200:] == ["[匹配超过 200 条,只列出前 200 条;请缩小 pattern、path 或 glob]"]


def test_only_files_are_named_when_asked(shop: Workshop) -> None:
    shop.put("a", "x\nx\n")
    shop.put("d/b", "x\n")
    shop.put("c", "y\n")
    assert grep(shop, "x", files_only=True) == ["a", "d/b"]


def test_literal_and_case(shop: Workshop) -> None:
    shop.put("a", "a.b(c)[d]\naxb\nA.B(C)[D]\n")
    assert grep(shop, "a.b(c)[d]", literal=True) == ["a:1:a.b(c)[d]"]
    assert grep(shop, "a.b(c)[d]", literal=True, ignore_case=True) == ["a:1:a.b(c)[d]", "a:3:A.B(C)[D]"]


def test_a_line_end_is_no_part_of_a_line(shop: Workshop) -> None:
    shop.put("a", b"x\r\ny\r\n")
    assert grep(shop, "x$") == ["a:1:x"]


def test_a_folder_or_a_file_can_be_searched(shop: Workshop) -> None:
    shop.put("d/a.py", "x\n")
    shop.put("d/sub/b.py", "x\n")
    shop.put("c.py", "x\n")
    assert grep(shop, "x", path="d") == ["d/a.py:1:x", "d/sub/b.py:1:x"]
    assert grep(shop, "x", path="d/a.py") == ["d/a.py:1:x"]
    assert shop.refusal("grep_code", {"pattern": "x", "path": "no"})[0] == "files.not_found"


@pytest.mark.parametrize(
    ("glob", "files"),
    [
        ("*.py", ["a.py", "d/b.py"]),
        ("d/*", ["d/b.py", "d/c.ts"]),
        ("**/*.{ts,py}", ["a.py", "d/b.py", "d/c.ts"]),
        ("--hidden", []),  # C85
        ("*.log", []),  # a pattern does not bring back what .gitignore leaves out
    ],
)
def test_a_glob_narrows_the_files(shop: Workshop, glob: str, files: list[str]) -> None:
    for name in ("a.py", "d/b.py", "d/c.ts", "e.log"):
        shop.put(name, "x\n")
    shop.put(".gitignore", "*.log\n")
    assert grep(shop, "x", files_only=True, glob=glob) == (files or ["没有匹配。"])


def test_gitignore_holds_nested_ones_too(shop: Workshop) -> None:
    for name in ("keep", "a.log", "build/x", "src/a.log", "src/keep.log", "src/tmp/x", "src/deep/tmp", ".hidden"):
        shop.put(name, "x\n")
    shop.put(".git/config", "x\n")
    shop.put(".gitignore", "*.log\n/build/\n")
    shop.put("src/.gitignore", "!keep.log\ntmp/\n")
    assert grep(shop, "x", files_only=True) == [".hidden", "keep", "src/deep/tmp", "src/keep.log"]
    assert grep(shop, "x", files_only=True, path="src") == ["src/deep/tmp", "src/keep.log"]


def test_an_ignored_folder_that_is_named_is_searched(shop: Workshop) -> None:
    shop.put(".gitignore", "build/\n")
    shop.put("build/x", "x\n")
    assert grep(shop, "x", path="build") == ["build/x:1:x"]


def test_rules_come_from_the_top_of_the_repository(tmp_path: Path, shop: Workshop) -> None:
    above = Workshop(tmp_path / "repo/packages/web", shop.tools)
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("*\n")  # above the repository: not its business
    (tmp_path / "repo/.gitignore").write_text("*.log\n/packages/web/out\n")
    for name in ("a", "a.log", "out/x", "sub/a.log", "sub/a"):
        above.put(name, "x\n")
    assert grep(above, "x", files_only=True) == ["a", "sub/a"]
    assert grep(above, "x", files_only=True, path="sub") == ["sub/a"]


@pytest.mark.parametrize("top", [".git", "none"])
def test_rules_that_leave_out_the_whole_project_do_not_hide_it(tmp_path: Path, shop: Workshop, top: str) -> None:
    inner = Workshop(tmp_path / "home/project", shop.tools)
    inner.put("d/a", "x\n")
    (tmp_path / "home" / top).mkdir()
    (tmp_path / "home/.gitignore").write_text("*\n")
    assert grep(inner, "x") == ["d/a:1:x"]
    assert grep(inner, "x", path="d") == ["d/a:1:x"]


def test_a_repository_inside_has_its_own_rules(shop: Workshop) -> None:
    shop.put(".gitignore", "*.log\n")
    shop.put("inner/a.log", "x\n")
    (shop.root / "inner/.git").mkdir()
    assert grep(shop, "x") == ["inner/a.log:1:x"]


def test_binary_special_and_linked_files_are_left_out(shop: Workshop) -> None:  # C31
    shop.put("bin", b"needle\n\0\n")
    shop.put("late", b"needle\n" + b"a" * 200_000 + b"\n\0\n")
    shop.put("text", "needle\n")
    os.mkfifo(shop.root / "p")
    (shop.root / "link").symlink_to("text")
    (shop.root / "loop").symlink_to(".")
    assert grep(shop, "needle") == ["text:1:needle"]
    assert shop.refusal("grep_code", {"pattern": "x", "path": "p"})[0] == "files.is_fifo"


def test_a_long_line_is_cut_around_its_match(shop: Workshop) -> None:  # C30
    shop.put("min.js", "a界" * 1_000_000 + "needle(中)" + "b" * 1_000_000 + "\n" + "c" * 600 + "\n")
    shown = [f"min.js:1:{'a界' * 50}needle(中){'b' * 300}", f"min.js-2-{'c' * 500}"]
    assert grep(shop, "needle(中)", literal=True, context=1) == shown
    assert grep(shop, "needle.中.", context=1) == shown


def test_a_pattern_that_matches_everywhere_in_a_long_line_stays_small(shop: Workshop) -> None:
    shop.put("min.js", "a" * 3_000_000 + "\n")
    assert grep(shop, "a") == [f"min.js:1:{'a' * 301}"]


def test_other_encodings_are_searched_and_shown(shop: Workshop) -> None:
    shop.put("gbk.java", "// 测试 needle\r\n".encode("gbk"))
    shop.put("utf16.txt", "\ufeff测试 needle\n".encode("utf-16-le"))
    shop.put("utf8.txt", "测试 needle\n")
    shown = ["gbk.java:1:// 测试 needle", "utf16.txt:1:测试 needle", "utf8.txt:1:测试 needle"]
    assert grep(shop, "needle") == shown
    assert grep(shop, "测试") == shown


@pytest.mark.parametrize("name", ["-rf", " lead", "shot\u202f1", "e\u0301.txt"])
def test_odd_names_are_shown_as_they_are(shop: Workshop, name: str) -> None:  # C33
    (shop.root / name).write_text("needle\n")
    assert grep(shop, "needle") == [f"{name}:1:needle"]
    assert grep(shop, "needle", path=name) == [f"{name}:1:needle"]


def test_unprintable_names_stay_one_line_of_utf8(shop: Workshop) -> None:  # C33
    for name in ("a\nb.txt", "bad\udcff"):
        (shop.root / name).write_text("1\nneedle\n")
    assert grep(shop, "needle") == ["a\\nb.txt:2:needle", "bad\ufffd:2:needle"]
    assert grep(shop, "needle", files_only=True) == ["a\\nb.txt", "bad\ufffd"]
    "\n".join(grep(shop, "needle")).encode()


@pytest.mark.parametrize("pattern", ["--help", "-needle", "--pre=/tmp/m.sh", "-f/etc/passwd", "--"])
def test_a_pattern_is_never_an_option(shop: Workshop, pattern: str) -> None:  # C85
    marker = shop.root / "marker"
    script = shop.put("m.sh", f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    shop.put("usage", "usage --help -needle --pre=/tmp/m.sh -f/etc/passwd --\n")
    line = "usage:1:usage --help -needle --pre=/tmp/m.sh -f/etc/passwd --"
    assert grep(shop, pattern, glob="usage") == [line]
    assert grep(shop, f"--pre={script}", literal=True) == ["没有匹配。"]
    assert not marker.exists()


def test_a_users_ripgrep_settings_change_nothing(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:  # C85
    settings_file = shop.put("rc", "--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(settings_file))
    shop.put("a", "x\ny\n")
    assert grep(shop, "x", glob="a") == ["a:1:x"]


@pytest.mark.parametrize(("pattern", "position"), [("(a", 1), ("a[", 2), ("x{2,1}", 3), ("(?P<n", 5)])
def test_an_invalid_pattern_says_where(shop: Workshop, pattern: str, position: int) -> None:  # C85
    shop.put("a", "x\n")
    code, kind, text = shop.refusal("grep_code", {"pattern": pattern})
    assert (code, kind) == ("search.pattern_invalid", "invalid_argument")
    assert f"的第 {position} 个字符处有错" in text


@pytest.mark.parametrize("pattern", ["", "a\nb", "a\0"])
def test_a_pattern_no_line_can_match_is_refused(shop: Workshop, pattern: str) -> None:  # C85
    assert shop.refusal("grep_code", {"pattern": pattern})[0] == "search.pattern_unusable"


def test_what_ripgrep_does_not_understand_is_searched_all_the_same(shop: Workshop) -> None:
    shop.put("a", "ab\nac\nxx\n")
    assert grep(shop, "a(?=b)") == ["a:1:ab"]
    assert grep(shop, r"(.)\1") == ["a:3:xx"]


def test_a_catastrophic_pattern_ends_in_time(tmp_path: Path) -> None:  # C85
    shop = Workshop(tmp_path, {"grep_code": GrepCode(lambda root: None, limit_s=0.5)})
    shop.put("z", "a" * 60 + "!\n")
    assert shop.refusal("grep_code", {"pattern": "(a+)+$"}) == (
        "search.timed_out",
        "timeout",
        "0.5 秒内没有搜完,还没有找到匹配。请缩小 path 或 glob,或换一个更简单的 pattern。",
    )
    shop.put("a", "b\n")
    result = shop.run("grep_code", {"pattern": "b|(a+)+$"})  # what was found until then stands
    assert result == ToolResult(
        "a:1:b\n[0.5 秒内没有搜完,结果不完整;请缩小 path 或 glob]", Listing("grep", 1, is_cut=True)
    )


def test_a_cancel_ends_a_search_at_once(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, {"grep_code": OWN})
    shop.put("a", "a" * 60 + "!\n")
    timer = threading.Timer(0.2, shop.cancel.cancel)
    timer.start()
    with pytest.raises(TurnCancelled):
        shop.run("grep_code", {"pattern": "(a+)+$"})
    timer.join()


def test_protected_folders_are_not_searched(shop: Workshop) -> None:
    shop.put(".paicli/config.toml", "key = needle\n")
    shop.put("a", "needle\n")
    shop.guard = PathGuard(shop.root, protected=[shop.root / ".paicli"])
    assert grep(shop, "needle") == ["a:1:needle"]


def test_an_added_folder_is_named_in_full(shop: Workshop, tmp_path: Path) -> None:
    shop.root = tmp_path / "root"
    shop.root.mkdir()
    added = tmp_path / "added"
    (added / "sub").mkdir(parents=True)
    (added / "sub/a").write_text("x\n")
    shop.guard = PathGuard(shop.root, added=[added])
    assert grep(shop, "x", path=str(added)) == [f"{added}/sub/a:1:x"]
    assert grep(shop, "x", path=str(added / "sub")) == [f"{added}/sub/a:1:x"]


def test_modules_in_the_project_are_not_run_by_the_search(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, {"grep_code": OWN})
    for name in ("json.py", "re.py", "sitecustomize.py", "paicli/__init__.py"):
        shop.put(name, f"open({str(tmp_path / 'marker')!r}, 'w')\n")
    assert len(grep(shop, "open")) == 4
    assert not (tmp_path / "marker").exists()


def test_a_ripgrep_inside_the_project_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin/rg"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert find_ripgrep(tmp_path) is None
    assert find_ripgrep(tmp_path / "elsewhere") == str(program)


NAMES = st.sampled_from(["a", "b", "c.log", "build", "src", ".env"])
RULES = st.lists(
    st.sampled_from(["*.log", "build/", "/a", "!c.log", "src/b", "b", "**/a", "!/build/", "# x", "src/*", "!a", ""]),
    max_size=3,
)
CONTENT = st.sampled_from(["needle\n", "one\nneedle two\n", "x\n", "needle", "a\nneedle\n\0", "中 needle\r\n", ""])


@needs_ripgrep
@examples(25)
@given(
    files=st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map(tuple), CONTENT, max_size=8),
    rules=st.dictionaries(st.sampled_from([(), ("src",), ("build",)]), RULES, max_size=3),
    start=st.sampled_from([".", "src", "build"]),
    query=st.sampled_from(["needle", "^needle", "e$", "n.*o", "x*"]),
    options=st.sampled_from([{}, {"context": 1}, {"files_only": True}, {"max_results": 2}, {"glob": "*.log"}]),
)
def test_both_ways_find_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[tuple[str, ...], str],
    rules: dict[tuple[str, ...], list[str]],
    start: str,
    query: str,
    options: dict[str, Any],
) -> None:
    shop = Workshop(tmp_path_factory.mktemp("tree"), {"own": OWN, "rg": GrepCode()})
    for folder in ("src", "build"):
        (shop.root / folder).mkdir()
    for parts, content in sorted(files.items()):
        path = shop.root.joinpath(*parts)
        if not path.exists() and not any(parent.is_file() for parent in path.parents):
            shop.put("/".join(parts), content)
    for folder, lines in rules.items():
        shop.put("/".join((*folder, ".gitignore")), "\n".join(lines) + "\n")
    arguments = {"pattern": query, "path": start, **options}
    assert shop.said("rg", arguments) == shop.said("own", arguments)
