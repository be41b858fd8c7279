"""One writer for an open file, for as long as it is open. A process that dies, however it dies, leaves no lock behind."""

import errno
import fcntl
import os
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


def is_claimed(path: Path) -> bool:
    """Whether somebody writes it now; False for a file that is not there. Raises OSError where it can't be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        return not claim(descriptor)
    finally:
        os.close(descriptor)
