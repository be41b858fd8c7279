"""What queries need to know of a session's past, kept from its events as they come."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from paicli.context.compaction.summary import is_summary
from paicli.context.token_estimate import estimated_tokens, message_tokens
from paicli.core.actors import REACT
from paicli.core.event_bodies.plans import (
    PlanFinished,
    RoundCommitted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskStarted,
)
from paicli.core.events import (
    CompactionFinished,
    ConversationCleared,
    ConversationRewound,
    Event,
    MessageAppended,
    ModeChanged,
    ModelReplyReceived,
    SessionRenamed,
    TurnFinished,
    TurnStarted,
)
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolMessage, Usage, UserMessage
from paicli.core.ops import Mode, TurnKind

_WITHOUT_ANSWER = frozenset({TurnKind.SHELL, TurnKind.COMPACT})


class RunningTask(NamedTuple):
    id: str
    description: str
    since: float
    """By the record's clock."""


class SessionRecord:
    """A listener. May be asked from any thread."""

    def __init__(self, mode: Mode, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.mode = mode
        self.title = ""
        self.last_answer = ""
        """Of the last turn that ended with one."""
        self.last_usage: Usage | None = None
        self._lock = threading.Lock()
        self._sizes: list[tuple[str, str, int]] = []
        """(turn, kind, estimated tokens) of each message of the conversation, without the system prompt."""
        self._system_tokens: int | None = None
        self._tasks: dict[str, RunningTask] = {}
        self._is_own_command = False

    def __call__(self, event: Event) -> None:
        with self._lock:
            self._take(event)

    def catch_up(self, events: Iterable[Event]) -> None:
        """What an earlier process had done; none of it runs any more."""
        with self._lock:
            for event in events:
                self._take(event)
            self._tasks.clear()

    @property
    def conversation(self) -> tuple[int, int]:
        """(messages, estimated tokens), the system prompt aside."""
        with self._lock:
            return len(self._sizes), sum(tokens for _, _, tokens in self._sizes)

    @property
    def by_kind(self) -> dict[str, int]:
        """summary | words | replies | results → estimated tokens."""
        found: dict[str, int] = {"summary": 0, "words": 0, "replies": 0, "results": 0}
        with self._lock:
            for _, kind, tokens in self._sizes:
                found[kind] += tokens
        return found

    @property
    def system_tokens(self) -> int | None:
        """Estimated; None before the first turn."""
        return self._system_tokens

    @property
    def running_tasks(self) -> tuple[RunningTask, ...]:
        with self._lock:
            return tuple(self._tasks.values())

    def _take(self, event: Event) -> None:
        origin = event.origin
        match event.body:
            case MessageAppended(message) if origin.actor == REACT:
                self._take_message(message, origin.turn_id)
            case ModelReplyReceived(response) if origin.actor == REACT and response.usage is not None:
                self.last_usage = response.usage
            case CompactionFinished(fault=None) if origin.actor == REACT:
                self._sizes = []  # what it is now is told anew
            case ConversationCleared():
                self._sizes, self._system_tokens, self.last_usage = [], None, None
            case ConversationRewound(turn_id):
                turns = [turn for turn, _, _ in self._sizes]
                if turn_id in turns:
                    del self._sizes[turns.index(turn_id) :]
                self.last_usage = None
            case TaskStarted():
                self._tasks[origin.task_id] = RunningTask(origin.task_id, _description(event), self.clock())
            case TaskCompleted() | TaskFailed() | TaskInterrupted():
                self._tasks.pop(origin.task_id, None)
            case RoundCommitted() | PlanFinished():
                self._tasks.clear()
            case TurnStarted(kind):
                self._is_own_command = kind in _WITHOUT_ANSWER
            case TurnFinished(text=text):
                self._tasks.clear()
                self.last_answer = self.last_answer if self._is_own_command else text or self.last_answer
            case ModeChanged(mode):
                self.mode = mode
            case SessionRenamed(title):
                self.title = title
            case _:
                pass

    def _take_message(self, message: Message, turn_id: str) -> None:
        if isinstance(message, SystemMessage):
            self._system_tokens = estimated_tokens(message.content)
        else:
            self._sizes.append((turn_id, _kind_of(message), message_tokens(message)))


def _kind_of(message: UserMessage | AssistantMessage | ToolMessage) -> str:
    match message:
        case UserMessage():
            return "summary" if is_summary(message) else "words"
        case AssistantMessage():
            return "replies"
        case ToolMessage():
            return "results"


def _description(event: Event) -> str:
    return event.body.description if isinstance(event.body, TaskStarted) else ""
