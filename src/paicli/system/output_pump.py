"""Moves a command's output into its ring while it waits for the command's end, a cancel, or the end of a process."""

import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from paicli.core.cancellation import CancellationToken
from paicli.system.output_ring import OutputRing
from paicli.system.wakeups import ExitWatch, Waker, open_pidfd

EXIT, CANCEL = "exit", "cancel"

_PIPE = "pipe"
_MEMBER = "member"
_READ_BYTES = 65_536
_LAST_READ_BYTES = 1_048_576
"""As much as a pipe can hold when the command ends; a child that goes on printing is not followed any further."""
_TAIL_INTERVAL_S = 0.1
_TAIL_BYTES = 4_096
_SCAN_INTERVAL_S = 0.005

OnTail = Callable[[bytes], None]
"""Gets the last 4,096 bytes of output, at most every 100 ms, on the thread that waits."""


class OutputPump:
    """One selector over pipe, exit and cancel. Belongs to one thread."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", *, pipe: int, ring: OutputRing, cancel: CancellationToken
    ) -> None:
        self.on_tail: OnTail | None = None
        self._ring = ring
        self._pipe: int | None = pipe
        self._tail_due: float | None = None
        self._tail_shown = 0.0
        self._watched: set[int] = set()
        with ExitStack() as stack:
            self._selector = stack.enter_context(selectors.DefaultSelector())
            self._waker = Waker()
            stack.callback(self._waker.close)
            self._exit = ExitWatch(process)
            stack.callback(self._exit.close)
            stack.callback(cancel.on_cancel(self._waker.wake))
            self._selector.register(pipe, selectors.EVENT_READ, _PIPE)
            self._selector.register(self._exit, selectors.EVENT_READ, EXIT)
            self._selector.register(self._waker, selectors.EVENT_READ, CANCEL)
            self._stack = stack.pop_all()

    def step(self, until: float | None) -> set[str]:
        """Waits for one thing to happen, at most until the monotonic time; EXIT and CANCEL are told once each."""
        fired: set[str] = set()
        for key, _ in self._selector.select(self._timeout_s(until)):
            if key.data == _PIPE:
                self._read_some()
                continue
            fired.add(key.data)
            self._selector.unregister(key.fileobj)
            if key.data == _MEMBER:
                self._forget(key.fd)
        self._show_tail()
        return fired

    def await_exit(self, pids: Iterable[int], until: float) -> bool:
        """Waits until one of `pids` or the command ends, at most until the monotonic time. True: cancelled meanwhile.

        Where the system can't wait for a process that is no child, it comes back after a few ms to look again.
        """
        wanted = list(pids)
        watched = sum([self._watch(pid) for pid in wanted])
        if watched < len(wanted) and not self._watched:
            until = min(until, time.monotonic() + _SCAN_INTERVAL_S)
        try:
            while time.monotonic() < until:
                fired = self.step(until)
                if fired:
                    return CANCEL in fired
            return False
        finally:
            for descriptor in list(self._watched):
                self._selector.unregister(descriptor)
                self._forget(descriptor)

    def read_rest(self) -> None:
        """Takes what lies in the pipe, without waiting for its end."""
        left = _LAST_READ_BYTES
        while left > 0 and self._read_some():
            left -= _READ_BYTES

    def release_pipe(self) -> int | None:
        """Gives the pipe away; None when its other end is closed."""
        descriptor = self._pipe
        if descriptor is not None:
            self._selector.unregister(descriptor)
            self._pipe = None
        return descriptor

    def close(self) -> None:
        """Closes everything but a pipe that was released."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        self._stack.close()

    def _timeout_s(self, until: float | None) -> float | None:
        moments = [moment for moment in (until, self._tail_due) if moment is not None]
        return max(0.0, min(moments) - time.monotonic()) if moments else None

    def _read_some(self) -> bool:
        """False when there is nothing now, or never again."""
        if self._pipe is None:
            return False
        try:
            raw = os.read(self._pipe, _READ_BYTES)
        except BlockingIOError:
            return False
        if not raw:
            descriptor = self.release_pipe()
            if descriptor is not None:
                os.close(descriptor)
            return False
        self._ring.append(raw)
        if self._tail_due is None and self.on_tail is not None:
            self._tail_due = self._tail_shown + _TAIL_INTERVAL_S
        return True

    def _show_tail(self) -> None:
        if self.on_tail is None or self._tail_due is None or time.monotonic() < self._tail_due:
            return
        self._tail_due = None
        self._tail_shown = time.monotonic()
        self.on_tail(self._ring.last(_TAIL_BYTES))

    def _watch(self, pid: int) -> bool:
        descriptor = open_pidfd(pid)
        if descriptor is None:
            return False
        self._watched.add(descriptor)
        self._selector.register(descriptor, selectors.EVENT_READ, _MEMBER)
        return True

    def _forget(self, descriptor: int) -> None:
        self._watched.discard(descriptor)
        os.close(descriptor)
