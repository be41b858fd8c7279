"""Listens to what tools do and appends a line for each call that is over."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    CommandReviewed,
    Event,
    Origin,
    SessionFinished,
    ToolFinished,
    ToolStarted,
    TurnFinished,
)
from paicli.core.masking import SecretMasker
from paicli.core.messages import CommandRun, ToolEffect, ToolOutcome
from paicli.core.ops import ApprovalDecision
from paicli.core.unicode import well_formed
from paicli.session.audit.record import AuditEntry, as_line, shortened
from paicli.system.line_files import append_line

_LEFT_OUT = frozenset({ToolEffect.READ, ToolEffect.SESSION})
_OUTLASTING = frozenset({"save_memory"})
"""Change the session alone, and what later sessions are told."""
_NO = frozenset({ApprovalDecision.DENY, ApprovalDecision.SKIP, ApprovalDecision.CANCEL})


class _Call(NamedTuple):
    """A call that runs, and what was said about it."""

    started: ToolStarted
    since: float
    decision: str = ""
    by: str = ""
    reason: str = ""


class AuditLog:
    """A listener: calls that read, or change nothing but the session, are left out; what goes out is not."""

    def __init__(
        self,
        folder: Path,
        *,
        project: str,
        effect_of: Callable[[str], ToolEffect | None],
        masker: SecretMasker,
        on_fault: Callable[[Path, OSError], None] = lambda path, error: None,
    ) -> None:
        """`effect_of` None: unknown, and recorded. `on_fault` hears once that a line could not be written."""
        self._folder = folder
        self._project = project
        self._effect_of = effect_of
        self._masker = masker
        self._on_fault = on_fault
        self._has_failed = False
        self._calls: dict[tuple[Origin, str], _Call] = {}
        self._asked: dict[str, tuple[Origin, str]] = {}

    def __call__(self, event: Event) -> None:
        origin = event.origin
        match event.body:
            case ToolStarted() as started if started.name in _OUTLASTING or (
                self._effect_of(started.name) not in _LEFT_OUT
            ):
                self._calls[origin, started.call_id] = _Call(started, event.time)
            case CommandReviewed(call_id, _, allowed, reason, by):
                self._note((origin, call_id), allowed, by=by, reason=reason)
            case ApprovalRequested(request_id, call_id):
                self._asked[request_id] = origin, call_id
            case ApprovalDecided(request_id, decision, reason, by):
                asked = self._asked.pop(request_id, None)
                if asked is not None:
                    self._note(asked, decision not in _NO, by=by, reason=reason)
            case ToolFinished() as finished:
                call = self._calls.pop((origin, finished.call_id), None)
                if call is not None:
                    self._write(event, call, finished)
            case TurnFinished():
                self._write_unfinished(event, origin.turn_id)
            case SessionFinished():
                self._write_unfinished(event, None)
            case _:
                pass

    def _note(self, key: tuple[Origin, str], is_allowed: bool, *, by: str, reason: str) -> None:
        call = self._calls.get(key)
        if call is not None:
            self._calls[key] = call._replace(decision="allowed" if is_allowed else "denied", by=by, reason=reason)

    def _write_unfinished(self, event: Event, turn_id: str | None) -> None:
        """What was started and never told its end may have done anything."""
        for key, call in list(self._calls.items()):
            if turn_id is None or key[0].turn_id == turn_id:
                del self._calls[key]
                self._append(event, self._entry(event, call, key[0], outcome="unfinished"))

    def _write(self, event: Event, call: _Call, finished: ToolFinished) -> None:
        entry = self._entry(event, call, event.origin, outcome=finished.outcome.value)
        by = finished.decided_by or call.by
        decision = call.decision or ("allowed" if by else "none")
        if finished.outcome is ToolOutcome.DENIED:
            decision = "denied"
        elif finished.outcome is ToolOutcome.OK:
            decision = "allowed"
        ran = finished.detail.command if isinstance(finished.detail, CommandRun) else ""
        is_as_written = not ran or ran == _command_of(call.started.arguments)
        self._append(
            event,
            entry._replace(
                decision=decision,
                by=by,
                error_kind=finished.error_kind,
                duration_s=round(finished.duration_s, 3),
                ran="" if is_as_written else shortened(ran),
                files=finished.files_written,
            ),
        )

    def _entry(self, event: Event, call: _Call, origin: Origin, *, outcome: str) -> AuditEntry:
        return AuditEntry(
            time=_iso(event.time),
            session=event.session_id,
            turn=origin.turn_id,
            actor=origin.actor,
            tool=call.started.name,
            arguments=_arguments(call.started.arguments),
            decision=call.decision or "none",
            by=call.by,
            outcome=outcome,
            duration_s=round(max(0.0, event.time - call.since), 3),
            reason=call.reason,
            project=self._project,
        )

    def _append(self, event: Event, entry: AuditEntry) -> None:
        path = self._folder / audit_file_name(event.time)
        line = self._masker.mask_all(well_formed(as_line(entry)))
        try:
            append_line(path, line.encode("utf-8"))
        except OSError as error:
            if not self._has_failed:
                self._has_failed = True
                self._on_fault(path, error)


def audit_file_name(seconds: float) -> str:
    """Of the UTC day: "audit-2026-11-30.jsonl"."""
    return f"audit-{time.strftime('%Y-%m-%d', time.gmtime(seconds))}.jsonl"


def _iso(seconds: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{int(seconds % 1 * 1000):03d}Z"


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], found) if isinstance(found, dict) else None


def _arguments(text: str) -> Any:
    parsed = _parsed(text)
    return shortened(text if parsed is None else parsed)


def _command_of(text: str) -> Any:
    return (_parsed(text) or {}).get("command")
