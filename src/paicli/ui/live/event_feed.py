"""From the engine's threads to the terminal's: events are handed over in batches, at most one every 50 ms."""

import asyncio
import threading
from collections.abc import Callable

from paicli.core.events import Event

COALESCE_S = 0.05
"""Longer gains nothing, shorter costs redraws (measured)."""


class EventFeed:
    """`listen` from any thread; `on_batch` runs in the loop that `open` was called in."""

    def __init__(self, on_batch: Callable[[list[Event]], None]) -> None:
        self._on_batch = on_batch
        self._lock = threading.Lock()
        self._waiting: list[Event] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_woken = False
        self._is_held = False
        self._handed_over_at = 0.0

    def hold(self) -> None:
        """Events wait from now on: the terminal is someone else's. Belongs to the loop's thread."""
        self._is_held = True

    def release(self) -> None:
        """What came meanwhile is handed over."""
        self._is_held = False
        self._schedule()

    def listen(self, event: Event) -> None:
        """Returns at once."""
        with self._lock:
            self._waiting.append(event)
            if self._loop is None or self._is_woken:
                return
            self._is_woken = True
            try:
                self._loop.call_soon_threadsafe(self._schedule)
            except RuntimeError:
                self._loop = None  # the loop has just ended: the session is over

    def open(self) -> None:
        """From now on batches go to the running loop; what came before goes first."""
        with self._lock:
            self._loop = asyncio.get_running_loop()
            self._is_woken = True
        self._schedule()

    def close(self) -> list[Event]:
        """Ends the hand-over. Returns what was never handed over."""
        with self._lock:
            self._loop = None
            left, self._waiting = self._waiting, []
            return left

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        delay_s = max(0.0, self._handed_over_at + COALESCE_S - loop.time())
        loop.call_later(delay_s, self._hand_over)

    def _hand_over(self) -> None:
        if self._is_held:
            return  # `release` comes back to it
        with self._lock:
            batch, self._waiting = self._waiting, []
            self._is_woken = False
        self._handed_over_at = asyncio.get_running_loop().time()
        if batch:
            self._on_batch(batch)
