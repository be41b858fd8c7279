"""One actor's messages with a model, always in sendable form, told to the event stream as they grow."""

from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import Emit
from paicli.core.events import MessageAppended
from paicli.core.history import CheckedHistory
from paicli.core.messages import Message, SystemMessage, ToolCall


class Conversation:
    """Starts with its system prompt. Only the thread that runs its actor touches it."""

    def __init__(self, system: str, *, emit: Emit) -> None:
        self._history = CheckedHistory(missing_result)
        self.append(SystemMessage(system), emit)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Ready to be sent."""
        return self._history.messages

    def keep(self, count: int) -> None:
        """Goes back to the first `count` messages."""
        self._history.keep(count)

    def append(self, message: Message, emit: Emit) -> Message | None:
        """Adds a message in sendable form and emits it; None when it has no place (see `CheckedHistory`)."""
        stored = self._history.append(message)
        if stored is not None:
            emit(MessageAppended(stored))
        return stored


def missing_result(call: ToolCall) -> str:
    """The answer of a call that was never answered: its effect is not known."""
    return model_text("loop.result_missing", tool=call.name)
