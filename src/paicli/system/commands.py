"""Starts shell commands, each in a session of its own, and ends whatever they leave behind."""

import errno
import os
import signal
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed, reason_of
from paicli.core.messages import ErrorKind
from paicli.core.unicode import well_formed
from paicli.system import process_group
from paicli.system.output_pump import OnTail
from paicli.system.pipe_drain import PipeDrain
from paicli.system.process_group import Claim, ProcessEntry
from paicli.system.running_command import CANCEL_GRACE_S, CommandOutcome, Descriptors, RunningCommand
from paicli.system.sandbox.confining import Confine, ConfinedCommand

STAGE_SCRIPT = Path(__file__).with_name("stage_codes.bash")
"""Read by each command's shell."""
_LONGEST_ARGUMENT_BYTES = 131_072
"""With its NUL, on Linux."""
_CLOSE_PATIENCE_S = 0.5


def load_starting() -> None:
    """Loads what starts a command, so that the first one need not wait for it."""
    import_module("subprocess")


class CommandRunner:
    """Runs `bash -c`. Thread-safe; commands of several threads run side by side."""

    def __init__(self, environment: Mapping[str, str], *, confine: Confine | None = None) -> None:
        """`environment`: what commands see, as `command_environment` makes it. `confine`: the sandbox around each."""
        self._environment = dict(environment)
        self._confine = confine
        self._lock = threading.Lock()
        self._run_id = os.urandom(16).hex()
        self._run_count = 0
        self._running: set[RunningCommand] = set()
        self._left: set[tuple[int, int]] = set()
        self._since = 0
        self._drain = PipeDrain()
        self._is_closed = False

    def run(
        self,
        command: str,
        *,
        cwd: Path,
        timeout_s: float | None,
        cancel: CancellationToken,
        on_tail: OnTail | None = None,
    ) -> CommandOutcome:
        """Runs `command` to its end, its time-out or a cancel. Raises ToolFailed when it can't be started."""
        running = self.start(command, cwd=cwd)
        outcome = running.wait(timeout_s=timeout_s, cancel=cancel, on_tail=on_tail)
        return outcome._replace(output=running.ring.take())

    def start(self, command: str, *, cwd: Path) -> RunningCommand:
        """The command, started in `cwd` or its nearest existing parent; the caller must `wait` for it.

        Stdin is empty, there is no terminal, stdout and stderr share a pipe. Raises ToolFailed.
        """
        process_group.adopt_orphans()
        with self._lock:
            if self._is_closed:
                raise ToolFailed("command.session_ended")
            self._run_count += 1
            marker = f"{self._run_id}.{self._run_count}."
            # Under the lock: what starts while `close` looks around would be missed.
            running = self._launch(well_formed(command), nearest_folder(cwd), marker)
            self._running.add(running)
            self._since = self._since or running.since
        return running

    def close(self) -> None:
        """Ends every process of every command: TERM, 200 ms, KILL. Nothing starts after it; a second call is nothing.

        Children of this process that lead a session and that nobody owns are taken for a command's, so servers of
        other parts have to be closed before.
        """
        with self._lock:
            self._is_closed = True
            groups = {command.leader for command in self._running} | self._drain.held_leaders()
            has_started = self._run_count > 0
        if has_started:
            self._end_all(groups)
        self._drain.close()

    def claim_of(self, command: RunningCommand) -> Claim:
        with self._lock:
            is_alone = self._running <= {command}
            strangers = frozenset(self._left)
        return Claim(
            leaders=frozenset({command.leader}),
            marker=f"{process_group.MARKER_NAME}=".encode() + command.marker,
            since=command.since,
            strangers=strangers,
            takes_orphans=is_alone,
        )

    def take_back(self, command: RunningCommand, pipe: int | None, left: list[ProcessEntry]) -> None:
        with self._lock:
            self._running.discard(command)
            self._left.update(entry.identity for entry in left)
            has_old_ones = len(self._left) > len(left)
        if pipe is not None:
            self._drain.adopt(pipe, command.leader)
        if has_old_ones:
            self._reap_old()

    def _launch(self, command: str, cwd: Path, marker: str) -> RunningCommand:
        import subprocess  # start-up: 2 ms that only a command needs

        with ExitStack() as theirs, ExitStack() as ours:
            output, output_write = _open_pipe(ours, theirs)
            stages, stages_write = _open_pipe(ours, theirs)
            environment = {
                **self._environment,
                process_group.MARKER_NAME: marker,
                "PWD": str(cwd),
                "BASH_ENV": str(STAGE_SCRIPT),
                "PAICLI_STAGE_FD": str(stages_write),
                "PAICLI_USER_BASH_ENV": self._environment.get("BASH_ENV", ""),
            }
            confined = ConfinedCommand(("bash", "-c", command), environment)
            if self._confine is not None:
                confined = self._confine(confined.words, environment, cwd=cwd)
            try:
                process = subprocess.Popen(
                    confined.words,
                    stdin=subprocess.DEVNULL,
                    stdout=output_write,
                    stderr=output_write,
                    start_new_session=True,
                    pass_fds=(stages_write,),
                    cwd=cwd,
                    env=confined.environment,
                )
            except (OSError, ValueError) as error:
                raise _start_failure(error, cwd, command) from error
            ours.pop_all()
            descriptors = Descriptors(output, stages)
            return RunningCommand(
                process,
                descriptors=descriptors,
                cwd=cwd,
                marker=marker.encode(),
                home=self,
                holder=confined.holder,
            )

    def _end_all(self, groups: set[int]) -> None:
        term_until = time.monotonic() + CANCEL_GRACE_S

        def find() -> list[ProcessEntry]:
            found = process_group.members(process_group.read_processes(), self._final_claim())
            process_group.reap(entry for entry in found if entry.pid not in groups)
            return [entry for entry in found if not entry.is_dead]

        def send(number: signal.Signals, entries: list[ProcessEntry]) -> None:
            process_group.send(number, entries)

        if not process_group.read_processes():
            process_group.send(signal.SIGTERM, (), groups=groups)
            process_group.await_any_exit([], term_until)
            process_group.send(signal.SIGKILL, (), groups=groups)
            return
        process_group.stop(
            find,
            send,
            process_group.await_any_exit,
            term_until=lambda: term_until,
            patience_s=lambda: _CLOSE_PATIENCE_S,
        )

    def _final_claim(self) -> Claim:
        with self._lock:
            return Claim(
                leaders=frozenset(command.leader for command in self._running),
                marker=f"{process_group.MARKER_NAME}={self._run_id}.".encode(),
                since=self._since,
                known=frozenset(self._left),
                takes_orphans=True,
                takes_leading_orphans=True,
            )

    def _reap_old(self) -> None:
        """Forgets what earlier commands left behind and what has ended since."""
        table = process_group.read_processes()
        with self._lock:
            here = [entry for entry in table.values() if entry.identity in self._left]
            self._left = {entry.identity for entry in here if not entry.is_dead}
        process_group.reap(here)


def nearest_folder(wished: Path) -> Path:
    """`wished`, or its nearest parent that is a folder."""
    return next((folder for folder in (wished, *wished.parents) if folder.is_dir()), Path("/"))


def _open_pipe(ours: ExitStack, theirs: ExitStack) -> tuple[int, int]:
    read, write = os.pipe()
    ours.callback(os.close, read)
    theirs.callback(os.close, write)
    os.set_blocking(read, False)
    return read, write


def _start_failure(error: OSError | ValueError, cwd: Path, command: str) -> ToolFailed:
    if isinstance(error, ValueError):
        return ToolFailed("command.has_nul", kind=ErrorKind.INVALID_ARGUMENT)
    # a folder of PATH that this user may not read hides E2BIG behind EACCES
    size_bytes = len(command.encode("utf-8", "replace")) + 1
    is_hidden = error.errno == errno.EACCES and size_bytes > _LONGEST_ARGUMENT_BYTES
    if error.errno == errno.E2BIG or is_hidden:
        return ToolFailed("command.too_long", kind=ErrorKind.INVALID_ARGUMENT)
    if isinstance(error, FileNotFoundError) and error.filename == "bash":
        return ToolFailed("command.no_bash", kind=ErrorKind.NOT_FOUND)
    return ToolFailed("command.not_started", reason=reason_of(error), cwd=str(cwd))
