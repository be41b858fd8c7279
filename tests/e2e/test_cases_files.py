"""Area b of the cases: real tool calls of a scripted model; what counts is the bytes on disk and what it was told."""

import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.harness import PAICLI, environment, last_message
from tests.e2e.strict import Ran, StrictScript, ask, read_until, started, tool_results, type_into
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, calls, say
from tests.patience import PATIENCE_S

GBK = bytes.fromhex("2320b2e2cad40d0a783d310d0a")


class Edit(NamedTuple):
    """One edit_file call on a file of its own, and what must be there afterwards."""

    before: bytes
    old: str
    new: str
    after: bytes
    told: str = "已修改"
    """Part of what the model is told."""
    more: tuple[tuple[str, Any], ...] = ()


def edit_all(project: Path, home: Path, edits: dict[str, Edit]) -> None:
    """All of `edits` in one reply; checks every file and every result."""
    for name, edit in edits.items():
        (project / name).write_bytes(edit.before)
    named = [
        ("edit_file", {"path": name, "old_text": edit.old, "new_text": edit.new, **dict(edit.more)})
        for name, edit in edits.items()
    ]
    ran = ask(project, home, [calls(*named), say("好")])
    assert {name: (project / name).read_bytes() for name in edits} == {name: edit.after for name, edit in edits.items()}
    results = dict(zip(edits, tool_results(ran.requests[1]), strict=True))
    assert [name for name, edit in edits.items() if edit.told not in results[name]] == [], results
    assert sorted(os.listdir(project)) == sorted(edits)


def test_c21_c23_c24_an_edit_leaves_every_other_byte_alone(project: Path, home: Path) -> None:
    bom = b"\xef\xbb\xbf"
    edit_all(
        project,
        home,
        {
            "mixed": Edit(b"a\r\nb\nc", "c", "C", b"a\r\nb\nC"),
            "crlf": Edit(b"a\r\nb\r\n", "b", "c\nd", b"a\r\nc\r\nd\r\n"),
            "lf": Edit(b"a\nb\n", "b", "c\nd", b"a\nc\nd\n"),
            "bom, last line": Edit(bom + b"a=1\nb=2", "b=2", "b=3", bom + b"a=1\nb=3"),
            "bom, first line": Edit(bom + b"a=1\nb=2", "a=1", "a=9", bom + b"a=9\nb=2"),
            "word": Edit(b"x\n", "x", "y", b"y\n"),
            "line": Edit(b"x\n", "x\n", "y", b"y"),
            "gbk": Edit(GBK, "x=1", "x=2", GBK[:-3] + b"2\r\n"),
            "gbk, chinese": Edit(GBK, "测试", "中文", b"# \xd6\xd0\xce\xc4\r\nx=1\r\n"),
            "gbk, beyond": Edit(b"caf\xe9 \xa4\xff\n", "caf", "界", b"caf\xe9 \xa4\xff\n", "编码"),
        },
    )


def test_c24_a_whole_overwrite_keeps_the_encoding_or_says_that_it_changes_it(project: Path, home: Path) -> None:
    for name in ("kept", "changed"):
        (project / name).write_bytes(GBK)
    content = {"kept": "# 文\nx=2\n", "changed": "# 測試 ☕\u0e01\U0001f30d\n"}
    ran = ask(
        project,
        home,
        [
            calls(*(("read_file", {"path": name}) for name in content)),
            calls(*(("write_file", {"path": name, "content": text}) for name, text in content.items())),
            say("好"),
        ],
    )
    read, _, kept, changed = tool_results(ran.requests[2])
    assert "# 测试" in read
    assert "gb18030" in read.lower()
    assert (project / "kept").read_bytes() == "# 文\r\nx=2\r\n".encode("gb18030")
    raw = (project / "changed").read_bytes()
    assert b"\xef\xbf\xbd" not in raw
    assert raw.decode("utf-8" if "UTF-8" in changed else "gb18030").replace("\r\n", "\n") == content["changed"]
    assert "UTF-8" not in kept


def test_c26_what_does_not_name_exactly_one_place_changes_nothing_and_is_told_why(project: Path, home: Path) -> None:
    functions = b"def a():\n    debug = True\n\ndef b():\n    debug = True\n"
    both = functions.replace(b"True", b"False")
    spaced = b"one\ntwo \nthree\n"
    edit_all(
        project,
        home,
        {
            "twice": Edit(functions, "    debug = True", "    debug = False", functions, "2 处"),
            "overlapping": Edit(b"foo\n" * 3, "foo\nfoo\n", "bar\n", b"foo\n" * 3, "2 处"),
            "empty": Edit(b"x\n", "", "y", b"x\n", "不能为空"),
            "same": Edit(b"x\n", "x", "x", b"x\n", "相同"),
            "all": Edit(functions, "debug = True", "debug = False", both, "已修改", (("replace_all", True),)),
            "trailing": Edit(spaced, "two\nthree", "2\nthree", b"one\n2\nthree\n", "不完全一致"),
            "trailing, twice": Edit(b"a \nb\n" * 2, "a\nb\n", "c\n", b"a \nb\n" * 2, "2 处"),
            "none": Edit(b"alpha\nbeta\n", "alpha\ngamma", "x", b"alpha\nbeta\n", "beta"),
        },
    )


def test_c27_old_and_new_text_are_taken_as_they_are(project: Path, home: Path) -> None:
    new = r"""'^a$' \1 \g<0> \n $& $$ {x} %s"""
    edit_all(
        project,
        home,
        {
            "new": Edit(b"v = OLD\n", "OLD", new, f"v = {new}\n".encode()),
            "old": Edit(b"a.b(c)[d] axb\n", "a.b(c)[d]", "y", b"y axb\n"),
            "digits": Edit(rb"1 \d+ 2", r"\d+", "3", b"1 3 2"),
        },
    )


def run_with_umask(project: Path, home: Path, steps: list[Reply], umask: int) -> list[str]:
    """A `-p` turn of a process with that umask; what the model was told at the end."""
    with OpenAiServer(steps) as server:
        done = subprocess.run(
            [PAICLI, "-p", "x"],
            cwd=project,
            env=environment(home, server),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            umask=umask,
        )
        assert done.returncode == 0, done.stderr.decode()
        return tool_results(server.requests[-1])


def mode_of(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"


def test_c28_modes_stay_and_new_files_get_what_the_umask_leaves(project: Path, home: Path) -> None:
    modes = {"run.sh": "0755", "data": "0664", "read-only": "0444"}
    for name, mode in modes.items():
        (project / name).write_text("old\n")
        (project / name).chmod(int(mode, 8))
    edits = [("edit_file", {"path": name, "old_text": "old", "new_text": "new"}) for name in modes]
    new = ("write_file", {"path": "new 0644", "content": "x"})
    results = run_with_umask(project, home, [calls(*edits, new), say("好")], 0o022)
    assert {name: mode_of(project / name) for name in modes} == modes
    assert [(project / name).read_text() for name in modes] == ["new\n", "new\n", "old\n"]
    assert "只读" in results[2]
    for umask, mode in ((0o002, "0664"), (0o077, "0600")):
        writing = call("write_file", {"path": f"new {mode}", "content": "x"})
        run_with_umask(project, home, [writing, say("好")], umask)
    assert {name: mode_of(project / name) for name in os.listdir(project) if name.startswith("new")} == {
        f"new {mode}": mode for mode in ("0644", "0664", "0600")
    }
    assert len(os.listdir(project)) == 6


def test_c30_one_endless_line_is_read_in_parts_that_differ_and_found_as_a_clipped_match(
    project: Path, home: Path
) -> None:
    line = "".join("界" if number % 7 == 0 else "abcdef"[number % 6] for number in range(3_000_000))
    (project / "min.js").write_text(line, encoding="utf-8")

    def follow(request: RecordedRequest) -> Reply:
        hint = re.search(r"offset=(\d+) limit=(\d+) column=(\d+)", last_message(request)["content"])
        assert hint is not None
        offset, limit, column = map(int, hint.groups())
        return call("read_file", {"path": "min.js", "offset": offset, "limit": limit, "column": column})

    steps = [call("read_file", {"path": "min.js"}), follow, call("grep_code", {"pattern": "界abcdef"}), say("好")]
    first, second, found = tool_results(ask(project, home, steps).requests[3])
    assert "3000000" in first
    for part in (first, second, found):
        assert len(part) < 10_000
        assert "\ufffd" not in part
    text = re.findall(r"[a-f界]{100,}", first)[0], re.findall(r"[a-f界]{100,}", second)[0]
    assert line.startswith("".join(text))
    assert "min.js" in found


def test_c31_what_is_no_plain_text_file_is_refused_at_once_and_searches_pass_it_by(project: Path, home: Path) -> None:
    os.mkfifo(project / "p")
    (project / "folder").mkdir()
    listening = socket.socket(socket.AF_UNIX)
    there = os.getcwd()
    os.chdir(project)  # the address of a unix socket has to be short
    listening.bind("sock")
    os.chdir(there)
    with (project / "sparse").open("wb") as sparse:
        sparse.truncate(2 * 2**30)
    os.symlink("/dev/zero", project / "zero")
    (project / "elf").write_bytes(Path(sys.executable).resolve().read_bytes()[:100_000])
    (project / "text").write_text("needle\n")
    odd = ["p", "sock", "folder", "zero", "sparse", "elf", "/dev/zero", "/proc/self/environ"]
    named: list[tuple[str, dict[str, Any]]] = [("read_file", {"path": name}) for name in odd]
    named += [("edit_file", {"path": name, "old_text": "a", "new_text": "b"}) for name in odd]
    named += [("write_file", {"path": name, "content": "b"}) for name in odd if name not in ("sparse", "elf")]
    named += [("grep_code", {"pattern": "needle", "path": "p"}), ("grep_code", {"pattern": "needle"})]
    with listening:
        ran = ask(project, home, [calls(*named), say("好")])
    *refused, searched_fifo, found = tool_results(ran.requests[1])
    assert "needle" in found.replace("grep_code", "")
    assert "text" in found
    assert "needle" not in searched_fifo
    assert all(len(result) < 600 for result in refused), max(refused, key=len)
    assert not any("已修改" in result or "已写入" in result or "已创建" in result for result in refused)
    assert not any("PAICLI_" in result for result in refused)


def stale(project: Path, home: Path, change: Callable[[Path], object], *, limit: int = 2_000) -> tuple[str, str]:
    """The model reads `f`, `change` happens, the model overwrites `f`: (what it was told, what is in the file)."""
    file = project / "f"
    file.write_text("A\nB\n")

    def write(request: RecordedRequest) -> Reply:
        change(file)
        return call("write_file", {"path": "f", "content": "A2\nB\n"})

    ran = ask(project, home, [call("read_file", {"path": "f", "limit": limit}), write, say("好")])
    return last_message(ran.requests[2])["content"], file.read_text() if file.exists() else "(gone)"


def same_size_and_time(file: Path) -> None:
    before = file.stat()
    file.write_text("A\nC\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_c32_a_file_that_changed_since_it_was_read_is_not_overwritten(project: Path, home: Path) -> None:
    told, left = stale(project, home, lambda file: file.write_text("A\nB\nC\n"))
    assert ("改动" in told, left) == (True, "A\nB\nC\n")
    told, left = stale(project, home, same_size_and_time)
    assert ("改动" in told, left) == (True, "A\nC\n")
    told, left = stale(project, home, lambda file: file.unlink())
    assert ("删除" in told, left) == (True, "(gone)")
    told, left = stale(project, home, lambda file: file.write_text("A\nD\n"), limit=1)
    assert ("改动" in told, left) == (True, "A\nD\n")


def test_c32_an_unread_file_is_not_overwritten_and_an_anchored_edit_keeps_the_persons_line(
    project: Path, home: Path
) -> None:
    (project / "unread").write_text("A\n")
    (project / "f").write_text("A\nB\n")

    def edit(request: RecordedRequest) -> Reply:
        (project / "f").write_text("A\nB\nC\n")
        return call("edit_file", {"path": "f", "old_text": "A", "new_text": "A2"})

    steps = [
        calls(("write_file", {"path": "unread", "content": "x"}), ("read_file", {"path": "f"})),
        edit,
        say("好"),
    ]
    unread, _, edited = tool_results(ask(project, home, steps).requests[2])
    assert ("没有读过" in unread, (project / "unread").read_text()) == (True, "A\n")
    assert ("已修改" in edited, (project / "f").read_text()) == (True, "A2\nB\nC\n")


def test_c32_the_hash_is_checked_again_after_the_approval(project: Path, home: Path) -> None:
    (project / "f").write_text("A\nB\n")
    script = StrictScript(
        [call("read_file", {"path": "f"}), call("write_file", {"path": "f", "content": "A2\nB\n"}), say("好")]
    )
    with (
        OpenAiServer(script) as server,
        started("--mode", "ask", project=project, home=home, server=server) as process,
    ):
        type_into(process, "改 f\n")
        read_until(process, "允许?")
        (project / "f").write_text("A\nB\nC\n")
        _, errors = process.communicate(b"y\n/exit\n", timeout=PATIENCE_S)
        assert (process.returncode, errors, script.faults) == (0, b"", [])
        assert "改动" in last_message(server.requests[2])["content"]
    assert (project / "f").read_text() == "A\nB\nC\n"


NAMES = ["shot 1\u202fPM.txt", "shot 1 PM.txt", "e\u0301.txt", "a\nb.txt", "-rf", " lead", "bad\udcff"]
TOLD = ["shot 1\u202fPM.txt", "shot 1 PM.txt", "\u00e9.txt", "a\nb.txt", "-rf", " lead", "bad\ufffd"]
"""The same names as a model would write them; its JSON knows no byte 0xff."""


def test_c33_odd_names_are_listed_searched_read_and_edited(project: Path, home: Path) -> None:
    for number, name in enumerate(NAMES):
        (project / name).write_text(f"needle {number}\n")
    listing = calls(("list_dir", {}), ("glob_files", {"pattern": "*"}), ("grep_code", {"pattern": "needle"}))
    reading = calls(*(("read_file", {"path": name}) for name in TOLD))
    editing = calls(*(("edit_file", {"path": name, "old_text": "needle", "new_text": "pin"}) for name in NAMES[:-1]))
    ran: Ran = ask(project, home, [listing, reading, editing, say("好")])
    *_, last = ran.requests
    last.raw_body.decode("utf-8")
    listed, globbed, found, *rest = tool_results(last)
    for text in (listed, globbed, found):
        assert sum("lead" in line for line in text.splitlines()) == 1
        assert "a\\nb.txt" in text
        assert "-rf" in text
    assert [f"needle {number}" in result for number, result in enumerate(rest[:7])] == [True] * 7
    assert ["已修改" in result for result in rest[7:]] == [True] * 6
    assert [(project / name).read_text() for name in NAMES] == [
        *(f"pin {number}\n" for number in range(6)),
        "needle 6\n",
    ]
    assert sorted(os.listdir(project)) == sorted(NAMES)
