"""An engine that takes ops and plays a script of events on a thread of its own, as the real one does."""

import itertools
import queue
import threading
from collections.abc import Callable
from typing import Any

from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.event_bodies.plans import PlanCause, PlanReviewed, PlanReviewRequested
from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    ConversationCleared,
    ConversationRewound,
    DeltaKind,
    Event,
    EventBody,
    ModeChanged,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    Origin,
    QueueTaken,
    TextQueued,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.messages import ChatResponse, Usage
from paicli.core.ops import (
    AnswerQuestion,
    Cancel,
    ClearConversation,
    DecideApproval,
    DecideReview,
    Mode,
    Op,
    Queue,
    RecallQueue,
    ReviewDecision,
    Rewind,
    RunShell,
    SetMode,
    Submit,
    TurnKind,
)
from paicli.core.plan_view import PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from tests.patience import PATIENCE_S


class FakeEngine:
    """`play(engine, op)` emits a turn's events and returns how it ended."""

    def __init__(self, play: Callable[["FakeEngine", Submit | RunShell], TurnFinished | None]) -> None:
        self.listen: Callable[[Event], None] = lambda event: None
        self.ops: list[Op] = []
        self.cancelled = threading.Event()
        self.texts: dict[str, str] = {}
        """Turn → what the person wrote."""
        self._play = play
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[Submit | RunShell] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._queued: list[str] = []
        self._turn_id = "turn_1"
        self._turn_numbers = itertools.count(1)
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, op: Op) -> None:
        with self._changed:
            self.ops.append(op)
            self._changed.notify_all()
        match op:
            case Submit() | RunShell():
                self._inbox.put(op)
            case Cancel():
                self.cancelled.set()
                self._answers.put(op)
            case DecideApproval() | DecideReview() | AnswerQuestion():
                self._answers.put(op)
            case SetMode(mode):
                self.emit(ModeChanged(mode))
            case Queue(text):
                self._queued.append(text)
                self.emit(TextQueued(text))
            case RecallQueue():
                taken, self._queued = tuple(self._queued), []
                self.emit(QueueTaken(taken, "input"))
            case ClearConversation():
                self.emit(ConversationCleared())
            case Rewind(turn_id):
                self.emit(ConversationRewound(turn_id, TurnKind.REACT, self.texts[turn_id]))
            case _:
                pass

    def wait_for(self, kind: type, *, count: int = 1) -> list[Any]:
        """The ops of `kind`, once there are `count`."""

        def found() -> list[Any]:
            return [op for op in self.ops if isinstance(op, kind)]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= count, PATIENCE_S), (kind, self.ops)
            return found()

    def emit(self, body: EventBody, *, task: str = "", actor: str = "react", plan: str = "") -> None:
        origin = Origin(self._turn_id, task or actor, plan or ("plan_1" if task else ""), 1 if task else 0, task)
        self.listen(event_of(body, origin))

    def say(self, text: str, *, task: str = "", thinking: str = "", step: int = 1) -> None:
        """One streamed reply."""
        self.emit(ModelRequestStarted(step, 2, ()), task=task)
        if thinking:
            self.emit(ModelDelta(DeltaKind.THINKING, thinking), task=task)
        for start in range(0, len(text), 7):
            self.emit(ModelDelta(DeltaKind.TEXT, text[start : start + 7]), task=task)
        self.emit(ModelReplyReceived(ChatResponse(text, usage=Usage(1_000, 0, 50)), 0.1), task=task)

    def ask_review(self, view: PlanView, **more: Any) -> DecideReview:
        request_id = f"request_{next(self._numbers)}"
        self.emit(PlanReviewRequested(request_id, view, PlanCause.GOAL, **more), plan=view.id)
        answer = self._answer()
        if isinstance(answer, Cancel):
            return DecideReview(request_id, ReviewDecision.CANCEL)
        assert answer.request_id == request_id
        self.emit(PlanReviewed(request_id, answer.decision, answer.feedback), plan=view.id)
        return answer

    def ask_approval(self, tool: str, arguments: str, *, task: str = "", **more: Any) -> DecideApproval | Cancel:
        request_id = f"request_{next(self._numbers)}"
        self.emit(ApprovalRequested(request_id, "call_1", tool, arguments, **more), task=task)
        answer = self._answer()
        if isinstance(answer, DecideApproval):
            self.emit(ApprovalDecided(request_id, answer.decision, answer.reason), task=task)
        return answer

    def ask_question(self, question: str, *options: str, task: str = "") -> AnswerQuestion | Cancel:
        request_id = f"request_{next(self._numbers)}"
        self.emit(QuestionAsked(request_id, "call_1", question, options), task=task)
        answer = self._answer()
        if isinstance(answer, AnswerQuestion):
            self.emit(QuestionAnswered(request_id, answer.answer, answer.by), task=task)
        return answer

    def _answer(self) -> Any:
        """Cancel when the session left without an answer."""
        try:
            return self._answers.get(timeout=PATIENCE_S)
        except queue.Empty:
            return Cancel()

    def _work(self) -> None:
        while True:
            op = self._inbox.get()
            self._turn_id = f"turn_{next(self._turn_numbers)}"
            self.texts[self._turn_id] = op.text if isinstance(op, Submit) else op.command
            self.cancelled.clear()
            self._answers = queue.SimpleQueue()
            match op:
                case Submit(text, kind):
                    self.emit(TurnStarted(kind or TurnKind.REACT, text, Mode.AUTO))
                case RunShell(command):
                    self.emit(TurnStarted(TurnKind.SHELL, command, Mode.AUTO))
            finished = self._play(self, op)
            self.emit(finished or TurnFinished(TurnStatus.COMPLETED, ""))


_numbers = itertools.count(1)


def event_of(body: EventBody, origin: Origin | None = None) -> Event:
    return Event(next(_numbers), 1_700_000_000.0, "s1", origin or Origin("turn_1", "react"), body)


def plan_of(goal: str, edges: dict[str, tuple[str, ...]], **changes: Any) -> PlanView:
    """A plan whose tasks are the keys, each with what it depends on; ids in topological order."""
    tasks = tuple(
        TaskView(task_id, f"do {task_id}", TaskType.ANALYSIS, TaskStatus.PENDING, after)
        for task_id, after in edges.items()
    )
    batches: list[tuple[str, ...]] = []
    done: set[str] = set()
    while len(done) < len(edges):
        ready = tuple(t for t, after in edges.items() if t not in done and done.issuperset(after))
        batches.append(ready)
        done |= set(ready)
    leaves = tuple(t for t in edges if not any(t in after for after in edges.values()))
    view = PlanView("plan_1", goal, "a summary", PlanStatus.CREATED, tasks, tuple(edges), tuple(batches), leaves)
    return view._replace(**changes)
