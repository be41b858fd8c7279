"""The project's files and folders, kept in memory for completion: .gitignore honoured, built in the background.

A search answers from what is known by then and never waits for the disk. Built again when asked after a while; folders
that have not changed since are not read again.
"""

import re
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.policy.path_guard import PathGuard
from paicli.system.folders import FileKind, OpenFolder, open_folder
from paicli.tools.search.ignore import IgnoreRules, rules_at
from paicli.tools.search.walk import may_read

MAX_ENTRIES = 300_000
"""What lies beyond is found by naming its folder."""
ANSWER_S = 0.04
"""A search that takes longer gives what it has."""
FIRST_ANSWER_S = 2.0
"""How long a search that finds nothing waits for the first index to grow; whoever asks does so beside the keys."""
REFRESH_S = 3.0
"""So old, and ten times as old as it took to build, an index may get before it is built again."""
_FIRST_PART = 2_000
"""Entries after which a first part can be searched; then with each doubling."""
_PART = 4_000
"""Looked at between two looks at the clock."""
_SETTLED_NS = 2_000_000_000
"""A folder that changed less than that before it was read may have changed again within one tick of its clock."""


class IndexedPath(NamedTuple):
    path: str
    """Relative to the root, with "/"."""
    is_folder: bool


class _Table:
    """Entries in order of rank: few parts before many, short before long. Immutable."""

    def __init__(self, entries: Sequence[IndexedPath] = ()) -> None:
        self.entries = sorted(entries, key=lambda entry: (entry.path.count("/"), len(entry.path), entry.path))
        self.paths = [folded(entry.path) for entry in self.entries]
        self.names = [path[path.rfind("/") + 1 :] for path in self.paths]
        self.name_letters = list(map(_letters, self.names))
        """Which letters each name has, as bits: most that don't fit are out at the cost of one comparison."""
        self.letters = _path_letters(self.paths, self.name_letters)


class _Narrowed(NamedTuple):
    """All entries that fit what was typed: they are all that can fit when more is typed behind it."""

    table: _Table
    typed: str
    positions: list[int]


class _KnownFolder(NamedTuple):
    stamp: tuple[int, ...]
    outer: IgnoreRules
    rules: IgnoreRules
    entries: list[tuple[str, bool]]
    """(name, is a folder)"""


class FileIndex:
    """Of one project. Thread-safe."""

    def __init__(self, paths: PathGuard, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._paths = paths
        self._clock = clock
        self._lock = threading.Lock()
        self._grown = threading.Condition(self._lock)
        self._table = _Table()
        self._narrowed = _Narrowed(self._table, "", [])
        self._builder: threading.Thread | None = None
        self._fresh_until = float("-inf")
        self._known: dict[tuple[str, ...], _KnownFolder] = {}
        self._outer: IgnoreRules | None = None
        """The rules of the folders above the root, read once."""

    def prepare(self) -> threading.Thread | None:
        """Builds the index in the background unless it is fresh; the thread that does so, None when none does."""
        with self._lock:
            if self._builder is None and self._clock() >= self._fresh_until:
                self._builder = threading.Thread(target=self._build, name="paicli-file-index", daemon=True)
                self._builder.start()
            return self._builder

    def find(self, typed: str, limit: int) -> list[IndexedPath]:
        """The best `limit` entries for `typed`: by the name's beginning, the name, the path, and then by letters.

        The letters of each part of `typed` fit a part of the path that has them in order, the last part the name:
        "ui/cmp" finds src/paicli/ui/live/composer.py.
        """
        self.prepare()
        end = self._clock() + FIRST_ANSWER_S
        while True:
            with self._lock:
                table, is_first = self._table, self._builder is not None and not self._known
            found = self._find(table, folded(typed.removeprefix("./")), limit)
            if found or not is_first:
                return found
            if not self._grows_beyond(table, end - self._clock()):
                return []

    def _grows_beyond(self, table: _Table, timeout_s: float) -> bool:
        """There was nothing yet, but the first index is still growing: it may come with the next part."""
        with self._grown:
            return self._grown.wait_for(lambda: self._table is not table or self._builder is None, timeout_s)

    def _find(self, table: _Table, wanted: str, limit: int) -> list[IndexedPath]:
        if not wanted:
            return table.entries[:limit]
        search = _Search(table, wanted, self._candidates(table, wanted), end=self._clock() + ANSWER_S)
        positions, fitting = search.run(limit, self._clock)
        if fitting is not None:
            self._narrowed = _Narrowed(table, wanted, fitting)
        return [table.entries[position] for position in positions]

    def _candidates(self, table: _Table, wanted: str) -> Sequence[int]:
        narrowed = self._narrowed
        is_longer = bool(narrowed.typed) and wanted.startswith(narrowed.typed)
        if narrowed.table is table and is_longer and wanted.count("/") == narrowed.typed.count("/"):
            return narrowed.positions
        return range(len(table.entries))

    def _build(self) -> None:
        started = self._clock()
        known: dict[tuple[str, ...], _KnownFolder] = {}
        count, next_part = 0, _FIRST_PART
        try:
            for parts, folder in self._walk():
                known[parts] = folder
                count += len(folder.entries)
                if not self._known and count >= next_part:
                    self._grow(known)
                    next_part *= 2
                if count >= MAX_ENTRIES:
                    break
            is_same = known.keys() == self._known.keys() and all(known[parts] is self._known[parts] for parts in known)
            if not is_same:
                self._grow(known)
        finally:
            took_s = self._clock() - started
            with self._lock:
                self._known = known
                self._fresh_until = self._clock() + max(REFRESH_S, 10 * took_s)
                self._builder = None
                self._grown.notify_all()

    def _grow(self, known: "Mapping[tuple[str, ...], _KnownFolder]") -> None:
        table = _Table(_entries(known))
        with self._lock:
            self._table = table
            self._grown.notify_all()

    def _walk(self) -> Iterator[tuple[tuple[str, ...], _KnownFolder]]:
        """Level by level: a part of it knows the top of the project whole."""
        base = self._paths.root
        if self._outer is None:
            self._outer = rules_at(base, ()).rules
        level: list[tuple[tuple[str, ...], IgnoreRules]] = [((), self._outer)]
        while level:
            below: list[tuple[tuple[str, ...], IgnoreRules]] = []
            for parts, outer in level:
                folder = self._folder(base, parts, outer)
                if folder is not None:
                    yield parts, folder
                    below += [((*parts, name), folder.rules) for name, is_folder in folder.entries if is_folder]
            level = below

    def _folder(self, base: Path, parts: tuple[str, ...], outer: IgnoreRules) -> _KnownFolder | None:
        before = self._known.get(parts)
        if before is None and not may_read(self._paths, base, parts):
            return None
        try:
            with open_folder(base, parts) as folder:
                stamp = _stamp(folder)
                if before is not None and stamp and stamp == before.stamp and outer is before.outer:
                    return before
                rules = outer.entering(base, parts)
                entries = [
                    (entry.name, entry.kind is FileKind.FOLDER)
                    for entry in folder.entries()
                    if entry.kind in _SHOWN_KINDS and not rules.ignores((*parts, entry.name), entry.kind)
                ]
        except OSError:  # no right to it, or gone meanwhile
            return None
        return _KnownFolder(stamp, outer, rules, entries)


_SHOWN_KINDS = frozenset({FileKind.FILE, FileKind.FOLDER, FileKind.LINK})


def _entries(known: Mapping[tuple[str, ...], _KnownFolder]) -> list[IndexedPath]:
    found: list[IndexedPath] = []
    for parts, folder in known.items():
        prefix = "/".join(parts) + "/" if parts else ""
        found += [IndexedPath(prefix + name, is_folder) for name, is_folder in folder.entries]
    return found


class _Search:
    """One look for `wanted` among the candidates."""

    def __init__(self, table: _Table, wanted: str, candidates: Sequence[int], *, end: float) -> None:
        self._table = table
        self._wanted = wanted
        self._candidates = candidates
        self._end = end

    def run(self, limit: int, clock: Callable[[], float]) -> tuple[list[int], list[int] | None]:
        """(the best positions, all that fit or None when not all were looked at)"""
        wanted, paths, names = self._wanted, self._table.paths, self._table.names
        begins = paths if "/" in wanted else names
        found: list[int] = []
        for part in self._parts(clock):
            found += [position for position in part if begins[position].startswith(wanted)]
            if len(found) >= limit:
                return found[:limit], None
        holding = [position for part in self._parts(clock) for position in part if wanted in paths[position]]
        found += [position for position in holding if wanted in names[position]]
        found += holding
        best = list(dict.fromkeys(found))
        if len(best) >= limit:
            return best[:limit], None
        by_letters = self._by_letters(clock)
        fitting = sorted({*holding, *by_letters}) if clock() < self._end else None
        return list(dict.fromkeys([*best, *by_letters]))[:limit], fitting

    def _by_letters(self, clock: Callable[[], float]) -> list[int]:
        table, wanted = self._table, self._wanted
        last = wanted[wanted.rfind("/") + 1 :]
        in_name, in_last, fits_name = table.name_letters, _letters(last), _pattern(last).match
        found: list[int] = []
        for part in self._parts(clock):
            likely = [position for position in part if in_name[position] & in_last == in_last]
            found += [position for position in likely if fits_name(table.names[position])]
        if last == wanted:
            return found
        needed, fits = _letters(wanted), _pattern(wanted).match
        likely = [position for position in found if table.letters[position] & needed == needed]
        self._candidates = likely
        return [position for part in self._parts(clock) for position in part if fits(table.paths[position])]

    def _parts(self, clock: Callable[[], float]) -> Iterator[Sequence[int]]:
        """The candidates, a few thousand at a time, as long as there is time."""
        for start in range(0, len(self._candidates), _PART):
            if clock() >= self._end:
                return
            yield self._candidates[start : start + _PART]


def _path_letters(paths: Sequence[str], name_letters: Sequence[int]) -> list[int]:
    folders: dict[str, int] = {"": 0}
    found: list[int] = []
    for path, inner in zip(paths, name_letters, strict=True):
        folder = path[: path.rfind("/") + 1]
        outer = folders.get(folder)
        if outer is None:
            outer = folders[folder] = _letters(folder)
        found.append(outer | inner)
    return found


def _letters(text: str) -> int:
    bits = 0  # 30 of them: what Python compares fastest
    for letter in set(text):
        bits |= 1 << (ord(letter) % 30)
    return bits


def folded(path: str) -> str:
    """For comparing: without case, composed."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path.casefold())


def _pattern(wanted: str) -> re.Pattern[str]:
    """For a name, or for a whole path where `wanted` has parts: whole parts may lie between those that fit."""
    parts = ["".join(f"[^/{re.escape(letter)}]*{re.escape(letter)}" for letter in part) for part in wanted.split("/")]
    # Within a part it never goes back; over the few parts of a path it may.
    between = "[^/]*/(?:[^/]*/)*?"
    if len(parts) == 1:
        return re.compile(parts[0])
    return re.compile("(?:[^/]*/)*?" + between.join(parts) + r"[^/]*\Z")


def _stamp(folder: OpenFolder) -> tuple[int, ...]:
    """The same as long as nothing came, went or was renamed in it and its .gitignore is the same; empty: can't say."""
    try:
        ignore = folder.stat(".gitignore")
        ignored = (ignore.st_mtime_ns, ignore.st_size, ignore.st_ino)
    except OSError:
        ignored = ()
    try:
        changed_ns = folder.stat(".").st_mtime_ns
    except OSError:
        return ()
    newest_ns = max(changed_ns, *ignored[:1]) if ignored else changed_ns
    return (changed_ns, *ignored) if time.time_ns() - newest_ns > _SETTLED_NS else ()
