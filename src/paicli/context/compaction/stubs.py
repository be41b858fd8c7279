"""Old tool results become one line each; the model can call again."""

from collections.abc import Sequence

from paicli.context.compaction.cuts import step_starts
from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import Message, ToolMessage
from paicli.core.unicode import clipped

KEPT_STEPS = 3
"""The results of so many last steps stay."""
_SHORT = 200
"""Characters: what is no longer than this is no shorter as a stub."""


def with_stubs(messages: Sequence[Message], *, kept_steps: int = KEPT_STEPS) -> tuple[Message, ...]:
    """The same list where nothing is old or long; messages that stay are the same objects."""
    starts = step_starts(messages)
    end = starts[-kept_steps] if len(starts) >= kept_steps else 0
    return tuple(_stub(message) if at < end else message for at, message in enumerate(messages))


def _stub(message: Message) -> Message:
    if not isinstance(message, ToolMessage) or len(message.content) <= _SHORT:
        return message
    text = model_text("compaction.stub", tool=clipped(message.name, 64), size=len(message.content))
    return ToolMessage(message.call_id, message.name, text)


def shortened_results(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """Every result at most about `limit` characters, its beginning and its end: the last way to make room."""
    return tuple(
        ToolMessage(message.call_id, message.name, _shortened(message.content, limit))
        if isinstance(message, ToolMessage) and len(message.content) > limit + _SHORT
        else message
        for message in messages
    )


def _shortened(content: str, limit: int) -> str:
    tail = limit // 4
    note = model_text("compaction.shortened", size=len(content))
    return f"{content[: limit - tail]}\n{note}\n{content[-tail:] if tail else ''}"
