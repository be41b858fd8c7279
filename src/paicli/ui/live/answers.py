"""Answers to commands are worked out beside the terminal's thread: git or a slow disk must not hold up the keys."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")


class AnswerThread(Generic[Found]):
    """Works out one answer after the other, and gives each to `on_found` in the loop that asked."""

    def __init__(self, on_found: Callable[[Found], None]) -> None:
        self._on_found = on_found
        self._asked: queue.SimpleQueue[tuple[Callable[[], Found], asyncio.AbstractEventLoop]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, find: Callable[[], Found]) -> None:
        """Returns at once. Only from a running loop."""
        self._asked.put((find, asyncio.get_running_loop()))
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="paicli-answers", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            find, loop = self._asked.get()
            found = find()
            try:
                loop.call_soon_threadsafe(self._on_found, found)
            except RuntimeError:
                return  # the session was left meanwhile
