"""One place where the main thread waits for events and for signals alike."""

import contextlib
import os
import queue
import select
import signal
from collections.abc import Generator
from enum import Enum
from types import FrameType
from typing import Any

from paicli.core.events import Event

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(Enum):
    """What a signal puts into the inbox."""

    SIGNAL = "signal"


class Inbox:
    """Filled from any thread, emptied by the main one.

    A wait on a lock can miss a signal that comes just before it: Python's handler runs only when the wait ends. So the
    wait is on a pipe, which the signal itself writes to.
    """

    def __init__(self) -> None:
        self._items: queue.SimpleQueue[Event | Stop] = queue.SimpleQueue()
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)

    def put(self, item: Event | Stop) -> None:
        """Returns at once; may be called by a signal handler, whatever the interrupted code holds."""
        self._items.put(item)
        # A full pipe wakes as well as one more byte; a closed one has nobody left to wake.
        with contextlib.suppress(OSError):
            os.write(self._writing, b"\0")

    def take(self, timeout_s: float | None) -> Event | Stop | None:
        """What came next; None when nothing came in time (`timeout_s` None: waits for ever)."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self._items.get_nowait()
            ready, _, _ = select.select([self._reading], [], [], timeout_s)
            if not ready:
                return None
            with contextlib.suppress(BlockingIOError):
                os.read(self._reading, 65_536)

    @contextlib.contextmanager
    def signals(self) -> Generator[None]:
        """SIGINT, SIGTERM and SIGHUP become a `Stop` inside; one that was ignored (nohup) stays ignored."""

        def stop(number: int, frame: FrameType | None) -> None:
            self.put(Stop.SIGNAL)

        before: dict[signal.Signals, Any] = {}
        wakeup_before = signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, stop)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup_before)

    def close(self) -> None:
        os.close(self._reading)
        os.close(self._writing)
