"""One writer for an open file, for as long as it is open: a process that dies leaves no lock behind."""

import errno
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_UNSUPPORTED = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})


def claim(descriptor: int) -> bool:
    """False when somebody else writes it now. True as well on a file system without locks: there nobody can tell."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    return True


@contextmanager
def kept_from_writers(path: Path) -> Generator[bool]:
    """True while nobody can claim the file, which need not exist; False when somebody writes it already.

    Raises OSError where it can't be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        yield True
        return
    try:
        yield claim(descriptor)
    finally:
        os.close(descriptor)
