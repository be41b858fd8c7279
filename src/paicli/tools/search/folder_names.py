"""Names in one folder, as a shell completes them: mentions inside the guard, commands wherever they may look."""

import os
import threading
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path

from paicli.core.errors import PolicyDenied
from paicli.policy.path_guard import PathGuard
from paicli.system.folders import FileKind, OpenFolder, open_folder
from paicli.tools.search.index import IndexedPath, folded


def guarded_names(paths: PathGuard, typed: str, limit: int) -> list[IndexedPath]:
    """What stands in the folder that `typed` names up to its last "/", ignored files included; [] outside the guard."""
    head, slash, prefix = typed.rpartition("/")
    try:
        guarded = paths.for_reading(head + slash or ".")
        with open_folder(guarded.base, guarded.parts) as folder:
            names = [entry for entry in folder.entries() if entry.name != ".git"]  # the guard would refuse it
            found = [(entry.name, _leads_to_folder(folder, entry.name, entry.kind)) for entry in names]
    except (PolicyDenied, OSError):
        return []
    return _fitting(found, head + slash, prefix)[:limit]


def shell_names(root: Path, typed: str, limit: int) -> list[IndexedPath]:
    """For a command of the person's own, which may look anywhere; `~` is their home."""
    head, slash, prefix = typed.rpartition("/")
    folder = os.path.join(root, os.path.expanduser(head + slash))
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_dir()) for entry in entries]
    except (OSError, ValueError):
        return []
    return _fitting(found, head + slash, prefix)[:limit]


class Programs:
    """The programs in some folders, looked up once."""

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self._lock = threading.Lock()
        self._names: list[str] | None = None

    def starting_with(self, prefix: str, limit: int) -> list[str]:
        """In order of their names."""
        with self._lock:
            if self._names is None:
                self._names = sorted({name for folder in self._folders for name in _programs_in(folder)})
        start = bisect_left(self._names, prefix)
        return [name for name in self._names[start : start + limit] if name.startswith(prefix)]


def _programs_in(folder: str) -> Iterable[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if os.access(entry.path, os.X_OK) and not entry.is_dir()]
    except OSError:
        return []


def _fitting(found: list[tuple[str, bool]], head: str, prefix: str) -> list[IndexedPath]:
    wanted = folded(prefix)
    return [
        IndexedPath(head + name, is_folder)
        for name, is_folder in sorted(found, key=lambda pair: (not pair[1], folded(pair[0]), pair[0]))
        if folded(name).startswith(wanted) and (prefix.startswith(".") or not name.startswith("."))
    ]


def _leads_to_folder(folder: OpenFolder, name: str, kind: FileKind) -> bool:
    if kind is not FileKind.LINK:
        return kind is FileKind.FOLDER
    try:
        return os.path.isdir(os.path.join(f"/proc/self/fd/{folder.fd}", name))
    except OSError:
        return False
