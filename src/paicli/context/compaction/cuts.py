"""Where a conversation may be cut: never between a call and its results (C65)."""

from collections.abc import Sequence

from paicli.context.compaction.summary import is_summary
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage


def is_safe_cut(messages: Sequence[Message], at: int) -> bool:
    """What stands before `at` can go: no result behind it belongs to a call before it."""
    return at >= len(messages) or not isinstance(messages[at], ToolMessage)


def safe_cut(messages: Sequence[Message], at: int) -> int:
    """The nearest place at or before `at`, after the system message."""
    first = int(bool(messages) and isinstance(messages[0], SystemMessage))
    at = min(max(at, first), len(messages))
    while at > first and not is_safe_cut(messages, at):
        at -= 1
    return at


def turn_starts(messages: Sequence[Message]) -> list[int]:
    """Where the person's turns begin; several user messages in a row are one beginning."""
    return [
        at
        for at, message in enumerate(messages)
        if isinstance(message, UserMessage)
        and not (at and isinstance(messages[at - 1], UserMessage | ToolMessage) and not is_summary(messages[at - 1]))
    ]


def step_starts(messages: Sequence[Message]) -> list[int]:
    """Where the model's steps begin: each is a reply and the results of its calls."""
    return [at for at, message in enumerate(messages) if isinstance(message, AssistantMessage) and message.tool_calls]


def wished_cuts(messages: Sequence[Message], *, turns_kept: int, steps_kept: int) -> list[int]:
    """Safe cuts from the one that keeps most to the one that keeps least.

    First before the last `turns_kept` turns, then before fewer, then inside the last turn before its last
    `steps_kept` steps, then before fewer.
    """
    starts = turn_starts(messages)[-turns_kept:]
    steps = step_starts(messages)[-steps_kept:]
    last = starts[-1] if starts else 0
    wished = [*starts, *(at for at in steps if at > last), len(messages)]
    first = safe_cut(messages, 0)
    return sorted({cut for cut in (safe_cut(messages, at) for at in wished) if cut > first})
