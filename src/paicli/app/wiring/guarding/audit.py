"""The audit of a session: who writes it, and what `/audit` reads of it."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from paicli.app.settings import Settings
from paicli.core.errors import reason_of
from paicli.core.event_stream import EventStream
from paicli.core.events import Notice, NoticeLevel, Origin
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.session.audit.log import AuditLog
from paicli.session.audit.record import AuditEntry
from paicli.session.folder import session_start
from paicli.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from paicli.ui.queries import AuditReport, AuditRow


def audit_folder(home: Path) -> Path:
    return home / "audit"


def write_audit(settings: Settings, stream: EventStream, registry: ToolRegistry, *, masker: SecretMasker) -> None:
    """From now on each call that is not read-only leaves a line. One that can't be written is said once."""

    def on_fault(path: Path, error: OSError) -> None:
        fields = (("path", str(path)), ("reason", reason_of(error)))
        stream.publish(Notice(Fault("audit.not_written", fields), NoticeLevel.WARNING), Origin())

    stream.subscribe(
        AuditLog(
            audit_folder(settings.home),
            project=str(settings.project_root),
            effect_of=registry.effect_of,
            masker=masker,
            on_fault=on_fault,
        )
    )


def audit_report(home: Path, session_id: str, count: int) -> "AuditReport":
    """The last `count` calls of this session and of today."""
    # start-up: 2 ms that only /audit needs
    from paicli.session.audit.reading import last_entries
    from paicli.ui.queries import AuditReport

    folder = audit_folder(home)
    try:
        page = last_entries(folder, session_id, count, now=time.time(), since=session_start(session_id))
    except OSError as error:
        fields = (("path", str(error.filename or folder)), ("reason", reason_of(error)))
        return AuditReport((), str(folder), fault=Fault("audit.unreadable", fields))
    rows = tuple(_row(entry, is_here=entry.session == session_id) for entry in page.entries)
    return AuditReport(rows, str(folder), page.damaged_lines)


def _row(entry: AuditEntry, *, is_here: bool) -> "AuditRow":
    from paicli.ui.queries import AuditRow  # start-up: as above

    return AuditRow(
        entry.time,
        entry.actor,
        entry.tool,
        entry.ran or _gist(entry.arguments),
        entry.decision,
        entry.by,
        entry.outcome,
        entry.duration_s,
        is_here,
    )


def _gist(arguments: Any) -> str:
    """What the call was about: the command, the path, the first text; else all of it."""
    if not isinstance(arguments, dict):
        return str(arguments)
    named = cast(dict[str, Any], arguments)
    for name in ("command", "path", "name", "url", "query", "id"):
        if isinstance(named.get(name), str):
            return cast(str, named[name])
    return json.dumps(named, ensure_ascii=False)
