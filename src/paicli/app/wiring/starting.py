"""The last steps of a session's start, and the steps of its end."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from paicli.agent.engine import Engine
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.core.errors import reason_of
from paicli.core.event_stream import Listener
from paicli.core.events import ConversationCleared, Event, Notice, NoticeLevel, Origin
from paicli.core.faults import Fault
from paicli.llm.client import LlmClient
from paicli.session.journal import Journal

if TYPE_CHECKING:
    from paicli.app.wiring.resume import Resumption


class Closable(Protocol):
    def close(self) -> None: ...


def begin_session(
    engine: Engine,
    journal: Journal,
    earlier: "Resumption | None",
    *,
    faults: tuple[Fault, ...],
    client: LlmClient,
) -> tuple[Fault, ...]:
    """Starts the engine. What the person should hear before the first turn: `faults`, and what a resume met."""
    stream = engine.stream
    if earlier is not None:
        for body in earlier.changes(client):
            stream.publish(body, Origin())
        faults = (*earlier.faults, *faults)
    engine.start()
    for fault in faults:
        stream.publish(Notice(fault, NoticeLevel.WARNING), Origin())
    if journal.fault is not None:  # before anybody listened
        faults = (*faults, journal_fault(journal.path, journal.fault))
    return faults


def closing(*parts: Closable) -> Callable[[], None]:
    """Closes them one after the other."""

    def close() -> None:
        for part in parts:
            part.close()

    return close


def follows_knowledge(knowledge: SessionKnowledge) -> Listener:
    """A new conversation knows the rules, the memory and the skills as they are then."""

    def follow(event: Event) -> None:
        if isinstance(event.body, ConversationCleared):
            knowledge.reload()

    return follow


def journal_fault(path: Path, error: OSError) -> Fault:
    return Fault("session.journal_stopped", (("path", str(path)), ("reason", reason_of(error))))
