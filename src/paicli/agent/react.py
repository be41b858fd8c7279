"""The agent for plain input: one conversation that lives across turns."""

from collections.abc import Callable

from paicli.agent.actor import Actor
from paicli.agent.conversation import Conversation
from paicli.agent.outcome import LoopOutcome
from paicli.agent.tool_loop import LoopParts, ToolLoop
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import Emit
from paicli.core.messages import AssistantMessage, UserMessage
from paicli.tools.ledger import ReadLedger


class ReActAgent:
    """Think, call tools, look, repeat. Only the engine thread uses it."""

    def __init__(self, parts: LoopParts, *, system_prompt: Callable[[], str]) -> None:
        self._parts = parts
        self._system_prompt = system_prompt
        self._conversation: Conversation | None = None
        self.ledger = ReadLedger()
        """What this agent has read, across turns."""
        self._notes: list[str] = []

    def take_turn(self, text: str, actor: Actor, *, take_queued: Callable[[], tuple[str, ...]]) -> LoopOutcome:
        """One user request until the agent stops. Raises LlmError."""
        conversation = self._opened(actor.emit)
        conversation.append(UserMessage("\n\n".join((*self._notes, text))), actor.emit)
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
        self.ledger = ReadLedger()

    def _opened(self, emit: Emit) -> Conversation:
        # The system prompt is put together with the first turn and then stays: the prefix of requests is stable.
        if self._conversation is None:
            self._conversation = Conversation(self._system_prompt(), emit=emit)
        return self._conversation
