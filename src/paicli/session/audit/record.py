"""One line of the audit, how it is written, and how what stands in a file is read again."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

_VALUE_CHARACTERS = 2_000
_MAX_DEPTH = 12


class AuditEntry(NamedTuple):
    """A call that ended, or that its turn ended without."""

    time: str
    """UTC, ISO 8601, when it ended."""
    session: str
    turn: str
    actor: str
    tool: str
    arguments: Any
    """As the model wrote them, masked, long values cut; text where they were no JSON object."""
    decision: str
    """allowed | denied | none (it never came to one)"""
    by: str
    """As `ToolFinished.decided_by`."""
    outcome: str
    """As `ToolOutcome`, or `unfinished`."""
    duration_s: float
    reason: str = ""
    """What the reviewer or the person said."""
    error_kind: str = ""
    ran: str = ""
    """The command that ran, where the person had changed it."""
    files: tuple[str, ...] = ()
    """Written."""
    project: str = ""


def as_line(entry: AuditEntry) -> str:
    """JSON on one line, empty fields left out."""
    kept = {name: value for name, value in entry._asdict().items() if value not in ("", ())}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def from_line(raw: bytes) -> AuditEntry | None:
    """None for a damaged line; fields of a newer version are left out."""
    try:
        found: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    record = cast(dict[str, Any], found)
    words = {
        name: _text(record, name) for name in AuditEntry._fields if name not in {"arguments", "files", "duration_s"}
    }
    if not (words["time"] and words["tool"]):
        return None
    seconds, files = record.get("duration_s"), record.get("files")
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    listed = cast(list[Any], files) if isinstance(files, list) else []
    return AuditEntry(
        arguments=record.get("arguments"),
        duration_s=float(cast(float, seconds)) if is_number else 0.0,
        files=tuple(str(path) for path in listed),
        **words,
    )


def shortened(value: Any, depth: int = 0) -> Any:
    """`value` with long texts cut and their length named."""
    if isinstance(value, str):
        left_out = len(value) - _VALUE_CHARACTERS
        return value if left_out <= 0 else f"{value[:_VALUE_CHARACTERS]}… (+{left_out})"
    if depth >= _MAX_DEPTH:
        return "…"
    if isinstance(value, list):
        return [shortened(item, depth + 1) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return {name: shortened(item, depth + 1) for name, item in cast(dict[str, Any], value).items()}
    return value


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
