"""What the audit's files say: the last lines of a session and of a day, and which files there are."""

import re
from pathlib import Path
from typing import NamedTuple

from paicli.session.audit.log import audit_file_name
from paicli.session.audit.record import AuditEntry, from_line
from paicli.system.line_files import read_lines

_READ_BYTES = 4_000_000
"""Of each day's file: what lies before it is not shown."""
_NAME = re.compile(r"audit-\d{4}-\d{2}-\d{2}\.jsonl")


class AuditPage(NamedTuple):
    entries: tuple[AuditEntry, ...]
    """Oldest first."""
    damaged_lines: int = 0
    """Left out."""


def audit_files(folder: Path) -> list[Path]:
    """All there are, one for each UTC day, oldest first."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    return [path for path in paths if _NAME.fullmatch(path.name)]


def last_entries(folder: Path, session_id: str, count: int, *, now: float, since: float) -> AuditPage:
    """The last `count` of today (UTC) and of the session since `since`. Raises OSError where a file is not readable."""
    today, first = audit_file_name(now), audit_file_name(min(since, now))
    entries: list[AuditEntry] = []
    damaged = 0
    for path in audit_files(folder):
        if not first <= path.name <= today:
            continue
        for raw in read_lines(path, _READ_BYTES):
            entry = from_line(raw)
            if entry is None:
                damaged += 1
            elif path.name == today or entry.session == session_id:
                entries.append(entry)
    entries.sort(key=lambda entry: entry.time)
    return AuditPage(tuple(entries[-count:]), damaged)
