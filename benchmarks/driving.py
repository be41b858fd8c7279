"""Drives paicli's engine in this process, and paicli in a pseudo-terminal."""

import gc
import os
import pty
import queue
import select
import signal
import termios
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.measuring import ALLOWED, WAIT_S, Place
from paicli.app.settings import ModelSettings, SessionKind, Settings
from paicli.app.wiring.assembly import Assembly, assemble
from paicli.core.catalogue.lookup import Language
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.events import Event, ModelRetryScheduled, TurnFinished
from paicli.core.ops import DecideReview, Op, ReviewDecision


class Driven:
    """A session whose events are waited for on this thread; reviews are answered with yes."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        assembly.events.subscribe(self._events.put)

    def submit(self, op: Op) -> None:
        self._assembly.submit(op)

    def wait_for(self, holds: Callable[[Event], bool], count: int = 1) -> Event:
        """The event that is the `count`-th to satisfy; RuntimeError when the turn ends or retries before."""
        while True:
            event = self._events.get(timeout=WAIT_S)
            if isinstance(event.body, PlanReviewRequested):
                self.submit(DecideReview(event.body.request_id, ReviewDecision.EXECUTE))
            count -= holds(event)
            if not count:
                return event
            if isinstance(event.body, TurnFinished | ModelRetryScheduled):
                raise RuntimeError(f"the turn goes another way: {event.body}")

    def finish(self, op: Op) -> TurnFinished:
        """Submits and waits until the engine is idle."""
        self.submit(op)
        body = self.wait_for(lambda event: isinstance(event.body, TurnFinished)).body
        assert isinstance(body, TurnFinished)
        return body


@contextmanager
def driven(place: Place, base_url: str) -> Generator[Driven]:
    """An engine as `paicli -p` assembles it."""
    model = ModelSettings("custom", "bench-1", base_url, "sk-bench-1234567890")
    settings = Settings(Language.ZH, place.home / ".paicli", place.project.resolve(), model, allow_rules=ALLOWED[1:])
    assembly = assemble(settings, session_kind=SessionKind.UNATTENDED)
    gc.collect()
    gc.freeze()  # as the session itself does
    try:
        yield Driven(assembly)
    finally:
        assembly.close()
        gc.unfreeze()


class Spent(NamedTuple):
    """What a process in a terminal had cost when it was killed."""

    cpu_s: float
    wall_s: float


class Terminal:
    """A program on a pseudo-terminal of its own; what it says is kept in `said`."""

    def __init__(self, *argv: str, folder: Path, environ: dict[str, str]) -> None:
        self.said = b""
        self.started = time.monotonic()
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            with suppress(OSError):
                os.chdir(folder)
                os.execve(argv[0], argv, environ)
            os._exit(127)
        termios.tcsetwinsize(self._terminal, (24, 80))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        if self._child:
            self.kill()
        os.close(self._terminal)

    def press(self, keys: str) -> float:
        """Returns when, by `time.monotonic()`."""
        now = time.monotonic()
        os.write(self._terminal, keys.encode())
        return now

    def wait_for_keys(self) -> None:
        """Until the terminal takes keys one by one: from then on what is typed belongs to the program."""
        self._read_until(lambda: not termios.tcgetattr(self._terminal)[3] & termios.ECHO, "raw mode", 0.002)

    def wait_for(self, text: str) -> float:
        """Until `text` stands in what was said since the last find; returns when."""
        wanted = text.encode()
        self._read_until(lambda: wanted in self.said, text, WAIT_S)
        now = time.monotonic()
        self.said = self.said[self.said.index(wanted) + len(wanted) :]
        return now

    def read_for(self, seconds: float) -> None:
        """Takes what the program says for so long: a full terminal would stop it."""
        until = time.monotonic() + seconds
        self._read_until(lambda: time.monotonic() >= until, "the end of a pause", seconds / 4)

    def kill(self) -> Spent:
        """Ends it on the spot."""
        wall_s = time.monotonic() - self.started
        os.kill(self._child, signal.SIGKILL)
        _, _, usage = os.wait4(self._child, 0)
        self._child = 0
        return Spent(usage.ru_utime + usage.ru_stime, wall_s)

    def _read_until(self, holds: Callable[[], bool], what: str, patience_s: float) -> None:
        limit = time.monotonic() + WAIT_S
        while not holds():
            if time.monotonic() > limit:
                raise RuntimeError(f"{what} did not come: {self.said!r}")
            ready, _, _ = select.select([self._terminal], [], [], patience_s)
            if ready:
                self._read()

    def _read(self) -> None:
        try:
            self.said += os.read(self._terminal, 65_536)
        except OSError as error:  # Linux says EIO where the other end is closed
            raise RuntimeError(f"the program ended: {self.said!r}") from error
