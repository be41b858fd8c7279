"""Runs one of paicli's own small programs (a search) to its end: bounded in time and output, killed on cancel."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.system.wakeups import ExitWatch, Waker

_CHUNK_BYTES = 1 << 18
_ERROR_BYTES = 20_000
_ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
"""All a search needs: no user settings (RIPGREP_CONFIG_PATH) and no secrets reach it."""


class Captured(NamedTuple):
    """What a program wrote and how it ended."""

    exit_code: int
    """Negative: the signal that ended it."""
    output: bytes
    errors: bytes
    """The first 20,000 bytes of stderr."""
    timed_out: bool = False
    is_cut: bool = False
    """It wrote more than allowed and was ended."""


def run_captured(
    argv: Sequence[str],
    cancel: CancellationToken,
    *,
    cwd: Path,
    timeout_s: float,
    max_bytes: int,
    feed: bytes = b"",
    environment: Mapping[str, str] = _ENVIRONMENT,
) -> Captured:
    """Runs `argv` in a session of its own, with `feed` on stdin. Raises TurnCancelled, or OSError when it can't start.

    After `timeout_s` or `max_bytes` of output the whole group is killed; what it wrote until then is returned.
    """
    cancel.raise_if_cancelled()
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env=environment,
        stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    with process:
        try:
            timed_out, is_cut, output, errors = _Conversation(process, feed, max_bytes).hold(cancel, timeout_s)
        finally:
            if process.returncode is None:  # not reaped yet, so the id is still its own
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            exit_code = process.wait()
    cancel.raise_if_cancelled()
    return Captured(exit_code, bytes(output), bytes(errors), timed_out, is_cut)


class _Conversation:
    """Feeds stdin and reads both outputs, until the program ends, the time is up, or someone cancels."""

    def __init__(self, process: "subprocess.Popen[bytes]", feed: bytes, max_bytes: int) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._feed = memoryview(feed)
        self._max_bytes = max_bytes
        self._sinks = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        self._output, self._errors = self._sinks.values()
        self._stdin = process.stdin.fileno() if process.stdin is not None else -1

    def hold(self, cancel: CancellationToken, timeout_s: float) -> tuple[bool, bool, bytearray, bytearray]:
        """(timed_out, is_cut, output, errors)"""
        deadline = time.monotonic() + timeout_s
        waker, exit_watch = Waker(), ExitWatch(self._process)
        forget = cancel.on_cancel(waker.wake)
        try:
            with selectors.DefaultSelector() as selector:
                for fd in self._sinks:
                    os.set_blocking(fd, False)
                    selector.register(fd, selectors.EVENT_READ)
                selector.register(waker, selectors.EVENT_READ)
                selector.register(exit_watch, selectors.EVENT_READ)
                if self._feed:
                    os.set_blocking(self._stdin, False)
                    selector.register(self._stdin, selectors.EVENT_WRITE)
                timed_out = self._wait_for_end(selector, deadline, exit_watch)
        finally:
            forget()
            waker.close()
            exit_watch.close()
        return timed_out, len(self._output) >= self._max_bytes, self._output[: self._max_bytes], self._errors

    def _wait_for_end(self, selector: selectors.BaseSelector, deadline: float, exit_watch: ExitWatch) -> bool:
        while len(self._output) < self._max_bytes:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                return True
            for key, _ in selector.select(left_s):
                if isinstance(key.fileobj, Waker):
                    return False
                if key.fileobj is exit_watch:  # not the end of its pipes, which a grandchild could hold
                    self._drain()
                    return False
                if key.fd == self._stdin:
                    self._write(selector)
                elif self._read(key.fd) == b"":
                    selector.unregister(key.fd)
        return False

    def _write(self, selector: selectors.BaseSelector) -> None:
        try:
            self._feed = self._feed[os.write(self._stdin, self._feed[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it wants no more
            self._feed = self._feed[:0]
        if not self._feed:
            selector.unregister(self._stdin)
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _read(self, fd: int) -> bytes | None:
        """What there is now; None: nothing yet."""
        try:
            chunk = os.read(fd, _CHUNK_BYTES)
        except BlockingIOError:
            return None
        sink = self._sinks[fd]
        sink += chunk if sink is self._output else chunk[: max(0, _ERROR_BYTES - len(sink))]
        return chunk

    def _drain(self) -> None:
        for fd in self._sinks:
            while len(self._output) < self._max_bytes and self._read(fd):
                pass
