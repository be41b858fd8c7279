"""A stored session is gone on with: by its only writer, or in a copy of its own.

The journal is never rewritten. What can't be read in it is kept aside as it is, beside it.
"""

import json
import os
import time
from pathlib import Path
from typing import NamedTuple

from paicli.core.errors import SessionNotFound, reason_of
from paicli.core.events import SessionForked
from paicli.session.folder import SessionFolder, new_session_id, open_session_folder
from paicli.session.journal import VERSION, JournalTaken, open_journal
from paicli.session.stored.lines import read_lines
from paicli.session.stored.reading import StoredSession, read_session, session_of
from paicli.system.files import write_state_file

_DAMAGED = ".damaged"
RESULTS = ".results"


class OpenedSession(NamedTuple):
    folder: SessionFolder
    stored: StoredSession
    """What had happened before; a fork has its origin's events."""
    file: int
    """The journal's descriptor: this process is its only writer."""
    forked: SessionForked | None = None
    """Set where it is a new copy."""
    is_busy: bool = False
    """It is a copy because another process writes the session itself."""
    damaged_count: int = 0
    """Lines of the session that could not be read and that nobody was told of yet."""
    damaged_file: Path | None = None
    """Where those are kept."""

    @property
    def is_newly_damaged(self) -> bool:
        return self.damaged_count > 0

    @property
    def origins(self) -> dict[str, float]:
        """The sessions it was forked from, each with the time (seconds since the epoch) of that."""
        found = {
            event.body.from_session: event.time for event in self.stored.events if isinstance(event.body, SessionForked)
        }
        return found | ({self.forked.from_session: time.time()} if self.forked is not None else {})

    @property
    def earlier_results(self) -> tuple[Path, ...]:
        """Folders of large results that the conversation may speak of: those of the sessions it was forked from."""
        forks = [event.body for event in self.stored.events if isinstance(event.body, SessionForked)]
        forks += [self.forked] if self.forked is not None else []
        here = self.folder.journal.parent
        # One that was brought here from another project left its results there.
        folders = [here, *sorted(here.parent.glob("*/"))] if any(fork.project for fork in forks) else [here]
        names = dict.fromkeys(f"{fork.from_session}{RESULTS}" for fork in forks)
        found = (next((folder / name for folder in folders if (folder / name).exists()), here / name) for name in names)
        return tuple(found)


def open_stored(journal: Path) -> OpenedSession:
    """The session itself; a fork of it when another process writes it. Raises SessionNotFound or SettingsError."""
    if not journal.is_file():
        raise SessionNotFound("stored.unknown", id=journal.stem)
    try:
        file = open_journal(journal)
    except JournalTaken:
        return fork_stored(journal)._replace(is_busy=True)
    if not os.fstat(file).st_nlink:  # it was cleaned away just now
        os.close(file)
        raise SessionNotFound("stored.unknown", id=journal.stem)
    stored = read_session(journal)  # after the claim: nobody writes any more
    damaged_count, damaged_file = _keep_aside(stored)
    return OpenedSession(_folder(journal), stored, file, damaged_count=damaged_count, damaged_file=damaged_file)


def open_moved(journal: Path, home: Path, project_root: Path) -> OpenedSession:
    """A fork of another project's session, to go on with in this one. Raises as `open_stored`."""
    folder = open_session_folder(home, project_root, new_session_id())
    return _forked(journal, folder.journal, project=str(project_root))


def fork_stored(journal: Path) -> OpenedSession:
    """A new session that begins with everything whole in `journal`, which stays as it is. Raises as `open_stored`."""
    return _forked(journal, journal.with_name(f"{new_session_id()}.jsonl"))


def _forked(journal: Path, copy: Path, project: str = "") -> OpenedSession:
    origin = read_session(journal)
    header = json.dumps({"type": "journal", "version": max(VERSION, origin.version)}).encode()
    try:
        raw = journal.read_bytes()
        whole = [
            record for line in read_lines(raw) for record in _whole_records(line.raw, line.records, line.is_damaged)
        ]
        raw = b"".join(line + b"\n" for line in (header, *whole))
        write_state_file(copy, raw)
    except OSError as error:
        raise SessionNotFound("stored.unwritable", path=str(copy), reason=reason_of(error)) from None
    stored = session_of(copy, raw)
    forked = SessionForked(journal.stem, stored.last_seq, project)
    damaged_count, damaged_file = _keep_aside(origin)
    return OpenedSession(
        _folder(copy),
        stored,
        open_journal(copy),
        forked,
        damaged_count=damaged_count,
        damaged_file=damaged_file,
    )


def _whole_records(raw: bytes, records: tuple[dict[str, object], ...], is_damaged: bool) -> list[bytes]:
    if not is_damaged:
        return [raw]
    return [json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") for record in records]


def _folder(journal: Path) -> SessionFolder:
    return SessionFolder(journal.stem, journal, journal.with_name(f"{journal.stem}{RESULTS}"))


def _keep_aside(stored: StoredSession) -> tuple[int, Path]:
    """Damaged lines into a file beside the journal: how many there are where it did not hold them all yet, else 0,
    and where they stand now."""
    path = stored.path.with_name(f"{stored.path.stem}{_DAMAGED}")
    if not stored.damaged_lines:
        return 0, path
    lines = b"".join(line + b"\n" for line in stored.damaged_lines)
    try:
        if path.is_file() and path.read_bytes() == lines:
            return 0, path
        write_state_file(path, lines)
    except OSError:  # a full disk: they stay in the journal alone, and are told of again
        return stored.skipped_lines, stored.path
    return stored.skipped_lines, path
