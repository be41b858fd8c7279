"""The search by ripgrep, told to leave out what the search of our own leaves out.

Its plain output is read, not --json: that writes every match of a line of millions of characters, plain output can be
told to cut the line.
"""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from paicli.policy.path_guard import PathGuard
from paicli.system.captured import Captured, run_captured
from paicli.system.files import open_regular
from paicli.tools.files.encoding import detect_encoding
from paicli.tools.search.globs import GlobPattern
from paicli.tools.search.ignore import has_rules_above, rules_at
from paicli.tools.search.query import (
    AFTER_MATCH,
    BEFORE_MATCH,
    MAX_SHOWN_CHARACTERS,
    Found,
    Hit,
    Query,
    Scope,
    first_results,
)
from paicli.tools.search.walk import SearchTime, may_read

_MAX_LINES_BYTES = 500_000
"""Reading the lines of more than that costs more than asking twice."""
_MAX_LIST_BYTES = 32_000_000
_MAX_FILE_BYTES = 64_000_000
_MAX_LINE_BYTES = 4 * MAX_SHOWN_CHARACTERS
_SAME_RULES = (
    "--no-config",  # RIPGREP_CONFIG_PATH
    "--no-require-git",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    "--hidden",
    "--glob=!.git",
    "--crlf",
    "--no-messages",
    "--color=never",
)
_LINES = ("--null", "--no-heading", "--with-filename", "--line-number", "--no-context-separator")
_FILES = ("--files-with-matches", "--null")
_BINARY_NOTE = re.compile(rb"([^\n\0]*): (?:WARNING: stopped searching binary file|[Bb]inary file matches)[^\n]*\n")
_PLAIN_LINE = re.compile(rb"([^\0]*)\0(\d+)([:-])([^\n]*)\n")
_META = re.compile(r"[\\.+*?()|\[\]{}^$#&\-~]")
_PATTERN_FAULT = 2


def find_ripgrep(root: Path) -> str | None:
    """The program on the PATH or beside Python (the extra `paicli[rg]`); never one that lies in the project."""
    beside = Path(sys.executable).with_name("rg")
    found = shutil.which("rg") or (str(beside) if os.access(beside, os.X_OK) else None)
    if found is None or not os.path.isabs(found):
        return None
    return None if Path(os.path.realpath(found)).is_relative_to(root) else found


class Ripgrep:
    """One search by the program at `program`."""

    def __init__(self, program: str, query: Query, scope: Scope, *, glob: GlobPattern | None, time: SearchTime) -> None:
        self._program = program
        self._query = query
        self._scope = scope
        self._glob = glob
        self._time = time
        # It runs in the folder where the search starts: with "src" as an argument, version 13 takes a pattern like
        # "src/b" in the .gitignore above for one of "src/src/b".
        self._folder = scope.parts[:-1] if scope.is_file else scope.parts
        self._target = f"./{scope.parts[-1]}" if scope.is_file else "./"

    def run(self, paths: PathGuard) -> Found | None:
        """None where it can't do what the search of our own does: other ignore rules, another kind of pattern."""
        rules = _parent_rules(self._scope)
        if rules is None:
            return None
        if self._query.files_only:
            captured = self._call([*rules, *_FILES], [self._target], max_bytes=_MAX_LIST_BYTES)
        else:
            captured = self._call([*rules, *self._lines_wanted()], [self._target], max_bytes=_MAX_LINES_BYTES)
            if captured.is_cut:
                captured = self._in_two_steps(rules, paths)
        if captured.exit_code == _PATTERN_FAULT and not captured.output and not captured.timed_out:
            return None
        hits, timed_out = self._hits(captured.output), captured.timed_out
        if not self._query.pattern.isascii() and not timed_out:
            timed_out, more = self._in_gb18030(rules, {hit.path for hit in hits})
            hits += more
        kept, is_cut = first_results(self._allowed(hits, paths), self._query)
        return Found(self._with_long_lines_cut(kept), is_cut or captured.is_cut, timed_out)

    def _in_two_steps(self, rules: Sequence[str], paths: PathGuard) -> Captured:
        """For a pattern that is everywhere: which files have it, then the lines of as many as are needed.

        ripgrep names files in no order, so the first files by name are known only when all are.
        """
        listed = self._call([*rules, *_FILES], [self._target], max_bytes=_MAX_LIST_BYTES)
        wanted: list[str] = []
        for hit in sorted(_files(listed.output)):
            if len(wanted) > self._query.max_results:
                break
            if self._is_allowed("/".join((*self._folder, hit.path)), paths):
                wanted.append(f"./{hit.path}")
        if not wanted:  # without a path it would search everything
            return listed._replace(output=b"", is_cut=True)
        captured = self._call(self._lines_wanted(), wanted, max_bytes=_MAX_LIST_BYTES)
        return captured._replace(timed_out=captured.timed_out or listed.timed_out, is_cut=True)

    def _lines_wanted(self) -> list[str]:
        query = self._query
        columns = (f"--max-columns={_MAX_LINE_BYTES}", "--max-columns-preview")
        return [*_LINES, f"--max-count={query.max_results + 1}", f"--context={query.context}", *columns]

    def _call(
        self, flags: Sequence[str], targets: Sequence[str], *, max_bytes: int, pattern: str | None = None
    ) -> Captured:
        """`pattern`: a regular expression in place of the query's own."""
        query = self._query
        argv = [self._program, *_SAME_RULES, *flags]
        if query.ignore_case:
            argv.append("--ignore-case")
        if query.is_literal and pattern is None:
            argv.append("--fixed-strings")
        if self._glob is not None and self._glob.plain_name:
            # Types, unlike --glob, don't bring back what .gitignore leaves out.
            argv += [f"--type-add=wanted:{self._glob.plain_name}", "--type=wanted"]
        # The pattern goes as the value of -e, the paths behind "--": neither is ever an option.
        argv += ["-e", query.pattern if pattern is None else pattern, "--", *targets]
        cwd = self._scope.base.joinpath(*self._folder)
        return run_captured(argv, self._time.cancel, cwd=cwd, timeout_s=self._time.left_s, max_bytes=max_bytes)

    def _hits(self, output: bytes) -> list[Hit]:
        hits = _files(output) if self._query.files_only else _lines(output)
        return [hit._replace(path="/".join((*self._folder, hit.path))) for hit in hits]

    def _allowed(self, hits: list[Hit], paths: PathGuard) -> list[Hit]:
        """Those of files that the pattern and the guard let pass; only as many files are asked about as are needed."""
        allowed: list[Hit] = []
        matches = 0
        for path, group in groupby(sorted(hits), key=lambda hit: hit.path):
            if matches > self._query.max_results:
                break
            if self._is_allowed(path, paths):
                lines = list(group)
                allowed += lines
                matches += sum(hit.is_match for hit in lines)
        return allowed

    def _is_allowed(self, path: str, paths: PathGuard) -> bool:
        return self._is_wanted(path) and may_read(paths, self._scope.base, _parts(path)) and self._is_text(path)

    def _is_wanted(self, path: str) -> bool:
        if self._glob is None or self._scope.is_file:
            return True
        return self._glob.matches("/".join(_parts(path)[len(self._scope.parts) :]))

    def _is_text(self, path: str) -> bool:
        """Naming files only, ripgrep stops at the first match and does not see the NUL behind it."""
        if not self._query.files_only:
            return True
        try:
            with open_regular(self._scope.base, _parts(path)) as file:
                raw = file.read(_MAX_FILE_BYTES)
        except OSError:
            return False
        return b"\0" not in raw or raw.startswith((b"\xff\xfe", b"\xfe\xff"))

    def _in_gb18030(self, rules: Sequence[str], known: set[str]) -> tuple[bool, list[Hit]]:
        """A Chinese pattern has other bytes in a GBK file, and ripgrep compares bytes."""
        flags = _FILES if self._query.files_only else self._lines_wanted()
        captured = self._call([*rules, *flags, "--encoding=gb18030"], [self._target], max_bytes=_MAX_LINES_BYTES)
        hits = self._hits(captured.output)
        verdicts = {path: self._is_gb18030(path) for path in {hit.path for hit in hits} - known}
        return captured.timed_out, [hit for hit in hits if verdicts.get(hit.path)]

    def _is_gb18030(self, path: str) -> bool:
        try:
            with open_regular(self._scope.base, _parts(path)) as file:
                encoding = detect_encoding(file.read(_MAX_FILE_BYTES))
        except OSError:
            return False
        return encoding is not None and encoding.codec == "gb18030"

    def _with_long_lines_cut(self, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        long = {hit.path for hit in hits if hit.is_match and len(hit.text) > MAX_SHOWN_CHARACTERS}
        cut: dict[tuple[str, int], str] = {}
        if long:
            inner = _META.sub(r"\\\g<0>", self._query.pattern) if self._query.is_literal else self._query.pattern
            # Lazy before the match, so that it is the line's first one.
            around = f".{{0,{BEFORE_MATCH}}}?(?:{inner}).{{0,{AFTER_MATCH}}}"
            depth = len(self._folder)
            targets = sorted("./" + "/".join(_parts(path)[depth:]) for path in long)
            flags = [*_LINES, "--only-matching", f"--max-count={self._query.max_results + 1}"]
            captured = self._call(flags, targets, max_bytes=_MAX_LIST_BYTES, pattern=around)
            for hit in self._hits(captured.output):
                cut.setdefault((hit.path, hit.number), hit.text)
        return tuple(
            hit._replace(text=cut.get((hit.path, hit.number), hit.text)[:MAX_SHOWN_CHARACTERS]) for hit in hits
        )


def _parent_rules(scope: Scope) -> list[str] | None:
    """How ripgrep comes to the rules of ignore.py for what lies outside the start; None: it can't."""
    start = rules_at(scope.base, scope.parts)
    if scope.is_file or start.start_is_ignored or (not scope.parts and start.base_is_ignored):
        return ["--no-ignore-parent"]
    if start.base_is_ignored:
        return None
    if not start.is_in_repository and has_rules_above(scope.base):
        return None if scope.parts else ["--no-ignore-parent"]
    return []


def _parts(path: str) -> tuple[str, ...]:
    return tuple(path.split("/"))


def _path(raw: bytes) -> str:
    return os.fsdecode(raw).removeprefix("./")


def _files(output: bytes) -> list[Hit]:
    return [Hit(_path(raw), 0, True, "") for raw in output.split(b"\0")[:-1]]


def _lines(output: bytes) -> list[Hit]:
    hits: list[Hit] = []
    binary: set[str] = set()
    at = 0
    while at < len(output):
        note = _BINARY_NOTE.match(output, at)
        if note is not None:
            binary.add(_path(note.group(1)))
            at = note.end()
            continue
        found = _PLAIN_LINE.match(output, at)
        if found is None:  # cut short
            break
        path, number, sign, text = found.groups()
        hits.append(Hit(_path(path), int(number), sign == b":", _text(text.removesuffix(b"\r"))))
        at = found.end()
    return [hit for hit in hits if hit.path not in binary]


def _text(raw: bytes) -> str:
    for codec in ("utf-8", "gb18030"):
        try:
            return raw.decode(codec)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")
