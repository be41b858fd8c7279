"""What is older than it need be kept: sessions with their results, audit and log files, snapshots."""

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from paicli.system.locks.sole_writer import kept_from_writers

_DAY_S = 86_400.0
_JOURNAL = ".jsonl"
_BESIDE_A_JOURNAL = (".results", ".damaged")
_DATED = ("audit", "logs")
"""Folders of files that are nobody's after their day."""


def clean_storage(
    home: Path,
    *,
    keep_days: int,
    current: Path,
    origins: Iterable[str] = (),
    now: Callable[[], float] = time.time,
) -> list[Path]:
    """Removes what nobody changed for `keep_days` days (0: nothing), and returns it.

    Never the session with the journal `current`, those it was forked from (`origins`), nor one that a process writes
    now, nor the snapshots of its project. What can't be removed stays.
    """
    if keep_days <= 0:
        return []
    oldest = now() - keep_days * _DAY_S
    kept = {current.stem, *origins}
    return [path for path in _outdated(home, oldest, kept) if _remove(path)]


def _outdated(home: Path, oldest: float, kept: set[str]) -> Iterator[Path]:
    for project in _folders(home / "sessions"):
        yield from _outdated_sessions(project, oldest, kept)
        yield from (path for path in _files(project) if _is_left_over(path) and _changed_at(path) < oldest)
    for name in _DATED:
        yield from (path for path in _files(home / name) if _changed_at(path) < oldest)
    for project in _folders(home / "snapshots"):
        is_outdated = max([_changed_at(project), *map(_changed_at, _entries(project))]) < oldest
        if is_outdated and not _has_writers(home / "sessions" / project.name, kept):
            yield project


def _has_writers(sessions: Path, kept: set[str]) -> bool:
    """Whether a session of that project runs."""
    for journal in _files(sessions):
        if journal.suffix == _JOURNAL:
            if journal.stem in kept:
                return True
            with suppress(OSError), kept_from_writers(journal) as is_free:
                if not is_free:
                    return True
    return False


def _outdated_sessions(project: Path, oldest: float, kept: set[str]) -> Iterator[Path]:
    names = {entry.name.partition(".")[0] for entry in [*_files(project), *_folders(project)]} - {"", *kept}
    for name in sorted(names):
        journal = project / f"{name}{_JOURNAL}"
        parts = [journal, *(project / f"{name}{ending}" for ending in _BESIDE_A_JOURNAL)]
        parts = [part for part in parts if part.exists() and not part.is_symlink()]
        if parts and max(map(_changed_at, parts)) < oldest:
            with suppress(OSError), kept_from_writers(journal) as is_free:  # held until they are removed
                yield from parts if is_free and _changed_at(parts[0]) < oldest else ()


def _is_left_over(path: Path) -> bool:
    """A file that its process was killed over before it had its name."""
    return path.name.startswith(".") and path.suffix == ".tmp"


def _remove(path: Path) -> bool:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError:
        return False
    return True


def _changed_at(path: Path) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return float("inf")


def _files(folder: Path) -> list[Path]:
    return [path for path in _entries(folder) if path.is_file() and not path.is_symlink()]


def _folders(folder: Path) -> list[Path]:
    return [path for path in _entries(folder) if path.is_dir() and not path.is_symlink()]


def _entries(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.iterdir())
    return []
