"""Hands a session or one turn to the person at the terminal: key by key, or line by line where keys can't be read."""

from collections.abc import Mapping
from typing import Protocol

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.turn_output import status_of
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream, Listener
from paicli.core.events import TurnFinished
from paicli.core.ops import Op, Submit
from paicli.ui.facts import SessionFacts


class Assembled(Protocol):
    """What an assembly offers to whoever talks to its engine."""

    @property
    def events(self) -> EventStream: ...

    @property
    def facts(self) -> SessionFacts: ...

    @property
    def texts(self) -> Texts: ...

    @property
    def tool_names(self) -> tuple[str, ...]: ...

    def submit(self, op: Op) -> None: ...

    def close(self) -> None: ...


class PersonSession(Protocol):
    """A ui that a person sits at."""

    @property
    def listen(self) -> Listener: ...

    def run(self) -> int: ...

    def run_once(self, op: Submit) -> TurnFinished | None: ...


def run_session(assembled: Assembled, streams: Streams, environ: Mapping[str, str]) -> int:
    """The interactive session; returns its exit status."""
    session = _open(assembled, streams, environ)
    assembled.events.subscribe(session.listen)
    return session.run()


def run_one_turn(assembled: Assembled, op: Submit, *, streams: Streams, environ: Mapping[str, str]) -> ExitStatus:
    """One turn with its reviews and approvals put to the person."""
    session = _open(assembled, streams, environ)
    unsubscribe = assembled.events.subscribe(session.listen)
    try:
        finished = session.run_once(op)
    finally:
        unsubscribe()
    return status_of(finished) if finished is not None else ExitStatus.FAILED


def _open(assembled: Assembled, streams: Streams, environ: Mapping[str, str]) -> PersonSession:
    if streams.is_terminal and environ.get("TERM", "dumb") != "dumb":
        # prompt_toolkit costs 140 ms at start-up, and runs without a person never need it
        from paicli.ui.live.session import TerminalSession

        return TerminalSession(submit=assembled.submit, texts=assembled.texts, facts=assembled.facts)
    from paicli.ui.line_mode import LineSession  # start-up: only one of the two sessions is ever needed

    return LineSession(
        submit=assembled.submit,
        texts=assembled.texts,
        facts=assembled.facts,
        reader=streams.stdin,
        writer=streams.stdout,
    )
