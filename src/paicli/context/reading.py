"""Reads files that stand where a person put them: never waits on a pipe, never takes in more than was asked for."""

import os
import stat
from pathlib import Path


class NoRegularFile(OSError):
    """A folder, pipe, socket or device stands there."""


def read_regular(path: Path, limit_bytes: int) -> bytes:
    """At most the first `limit_bytes` of the file, links followed. Raises OSError, NoRegularFile among them."""
    # Without O_NONBLOCK opening a pipe waits until somebody writes into it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NoRegularFile
        return file.read(limit_bytes)
