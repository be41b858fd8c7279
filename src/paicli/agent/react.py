"""The agent for plain input: one conversation that lives across turns."""

from collections.abc import Callable
from typing import NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.conversation import Conversation
from paicli.agent.outcome import LoopOutcome
from paicli.agent.tool_loop import LoopParts, ToolLoop
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import Emit
from paicli.core.messages import AssistantMessage, Message, UserMessage
from paicli.policy.turn_policy import OutsideContent
from paicli.tools.ledger import ReadLedger


class _Mark(NamedTuple):
    """How things stood when a turn began."""

    length: int
    """Messages there were."""
    last: Message | None
    notes: tuple[str, ...]
    seen: dict[str, str]
    """What the ledger knew."""
    outside: tuple[str, ...]
    """What had brought content from outside."""


class ReActAgent:
    """Think, call tools, look, repeat. Only the engine thread uses it."""

    def __init__(self, parts: LoopParts, *, system_prompt: Callable[[], str]) -> None:
        self._parts = parts
        self._system_prompt = system_prompt
        self._conversation: Conversation | None = None
        self.ledger = ReadLedger()
        """What this agent has read, across turns."""
        self.outside = OutsideContent()
        """Of this conversation, across turns."""
        self._notes: list[str] = []
        self._marks: dict[str, _Mark] = {}

    def begin_turn(self, turn_id: str) -> None:
        """A turn of any kind starts: `rewind` can come back to here."""
        messages = self._conversation.messages if self._conversation is not None else ()
        last = messages[-1] if messages else None
        self._marks[turn_id] = _Mark(len(messages), last, tuple(self._notes), self.ledger.paths(), self.outside.tools)

    def rewind(self, turn_id: str) -> bool:
        """Everything is as it was before that turn, files aside; False when there is no way back to it.

        The way back ends where the conversation was started anew or summed up.
        """
        mark = self._marks.get(turn_id)
        if mark is None or not self._goes_on_from(mark):
            return False
        if self._conversation is not None and mark.length:
            self._conversation.keep(mark.length)
        else:
            self._conversation = None
        self._notes = list(mark.notes)
        self.ledger = ReadLedger(mark.seen)
        self.outside.go_back_to(mark.outside)
        turns = list(self._marks)
        for later in turns[turns.index(turn_id) :]:
            del self._marks[later]
        return True

    def _goes_on_from(self, mark: _Mark) -> bool:
        now = self._conversation.messages if self._conversation is not None else ()
        return mark.length == 0 or (len(now) >= mark.length and now[mark.length - 1] is mark.last)

    def take_turn(self, asked: UserMessage, actor: Actor, *, take_queued: Callable[[], tuple[str, ...]]) -> LoopOutcome:
        """One user request until the agent stops. Raises LlmError."""
        conversation = self._opened(actor.emit)
        conversation.append(asked._replace(content="\n\n".join((*self._notes, asked.content))), actor.emit)
        self._notes.clear()
        return ToolLoop(self._parts, conversation, actor, take_queued=take_queued).run()

    def remember_plan(self, goal: str, summary: str, emit: Emit) -> None:
        """A plan ran beside this conversation: what was asked and what came of it join it."""
        conversation = self._opened(emit)
        conversation.append(UserMessage(goal), emit)
        conversation.append(AssistantMessage(summary or model_text("loop.interrupted")), emit)

    def remember_command(self, command: str, output: str) -> None:
        """The person ran a command at their own word: it joins their next message."""
        self._notes.append(model_text("loop.person_ran", command=command, output=output))

    def forget(self) -> None:
        """The next turn starts a new conversation."""
        self._conversation = None
        self._notes.clear()
        self._marks.clear()
        self.ledger = ReadLedger()
        self.outside = OutsideContent()

    def _opened(self, emit: Emit) -> Conversation:
        # The system prompt is put together with the first turn and then stays: the prefix of requests is stable.
        if self._conversation is None:
            self._conversation = Conversation(self._system_prompt(), emit=emit)
        return self._conversation
