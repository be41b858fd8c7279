"""A stored session read back: its events in order, and what could not be read."""

from pathlib import Path
from typing import Any, NamedTuple

from paicli.core.errors import SessionNotFound, reason_of
from paicli.core.events import Event
from paicli.session.journal import VERSION
from paicli.session.stored.lines import read_lines
from paicli.session.stored.records import NotOurs, UnknownEvent, event_of


class StoredSession(NamedTuple):
    path: Path
    """The journal."""
    events: tuple[Event, ...]
    """As they were written; `seq` grows."""
    damaged_lines: tuple[bytes, ...] = ()
    """Lines that were left out, or read in part only: cut, glued, overwritten."""
    unknown_events: int = 0
    """Left out: another version of paicli wrote them."""
    unknown_fields: int = 0
    """Events with fields that were left out."""
    version: int = 0
    """The newest journal format in it; 0 where the journal does not say."""
    last_seq: int = 0
    """The highest number that stands in it, of events that were left out too: what is written next comes after it."""

    @property
    def skipped_lines(self) -> int:
        return len(self.damaged_lines)

    @property
    def id(self) -> str:
        return self.path.stem


def read_session(path: Path) -> StoredSession:
    """Everything whole in the journal, whatever stands beside it. Raises SessionNotFound where it can't be read."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SessionNotFound("stored.unreadable", path=str(path), reason=reason_of(error)) from None
    return session_of(path, raw)


def session_of(path: Path, raw: bytes) -> StoredSession:
    """As `read_session`, of bytes that were read."""
    found = _Found()
    for line in read_lines(raw):
        is_damaged = line.is_damaged
        for record in line.records:
            is_damaged |= not found.take(record)
        if is_damaged:
            found.damaged.append(line.raw)
    return StoredSession(
        path,
        tuple(found.events),
        tuple(found.damaged),
        found.unknown_events,
        found.unknown_fields,
        found.version,
        found.last_seq,
    )


class _Found:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.damaged: list[bytes] = []
        self.unknown_events = self.unknown_fields = self.version = self.last_seq = 0

    def take(self, record: dict[str, Any]) -> bool:
        """False: it has the name of an event and not its shape."""
        if record.get("type") == "journal":
            version = record.get("version")
            self.version = max(self.version, version if type(version) is int else 0)
            return True
        seq = record.get("seq")
        self.last_seq = max(self.last_seq, seq if type(seq) is int else 0)
        try:
            read = event_of(record)
        except UnknownEvent:
            self.unknown_events += 1
            return True
        except NotOurs:
            # Of a newer version it may be whole: a word that this one does not know stands where one of ours would.
            self.unknown_events += self.version > VERSION
            return self.version > VERSION
        self.unknown_fields += read.has_unknown_fields
        self.events.append(read.event)
        return True
