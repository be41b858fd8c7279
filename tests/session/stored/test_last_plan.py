import pytest

from paicli.core.event_bodies.person import ConversationRewound
from paicli.core.event_bodies.plans import (
    PlanAbandoned,
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanReviewed,
    PlanStarted,
    ReplanTriggered,
    RoundCommitted,
    TaskCompleted,
    TaskFailed,
    TaskStarted,
)
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ConversationCleared,
    Event,
    EventBody,
    MessageAppended,
    Origin,
    TurnFinished,
    TurnStarted,
    TurnStatus,
    UrlTrusted,
)
from paicli.core.faults import Fault
from paicli.core.messages import AssistantMessage
from paicli.core.ops import Mode, ReviewDecision, TurnKind
from paicli.core.plan_view import (
    PlanEnding,
    PlanReport,
    PlanStatus,
    PlanView,
    TaskStatus,
    TaskType,
    TaskView,
    UnfinishedPlan,
)
from paicli.session.stored.plans import PlanHistory


def plan(name: str) -> PlanView:
    tasks = tuple(TaskView(f"task_{n}", f"do {n}", TaskType.ANALYSIS, TaskStatus.PENDING) for n in (1, 2, 3))
    ids = tuple(task.id for task in tasks)
    return PlanView(name, "goal", "s", PlanStatus.CREATED, tasks, ids, (ids,), ids)


class Told:
    def __init__(self) -> None:
        self.turn = "turn_1"
        self.events: list[Event] = []
        self._stream = EventStream("s1", clock=lambda: 5.0)
        self._stream.subscribe(self.events.append)

    def say(self, body: EventBody, *, plan_id: str = "p1", task: str = "", actor: str = "engine") -> None:
        self._stream.publish(body, Origin(self.turn, actor, plan_id, 1, task))


def test_the_last_plan_stands_as_its_events_left_it() -> None:
    told = Told()
    assert PlanHistory(told.events).plan is None
    told.say(PlanCreated(plan("p0"), PlanCause.GOAL), plan_id="p0")
    told.say(PlanCreated(plan("p1"), PlanCause.FEEDBACK))
    for task in ("task_1", "task_2", "task_3"):
        told.say(TaskStarted("do", is_alone=False), task=task)
    told.say(TaskCompleted("done", is_partial=True), task="task_1")
    told.say(TaskFailed(Fault("x")), task="task_2")
    told.say(TaskCompleted("of another plan"), plan_id="p0", task="task_3")
    told.say(RoundCommitted(("task_1",), ("task_2",), 0.3))
    found = PlanHistory(told.events).plan
    assert found is not None
    assert (found.id, found.status) == ("p1", PlanStatus.RUNNING)
    assert [(task.status, task.result, task.fault, task.started_at, task.ended_at) for task in found.tasks] == [
        (TaskStatus.COMPLETED, "done", None, 5.0, 5.0),
        (TaskStatus.FAILED, "", Fault("x"), 5.0, 5.0),
        (TaskStatus.RUNNING, "", None, 5.0, None),
    ]
    assert found.tasks[0].is_partial


def test_a_plan_that_ended_stands_as_its_report_says() -> None:
    told = Told()
    told.say(PlanCreated(plan("p1"), PlanCause.GOAL))
    ended = plan("p1")._replace(status=PlanStatus.CANCELLED)
    told.say(PlanFinished(PlanReport(ended, PlanEnding.CANCELLED)))
    assert PlanHistory(told.events).plan == ended


class Ran(Told):
    """A plan whose first task is done and whose second one runs."""

    def __init__(self) -> None:
        super().__init__()
        self.say(TurnStarted(TurnKind.PLAN, "goal", Mode.AUTO))
        self.say(PlanCreated(plan("p1"), PlanCause.GOAL))
        self.say(PlanReviewed("r", ReviewDecision.EXECUTE))
        self.say(PlanStarted(plan("p1")))
        self.say(TaskStarted("do", is_alone=False), task="task_1")
        self.say(TaskStarted("do", is_alone=False), task="task_2")
        self.say(UrlTrusted("http://a/", "web_search"), task="task_1")
        self.say(UrlTrusted("http://b/", "web_search"), task="task_2")
        self.say(TaskCompleted("done"), task="task_1")

    @property
    def left(self) -> UnfinishedPlan | None:
        return PlanHistory(self.events).unfinished

    def ends(self, ending: PlanEnding, *earlier: PlanView) -> None:
        ended = PlanHistory(self.events).plan
        assert ended is not None
        self.say(PlanFinished(PlanReport(ended, ending, earlier)))
        self.say(TurnFinished(TurnStatus.PARTIAL, ""))


def test_what_a_crash_leaves_of_a_plan() -> None:
    left = Ran().left
    assert left is not None
    assert (left.interrupted, left.was_approved, left.completed_count) == (("task_2",), True, 1)
    assert left.urls == (("task_1", ("http://a/",)),)


@pytest.mark.parametrize("ending", PlanEnding)
def test_a_cancel_and_a_failed_replan_leave_something_and_other_endings_nothing(ending: PlanEnding) -> None:
    ran = Ran()
    ran.ends(ending)
    is_open = ending in {PlanEnding.CANCELLED, PlanEnding.REPLAN_CANCELLED, PlanEnding.REPLAN_FAILED}
    assert (ran.left is not None) == is_open


def test_a_report_that_the_conversation_did_not_hear_of_is_not_the_end() -> None:
    ran = Ran()
    ran.ends(PlanEnding.COMPLETED)
    told = ran.events[:-1]
    assert PlanHistory(told).unfinished is not None
    ran.events[-1:] = []
    ran.say(MessageAppended(AssistantMessage("summary")), actor="react")
    assert ran.left is None


def test_a_plan_that_was_never_approved_is_left_for_a_review_and_a_refused_one_is_not() -> None:
    told = Ran()
    del told.events[2:]
    assert told.left is not None
    assert not told.left.was_approved
    told.say(PlanReviewed("r", ReviewDecision.STOP))
    told.say(TurnFinished(TurnStatus.CANCELLED, ""))
    assert told.left is not None
    told.say(PlanReviewed("r", ReviewDecision.CANCEL))
    assert told.left is None


def test_a_plan_that_was_only_to_be_made_leaves_nothing() -> None:
    told = Ran()
    told.events.clear()
    told.say(TurnStarted(TurnKind.PLAN_ONLY, "goal", Mode.AUTO))
    told.say(PlanCreated(plan("p1"), PlanCause.GOAL))
    told.say(TurnFinished(TurnStatus.COMPLETED, ""))
    assert told.left is None


def test_a_refused_replan_leaves_the_plan_that_it_was_to_replace() -> None:
    ran = Ran()
    ran.say(ReplanTriggered(1, 2, ("task_2",), 0.3))
    ran.say(PlanCreated(plan("p2"), PlanCause.REPLAN), plan_id="p2")
    waiting = ran.left
    assert waiting is not None
    assert (waiting.view.id, [view.id for view in waiting.earlier], waiting.was_approved) == ("p2", ["p1"], False)
    ran.say(PlanReviewed("r", ReviewDecision.CANCEL), plan_id="p2")
    left = ran.left
    assert left is not None
    assert (left.view.id, left.earlier, left.replans_used, left.was_approved) == ("p1", (), 1, True)


def test_given_up_cleared_or_rewound_nothing_is_left() -> None:
    for body in (PlanAbandoned("p1"), ConversationCleared(), ConversationRewound("turn_1", TurnKind.PLAN, "goal")):
        ran = Ran()
        ran.say(PlanAbandoned("another"))
        assert ran.left is not None
        ran.say(body)
        assert ran.left is None


def test_a_rewind_of_a_turn_that_went_on_brings_back_what_it_went_on_from() -> None:
    ran = Ran()
    ran.ends(PlanEnding.CANCELLED)
    before = ran.left
    ran.turn = "turn_2"
    ran.say(TurnStarted(TurnKind.PLAN_RESUME, "", Mode.AUTO))
    ran.say(PlanCreated(plan("p2"), PlanCause.RESUME), plan_id="p2")
    ran.say(PlanReviewed("", ReviewDecision.EXECUTE), plan_id="p2")
    assert ran.left != before
    ran.say(ConversationRewound("turn_2", TurnKind.PLAN_RESUME, ""))
    assert ran.left == before
