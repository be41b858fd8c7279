"""The agent for plain input: one conversation that lives across turns."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from paicli.agent.actor import Actor
from paicli.agent.compacting.compactor import CompactionReport, Compactor
from paicli.agent.conversation import Conversation
from paicli.agent.outcome import LoopOutcome
from paicli.agent.tool_loop import LoopParts, ToolLoop
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import Emit
from paicli.core.events import EventBody, MessageAppended
from paicli.core.messages import AssistantMessage, Message, SystemMessage, UserMessage
from paicli.policy.turn_policy import OutsideContent
from paicli.tools.ledger import ReadLedger

if TYPE_CHECKING:
    from paicli.session.stored.conversation import RebuiltConversation, TurnMark


_T = TypeVar("_T")


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

    def __init__(
        self,
        parts: LoopParts,
        *,
        system_prompt: Callable[[], str],
        before_renewal: Callable[[], None] = lambda: None,
    ) -> None:
        """`before_renewal` reads what the prompt is made of again: a compaction puts it back from its sources."""
        self._parts = parts
        self._system_prompt = system_prompt
        self._before_renewal = before_renewal
        self._conversation: Conversation | None = None
        self.ledger = ReadLedger()
        """What this agent has read, across turns."""
        self.outside = OutsideContent()
        """Of this conversation, across turns."""
        self._notes: list[str] = []
        self._marks: dict[str, _Mark] = {}
        self._untold: tuple[Message, ...] = ()
        """Of a conversation that was restored: what no event has told yet."""

    def restore(self, earlier: "RebuiltConversation", outside: Iterable[str] = ()) -> None:
        """Goes on where another process was; before the first turn.

        Calls that were never answered are answered: interrupted, effect unknown. What was read must be read again.
        `outside`: the tools that had brought content from outside.
        """
        for tool in outside:
            self.outside.note(tool)
        self._notes = list(earlier.notes)
        conversation: Conversation | None = None
        last: Message | None = None
        marks = deque(earlier.marks)
        for position, message in enumerate(earlier.messages):
            self._mark_all(marks, position, conversation)
            if conversation is None:
                system = self._system_prompt()
                conversation = Conversation(system, emit=_say_nothing, renew_system=self._renewed_system)
                if message != SystemMessage(system):
                    self._untold = conversation.messages
                if isinstance(message, SystemMessage):
                    continue
            last = conversation.append(message, _say_nothing) or last
        if conversation is not None:
            # Answers to calls that nobody answered: told behind the calls, where they have their place.
            now = conversation.messages
            at = next((number for number, each in enumerate(now) if each is last), len(now))
            self._untold += now[at + 1 :]
        self._mark_all(marks, len(earlier.messages), conversation)
        self._conversation = conversation

    def _mark_all(self, marks: "deque[TurnMark]", position: int, conversation: Conversation | None) -> None:
        """Turns that began before the message at `position` came: what had been asked before them is answered."""
        while marks and marks[0].length <= position:
            mark = marks.popleft()
            messages = conversation.messages if conversation is not None else ()
            last = messages[-1] if messages else None
            self._marks[mark.turn_id] = _Mark(len(messages), last, mark.notes, {}, ())

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
        actor.skills.begin(conversation)
        loop = ToolLoop(self._parts, conversation, actor, take_queued=take_queued)
        return self._watching_rewrites(conversation, loop.run)

    def compact(self, focus: str, actor: Actor) -> CompactionReport | None:
        """By hand: what is before the last turns becomes a summary. None where there is nothing to compact."""
        parts, conversation = self._parts, self._conversation
        if parts.compaction is None or conversation is None:
            return None
        conversation = self._opened(actor.emit)
        registry = parts.gate.registry
        tools = actor.policy.expose(registry.declarations, registry.effect_of)
        compactor = Compactor(parts.compaction, conversation, actor, asker=parts.asker)
        return self._watching_rewrites(conversation, lambda: compactor.compact(tools, focus))

    def _watching_rewrites(self, conversation: Conversation, run: Callable[[], _T]) -> _T:
        """The way back ends where a conversation was summed up."""
        rewrites = conversation.rewrites
        try:
            return run()
        finally:
            if conversation.rewrites != rewrites:
                self._marks.clear()

    def remember_plan(self, goal: str, summary: str, emit: Emit) -> None:
        """A plan ran beside this conversation: what was asked and what came of it join it."""
        conversation = self._opened(emit)
        conversation.append(UserMessage(goal), emit)
        conversation.append(AssistantMessage(summary or model_text("loop.interrupted")), emit)

    def remember_command(self, command: str, output: str) -> None:
        """The person ran a command at their own word: it joins their next message."""
        self._notes.append(model_text("loop.person_ran", command=command, output=output))

    def remember_restore(self, note: str) -> None:
        """The person put files back: the model hears of it with their next message."""
        self._notes.append(note)

    def forget(self) -> None:
        """The next turn starts a new conversation."""
        self._conversation = None
        self._notes.clear()
        self._marks.clear()
        self.ledger = ReadLedger()
        self.outside = OutsideContent()

    def _renewed_system(self) -> str:
        self._before_renewal()
        return self._system_prompt()

    def _opened(self, emit: Emit) -> Conversation:
        # The system prompt is put together with the first turn and then stays: the prefix of requests is stable.
        if self._conversation is None:
            self._conversation = Conversation(self._system_prompt(), emit=emit, renew_system=self._renewed_system)
        elif self._untold:
            kept = {id(message) for message in self._conversation.messages}
            untold, self._untold = self._untold, ()
            for message in untold:
                if id(message) in kept:
                    emit(MessageAppended(message))
        return self._conversation


def _say_nothing(body: EventBody, /) -> None:
    """The events of an earlier process told it."""
