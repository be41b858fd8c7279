"""Searches files by Python's `re`, as a program of its own: a pattern like (a+)+$ can't be stopped from within.

Runs by its path in isolated mode, with the standard library only, so that it starts in 20 ms and nothing in the
searched folder can be imported. On stdin: a line of JSON, then the paths, each ended by a NUL. On stdout: a line of
JSON per file with matches, `[index, [[line, is_match, text], …]]`, at once, so that what was found stands when it is
killed. A pattern that can't be compiled is one line `{"error": …, "position": …}`.
"""

import json
import os
import re
import sys
from collections.abc import Callable

Match = tuple[int, int]
Row = tuple[int, bool, str]

_MAX_FILE_BYTES = 64_000_000
_BINARY_PROBE_BYTES = 65_536


class Request:
    """The first line of stdin."""

    def __init__(self, header: dict[str, object]) -> None:
        self.base = str(header["base"])
        self.context = int(str(header["context"]))
        self.max_results = int(str(header["max_results"]))
        self.max_shown = int(str(header["max_shown"]))
        self.before, self.after = int(str(header["before"])), int(str(header["after"]))
        self.files_only = header["files_only"] is True
        self.find = _finder(str(header["pattern"]), header["is_literal"] is True, header["ignore_case"] is True)


def _finder(pattern: str, is_literal: bool, ignore_case: bool) -> Callable[[str], Match | None]:
    compiled = re.compile(re.escape(pattern) if is_literal else pattern, re.IGNORECASE if ignore_case else 0)

    def find(line: str) -> Match | None:
        found = compiled.search(line)
        return found.span() if found else None

    return find


def main() -> None:
    header, _, rest = sys.stdin.buffer.read().partition(b"\n")
    write = sys.stdout.write
    try:
        request = Request(json.loads(header))
    except (re.error, RecursionError, OverflowError) as error:
        write(json.dumps({"error": str(getattr(error, "msg", error)), "position": getattr(error, "pos", None)}) + "\n")
        return
    base_fd = os.open(request.base, os.O_RDONLY | os.O_DIRECTORY)
    found = 0
    for index, path in enumerate(rest.split(b"\0")[:-1]):
        raw = _contents(base_fd, path)
        rows = [] if raw is None else _rows(_text(raw), request)
        if rows:
            write(json.dumps([index, rows]) + "\n")
            sys.stdout.flush()
            found += sum(is_match for _, is_match, _ in rows)
        if found > request.max_results:
            return


def _contents(base_fd: int, path: bytes) -> bytes | None:
    """None for what is no regular text file; no link is followed on the way, nothing blocks."""
    *parents, name = path.split(b"/")
    fd, folder = -1, os.dup(base_fd)
    try:
        for parent in parents:
            inner = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        status = os.fstat(fd)
        if status.st_size > _MAX_FILE_BYTES or status.st_mode & 0o170000 != 0o100000:
            return None
        with os.fdopen(os.dup(fd), "rb") as file:
            head = file.read(_BINARY_PROBE_BYTES)
            is_marked = head.startswith((b"\xff\xfe", b"\xfe\xff"))
            raw = head if b"\0" in head and not is_marked else head + file.read(_MAX_FILE_BYTES)
        return None if b"\0" in raw and not is_marked else raw
    except OSError:
        return None
    finally:
        os.close(folder)
        if fd >= 0:
            os.close(fd)


def _text(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    for codec in ("utf-8-sig", "gb18030"):
        try:
            return raw.decode(codec)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def _rows(text: str, request: Request) -> list[Row]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    matches: dict[int, Match] = {}
    for at, line in enumerate(lines):
        span = request.find(line.removesuffix("\r"))
        if span is None:
            continue
        if request.files_only:
            return [(0, True, "")]
        matches[at] = span
        if len(matches) > request.max_results:
            break
    wanted = {near for at in matches for near in range(at - request.context, at + request.context + 1)}
    return [
        (at + 1, at in matches, _clipped(lines[at].removesuffix("\r"), matches.get(at), request))
        for at in sorted(wanted)
        if 0 <= at < len(lines)
    ]


def _clipped(line: str, span: Match | None, request: Request) -> str:
    """Around the match; a context line from its start."""
    if span is None or len(line) <= request.max_shown:
        return line[: request.max_shown]
    start, end = max(0, span[0] - request.before), span[1] + request.after
    return line[start:end][: request.max_shown]


if __name__ == "__main__":
    main()
