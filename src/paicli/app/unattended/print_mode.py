"""One turn without a person: submits it, answers what would need someone, and says by its exit status how it ended."""

import queue
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import Enum
from types import FrameType
from typing import Any, NamedTuple, Protocol

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.turn_output import Ending, TurnOutput, status_of
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ApprovalRequested,
    BudgetExhausted,
    Event,
    ModelDelta,
    TurnFinished,
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
)
from paicli.core.plan_events import PlanCreated, PlanFinished, PlanReviewRequested
from paicli.core.plan_view import PlanView
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.plan_lines import unfolded
from paicli.ui.rendering.renderer import EventRenderer
from paicli.ui.rendering.styled import Line, Painter
from paicli.ui.rendering.task_order import TaskOrder

CANCEL_GRACE_S = 5.0
"""How long a cancelled turn may take to end before the process leaves it."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Conversation(Protocol):
    """What a turn needs of an assembly."""

    @property
    def events(self) -> EventStream: ...

    def submit(self, op: Op) -> None: ...


class Review(Enum):
    """What a plan's review comes to when nobody is there."""

    ACCEPT = "accept"
    STOP = "stop"


class _Stop(Enum):
    """Put into the queue of events by a signal."""

    SIGNAL = "signal"


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
    inbox: queue.SimpleQueue[Event | _Stop] = queue.SimpleQueue()
    unsubscribe = conversation.events.subscribe(inbox.put)
    try:
        with _signals_into(inbox):
            conversation.submit(turn.op)
            return _Run(conversation, turn, output=output, progress=progress).until_finished(inbox)
    finally:
        unsubscribe()


class Progress:
    """What happens, on stderr, in the words of the session's own renderer."""

    def __init__(self, streams: Streams, texts: Texts, *, color: ColorUse, is_ascii: bool) -> None:
        self._streams = streams
        self._texts = texts
        self._painter = Painter(color, is_ascii=is_ascii)
        self._renderer = EventRenderer(texts)
        self._order = TaskOrder()

    def on_event(self, event: Event) -> None:
        for ordered in self._order.accept(event):
            self.show([shown for shown in self._renderer.show(ordered) if isinstance(shown, Line)])

    def show_plan(self, view: PlanView) -> None:
        self.show(unfolded(view, self._texts))

    def show(self, lines: list[Line]) -> None:
        for line in lines:
            self._streams.tell(self._painter.line(line))


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

    def until_finished(self, inbox: "queue.SimpleQueue[Event | _Stop]") -> ExitStatus:
        while True:
            try:
                came = inbox.get(timeout=CANCEL_GRACE_S if self._is_cancelled else None)
            except queue.Empty:
                return self._finish(TurnFinished(TurnStatus.CANCELLED, ""))
            if isinstance(came, _Stop):
                if self._is_cancelled:
                    return self._finish(TurnFinished(TurnStatus.CANCELLED, ""))
                self._cancel()
            elif isinstance(came.body, TurnFinished):
                self._note(came)
                return self._finish(came.body)
            else:
                self._note(came)

    def _note(self, event: Event) -> None:
        if not isinstance(event.body, ModelDelta) and self._turn.is_shown(event):
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
        is_delivered = self._output.finish(Ending(turn, status, self._plan, self._spent_budget)) and self._is_read
        return status if is_delivered else status or ExitStatus.FAILED

    def _status(self, turn: TurnFinished) -> ExitStatus:
        if self._was_stopped and turn.status is not TurnStatus.FAILED:
            return ExitStatus.STOPPED_FOR_REVIEW
        return status_of(turn)


@contextmanager
def _signals_into(inbox: "queue.SimpleQueue[Any]") -> Generator[None]:
    """SIGINT, SIGTERM and SIGHUP become a `_Stop` in the queue; one that was ignored (nohup) stays ignored.

    A SimpleQueue may be written from a signal handler, whatever the interrupted code holds.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        inbox.put(_Stop.SIGNAL)

    before: dict[signal.Signals, Any] = {}
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
