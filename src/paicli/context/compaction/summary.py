"""The message that stands for what was summed up: the model's summary, the person's own words, the open list.

It can be read again: the next compaction takes the words and the list out of it and carries them on.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from paicli.context.token_estimate import estimated_tokens
from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import AssistantMessage, Message, ToolMessage, UserMessage

_TODO_TOOL = "todo_write"
_WORDS_CHARACTERS = 1_500
"""Of one message of the person; longer ones keep their beginning and end."""
_OPENING = "<conversation_summary>"
_INNER = re.compile(r"<(?=/?(?:conversation_summary|user_words|open_list|last_request)\b)")


class Kept(NamedTuple):
    """What is put back from its source, whatever the summary says."""

    words: tuple[str, ...] = ()
    """The person's, word for word, oldest first."""
    left_out: int = 0
    """Messages of the person that had no room."""
    todo: str = ""
    """The model's open list, a line per item."""
    last_request: str = ""
    """The person's latest message, where it is not among those that stay."""


def is_summary(message: Message) -> bool:
    return isinstance(message, UserMessage) and message.content.startswith(_OPENING)


def kept_of(dropped: Sequence[Message], *, staying: Sequence[Message]) -> Kept:
    """What of `dropped` must be put back. `staying`: what stands behind it in the conversation."""
    words, left_out, todo, last = list[str](), 0, "", ""
    for at, message in enumerate(dropped):
        if is_summary(message):
            earlier = _read(message.content)
            words, left_out, todo, last = list(earlier.words), earlier.left_out, earlier.todo, earlier.last_request
            continue
        if isinstance(message, UserMessage) and not (at and isinstance(dropped[at - 1], ToolMessage)):
            words += [last] if last else []
            last = message.content
        elif isinstance(message, UserMessage) and not _is_reminder(message.content):
            words.append(message.content)
        todo = _todo_of(message) or todo
    if any(isinstance(message, UserMessage) and not is_summary(message) for message in staying):
        words, last = [*words, last] if last else words, ""
    return Kept(tuple(_bounded(text) for text in words), left_out, todo, last)


def fitting(kept: Kept, characters: int) -> Kept:
    """The first words and as many of the latest as have room; the rest is counted."""
    words = list(kept.words)
    left_out = kept.left_out
    while len(words) > 1 and sum(map(len, words)) > characters:
        del words[1]
        left_out += 1
    if words and sum(map(len, words)) > characters:
        words = [_bounded(words[0], max(200, characters))]
    return kept._replace(words=tuple(words), left_out=left_out)


def fitting_summary(summary: str, *, tokens: int, factor: float) -> str:
    """Its beginning and its end where it is larger than `tokens`; `factor`: how the server counts one of ours."""
    own = estimated_tokens(summary) * factor
    if own <= tokens:
        return summary
    return _bounded(summary, max(200, round(len(summary) * tokens / own)))


def summary_message(summary: str, kept: Kept) -> UserMessage:
    parts = [f"{_OPENING}\n{model_text('compaction.heading')}\n{_defanged(summary.strip())}\n</conversation_summary>"]
    if kept.words or kept.left_out:
        listed = "\n".join(f'<words n="{at}">\n{_defanged(text)}\n</words>' for at, text in enumerate(kept.words, 1))
        note = model_text("compaction.left_out", count=kept.left_out) if kept.left_out else ""
        heading = model_text("compaction.words")
        parts.append("\n".join(part for part in ("<user_words>", heading, listed, note, "</user_words>") if part))
    if kept.todo:
        parts.append(f"<open_list>\n{model_text('compaction.todo')}\n{_defanged(kept.todo)}\n</open_list>")
    if kept.last_request:
        request = kept.last_request  # word for word: it is the person's own
        parts.append(f"<last_request>\n{model_text('compaction.request')}\n{request}\n</last_request>")
    return UserMessage("\n\n".join(parts))


def _read(content: str) -> Kept:
    """What `summary_message` wrote."""
    body, _, request = content.partition(f"\n\n<last_request>\n{model_text('compaction.request')}\n")
    todo = body.partition(f"<open_list>\n{model_text('compaction.todo')}\n")[2].partition("\n</open_list>")[0]
    words = tuple(found[1] for found in _words().finditer(body))
    before, _, after = model_text("compaction.left_out", count=0).partition("0")
    left = re.search(f"{re.escape(before)}([0-9]+){re.escape(after)}\n</user_words>", body)
    return Kept(words, int(left[1]) if left else 0, todo, request.removesuffix("\n</last_request>"))


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r'<words n="\d+">\n(.*?)\n</words>', re.DOTALL)


def _defanged(text: str) -> str:
    """Nothing inside opens or closes a part."""
    return _INNER.sub("&lt;", text).replace("<words ", "&lt;words ").replace("</words>", "&lt;/words>")


def _is_reminder(content: str) -> bool:
    """What the loop itself said between two steps."""
    beginnings = ("loop.repeated_call", "loop.repeated_error")
    return content.startswith((*map(model_text, beginnings), model_text("loop.finish", reason="\0").partition("\0")[0]))


def _bounded(text: str, limit: int = _WORDS_CHARACTERS) -> str:
    if len(text) <= limit:
        return text
    tail = limit // 3
    return f"{text[: limit - tail]}\n{model_text('compaction.shortened', size=len(text))}\n{text[-tail:]}"


def _todo_of(message: Message) -> str:
    calls = message.tool_calls if isinstance(message, AssistantMessage) else ()
    return next((_todo_text(call.arguments) for call in reversed(calls) if call.name == _TODO_TOOL), "")


def _todo_text(arguments: str) -> str:
    try:
        values: Any = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    items: Any = cast(dict[str, Any], values).get("items") if isinstance(values, dict) else None
    listed = cast(list[Any], items) if isinstance(items, list) else []
    found = [cast(dict[str, Any], item) for item in listed if isinstance(item, dict)]
    return "\n".join(f"- [{item.get('status', '')}] {item.get('text', '')}" for item in found)
