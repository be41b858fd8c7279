"""A reviewer's reply as a verdict: only the exact JSON with exactly `allow` lets a command pass."""

from typing import Any, NamedTuple, cast

from paicli.core.errors import PlanInvalid
from paicli.core.messages import ChatResponse, FinishReason
from paicli.core.unicode import clipped
from paicli.plan.reply_json import read_json

CODE_PREFIX = "review.why_"
"""Of the reasons that no reviewer wrote; their texts have no fields."""
UNREADABLE = "review.why_unreadable"
_REASON_CHARACTERS = 500
_KEYS = {"decision", "reason"}
_UNFINISHED = frozenset({FinishReason.LENGTH, FinishReason.CONTENT_FILTER})


class ReviewVerdict(NamedTuple):
    is_allowed: bool
    reason: str
    """The reviewer's words, or a code of the catalogue (tables `screen` and `model`)."""


def verdict_of(reply: ChatResponse) -> ReviewVerdict:
    """A leading think block and one fence around the whole are taken off, as of a plan; nothing else is forgiven."""
    if reply.tool_calls or reply.finish_reason in _UNFINISHED:
        return ReviewVerdict(is_allowed=False, reason=UNREADABLE)
    try:
        value = read_json(reply.content)
    except PlanInvalid:
        return ReviewVerdict(is_allowed=False, reason=UNREADABLE)
    if not isinstance(value, dict):
        return ReviewVerdict(is_allowed=False, reason=UNREADABLE)
    stated = cast(dict[str, Any], value)
    decision, reason = stated.get("decision"), stated.get("reason")
    if stated.keys() != _KEYS or decision not in ("allow", "ask") or not isinstance(reason, str):
        return ReviewVerdict(is_allowed=False, reason=UNREADABLE)
    is_allowed = decision == "allow"
    words = clipped(" ".join(reason.split()), _REASON_CHARACTERS)
    return ReviewVerdict(is_allowed, words or ("" if is_allowed else "review.why_unsaid"))
