"""What a request is recognised by when its recording answers it: what was said and called, not what came back.

Left aside: the system prompt (PAI.md and the language stand in it), the results of tools (times, folders), the names
of folders, sessions' ids, and all numbers. What is left differs only where the two runs went different ways.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage
from paicli.core.unicode import clipped

_SHOWN = 160
"""Characters of the last message, for a person who compares two runs."""
_SESSION = re.compile(r"\b\d{8}-\d{6}-[0-9a-f]{6}\b")
"""A session's id: it stands in the path of a large result, which a summary's request quotes."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SPACE = re.compile(r"\s+")


class Fingerprint(NamedTuple):
    messages: int
    """How many, the system prompt aside."""
    last: str
    """The last one in short."""
    digest: str
    """Of all of them."""


def fingerprint(messages: Iterable[Message], *, folders: Iterable[str] = ()) -> Fingerprint:
    """`folders`: paths whose names don't matter (the project, the home folder), the longer ones first."""
    import hashlib  # start-up: 3 ms, and only a recorded session needs it

    forgotten = tuple(folder for folder in folders if len(folder) > 1)
    traces = [trace for message in messages for trace in _traces(message, forgotten)]
    digest = hashlib.blake2b("\n".join(traces).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return Fingerprint(len(traces), clipped(traces[-1], _SHOWN) if traces else "", digest)


def _traces(message: Message, folders: tuple[str, ...]) -> Iterator[str]:
    match message:
        case SystemMessage():
            return
        case UserMessage(content):
            yield f"user {_normal(content, folders)}"
        case AssistantMessage(content, _, calls):
            called = " ".join(f"{call.name}{_arguments(call.arguments)}" for call in calls)
            yield f"assistant {_normal(f'{content} {called}', folders)}"
        case ToolMessage(name=name):
            yield f"tool {name}"


def _arguments(text: str) -> str:
    try:
        return json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _normal(text: str, folders: tuple[str, ...]) -> str:
    for folder in folders:
        text = text.replace(folder, "…")
    return _SPACE.sub(" ", _NUMBER.sub("0", _SESSION.sub("0", text))).strip()
