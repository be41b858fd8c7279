"""Engine → everyone: the union of all events. An `Event` is a header (when, where from) around one body.

Bodies carry meaning, never glyphs, colours or prose for the screen. Listeners `match event.body` and end in
`assert_never`. `TRANSIENT` names the bodies that are shown live and not journalled.
"""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.actors import ENGINE
from paicli.core.event_bodies.person import ConversationRewound, PolicyTightened, QuestionAnswered, QuestionAsked
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanAbandoned,
    PlanCreated,
    PlanFinished,
    PlanningStarted,
    PlanRejected,
    PlanReviewed,
    PlanReviewRequested,
    PlanStarted,
    PlanStuck,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.event_bodies.stored import (
    FilesRestored,
    MemorySaved,
    SessionForked,
    SessionResumed,
    SkillLoaded,
    SnapshotTaken,
)
from paicli.core.faults import Fault
from paicli.core.messages import ChatResponse, Message, TodoItem, ToolDetail, ToolOutcome, Usage
from paicli.core.ops import ApprovalDecision, Mode, TurnKind


class Origin(NamedTuple):
    """Where an event comes from."""

    turn_id: str = ""
    """Empty outside a turn."""
    actor: str = ENGINE
    """As in `core.actors`, or a task's id."""
    plan_id: str = ""
    round: int = 0
    """From 1; 0 outside a round."""
    task_id: str = ""


class TurnStatus(StrEnum):
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SessionStarted(NamedTuple):
    version: str
    provider: str
    model: str
    mode: Mode
    project: str
    """Absolute path of the project root."""
    language: str
    tool_names: tuple[str, ...] = ()
    window_tokens: int = 0
    """What the model takes; 0: not known."""


class SessionRenamed(NamedTuple):
    title: str
    """One line; empty: it has none any more."""


class SessionFinished(NamedTuple):
    pass


class TurnStarted(NamedTuple):
    kind: TurnKind
    text: str
    mode: Mode


class TurnFinished(NamedTuple):
    status: TurnStatus
    text: str
    """The whole answer (ReAct) or the plan's summary, as `-p` prints it; empty when the turn failed before one."""
    fault: Fault | None = None
    usage: Usage = Usage()
    steps: int = 0
    duration_s: float = 0.0
    was_streamed: bool = True
    """The text already went out as deltas."""
    cost_usd: float | None = None
    """None: the price of the model is not known."""


class TextQueued(NamedTuple):
    """The person typed while the turn ran."""

    text: str


class QueueTaken(NamedTuple):
    """Queued texts left the queue: into this turn's conversation, into the next turn, or back to the person."""

    texts: tuple[str, ...]
    into: str
    """turn | next_turn | input"""


class MessageAppended(NamedTuple):
    """The actor's conversation grew."""

    message: Message


class ConversationCleared(NamedTuple):
    pass


class ModelRequestStarted(NamedTuple):
    step: int
    """From 1 within the actor's conversation of this turn."""
    message_count: int
    tool_names: tuple[str, ...]
    purpose: str = "step"
    """step | plan | finish (without tools) | review | summary"""


class DeltaKind(StrEnum):
    TEXT = "text"
    THINKING = "thinking"


class ModelDelta(NamedTuple):
    kind: DeltaKind
    text: str


class ModelReplyRestarted(NamedTuple):
    """What streamed of this reply is void; it starts again."""


class ModelRetryScheduled(NamedTuple):
    attempt: int
    max_attempts: int
    wait_s: float
    fault: Fault


class ModelReplyReceived(NamedTuple):
    """A complete reply, raw: for a plan it is the text that was parsed."""

    response: ChatResponse
    duration_s: float
    cost_usd: float | None = None
    """By the provider table; None: the price of the model or the usage is not known."""
    side_model: str = ""
    """Who answered, where it was another model than the session's."""


class ModelRequestFailed(NamedTuple):
    fault: Fault


class ToolStarted(NamedTuple):
    call_id: str
    name: str
    arguments: str
    """JSON text, secrets masked."""
    is_parallel: bool = False


class ToolProgressed(NamedTuple):
    """Last lines of a running command."""

    call_id: str
    tail: str


class ToolFinished(NamedTuple):
    call_id: str
    name: str
    outcome: ToolOutcome
    content: str
    """What the model reads, bounded (5.4), before the boundary of 5.5."""
    detail: ToolDetail | None
    duration_s: float
    error_kind: str = ""
    files_read: tuple[str, ...] = ()
    files_written: tuple[str, ...] = ()
    decided_by: str = ""
    """Who let it run or refused it: mode | rule | plain_reading | reviewer | cache | user | grant (given for the
    session) | guard | policy (the turn's) | option | nobody (no person there) | hook; empty where it never came to a
    decision (unknown tool, wrong arguments, cancelled)."""
    fault: Fault | None = None
    """Why it failed or was denied, for a person: `content` is worded for a model."""


class CommandReviewed(NamedTuple):
    call_id: str
    command: str
    allowed: bool
    reason: str
    by: str
    """guard | plain_reading | reviewer | cache"""
    matched: str = ""
    """The part of the command that the reason is about."""


class ApprovalRequested(NamedTuple):
    request_id: str
    call_id: str
    tool: str
    arguments: str
    """JSON text, whole, secrets masked."""
    preview: ToolDetail | None = None
    """For writes: the change as FileWritten with its diff."""
    reason: str = ""
    """Why it is asked although the mode would not ask: a catalogue code or a reviewer's words."""
    description: str = ""
    """The task's description, empty outside a plan."""
    matched: str = ""
    """The part of the command that the reason is about."""
    rule: str = ""
    """What ALLOW_SESSION would allow, as a permission rule; empty: nothing but this very command."""
    dangers: tuple[str, ...] = ()
    """What to look at: codes `danger.*` of the catalogue without their prefix."""
    files_read: tuple[str, ...] = ()
    """What the asking actor read or wrote last before, latest first: data that may have asked for this call."""
    outside_read: tuple[str, ...] = ()
    """Tools that brought content from outside (web, MCP) into the asking actor's conversation before."""


class ApprovalDecided(NamedTuple):
    request_id: str
    decision: ApprovalDecision
    reason: str = ""
    by: str = "user"
    """user | nobody (no person there) | cancel"""


class UrlTrusted(NamedTuple):
    url: str
    source: str
    """user | web_search | dependency"""


class UrlRefused(NamedTuple):
    url: str
    reason: str


class CompactionStarted(NamedTuple):
    estimated_tokens: int


class CompactionFinished(NamedTuple):
    estimated_tokens: int
    is_summarised: bool
    fault: Fault | None = None
    message_count: int = 0
    """So many `MessageAppended` of the actor follow: what the conversation is now, its system prompt first."""


class RepetitionNoticed(NamedTuple):
    """The reminder that calls repeat themselves was added."""

    what: str
    """call | error"""
    key: str


class BudgetExhausted(NamedTuple):
    """Tools go off and the model is asked to finish."""

    reason: str
    """repetition | cycle | steps | tokens | cost | output_limit | content_filter (the provider broke the answer off)"""


class DiagnosticsFound(NamedTuple):
    path: str
    problems: tuple[str, ...]


class TodoUpdated(NamedTuple):
    items: tuple[TodoItem, ...]


class ModeChanged(NamedTuple):
    mode: Mode


class ModelChanged(NamedTuple):
    provider: str
    model: str
    window_tokens: int = 0
    """0: as before."""


class NoticeLevel(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Notice(NamedTuple):
    """Something the person should know; `fault` names the text."""

    fault: Fault
    level: NoticeLevel = NoticeLevel.INFO


EventBody = (
    SessionStarted
    | SessionRenamed
    | SessionFinished
    | SessionResumed
    | SessionForked
    | TurnStarted
    | TurnFinished
    | TextQueued
    | QueueTaken
    | MessageAppended
    | ConversationCleared
    | ConversationRewound
    | ModelRequestStarted
    | ModelDelta
    | ModelReplyRestarted
    | ModelRetryScheduled
    | ModelReplyReceived
    | ModelRequestFailed
    | ToolStarted
    | ToolProgressed
    | ToolFinished
    | CommandReviewed
    | ApprovalRequested
    | ApprovalDecided
    | QuestionAsked
    | QuestionAnswered
    | PlanningStarted
    | PlanCreated
    | PlanRejected
    | PlanReviewRequested
    | PlanReviewed
    | PlanAbandoned
    | PlanStarted
    | PlanFinished
    | RoundStarted
    | RoundCommitted
    | TaskStarted
    | TaskCompleted
    | TaskFailed
    | TaskInterrupted
    | TaskSkipped
    | FileOverlapped
    | ReplanTriggered
    | ReplanLimitReached
    | PlanStuck
    | PolicyTightened
    | UrlTrusted
    | UrlRefused
    | SnapshotTaken
    | FilesRestored
    | MemorySaved
    | SkillLoaded
    | CompactionStarted
    | CompactionFinished
    | RepetitionNoticed
    | BudgetExhausted
    | DiagnosticsFound
    | TodoUpdated
    | ModeChanged
    | ModelChanged
    | Notice
)

TRANSIENT: tuple[type, ...] = (ModelDelta, ToolProgressed)


class Event(NamedTuple):
    """One thing that happened. `seq` grows by 1 within a session; `time` is seconds since the epoch, UTC."""

    seq: int
    time: float
    session_id: str
    origin: Origin
    body: EventBody
