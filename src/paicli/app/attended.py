"""Hands a session or one turn to the person at the terminal: key by key, or line by line where keys can't be read."""

import signal
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.turn_output import status_of
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream, Listener
from paicli.core.events import TurnFinished
from paicli.core.faults import Fault
from paicli.core.ops import Op, Submit
from paicli.ui.facts import SessionFacts

if TYPE_CHECKING:
    from concurrent.futures import Future

    from paicli.ui.command import GoOn
    from paicli.ui.queries import SessionQueries


class Assembled(Protocol):
    """What an assembly offers to whoever talks to its engine."""

    @property
    def events(self) -> EventStream: ...

    @property
    def facts(self) -> SessionFacts: ...

    @property
    def texts(self) -> Texts: ...

    @property
    def queries(self) -> "SessionQueries | None": ...

    @property
    def warnings(self) -> tuple[Fault, ...]: ...

    def submit(self, op: Op) -> None: ...

    def offered_tools(self) -> tuple[str, ...]:
        """What the running turn's policy lets the model see, before a turn what it lets it see without any words."""
        ...

    def settle(self) -> "Future[Any] | None":
        """Called once the person can type: does what waited for that. The future carries what goes wrong with it."""
        ...

    def close(self) -> None: ...


class PersonSession(Protocol):
    """A ui that a person sits at."""

    @property
    def listen(self) -> Listener: ...

    @property
    def go_on(self) -> "GoOn | None": ...

    def run(self) -> int: ...

    def run_once(self, op: Submit) -> TurnFinished | None: ...


@runtime_checkable
class Leavable(Protocol):
    """A ui that can be left before its turn ends."""

    @property
    def exit_status(self) -> int: ...


class SessionEnding(NamedTuple):
    status: int
    """For the process' exit."""
    go_on: "GoOn | None" = None
    """The session that the person wants next."""


def run_session(assembled: Assembled, streams: Streams, environ: Mapping[str, str]) -> SessionEnding:
    """The interactive session until it is left."""
    session = _open(assembled, streams, environ)
    assembled.events.subscribe(session.listen)
    with ends_by_signal():
        status = session.run()
    return SessionEnding(status, session.go_on)


def run_one_turn(assembled: Assembled, op: Submit, *, streams: Streams, environ: Mapping[str, str]) -> int:
    """One turn with its reviews and approvals put to the person; returns the exit status it stands for."""
    session = _open(assembled, streams, environ)
    with assembled.events.heard_by(session.listen), ends_by_signal():
        finished = session.run_once(op)
    if finished is not None:
        return status_of(finished)
    # The person left, or a signal ended it; line mode ends early only where nobody reads any more.
    return (session.exit_status or ExitStatus.CANCELLED) if isinstance(session, Leavable) else ExitStatus.FAILED


def takes_keys(streams: Streams, environ: Mapping[str, str]) -> bool:
    """Whether a person sits at a terminal whose keys can be read one by one."""
    return streams.is_terminal and environ.get("TERM", "dumb") != "dumb"


def _open(assembled: Assembled, streams: Streams, environ: Mapping[str, str]) -> PersonSession:
    if takes_keys(streams, environ):
        # prompt_toolkit costs 140 ms at start-up, and runs without a person never need it
        from paicli.ui.terminal import TerminalSession

        return TerminalSession(
            submit=assembled.submit,
            texts=assembled.texts,
            facts=assembled.facts,
            queries=assembled.queries,
            settle=assembled.settle,
        )
    from paicli.ui.line_mode import LineSession  # start-up: only one of the two sessions is ever needed

    assembled.settle()
    return LineSession(
        submit=assembled.submit,
        texts=assembled.texts,
        facts=assembled.facts,
        queries=assembled.queries,
        reader=streams.stdin,
        writer=streams.stdout,
    )


@contextmanager
def ends_by_signal() -> Generator[None]:
    """SIGTERM and SIGHUP leave by SystemExit, so that commands end and folders are cleaned; nohup stays in force."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before: dict[signal.Signals, Any] = {}
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
