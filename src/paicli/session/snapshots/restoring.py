"""From a wanted tree to files: what goes, what comes back, what can't, each by itself."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.records import RestorePlan, TreeChange
from paicli.session.snapshots.repository import SideRepository
from paicli.system.folders import FileKind, open_folder
from paicli.system.trees.entries import make_folder, put_file, put_link, remove_empty_folder, remove_entry

_LINK_MODE = "120000"
_EXECUTABLE_MODE = "100755"


class Restored(NamedTuple):
    written: tuple[str, ...]
    removed: tuple[str, ...]
    failed: tuple[str, ...]


class Restoring:
    """Carries a plan out, file by file: a kill in between leaves whole files, old or new."""

    def __init__(self, repository: SideRepository, root: Path, *, allows: Callable[[str], bool]) -> None:
        """`allows`: whether this path, relative to the root, may be written at all."""
        self._repository = repository
        self._root = root
        self._allows = allows

    def in_the_way(self, changes: Iterable[TreeChange]) -> tuple[str, ...]:
        """Paths that stay: something stands there that no snapshot holds, or the guard forbids it."""
        return tuple(
            change.path
            for change in changes
            if not self._allows(change.path) or (change.old is None and self._is_occupied(change.path))
        )

    def carry_out(self, plan: RestorePlan, cancel: CancellationToken) -> Restored:
        """Raises SnapshotFailed, OSError of git, TurnCancelled between two files."""
        failed = set(plan.in_the_way)
        wanted = [change for change in plan.changes if change.path not in failed]
        going = [change.path for change in wanted if change.new is None]
        removed = [path for path in going if self._tried(lambda path=path: self._remove(path))]
        for folder in sorted(plan.folders_removed, key=len, reverse=True):
            self._remove_folders(folder)
        written = list(self._written([change for change in wanted if change.new is not None], cancel))
        for folder in plan.folders_made:
            if self._allows(folder):
                self._tried(lambda folder=folder: make_folder(self._root, folder.split("/")))
        done = {*removed, *written}
        failed.update(change.path for change in wanted if change.path not in done)
        return Restored(tuple(sorted(written)), tuple(sorted(removed)), tuple(sorted(failed)))

    def _written(self, changes: list[TreeChange], cancel: CancellationToken) -> Iterable[str]:
        by_blob: defaultdict[str, list[TreeChange]] = defaultdict(list)
        for change in changes:
            if change.new is not None:
                by_blob[change.new.blob].append(change)
        for blob, raw in self._repository.blobs(by_blob, cancel):
            for change in by_blob[blob]:
                cancel.raise_if_cancelled()
                if self._tried(lambda change=change, raw=raw: self._put(change, raw)):
                    yield change.path

    def _put(self, change: TreeChange, raw: bytes) -> None:
        assert change.new is not None
        parts = change.path.split("/")
        if change.old is None and self._is_occupied(change.path):
            raise FileExistsError(change.path)
        if change.new.mode == _LINK_MODE:
            put_link(self._root, parts, os.fsdecode(raw))
        else:
            put_file(self._root, parts, raw, is_executable=change.new.mode == _EXECUTABLE_MODE)

    def _remove(self, path: str) -> None:
        remove_entry(self._root, path.split("/"))
        self._remove_folders(path.rpartition("/")[0])

    def _remove_folders(self, folder: str) -> None:
        """That one and those around it, as far as they are empty."""
        parts = folder.split("/") if folder else []
        while parts and remove_empty_folder(self._root, parts):
            parts.pop()

    def _is_occupied(self, path: str) -> bool:
        *above, name = path.split("/")
        try:
            with open_folder(self._root, above) as folder:
                return folder.kind_of(name) is not FileKind.FOLDER
        except OSError:  # nothing there, or something that goes first
            return False

    def _tried(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except OSError:
            return False
        return True
