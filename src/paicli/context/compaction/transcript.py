"""What the model that sums up is shown: the conversation as text, long parts cut, never more than has room."""

from collections.abc import Sequence

from paicli.context.compaction.summary import is_summary
from paicli.context.token_estimate import estimated_tokens
from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage

_SHARES = ((4_000, 1_500, 1_200), (1_500, 500, 300), (600, 200, 120), (240, 100, 60))
"""Characters of a person's message, of a reply, of a result or a call: the first row that has room."""


def transcript(messages: Sequence[Message], *, max_tokens: int) -> str:
    """The oldest is left out where even the shortest form of all has no room."""
    for share in _SHARES:
        entries = [entry for message in messages for entry in _entries(message, share)]
        text = "\n\n".join(entries)
        if estimated_tokens(text) <= max_tokens:
            return text
    entries = [entry for message in messages for entry in _entries(message, _SHARES[-1])]
    room, kept = max_tokens, list[str]()
    for entry in reversed(entries):
        room -= estimated_tokens(entry) + 1
        if room < 0:
            break
        kept.append(entry)
    note = model_text("compaction.oldest_left_out", count=len(entries) - len(kept))
    return "\n\n".join([note, *reversed(kept)])


def _entries(message: Message, share: tuple[int, int, int]) -> list[str]:
    words, reply, result = share
    match message:
        case UserMessage(content):
            # An earlier summary counts as much as everything it stands for.
            return [f"[user]\n{_cut(content, words * 4 if is_summary(message) else words)}"]
        case AssistantMessage(content, _, calls):
            called = [f"[call {call.name[:64]}] {_cut(call.arguments, result)}" for call in calls]
            return [*([f"[assistant]\n{_cut(content, reply)}"] if content else []), *called]
        case ToolMessage(_, name, content):
            return [f"[result {name[:64]}]\n{_cut(content, result)}"]
        case SystemMessage():
            return []


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    tail = limit // 3
    return f"{text[: limit - tail]} … {text[-tail:]}"
