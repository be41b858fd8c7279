"""Cancellation as a value that is passed along: a token, its children, callbacks, and a wait that ends early."""

import threading
import weakref
from collections.abc import Callable

from paicli.core.errors import TurnCancelled


class CancellationToken:
    """Says from any thread, once and for good, that work should stop.

    A child is cancelled with its parent; cancelling a child leaves the parent alone.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next_key = 0
        self._children: weakref.WeakSet[CancellationToken] = weakref.WeakSet()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        """Sets the token and runs the callbacks on the calling thread; a second call does nothing."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
            children = list(self._children)
        for callback in callbacks:
            callback()
        for child in children:
            child.cancel()

    def raise_if_cancelled(self) -> None:
        """Raises TurnCancelled when the token is set."""
        if self.cancelled:
            raise TurnCancelled

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Runs `callback` once on cancel (at once when already cancelled). Returns a function that unregisters it.

        Callbacks must be short and must not raise.
        """
        with self._lock:
            if not self._event.is_set():
                key = self._next_key
                self._next_key += 1
                self._callbacks[key] = callback
                return lambda: self._forget(key)
        callback()
        return lambda: None

    def wait(self, timeout_s: float | None) -> bool:
        """Waits until cancelled, `timeout_s` seconds at most (None: for ever). Returns `cancelled`."""
        return self._event.wait(timeout_s)

    def child(self) -> "CancellationToken":
        """A token that is cancelled with this one; the parent keeps it only weakly."""
        child = CancellationToken()
        with self._lock:
            self._children.add(child)
            is_cancelled = self._event.is_set()
        if is_cancelled:
            child.cancel()
        return child

    def _forget(self, key: int) -> None:
        with self._lock:
            self._callbacks.pop(key, None)
