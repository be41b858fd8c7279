"""A list of messages as a conversation would send it."""

from collections.abc import Callable, Iterable, Sequence

from paicli.core.history import CheckedHistory
from paicli.core.messages import Message, ToolCall


def checked(messages: Iterable[Message], missing_result: Callable[[ToolCall], str]) -> Sequence[Message]:
    history = CheckedHistory(missing_result)
    for message in messages:
        history.append(message)
    return history.messages
