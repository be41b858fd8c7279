from paicli.core.event_stream import EventStream
from paicli.core.events import Event, EventBody, Origin
from paicli.core.faults import Fault
from paicli.core.plan_events import (
    PlanCause,
    PlanCreated,
    PlanFinished,
    RoundCommitted,
    TaskCompleted,
    TaskFailed,
    TaskStarted,
)
from paicli.core.plan_view import PlanEnding, PlanReport, PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from paicli.session.stored.plans import last_plan


def plan(name: str) -> PlanView:
    tasks = tuple(TaskView(f"task_{n}", f"do {n}", TaskType.ANALYSIS, TaskStatus.PENDING) for n in (1, 2, 3))
    ids = tuple(task.id for task in tasks)
    return PlanView(name, "goal", "s", PlanStatus.CREATED, tasks, ids, (ids,), ids)


class Told:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self._stream = EventStream("s1", clock=lambda: 5.0)
        self._stream.subscribe(self.events.append)

    def say(self, body: EventBody, *, plan_id: str = "p1", task: str = "") -> None:
        self._stream.publish(body, Origin("turn_1", "engine", plan_id, 1, task))


def test_the_last_plan_stands_as_its_events_left_it() -> None:
    told = Told()
    assert last_plan(told.events) is None
    told.say(PlanCreated(plan("p0"), PlanCause.GOAL), plan_id="p0")
    told.say(PlanCreated(plan("p1"), PlanCause.FEEDBACK))
    for task in ("task_1", "task_2", "task_3"):
        told.say(TaskStarted("do", is_alone=False), task=task)
    told.say(TaskCompleted("done", is_partial=True), task="task_1")
    told.say(TaskFailed(Fault("x")), task="task_2")
    told.say(TaskCompleted("of another plan"), plan_id="p0", task="task_3")
    told.say(RoundCommitted(("task_1",), ("task_2",), 0.3))
    found = last_plan(told.events)
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
    assert last_plan(told.events) == ended
