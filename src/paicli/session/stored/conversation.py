"""A session's conversation, rebuilt from its events as the agent that held it had it at the end.

The rules: the ReAct agent's conversation grows by `MessageAppended` of actor "react". A system message takes the place
of the one that began it. `ConversationCleared` empties it, `ConversationRewound` takes it back to where its turn began.
After a `CompactionFinished` that succeeded, what the conversation is now is appended anew, and takes the place of what
it was once it is complete: a process that was killed in between has compacted nothing. What a person's own `!command`
gave out waits until it joins their next message.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from paicli.core.actors import PERSON, REACT
from paicli.core.catalogue.lookup import model_text
from paicli.core.events import (
    CompactionFinished,
    ConversationCleared,
    ConversationRewound,
    Event,
    FilesRestored,
    MessageAppended,
    ModelRequestStarted,
    SessionForked,
    SessionResumed,
    ToolFinished,
    TurnFinished,
    TurnStarted,
)
from paicli.core.messages import Message, SystemMessage, UserMessage
from paicli.core.ops import TurnKind

_PLANNED = frozenset({TurnKind.PLAN, TurnKind.PLAN_ONLY, TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME})
"""Their turns leave a goal and a summary, and take no notes along."""


class TurnMark(NamedTuple):
    """How things stood when a turn began: where a rewind goes back to."""

    turn_id: str
    length: int
    """Messages there were."""
    notes: tuple[str, ...]


class RebuiltConversation(NamedTuple):
    messages: tuple[Message, ...]
    """As they were appended: not checked yet (see `core.history`)."""
    notes: tuple[str, ...] = ()
    """What the next message of the person takes along."""
    marks: tuple[TurnMark, ...] = ()
    """The turns that a rewind can go back to, oldest first."""
    summed_up: tuple[Message, ...] = ()
    """What compactions took out of it: not sent any more, but it was read."""


def rebuilt(events: Iterable[Event], note_of: Callable[[FilesRestored], str] | None = None) -> RebuiltConversation:
    """The conversation with what belongs to it. `note_of`: what the model is told of files that the person put back."""
    rebuilding = _Rebuilding(note_of)
    for event in events:
        rebuilding.take(event)
    return RebuiltConversation(
        tuple(rebuilding.messages), tuple(rebuilding.notes), tuple(rebuilding.marks), tuple(rebuilding.summed_up)
    )


class _Rebuilding:
    def __init__(self, note_of: Callable[[FilesRestored], str] | None) -> None:
        self._note_of = note_of
        self.messages: list[Message] = []
        self.notes: list[str] = []
        self.marks: list[TurnMark] = []
        self.summed_up: list[Message] = []
        self._kind = TurnKind.REACT
        self._command = ""
        self._has_spoken = False
        """The running turn's first words have joined."""
        self._retold = 0
        """So many messages come that take the place of those there are."""
        self._staged: list[Message] = []
        """Those of them that came."""

    def take(self, event: Event) -> None:
        match event.body:
            case TurnStarted(kind, text):
                self.marks.append(TurnMark(event.origin.turn_id, len(self.messages), tuple(self.notes)))
                self._kind, self._command, self._has_spoken = kind, text, False
            case ToolFinished(content=content) if event.origin.actor == PERSON:
                self.notes.append(model_text("loop.person_ran", command=self._command, output=content))
            case FilesRestored() as restored if self._note_of is not None and not event.origin.turn_id:
                self.notes.append(self._note_of(restored))
            case MessageAppended(message) if event.origin.actor == REACT:
                self._take_message(message)
            case CompactionFinished(fault=None, message_count=count) if event.origin.actor == REACT:
                self._retold, self._staged = count, []
                if not count:
                    self._replace()
            case TurnFinished() if self._retold:
                self._replace()  # a line of them was damaged
            case ModelRequestStarted() if self._retold and event.origin.actor == REACT:
                self._replace()
            case SessionResumed() | SessionForked():
                self._retold, self._staged = 0, []
            case ConversationCleared():
                self.messages, self.notes, self.marks, self.summed_up = [], [], [], []
            case ConversationRewound(before_turn):
                self._go_back(before_turn)
            case _:
                pass

    @property
    def _begins_with_system(self) -> bool:
        return bool(self.messages) and isinstance(self.messages[0], SystemMessage)

    def _take_message(self, message: Message) -> None:
        if not self._retold:
            self._append(message, is_retold=False)
            return
        self._staged.append(message)
        if len(self._staged) == self._retold:
            self._replace()

    def _replace(self) -> None:
        """What a compaction left takes the place of what was there; it takes no notes along."""
        first = 1 if self._begins_with_system else 0
        self.summed_up += self.messages[first:]
        del self.messages[first:]
        self.marks.clear()
        for message in self._staged:
            self._append(message, is_retold=True)
        self._retold, self._staged = 0, []

    def _append(self, message: Message, *, is_retold: bool) -> None:
        if isinstance(message, SystemMessage) and self._begins_with_system:
            self.messages[0] = message
            return
        if isinstance(message, UserMessage) and not is_retold:
            if not self._has_spoken and self._kind not in _PLANNED:
                self.notes.clear()
            self._has_spoken = True
        if isinstance(message, UserMessage):
            message = without_images(message)
        self.messages.append(message)

    def _go_back(self, turn_id: str) -> None:
        at = next((number for number, mark in enumerate(self.marks) if mark.turn_id == turn_id), None)
        if at is not None:
            mark = self.marks[at]
            self.notes = list(mark.notes)
            del self.messages[mark.length :], self.marks[at:]


def without_images(message: UserMessage) -> UserMessage:
    """A record has no picture's bytes: a note stands for each."""
    if not message.images:
        return message
    notes = (model_text("stored.image_gone", path=image.path) for image in message.images)
    return UserMessage("\n".join((message.content, *notes)))
