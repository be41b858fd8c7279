"""Goes on reading the pipes of ended commands whose children still write, so that these don't die of SIGPIPE."""

import os
import selectors
import threading
import time

from paicli.system.wakeups import Waker

_READ_BYTES = 65_536
_WINDOW_S = 1.0
_WINDOW_BYTES = 4_194_304
"""A child that prints without end is slowed down to this much a window, instead of keeping a processor busy."""
MAX_PIPES = 64
"""Descriptors are finite: past this many the oldest is closed."""


class PipeDrain:
    """Reads and throws away, on one daemon thread that exists only while there is something to hold."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[int, int] = {}
        self._waker: Waker | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def adopt(self, descriptor: int, leader: int) -> None:
        """Takes over the (non-blocking) read end of the command whose shell had the pid `leader`."""
        with self._lock:
            if self._is_closed:
                os.close(descriptor)
                return
            self._held[descriptor] = leader
            if self._waker is not None:
                self._waker.wake()
                return
            self._waker = Waker()
            self._thread = threading.Thread(target=self._run, args=(self._waker,), name="pipe-drain", daemon=True)
            self._thread.start()

    def held_leaders(self) -> frozenset[int]:
        """The commands whose pipe is still open at the other end: something of them lives."""
        with self._lock:
            return frozenset(self._held.values())

    def close(self, timeout_s: float = 1.0) -> None:
        """Closes all pipes and ends the thread."""
        with self._lock:
            self._is_closed = True
            thread, waker = self._thread, self._waker
            if waker is not None:
                waker.wake()
        if thread is not None:
            thread.join(timeout_s)

    def _run(self, waker: Waker) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(waker, selectors.EVENT_READ)
            budget = _WINDOW_BYTES
            window_end = time.monotonic() + _WINDOW_S
            while self._follow(selector, waker):
                for key, _ in selector.select():
                    if key.fd != waker.fileno():
                        budget -= self._read(selector, key.fd)
                now = time.monotonic()
                if now >= window_end or budget <= 0:
                    if budget <= 0:
                        self._pause(waker, window_end - now)
                    budget, window_end = _WINDOW_BYTES, time.monotonic() + _WINDOW_S

    def _follow(self, selector: selectors.BaseSelector, waker: Waker) -> bool:
        """Registers what was adopted; False, with everything closed, when there is nothing left to do."""
        with self._lock:
            waker.reset()
            known = {key.fd for key in selector.get_map().values()}
            for descriptor in self._held:
                if descriptor not in known:
                    selector.register(descriptor, selectors.EVENT_READ)
            too_many = list(self._held)[: max(0, len(self._held) - MAX_PIPES)]
            for descriptor in list(self._held) if self._is_closed else too_many:
                self._release(selector, descriptor)
            if self._held:
                return True
            self._waker = None
            self._thread = None
            waker.close()
            return False

    def _read(self, selector: selectors.BaseSelector, descriptor: int) -> int:
        try:
            raw = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            return 0
        if not raw:
            with self._lock:
                self._release(selector, descriptor)
        return len(raw)

    def _release(self, selector: selectors.BaseSelector, descriptor: int) -> None:
        selector.unregister(descriptor)
        os.close(descriptor)
        del self._held[descriptor]

    def _pause(self, waker: Waker, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(waker, selectors.EVENT_READ)
            selector.select(max(0.0, seconds))
