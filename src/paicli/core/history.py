"""The one check of a message list before it is sent, resumed, compacted or left by a cancel (rule R2).

Afterwards: each tool call is answered exactly once, directly after its message; no assistant message is empty; call
ids are unique in the whole list; all text is well-formed UTF-8.
"""

from collections.abc import Callable, Sequence

from paicli.core.messages import AssistantMessage, Message, ToolCall, ToolMessage
from paicli.core.unicode import well_formed, well_formed_json


class CheckedHistory:
    """A conversation's messages in sendable form; only what was added since the last look is checked again."""

    def __init__(self, missing_result: Callable[[ToolCall], str]) -> None:
        """`missing_result` words the answer of a call that was never answered."""
        self._missing_result = missing_result
        self._messages: list[Message] = []
        self._ids: set[str] = set()
        self._open: list[tuple[ToolCall, str]] = []
        """Calls of the last assistant message without an answer yet: (the stored call, the id it came with)."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """Sendable as they are: calls still open are answered with `missing_result`."""
        self._close_open_calls()
        return tuple(self._messages)

    @property
    def so_far(self) -> Sequence[Message]:
        """As they stand: calls may still be open."""
        return self._messages

    def keep(self, count: int) -> None:
        """Drops everything after the first `count` messages; a call whose answer goes is answered anew."""
        self._close_open_calls()
        del self._messages[count:]
        assistants = [message for message in self._messages if isinstance(message, AssistantMessage)]
        self._ids = {call.id for message in assistants for call in message.tool_calls}
        answered = {message.call_id for message in self._messages if isinstance(message, ToolMessage)}
        last_calls = assistants[-1].tool_calls if assistants else ()
        self._open = [(call, call.id) for call in last_calls if call.id not in answered]

    def append(self, message: Message) -> Message | None:
        """Adds a message; returns it as stored, or None when it has no place (empty, or an answer to no call)."""
        match message:
            case ToolMessage():
                return self._append_answer(message)
            case AssistantMessage():
                self._close_open_calls()
                if message.is_empty:
                    return None
                stored = self._with_unique_ids(message)
                self._open = list(zip(stored.tool_calls, (call.id for call in message.tool_calls), strict=True))
            case _:
                self._close_open_calls()
                stored = message._replace(content=well_formed(message.content))
        self._messages.append(stored)
        return stored

    def _append_answer(self, message: ToolMessage) -> Message | None:
        for position, (call, given_id) in enumerate(self._open):
            if message.call_id in (call.id, given_id):
                del self._open[position]
                stored = ToolMessage(call.id, call.name, well_formed(message.content))
                self._messages.append(stored)
                return stored
        return None

    def _close_open_calls(self) -> None:
        self._messages += [ToolMessage(call.id, call.name, self._missing_result(call)) for call, _ in self._open]
        self._open = []

    def _with_unique_ids(self, message: AssistantMessage) -> AssistantMessage:
        calls = tuple(
            ToolCall(self._unique_id(call.id), well_formed(call.name), well_formed_json(call.arguments) or "{}")
            for call in message.tool_calls
        )
        return AssistantMessage(well_formed(message.content), well_formed(message.thinking), calls)

    def _unique_id(self, wanted: str) -> str:
        base = well_formed(wanted) or "call"
        unique, number = base, 2
        while unique in self._ids:
            unique, number = f"{base}_{number}", number + 1
        self._ids.add(unique)
        return unique
