"""One turn without a person: submits it, answers what would need someone, and says by its exit status how it ended."""

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.inbox import Inbox, Stop
from paicli.app.unattended.turn_output import Ending, TurnOutput, status_of
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.plans import PlanCreated, PlanFinished, PlanReviewRequested
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ApprovalRequested,
    BudgetExhausted,
    DeltaKind,
    Event,
    EventBody,
    MessageAppended,
    ModelDelta,
    ModelRequestStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    DecideApproval,
    DecideReview,
    Op,
    ReviewDecision,
    RunShell,
    Submit,
    TurnKind,
)
from paicli.core.plan_view import PlanView
from paicli.ui.facts import ColorUse

if TYPE_CHECKING:
    from paicli.app.unattended.progress import ToldProgress

CANCEL_GRACE_S = 5.0
"""How long a cancelled turn may take to end before the process leaves it."""


class Conversation(Protocol):
    """What a turn needs of an assembly."""

    @property
    def events(self) -> EventStream: ...

    def submit(self, op: Op) -> None: ...


class Review(Enum):
    """What a plan's review comes to when nobody is there."""

    ACCEPT = "accept"
    STOP = "stop"


class Thinking(Enum):
    """Whether progress tells what the model thinks."""

    HIDDEN = "hidden"
    SHOWN = "shown"


def is_progress_of_plan(event: Event) -> bool:
    """For `paicli plan`: the plan itself is the answer."""
    return is_progress(event) and not isinstance(event.body, PlanCreated)


def is_progress(event: Event) -> bool:
    """Leaves out what the output says itself: the report of a plan and the answer."""
    match event.body:
        case PlanFinished():
            return False
        case TurnFinished(status, text):
            return status is TurnStatus.FAILED or (status is TurnStatus.CANCELLED and not text)
        case _:
            return True


class UnattendedTurn(NamedTuple):
    op: Submit | RunShell
    review: Review = Review.STOP
    is_shown: Callable[[Event], bool] = is_progress
    """Which events the progress on stderr tells of."""


def run_unattended(
    conversation: Conversation, turn: UnattendedTurn, *, output: TurnOutput, progress: "Progress"
) -> ExitStatus:
    """Blocks until the turn ended, at most 5 s longer than a cancel. The output's last word is out when it returns."""
    inbox = Inbox()
    try:
        with conversation.events.heard_by(inbox.put), inbox.signals():
            conversation.submit(turn.op)
            return _Run(conversation, turn, output=output, progress=progress).until_finished(inbox)
    finally:
        inbox.close()


class Progress:
    """What happens, on stderr, in the words of the session's own renderer."""

    def __init__(
        self, streams: Streams, texts: Texts, *, color: ColorUse, is_ascii: bool, thinking: Thinking = Thinking.HIDDEN
    ) -> None:
        self._streams = streams
        self._texts = texts
        self._color = color
        self._is_ascii = is_ascii
        self._thinking = thinking
        self._told: ToldProgress | None = None
        """Made with the first event that may show something."""
        self._early: list[Event] = []
        """What came before it."""

    def on_event(self, event: Event) -> None:
        if isinstance(event.body, ModelDelta) and self._is_passed_over(event.body):
            return
        if self._told is None and _shows_nothing(event.body):
            self._early.append(event)
        else:
            self._teller().on_event(event)

    def show_plan(self, view: PlanView) -> None:
        self._teller().show_plan(view)

    def _teller(self) -> "ToldProgress":
        if self._told is None:
            # start-up: 8 ms, and before the first request nothing is shown
            from paicli.app.unattended.progress import ToldProgress

            self._told = ToldProgress(self._streams, self._texts, color=self._color, is_ascii=self._is_ascii)
            for event in self._early:
                self._told.on_event(event)
            self._early.clear()
        return self._told

    def _is_passed_over(self, delta: ModelDelta) -> bool:
        """Most events are deltas, and the answer goes to stdout."""
        return delta.kind is DeltaKind.TEXT or self._thinking is Thinking.HIDDEN


def _shows_nothing(body: EventBody) -> bool:
    """The events until a turn's first request is on its way; a planned turn begins with a line."""
    if isinstance(body, TurnStarted):
        return body.kind not in {TurnKind.PLAN, TurnKind.PLAN_ONLY}
    return isinstance(body, MessageAppended | ModelRequestStarted)


class _Run:
    """The loop over one turn's events, on the main thread."""

    def __init__(
        self, conversation: Conversation, turn: UnattendedTurn, *, output: TurnOutput, progress: Progress
    ) -> None:
        self._conversation = conversation
        self._turn = turn
        self._output = output
        self._progress = progress
        self._plan: PlanView | None = None
        self._spent_budget = ""
        self._was_stopped = False
        self._is_cancelled = False
        self._is_read = True

    def until_finished(self, inbox: Inbox) -> ExitStatus:
        while True:
            came = inbox.take(CANCEL_GRACE_S if self._is_cancelled else None)
            if came is None or (came is Stop.SIGNAL and self._is_cancelled):
                return self._finish(TurnFinished(TurnStatus.CANCELLED, ""))
            if isinstance(came, Stop):
                self._cancel()
            elif isinstance(came.body, TurnFinished):
                self._note(came)
                return self._finish(came.body)
            else:
                self._note(came)

    def _note(self, event: Event) -> None:
        if self._is_read and self._turn.is_shown(event):
            self._progress.on_event(event)
        if not self._output.on_event(event) and self._is_read:
            self._is_read = False
            self._cancel()  # nobody reads what the turn would still say
        match event.body:
            case PlanCreated(view):
                self._plan = view
            case PlanFinished(report):
                self._plan = report.plan
            case BudgetExhausted(reason) if not event.origin.task_id:
                self._spent_budget = reason
            case PlanReviewRequested(request_id, view):
                self._review(request_id, view)
            case ApprovalRequested(request_id):
                decision = DecideApproval(request_id, ApprovalDecision.DENY, by="nobody")
                self._conversation.submit(decision)
            case _:
                pass

    def _review(self, request_id: str, view: PlanView) -> None:
        self._progress.show_plan(view)
        if self._turn.review is Review.ACCEPT:
            self._conversation.submit(DecideReview(request_id, ReviewDecision.EXECUTE, by="option"))
            return
        self._was_stopped = True
        self._conversation.submit(DecideReview(request_id, ReviewDecision.STOP, by="nobody"))

    def _cancel(self) -> None:
        self._is_cancelled = True
        self._conversation.submit(Cancel())

    def _finish(self, turn: TurnFinished) -> ExitStatus:
        status = self._status(turn)
        is_delivered = self._output.finish(Ending(turn, status, self._plan, self._spent_budget))
        if not self._is_read:  # the cancel was our own
            return ExitStatus.FAILED
        return status if is_delivered else status or ExitStatus.FAILED

    def _status(self, turn: TurnFinished) -> ExitStatus:
        if self._was_stopped and turn.status is not TurnStatus.FAILED:
            return ExitStatus.STOPPED_FOR_REVIEW
        return status_of(turn)
