"""Looks at processes for the tests of commands."""

import os
import threading
import time
from collections.abc import Callable

from paicli.system.process_group import read_process
from tests.patience import PATIENCE_S


def lives(pid: int) -> bool:
    entry = read_process(pid)
    return entry is not None and not entry.is_dead


def comes_true(claim: Callable[[], bool], timeout_s: float = PATIENCE_S) -> bool:
    """Whether `claim` holds within the time; looked at every 10 ms."""
    pause = threading.Event()
    until = time.monotonic() + timeout_s
    while not claim():
        if time.monotonic() >= until:
            return False
        pause.wait(0.01)
    return True


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
