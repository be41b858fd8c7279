"""One actor's messages with a model, always in sendable form, told to the event stream as they grow."""

from collections.abc import Callable, Sequence

from paicli.agent.compacting.state import CompactionState
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import Emit
from paicli.core.events import MessageAppended
from paicli.core.history import CheckedHistory
from paicli.core.messages import Message, SystemMessage, ToolCall, UserMessage


class Conversation:
    """Starts with its system prompt. Only the thread that runs its actor touches it."""

    def __init__(self, system: str, *, emit: Emit, renew_system: Callable[[], str] | None = None) -> None:
        """`renew_system`: the system prompt from its sources as they are now; None: it stays as it is."""
        self._history = CheckedHistory(missing_result)
        self._renew_system = renew_system
        self.compaction = CompactionState()
        self.rewrites = 0
        """How often something else took its place."""
        self.append(SystemMessage(system), emit)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Ready to be sent."""
        return self._history.messages

    def holds_message(self, mark: str) -> bool:
        """Whether a message of the person's begins so. While calls run it may be asked from their threads."""
        said = self._history.so_far
        return any(isinstance(message, UserMessage) and message.content.startswith(mark) for message in said)

    def keep(self, count: int) -> None:
        """Goes back to the first `count` messages."""
        self._history.keep(count)
        self.compaction.gauge.start_over()

    def rewritten(self, behind_system: Sequence[Message]) -> tuple[Message, ...]:
        """What `rewrite` would make of it: the system prompt comes from its sources again."""
        history = CheckedHistory(missing_result)
        system = self._history.messages[0]
        renewed = self._renew_system() if self._renew_system is not None else system.content
        for message in (SystemMessage(renewed), *behind_system):
            history.append(message)
        return history.messages

    def rewrite(self, messages: Sequence[Message], emit: Emit) -> None:
        """These take the place of all there was; each is told."""
        self._history = CheckedHistory(missing_result)
        for message in messages:
            self.append(message, emit)
        self.rewrites += 1
        self.compaction.gauge.start_over()

    def append(self, message: Message, emit: Emit) -> Message | None:
        """Adds a message in sendable form and emits it; None when it has no place (see `CheckedHistory`)."""
        stored = self._history.append(message)
        if stored is not None:
            emit(MessageAppended(stored))
        return stored


def missing_result(call: ToolCall) -> str:
    """The answer of a call that was never answered: its effect is not known."""
    return model_text("loop.result_missing", tool=call.name)
