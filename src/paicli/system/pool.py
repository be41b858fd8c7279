"""Daemon threads that run work and never hold up the exit of the process."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from paicli.core.cancellation import CancellationToken

T = TypeVar("T")


class DaemonPool:
    """At most `size` pieces of work at once, each on a daemon thread of its own; the rest wait in line.

    Threads are made when work comes and end with it. (A ThreadPoolExecutor joins its workers at exit, so one stuck
    request would hold the process.)
    """

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._lock = threading.Lock()
        self._waiting: list[Callable[[], None]] = []
        self._running = 0

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """The future carries what `work` returns or raises; one cancelled before its start never runs."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work())
            except BaseException as error:  # carried to whoever waits: nothing is swallowed here
                future.set_exception(error)

        with self._lock:
            self._waiting.append(run)
            if self._running < self._size:
                self._running += 1
                threading.Thread(target=self._drain, name=self._name, daemon=True).start()
        return future

    def _drain(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    return
                work = self._waiting.pop(0)
            work()


def wait_for_all(futures: "Sequence[Future[Any]]", cancel: CancellationToken, *, grace_s: float) -> None:
    """Returns when all are done, or `grace_s` seconds after a cancel; what waits in line by then never starts."""
    cancelled: Future[None] = Future()
    unregister = cancel.on_cancel(lambda: cancelled.set_result(None))
    try:
        pending = {future for future in futures if not future.done()}
        while pending and not cancelled.done():
            _, left = wait({*pending, cancelled}, return_when=FIRST_COMPLETED)
            pending = {future for future in left if future is not cancelled}
    finally:
        unregister()
    if pending:
        for future in pending:
            future.cancel()
        wait({future for future in pending if not future.done()}, timeout=grace_s)
