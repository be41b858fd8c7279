"""One writer at a time for files that several processes change: a lock that is waited for only so long.

The system gives a lock back when its process ends, however it ends: what a dead process left behind blocks nobody.
"""

import errno
import fcntl
import os
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

WAIT_S = 2.0
"""Whoever holds a lock reads, changes and writes one small file: longer than that something is wrong."""


class LockHeld(TimeoutError):
    """Another process kept the lock for the whole wait."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.ETIMEDOUT, "another process is changing it", path)


@contextmanager
def locked(path: Path, timeout_s: float = WAIT_S) -> Generator[None]:
    """Holds the lock of `path`, which need not exist. Raises LockHeld, or OSError where no lock file can be made.

    Read, change and write inside. A folder is locked itself; beside a file stands an empty `.NAME.lock`, which stays:
    taking it away would let two processes hold two different ones. Not re-entrant.
    """
    is_folder = path.is_dir()
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if is_folder else _open_beside(path)
    try:
        take_lock(descriptor, timeout_s, shown=str(path))
        if not is_folder:
            _sweep(path)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


def take_lock(descriptor: int, timeout_s: float = WAIT_S, *, shown: str = "") -> None:
    """The lock of an open file, held until it is closed. Raises LockHeld. A file system without locks has none."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _wait_for_lock(descriptor, timeout_s, shown)
    except OSError:
        return


def temporary_name(name: str) -> str:
    """Of the file that becomes `name`; one that a killed process left goes when `name` is locked the next time."""
    return f".{name}.{os.urandom(8).hex()}.tmp"


def _wait_for_lock(descriptor: int, timeout_s: float, shown: str) -> None:
    # The system's own wait has no deadline. It gets a descriptor of its own for the same open file: closing that keeps
    # a lock that came in time, and gives back one that came when everybody had left.
    waiting = os.dup(descriptor)
    is_over = threading.Event()

    def wait() -> None:
        try:
            with suppress(OSError):
                fcntl.flock(waiting, fcntl.LOCK_EX)
            is_over.set()
        finally:
            os.close(waiting)

    threading.Thread(target=wait, name="paicli-lock", daemon=True).start()
    if not is_over.wait(timeout_s):
        raise LockHeld(shown)


def _open_beside(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path.with_name(f".{path.name}.lock"), flags, 0o600)


def _sweep(path: Path) -> None:
    """Nobody else writes `path` now: temporary files for it were left by processes that were killed."""
    left = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.tmp")
    with suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if left.fullmatch(entry.name):
                os.unlink(entry.path)
