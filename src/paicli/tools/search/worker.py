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
        pattern, ignore_case = str(header["pattern"]), header["ignore_case"] is True
        is_literal = header["is_literal"] is True or re.escape(pattern) == pattern
        self.find = _finder(re.escape(pattern) if is_literal else pattern, ignore_case)
        self.needle = pattern if is_literal and not ignore_case else ""
        """What a text must hold to have a match; empty where that is not known."""


def _finder(pattern: str, ignore_case: bool) -> Callable[[str], Match | None]:
    compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)

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
    folders = Folders(request.base)
    found = 0
    for index, path in enumerate(rest.split(b"\0")[:-1]):
        raw = _contents(folders, path)
        rows = [] if raw is None else _rows(_text(raw), request)
        if rows:
            write(json.dumps([index, rows]) + "\n")
            sys.stdout.flush()
            found += sum(is_match for _, is_match, _ in rows)
        if found > request.max_results:
            return


class Folders:
    """Opens folders below the base part by part, no link followed, and keeps the last one for the next file."""

    def __init__(self, base: str) -> None:
        self._base_fd = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
        self._path: bytes | None = None
        self._fd = -1

    def open(self, path: bytes) -> int:
        if path != self._path:
            if self._path is not None:
                os.close(self._fd)
                self._path = None
            self._fd = self._opened(path)
            self._path = path
        return self._fd

    def _opened(self, path: bytes) -> int:
        fd = os.dup(self._base_fd)
        for part in path.split(b"/") if path else ():
            try:
                inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
            finally:
                os.close(fd)
            fd = inner
        return fd


def _contents(folders: Folders, path: bytes) -> bytes | None:
    """None for what is no regular text file; nothing blocks."""
    folder, _, name = path.rpartition(b"/")
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folders.open(folder))
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        if status.st_size > _MAX_FILE_BYTES or status.st_mode & 0o170000 != 0o100000:
            return None
        raw = os.read(fd, _BINARY_PROBE_BYTES)
        is_marked = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
        if len(raw) == _BINARY_PROBE_BYTES and (is_marked or b"\0" not in raw):
            while (more := os.read(fd, _MAX_FILE_BYTES)) and len(raw) <= _MAX_FILE_BYTES:
                raw += more
    except OSError:
        return None
    finally:
        os.close(fd)
    return None if b"\0" in raw and not is_marked else raw


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
    if request.needle not in text:
        return []
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
