"""Commands that run on while the conversation goes on: started, looked at, stopped, and ended with the session."""

import threading
from concurrent.futures import Future, wait
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind
from paicli.system.commands import CommandRunner
from paicli.system.output_ring import KeptOutput
from paicli.system.pool import DaemonPool
from paicli.system.running_command import CANCEL_GRACE_S, TERM_GRACE_S, CommandOutcome, RunningCommand

MAX_RUNNING = 8
_MAX_ENDED = 16
"""Ended commands that are remembered; the oldest is forgotten first."""
_STOP_PATIENCE_S = TERM_GRACE_S + 1.0
_MAX_PATIENCE_S = 60.0
_SETTLE_S = 0.2
"""What follows at once belongs to the same news."""


class BackgroundLook(NamedTuple):
    """What there is to see of a background command."""

    id: str
    command: str
    output: KeptOutput
    """New since the last look."""
    duration_s: float
    outcome: CommandOutcome | None
    """None while it runs; its own `output` is empty."""


class BackgroundState(NamedTuple):
    """How a background command stands, without its output."""

    id: str
    command: str
    duration_s: float
    has_ended: bool
    exit_code: int | None
    """None while it runs, and when not even KILL ended it."""


class _Entry(NamedTuple):
    id: str
    command: str
    running: RunningCommand
    token: CancellationToken
    outcome: "Future[CommandOutcome]"


class BackgroundCommands:
    """The session's background commands, at most 8 running at a time. Thread-safe."""

    def __init__(self, runner: CommandRunner, *, patience_s: float = 2.0) -> None:
        """`patience_s`: how long the first wait for news may be."""
        self._runner = runner
        self._first_patience_s = patience_s
        self._lock = threading.Lock()
        self._pool = DaemonPool("background-command", MAX_RUNNING)
        self._entries: dict[str, _Entry] = {}
        self._patience_s: dict[str, float] = {}
        """How long the next wait for news may be, where it was in vain before."""
        self._count = 0

    def start(self, command: str, *, cwd: Path) -> str:
        """Its id. Raises ToolFailed when it can't be started or when too many run."""
        with self._lock:
            running = [entry.id for entry in self._entries.values() if not entry.outcome.done()]
            if len(running) >= MAX_RUNNING:
                raise ToolFailed("command.too_many_background", limit=MAX_RUNNING, ids=", ".join(running))
            started = self._runner.start(command, cwd=cwd)
            self._count += 1
            entry_id, token = f"bg_{self._count}", CancellationToken()
            outcome = self._pool.submit(lambda: started.wait(timeout_s=None, cancel=token, cancel_grace_s=TERM_GRACE_S))
            self._entries[entry_id] = _Entry(entry_id, command, started, token, outcome)
            self._forget_old_ones()
        return entry_id

    def look(self, entry_id: str) -> BackgroundLook:
        """What is new. Raises ToolFailed for an id that is not known."""
        return self._look(self._entry(entry_id))

    def await_news(self, entry_id: str, *, cancel: CancellationToken) -> BackgroundLook:
        """As `look`, as soon as there is output that nobody took or the command has ended.

        It waits as long as its patience, and each time that was in vain twice as long, up to 60 s. Raises
        TurnCancelled, too.
        """
        entry = self._entry(entry_id)
        patience_s = self._patience_s.pop(entry_id, self._first_patience_s)
        news, end = threading.Event(), threading.Event()
        forgets = [cancel.on_cancel(news.set), cancel.on_cancel(end.set), entry.running.ring.watch(news.set)]
        for event in (news, end):
            entry.outcome.add_done_callback(lambda done, event=event: event.set())
        try:
            if news.wait(patience_s):
                end.wait(_SETTLE_S)
            else:
                self._patience_s[entry_id] = min(2 * patience_s, _MAX_PATIENCE_S)
        finally:
            for forget in forgets:
                forget()
        cancel.raise_if_cancelled()
        return self._look(entry)

    def states(self) -> list[BackgroundState]:
        """All that are remembered, in the order they were started; what is new of their output stays new."""
        with self._lock:
            entries = list(self._entries.values())
        return [_state(entry) for entry in entries]

    def request_stop(self, entry_id: str) -> None:
        """TERM, 2 s, KILL, without waiting for it. Raises ToolFailed for an id that is not known."""
        self._entry(entry_id).token.cancel()

    def stop(self, entry_id: str, *, cancel: CancellationToken) -> BackgroundLook:
        """TERM, 2 s, KILL, and what is new. A cancel ends the waiting, not the stopping. Raises ToolFailed."""
        entry = self._entry(entry_id)
        entry.token.cancel()
        woken = threading.Event()
        entry.outcome.add_done_callback(lambda done: woken.set())
        forget = cancel.on_cancel(woken.set)
        woken.wait(_STOP_PATIENCE_S)
        forget()
        return self._look(entry)

    def close(self) -> None:
        """Ends them all: TERM, 200 ms, KILL."""
        with self._lock:
            entries = [entry for entry in self._entries.values() if not entry.outcome.done()]
        for entry in entries:
            entry.token.cancel()
        wait([entry.outcome for entry in entries], CANCEL_GRACE_S)
        for entry in entries:
            if not entry.outcome.done():
                entry.running.kill()
        wait([entry.outcome for entry in entries], CANCEL_GRACE_S)

    def _entry(self, entry_id: str) -> _Entry:
        with self._lock:
            entry = self._entries.get(entry_id)
            known = ", ".join(self._entries) or "-"
        if entry is None:
            raise ToolFailed("command.unknown_id", kind=ErrorKind.NOT_FOUND, id=entry_id, known=known)
        return entry

    def _look(self, entry: _Entry) -> BackgroundLook:
        outcome = entry.outcome.result() if entry.outcome.done() else None
        duration_s = outcome.duration_s if outcome is not None else entry.running.runs_for_s
        return BackgroundLook(entry.id, entry.command, entry.running.ring.take(), duration_s, outcome)

    def _forget_old_ones(self) -> None:
        ended = [entry.id for entry in self._entries.values() if entry.outcome.done()]
        for entry_id in ended[: max(0, len(ended) - _MAX_ENDED)]:
            del self._entries[entry_id]
            self._patience_s.pop(entry_id, None)


def _state(entry: _Entry) -> BackgroundState:
    if not entry.outcome.done():
        return BackgroundState(entry.id, entry.command, entry.running.runs_for_s, has_ended=False, exit_code=None)
    outcome = entry.outcome.result()
    return BackgroundState(entry.id, entry.command, outcome.duration_s, has_ended=True, exit_code=outcome.exit_code)
