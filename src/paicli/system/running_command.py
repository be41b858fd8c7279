"""One started command: awaited to its end, its time-out or a cancel, and then stopped with all of its processes."""

import os
import signal
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from paicli.core.cancellation import CancellationToken
from paicli.system import process_group
from paicli.system.output_pump import CANCEL, EXIT, OnTail, OutputPump
from paicli.system.output_ring import KeptOutput, OutputRing
from paicli.system.process_group import ProcessEntry

if TYPE_CHECKING:
    import subprocess

TERM_GRACE_S = 2.0
"""From TERM to KILL after a time-out."""
CANCEL_GRACE_S = 0.2
"""From TERM to KILL when the person waits for the prompt."""

_KILL_PATIENCE_S = 0.5
_CANCEL_KILL_PATIENCE_S = 0.04


class CommandStatus(StrEnum):
    ENDED = "ended"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"


class Survivor(NamedTuple):
    """A process of the command that lives on."""

    pid: int
    command: str
    """Empty where the system does not tell."""


class CommandOutcome(NamedTuple):
    status: CommandStatus
    exit_code: int | None
    """The shell's own; negative: the signal that ended it; None: not even KILL ended it."""
    stage_codes: tuple[int, ...]
    """Of all stages of the last pipeline; empty when the shell could not tell."""
    duration_s: float
    cwd: Path
    """Where it ran: the nearest existing parent of the folder that was asked for."""
    survivors: tuple[Survivor, ...] = ()
    output: KeptOutput = KeptOutput(b"")
    """Stdout and stderr in the order of writing."""


class CommandHome(Protocol):
    """What a running command asks of its runner."""

    def claim_of(self, command: "RunningCommand") -> process_group.Claim:
        """By what signs its processes are known just now."""
        ...

    def take_back(self, command: "RunningCommand", pipe: int | None, left: list[ProcessEntry]) -> None:
        """The command ended; `pipe` is the read end that `left` or others still hold, None when nobody does."""
        ...


class Descriptors(NamedTuple):
    """Our ends of a command's pipes, non-blocking."""

    output: int
    stages: int
    """The exit codes of the last pipeline, as text."""


class RunningCommand:
    """A shell that was started. One thread calls `wait`, once; `kill` may come from any."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        *,
        descriptors: Descriptors,
        cwd: Path,
        marker: bytes,
        home: CommandHome,
        holder: str = "",
    ) -> None:
        """`holder`: a program whose own process is none of the command's, and ends when the last of them does."""
        self._process = process
        self._holder = holder
        self._descriptors = descriptors
        self._home = home
        self._started_s = time.monotonic()
        entry = process_group.read_process(process.pid)
        self.ring = OutputRing()
        self.cwd = cwd
        self.marker = marker
        self.leader = process.pid
        self.since = entry.started if entry is not None else 0
        """Clock ticks since boot; 0 where there is no /proc."""

    @property
    def runs_for_s(self) -> float:
        return time.monotonic() - self._started_s

    def wait(
        self,
        *,
        timeout_s: float | None,
        cancel: CancellationToken,
        on_tail: OnTail | None = None,
        cancel_grace_s: float = CANCEL_GRACE_S,
    ) -> CommandOutcome:
        """Returns when the command ended, however long its children hold the pipe, ran out of time or was cancelled.

        The output stays in `ring`: whoever wants it takes it there. After a cancel it returns within `cancel_grace_s`
        and 60 ms.
        """
        pump = self._open_pump(cancel, on_tail)
        try:
            status = self._await_end(pump, None if timeout_s is None else self._started_s + timeout_s)
            if status is not CommandStatus.ENDED:
                status = self._stop(pump, status, cancel_grace_s)
            pump.read_rest()
        except BaseException:
            self.kill()
            raise
        finally:
            self._process.poll()
            codes = _read_codes(self._descriptors.stages)
            pipe = pump.release_pipe()
            pump.close()
            left = self._left_over(is_pipe_held=pipe is not None)
            self._home.take_back(self, pipe, left)
            self.ring.finish()
        named = [Survivor(entry.pid, process_group.command_line(entry.pid)) for entry in left]
        survivors = tuple(each for each in named if not self._is_holder(each))
        code = self._process.returncode
        if status is not CommandStatus.ENDED:
            codes = ()  # a shell that is told to end tells of a pipeline that never did
        return CommandOutcome(status, code, codes, self.runs_for_s, self.cwd, survivors)

    def kill(self) -> None:
        """KILL, without grace, to every process of the command that can be found."""
        self._signal(signal.SIGKILL, self.living())

    def living(self) -> list[ProcessEntry]:
        """The processes of the command that live. Where there is no /proc, the shell stands for them all."""
        table = process_group.read_processes()
        if not table:
            is_alive = self._process.poll() is None
            return [ProcessEntry(self.leader, os.getpid(), self.leader, self.leader, 0)] if is_alive else []
        found = process_group.members(table, self._home.claim_of(self))
        process_group.reap(entry for entry in found if entry.pid != self.leader)
        return [entry for entry in found if not entry.is_dead]

    def _open_pump(self, cancel: CancellationToken, on_tail: OnTail | None) -> OutputPump:
        try:
            pump = OutputPump(self._process, pipe=self._descriptors.output, ring=self.ring, cancel=cancel)
        except OSError:  # no descriptors left: nobody would ever read or end it
            self.kill()
            for descriptor in self._descriptors:
                os.close(descriptor)
            self._process.poll()
            self._home.take_back(self, None, [])
            raise
        pump.on_tail = on_tail
        return pump

    def _await_end(self, pump: OutputPump, deadline: float | None) -> CommandStatus:
        while True:
            fired = pump.step(deadline)
            if EXIT in fired:
                return CommandStatus.ENDED
            if CANCEL in fired:
                return CommandStatus.CANCELLED
            if deadline is not None and time.monotonic() >= deadline:
                return CommandStatus.TIMED_OUT

    def _stop(self, pump: OutputPump, status: CommandStatus, cancel_grace_s: float) -> CommandStatus:
        """TERM, grace, KILL. A cancel during the grace of a time-out shortens it."""
        is_cancelled = status is CommandStatus.CANCELLED
        term_until = time.monotonic() + (cancel_grace_s if is_cancelled else TERM_GRACE_S)

        def await_exit(entries: list[ProcessEntry], until: float) -> None:
            nonlocal is_cancelled, term_until
            if pump.await_exit([entry.pid for entry in entries], until):
                is_cancelled = True
                term_until = min(term_until, time.monotonic() + cancel_grace_s)

        process_group.stop(
            self.living,
            self._signal,
            await_exit,
            term_until=lambda: term_until,
            patience_s=lambda: _CANCEL_KILL_PATIENCE_S if is_cancelled else _KILL_PATIENCE_S,
        )
        if self.since == 0:
            process_group.send(signal.SIGKILL, (), groups=(self.leader,))
        return CommandStatus.CANCELLED if is_cancelled else status

    def _signal(self, number: signal.Signals, entries: list[ProcessEntry]) -> None:
        # The group's number is taken as long as one of its members lives, so it can't be a stranger's.
        has_group = any(entry.group == self.leader for entry in entries)
        process_group.send(number, entries, groups=(self.leader,) if has_group else ())

    def _is_holder(self, found: Survivor) -> bool:
        # What has no command line any more is the holder in its last moment: it ends just after the command.
        return bool(self._holder) and (not found.command or found.command.startswith(self._holder))

    def _left_over(self, *, is_pipe_held: bool) -> list[ProcessEntry]:
        if self.since == 0 and is_pipe_held:
            return [ProcessEntry(self.leader, 0, self.leader, self.leader, 0)]
        # Orphans come to us, so no child left means nothing left, and no scan.
        if process_group.has_children() or (is_pipe_held and not process_group.adopt_orphans()):
            return self.living()
        return []


def _read_codes(descriptor: int) -> tuple[int, ...]:
    """Closes it, too. A background child may hold the other end, so this never waits."""
    try:
        words = os.read(descriptor, 4_096).split()
    except BlockingIOError:
        words = []
    finally:
        os.close(descriptor)
    return tuple(int(word) for word in words) if all(word.isdigit() for word in words) else ()
