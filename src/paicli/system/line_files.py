"""Files of lines that several processes append to at once, readable by the user alone."""

import errno
import os
import stat
from pathlib import Path

from paicli.system.files import write_all
from paicli.system.locks.file_lock import WAIT_S, take_lock


def append_line(path: Path, line: bytes, *, timeout_s: float = WAIT_S) -> None:
    """Adds `line` and a line end, whole, whoever else appends meanwhile; makes the file (0600) and its folder (0700).

    What a crash left without an end is ended first. Raises OSError, also where no regular file stands there, and
    LockHeld (one too) where another process keeps the file to itself for `timeout_s`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        if status.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
        take_lock(descriptor, timeout_s, shown=str(path))
        write_all(descriptor, _start(descriptor) + line + b"\n")
    finally:
        os.close(descriptor)  # gives the lock back


def read_lines(path: Path, limit_bytes: int) -> list[bytes]:
    """The last whole lines within `limit_bytes`, oldest first, without their ends. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        size_bytes = file.seek(0, os.SEEK_END)
        start = max(0, size_bytes - limit_bytes)
        file.seek(start)
        lines = file.read(limit_bytes).split(b"\n")
    if start:
        del lines[0]  # its beginning lies before what was read
    return [line for line in lines if line]


def _start(descriptor: int) -> bytes:
    """An end for a line that has none."""
    size_bytes = os.fstat(descriptor).st_size
    return b"" if not size_bytes or os.pread(descriptor, 1, size_bytes - 1) == b"\n" else b"\n"
