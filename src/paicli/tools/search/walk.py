"""The files below a folder, in order of their paths: links not followed, ignored and forbidden folders not entered."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import PolicyDenied
from paicli.policy.path_guard import PathGuard
from paicli.system.folders import FileKind, FolderEntry, OpenFolder, open_folder
from paicli.tools.search.ignore import IgnoreRules

SEARCH_S = 8.0


class SearchTime:
    """How long a search may still take."""

    def __init__(
        self, cancel: CancellationToken, limit_s: float = SEARCH_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.cancel = cancel
        self._clock = clock
        self._end = clock() + limit_s

    @property
    def left_s(self) -> float:
        """Raises TurnCancelled when the turn was cancelled."""
        self.cancel.raise_if_cancelled()
        return max(0.0, self._end - self._clock())


class Place(NamedTuple):
    """A file that a walk came by; `folder` is open until the walk goes on."""

    parts: tuple[str, ...]
    """Below the base."""
    kind: FileKind
    folder: OpenFolder

    @property
    def modified_ns(self) -> int:
        """0 where it is gone meanwhile."""
        try:
            return self.folder.stat(self.parts[-1]).st_mtime_ns
        except OSError:
            return 0


class Walk:
    """Everything but folders below `parts`; stops early, and says so, when the time is up."""

    def __init__(self, base: Path, *, rules: IgnoreRules, paths: PathGuard, time: SearchTime) -> None:
        self._base = base
        self._rules = rules
        self._paths = paths
        self._time = time
        self.timed_out = False

    def below(self, parts: tuple[str, ...]) -> Iterator[Place]:
        """`rules` of the constructor are those outside the folder `parts`."""
        pending = [(parts, self._rules)]
        while pending:
            if not self._time.left_s:
                self.timed_out = True
                return
            here, rules = pending.pop()
            if not may_read(self._paths, self._base, here):
                continue
            rules = rules.entering(self._base, here)
            try:
                folder = open_folder(self._base, here)
            except OSError:  # no right to it, or gone meanwhile
                continue
            subfolders: list[tuple[tuple[str, ...], IgnoreRules]] = []
            with folder:
                for entry in sorted(folder.entries()):
                    inner = (*here, entry.name)
                    if rules.ignores(inner, entry.kind):
                        continue
                    if entry.kind is FileKind.FOLDER:
                        subfolders.append((inner, rules))
                    else:
                        yield Place(inner, entry.kind, folder)
            pending += reversed(subfolders)


def may_read(paths: PathGuard, base: Path, parts: tuple[str, ...]) -> bool:
    """The guard lets it pass: a project may hold protected folders."""
    try:
        paths.for_reading(str(base.joinpath(*parts)))
    except PolicyDenied:
        return False
    return True


def sorted_for_people(entries: list[FolderEntry]) -> list[FolderEntry]:
    """Folders first, then by name whatever the case."""
    return sorted(entries, key=lambda entry: (entry.kind is not FileKind.FOLDER, entry.name.casefold(), entry.name))
