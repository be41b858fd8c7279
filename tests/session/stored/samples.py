"""Events and journals for tests."""

import json
from collections.abc import Iterable
from pathlib import Path

from paicli.core.event_codec import to_record
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    Event,
    EventBody,
    MessageAppended,
    Origin,
    SessionStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.masking import SecretMasker
from paicli.core.messages import Message
from paicli.core.ops import Mode, TurnKind
from paicli.session.journal import Journal

STARTED = SessionStarted("0.1.0", "deepseek", "ds-1", Mode.AUTO, "/w/proj", "zh", ("read_file",))


def as_lines(events: Iterable[Event]) -> list[bytes]:
    return [json.dumps(to_record(event), ensure_ascii=False, separators=(",", ":")).encode() for event in events]


class Written:
    """A session that is written as the engine would."""

    def __init__(self, path: Path, *, after_seq: int = 0) -> None:
        self.journal = Journal(path, masker=SecretMasker())
        self.events: list[Event] = []
        self._stream = EventStream(path.stem, clock=lambda: 1_000.0 + len(self.events), after_seq=after_seq)
        self._stream.subscribe(self.journal)
        self._stream.subscribe(self.events.append)

    def say(self, *bodies: EventBody, turn: str = "", actor: str = "engine") -> None:
        for body in bodies:
            self._stream.publish(body, Origin(turn, actor))

    def begin(self, number: int, text: str, kind: TurnKind = TurnKind.REACT) -> None:
        self.say(TurnStarted(kind, text, Mode.AUTO), turn=f"turn_{number}")

    def end(self, number: int, text: str = "") -> None:
        self.say(TurnFinished(TurnStatus.COMPLETED, text), turn=f"turn_{number}")

    def close(self) -> None:
        self.journal.close()


def appended(*messages: Message) -> list[EventBody]:
    return [MessageAppended(message) for message in messages]
