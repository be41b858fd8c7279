"""Which sessions lie on disk, and which one is meant."""

import os
from pathlib import Path
from typing import NamedTuple

from paicli.core.errors import SessionNotFound
from paicli.core.events import Event, TurnStarted
from paicli.session.folder import project_key
from paicli.session.stored.lines import read_lines
from paicli.session.stored.records import NotOurs, event_of
from paicli.session.stored.restored import restored_state

_TOLD_BY = tuple(
    f'"type":"{name}"'.encode()
    for name in (
        "session_started",
        "session_forked",
        "model_changed",
        "session_renamed",
        "turn_started",
        "conversation_cleared",
        "conversation_rewound",
    )
)
"""Events that say what a list shows. Inside a text their quotes would be escaped."""
_HEADER_BYTES = 500
"""A line's type stands within its beginning."""
_SHOWN_IDS = 5


class SessionSummary(NamedTuple):
    id: str
    journal: Path
    title: str
    """Its own, else the first words that were written in it; may be empty."""
    changed_at: float
    """Seconds since the epoch, UTC."""
    turn_count: int
    model: str
    """PROVIDER/MODEL; may be empty."""
    size_bytes: int
    project: str


def sessions_folder(home: Path, project_root: Path) -> Path:
    """Where the project's sessions lie; it need not exist."""
    return home / "sessions" / project_key(project_root)


def list_sessions(folder: Path) -> tuple[SessionSummary, ...]:
    """Those of one project, the one changed last first. What can't be read is left out."""
    found = (_summary(journal) for journal in _journals(folder))
    return tuple(summary for summary in found if summary is not None)


def session_ids(folder: Path) -> tuple[str, ...]:
    """Ids only, the one changed last first: no journal is read."""
    return tuple(journal.stem for journal in _journals(folder))


def newest_session(folder: Path) -> Path | None:
    """The journal changed last in which somebody asked for something."""
    for journal in _journals(folder):
        summary = _summary(journal)
        if summary is not None and summary.turn_count:
            return journal
    return None


def find_session(home: Path, project_root: Path, wished: str) -> Path:
    """The journal whose id is or begins with `wished`. Raises SessionNotFound, which names what comes near.

    That of another project only where its folder is gone: it may have been moved here.
    """
    journals = {journal.stem: journal for journal in _journals(sessions_folder(home, project_root))}
    if wished in journals:
        return journals[wished]
    matches = sorted(name for name in journals if wished and name.startswith(wished))
    if len(matches) > 1:
        raise SessionNotFound("stored.ambiguous", id=wished, ids=", ".join(matches[:_SHOWN_IDS]))
    if matches:
        return journals[matches[0]]
    elsewhere = _elsewhere(home, wished)
    if elsewhere is not None:
        return elsewhere
    raise _unknown(wished, list(journals))


def _unknown(wished: str, known: list[str]) -> SessionNotFound:
    from difflib import get_close_matches  # start-up: 4 ms, and only a wrong id needs it

    nearest = get_close_matches(wished, known, n=3, cutoff=0.5)
    if nearest:
        return SessionNotFound("stored.unknown_near", id=wished, nearest=", ".join(nearest))
    return SessionNotFound("stored.unknown", id=wished)


def _elsewhere(home: Path, wished: str) -> Path | None:
    for folder in _entries(home / "sessions"):
        for journal in _journals(Path(folder.path)) if wished and folder.is_dir(follow_symlinks=False) else ():
            summary = _summary(journal) if journal.stem == wished else None
            if summary is None or not summary.project:
                continue
            if not os.path.isdir(summary.project):
                return journal
            from shlex import quote  # start-up: 1 ms, and only a wrong folder needs it

            raise SessionNotFound("stored.elsewhere", id=wished, project=quote(summary.project))
    return None


def _journals(folder: Path) -> list[Path]:
    """Changed last first."""
    found: list[tuple[float, str]] = []
    for entry in _entries(folder):
        if entry.name.endswith(".jsonl") and not entry.name.startswith("."):
            try:
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
            except OSError:
                continue
    return [Path(path) for _, path in sorted(found, reverse=True)]


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _summary(journal: Path) -> SessionSummary | None:
    try:
        raw, status = journal.read_bytes(), journal.stat()
    except OSError:
        return None
    telling = b"\n".join(line for line in raw.split(b"\n") if _tells(line[:_HEADER_BYTES]))
    events = [event for line in read_lines(telling) for record in line.records if (event := _event(record))]
    state = restored_state(events)
    return SessionSummary(
        id=journal.stem,
        journal=journal,
        title=state.title or state.first_words,
        changed_at=status.st_mtime,
        turn_count=sum(isinstance(event.body, TurnStarted) for event in events),
        model="/".join(filter(None, (state.provider, state.model))),
        size_bytes=status.st_size,
        project=state.project,
    )


def _tells(beginning: bytes) -> bool:
    return any(name in beginning for name in _TOLD_BY)


def _event(record: dict[str, object]) -> Event | None:
    try:
        return event_of(record).event
    except NotOurs:
        return None
