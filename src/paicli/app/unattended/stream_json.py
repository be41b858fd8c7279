"""`--output-format stream-json`: the turn as JSON lines in the shape other tools already read.

`system`, `assistant` and `user` lines carry content blocks; plan events have types of their own (`plan`, `round`,
`task`); the last line is always the one `result`.
"""

import json
from collections.abc import Callable
from typing import Any, cast

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.turn_output import Ending, error_text, usage_record, write_json
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import PolicyTightened
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanAbandoned,
    PlanCreated,
    PlanFinished,
    PlanningStarted,
    PlanRejected,
    PlanReviewed,
    PlanStarted,
    PlanStuck,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.event_codec import plain, type_name
from paicli.core.events import (
    BudgetExhausted,
    CompactionFinished,
    Event,
    MessageAppended,
    ModelReplyReceived,
    ModelRetryScheduled,
    Notice,
    SessionStarted,
    ToolFinished,
    TurnStarted,
    TurnStatus,
    UrlTrusted,
)
from paicli.core.messages import AssistantMessage, ChatResponse, FinishReason, ToolCall, ToolOutcome
from paicli.ui.rendering.fault_texts import fault_text

_STOP_REASONS = {
    FinishReason.TOOL_CALLS: "tool_use",
    FinishReason.LENGTH: "max_tokens",
    FinishReason.CONTENT_FILTER: "refusal",
}

_PLAN_TYPES: dict[type, tuple[str, str]] = {
    PlanningStarted: ("plan", "planning"),
    PlanCreated: ("plan", "created"),
    PlanRejected: ("plan", "rejected"),
    PlanReviewed: ("plan", "reviewed"),
    PlanAbandoned: ("plan", "abandoned"),
    PlanStarted: ("plan", "started"),
    PlanFinished: ("plan", "finished"),
    PlanStuck: ("plan", "stuck"),
    ReplanTriggered: ("plan", "replan_triggered"),
    ReplanLimitReached: ("plan", "replan_limit_reached"),
    RoundStarted: ("round", "started"),
    RoundCommitted: ("round", "committed"),
    FileOverlapped: ("round", "file_overlapped"),
    TaskStarted: ("task", "started"),
    TaskCompleted: ("task", "completed"),
    TaskFailed: ("task", "failed"),
    TaskInterrupted: ("task", "interrupted"),
    TaskSkipped: ("task", "skipped"),
}

_BEFORE_THE_WORK = (TurnStarted, PolicyTightened, UrlTrusted)
"""While these come, what the model will be offered is being found out."""

_BUDGET_SUBTYPES = {"steps": "error_max_turns", "tokens": "error_max_tokens", "cost": "error_max_budget_usd"}


class StreamJsonOutput:
    def __init__(
        self, streams: Streams, texts: Texts, *, session_id: str, started: Callable[[], SessionStarted]
    ) -> None:
        """`started` describes the session for the first line, once the turn's policy stands."""
        self._streams = streams
        self._texts = texts
        self._session_id = session_id
        self._started = started
        self._model = ""
        self._has_begun = False
        self._is_read = True
        self._replies: dict[str, ChatResponse] = {}
        """Per actor the reply whose message comes next."""
        self._retold: dict[str, int] = {}
        """Per actor how many messages come that were written before: a compaction tells them again."""

    def on_event(self, event: Event) -> bool:
        if not isinstance(event.body, _BEFORE_THE_WORK):
            self._begin()
        record = self._record(event)
        return self._write(record) if record is not None else self._is_read

    def finish(self, ending: Ending) -> bool:
        self._begin()
        is_error = ending.status is not ExitStatus.DONE
        return self._write(
            {
                "type": "result",
                "subtype": _subtype(ending),
                "is_error": is_error,
                "status": ending.turn.status.value,
                "result": ending.turn.text,
                "error": error_text(ending, self._texts),
                "num_turns": ending.turn.steps,
                "duration_ms": round(ending.turn.duration_s * 1_000),
                "total_cost_usd": ending.turn.cost_usd,
                "usage": usage_record(ending.turn.usage),
                "plan": plain(ending.plan),
            }
        )

    def _begin(self) -> None:
        if not self._has_begun:
            started = self._started()
            self._has_begun, self._model = True, started.model
            self._write(_init(started))

    def _write(self, record: dict[str, Any]) -> bool:
        self._is_read = write_json(self._streams, {**record, "session_id": self._session_id})
        return self._is_read

    def _record(self, event: Event) -> dict[str, Any] | None:
        body = event.body
        if type(body) in _PLAN_TYPES:
            return self._planned(event)
        match body:
            case ModelReplyReceived(response):
                self._replies[event.origin.actor] = response
                return None
            case MessageAppended() if self._retold.get(event.origin.actor):
                self._retold[event.origin.actor] -= 1
                return None
            case MessageAppended(AssistantMessage() as message):
                return self._assistant(event, message)
            case ToolFinished():
                return _tool_result(body) | _task_of(event)
            case Notice(fault, level):
                text = fault_text(fault, self._texts)
                return {"type": "system", "subtype": "notice", "level": level.value, "code": fault.code, "text": text}
            case ModelRetryScheduled():
                text = fault_text(body.fault, self._texts)
                record = {"attempt": body.attempt, "max_attempts": body.max_attempts, "wait_s": body.wait_s}
                return {"type": "system", "subtype": "retry", **record, "error": text} | _task_of(event)
            case CompactionFinished() | BudgetExhausted():
                if isinstance(body, CompactionFinished):
                    self._retold[event.origin.actor] = body.message_count
                fields: dict[str, Any] = plain(body)
                return {"type": "system", "subtype": type_name(type(body)), **fields} | _task_of(event)
            case _:
                return None  # what is left is for a screen or the journal

    def _assistant(self, event: Event, message: AssistantMessage) -> dict[str, Any]:
        reply = self._replies.pop(event.origin.actor, None)
        content: list[dict[str, Any]] = []
        if message.thinking:
            content.append({"type": "thinking", "thinking": message.thinking})
        if message.content:
            content.append({"type": "text", "text": message.content})
        content += [_tool_use(call) for call in message.tool_calls]
        reason = reply.finish_reason if reply is not None else FinishReason.STOP
        return {
            "type": "assistant",
            "message": {
                "type": "message",
                "role": "assistant",
                "model": self._model,
                "content": content,
                "stop_reason": _STOP_REASONS.get(reason, "end_turn"),
                "usage": usage_record(reply.usage) if reply is not None and reply.usage is not None else None,
            },
            "parent_tool_use_id": None,
        } | _task_of(event)

    def _planned(self, event: Event) -> dict[str, Any]:
        kind, subtype = _PLAN_TYPES[type(event.body)]
        record: dict[str, Any] = {"type": kind, "subtype": subtype}
        if event.origin.plan_id:
            record["plan_id"] = event.origin.plan_id
        if event.origin.round:
            record["round"] = event.origin.round
        fields: dict[str, Any] = plain(event.body)
        fault = getattr(event.body, "fault", None)
        if fault is not None:
            fields["error"] = fault_text(fault, self._texts)
        return record | _task_of(event) | fields


def _init(started: SessionStarted) -> dict[str, Any]:
    return {
        "type": "system",
        "subtype": "init",
        "cwd": started.project,
        "model": started.model,
        "provider": started.provider,
        "permissionMode": started.mode.value,
        "tools": list(started.tool_names),
        "paicli_version": started.version,
    }


def _tool_use(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": _arguments(call.arguments)}


def _arguments(text: str) -> dict[str, Any]:
    """As an object; what is none stands under `_raw`."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {"_raw": text}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {"_raw": text}


def _tool_result(body: ToolFinished) -> dict[str, Any]:
    block = {
        "type": "tool_result",
        "tool_use_id": body.call_id,
        "content": body.content,
        "is_error": body.outcome is not ToolOutcome.OK,
    }
    return {"type": "user", "message": {"role": "user", "content": [block]}, "parent_tool_use_id": None}


def _task_of(event: Event) -> dict[str, Any]:
    return {"task_id": event.origin.task_id} if event.origin.task_id else {}


def _subtype(ending: Ending) -> str:
    match ending.status:
        case ExitStatus.DONE:
            return "success"
        case ExitStatus.STOPPED_FOR_REVIEW:
            return "error_stopped_for_review"
        case ExitStatus.CANCELLED:
            return "error_cancelled"
        case ExitStatus.UNREACHABLE:
            return "error_unreachable"
        case _:
            budget = _BUDGET_SUBTYPES.get(ending.spent_budget)
            is_partial = ending.turn.status is TurnStatus.PARTIAL
            return budget or ("error_partial" if is_partial else "error_during_execution")
