"""What a turn without a person writes to stdout: text or one JSON object at its end."""

import json
from typing import Any, NamedTuple, Protocol

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams, can_say_everything
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_codec import plain
from paicli.core.events import Event, TurnFinished, TurnStatus
from paicli.core.faults import Fault
from paicli.core.messages import Usage
from paicli.core.plan_view import PlanView
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.sanitize import clean


class Ending(NamedTuple):
    """What a turn came to, as its outputs need it."""

    turn: TurnFinished
    status: ExitStatus
    plan: PlanView | None = None
    """The newest plan of the turn, with its tasks' last statuses."""
    spent_budget: str = ""
    """Reason of the budget that ended it, empty for none."""


class TurnOutput(Protocol):
    """One format of stdout. Both return False as soon as nobody reads any more."""

    def on_event(self, event: Event) -> bool: ...

    def finish(self, ending: Ending) -> bool: ...


class TextOutput:
    """The answer alone. What failed or was cancelled is no answer and goes to stderr."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def on_event(self, event: Event) -> bool:
        return True

    def finish(self, ending: Ending) -> bool:
        text = ending.turn.text
        if not text:
            return True
        if ending.turn.status in {TurnStatus.FAILED, TurnStatus.CANCELLED}:
            self._streams.tell(text)
            return True
        # A terminal must not be steered by an answer; a pipe gets it as it is.
        shown = clean(text) if self._streams.is_output_terminal else text
        return self._streams.answer(shown if shown.endswith("\n") else shown + "\n")


class PlanTextOutput:
    """The plan by rounds: what `paicli plan` prints."""

    def __init__(self, streams: Streams, texts: Texts) -> None:
        self._streams = streams
        self._texts = texts
        self.plan: PlanView | None = None
        """The plan, once the turn that made it is complete."""

    def on_event(self, event: Event) -> bool:
        return True

    def finish(self, ending: Ending) -> bool:
        if ending.plan is None or ending.turn.status is not TurnStatus.COMPLETED:
            return True
        from paicli.ui.rendering.plan_lines import unfolded  # start-up: 6 ms, and only a plan needs it

        self.plan = ending.plan
        lines = [clean(line.text) for line in unfolded(ending.plan, self._texts)]
        return self._streams.answer("\n".join(lines) + "\n")


class JsonOutput:
    """One object at the end."""

    def __init__(self, streams: Streams, texts: Texts, session_id: str) -> None:
        self._streams = streams
        self._texts = texts
        self._session_id = session_id

    def on_event(self, event: Event) -> bool:
        return True

    def finish(self, ending: Ending) -> bool:
        return write_json(
            self._streams,
            {
                "type": "result",
                "result": ending.turn.text,
                "status": ending.turn.status.value,
                "is_error": ending.status is not ExitStatus.DONE,
                "error": error_text(ending, self._texts),
                "session_id": self._session_id,
                "usage": usage_record(ending.turn.usage),
                "total_cost_usd": ending.turn.cost_usd,
                "plan": plain(ending.plan),
                "duration_ms": round(ending.turn.duration_s * 1_000),
            },
        )


def status_of(turn: TurnFinished) -> ExitStatus:
    """The exit status a turn's end stands for."""
    match turn.status:
        case TurnStatus.COMPLETED:
            return ExitStatus.DONE
        case TurnStatus.PARTIAL:
            return ExitStatus.FAILED
        case TurnStatus.CANCELLED:
            return ExitStatus.CANCELLED
        case TurnStatus.FAILED:
            return _status_of_failure(turn.fault)


def _status_of_failure(fault: Fault | None) -> ExitStatus:
    if fault is not None and fault.is_retryable:
        return ExitStatus.UNREACHABLE
    # A setting that is found wrong only when it is needed, such as a prompt file, is wrong all the same.
    is_setting = fault is not None and fault.code.startswith("settings.")
    return ExitStatus.USAGE if is_setting else ExitStatus.FAILED


def write_json(streams: Streams, record: dict[str, Any]) -> bool:
    """One line, whatever the stream's encoding can say."""
    return streams.answer(json.dumps(record, ensure_ascii=not can_say_everything(streams.stdout)) + "\n")


def usage_record(usage: Usage) -> dict[str, int]:
    """Tokens under the names other tools read; `input_tokens` leaves out what came from the provider's cache."""
    return {
        "input_tokens": max(0, usage.input_tokens - usage.cached_tokens),
        "cache_read_input_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
    }


def error_text(ending: Ending, texts: Texts) -> str | None:
    """Why it is no success, in words; None where it is one."""
    if ending.status is ExitStatus.DONE:
        return None
    if ending.turn.fault is not None:
        return fault_text(ending.turn.fault, texts)
    match ending.status:
        case ExitStatus.STOPPED_FOR_REVIEW:
            return texts.screen("plan.review.stopped")
        case ExitStatus.CANCELLED:
            return texts.screen("turn.cancelled")
        case _:
            return texts.screen("cli.partial")
