from paicli.core.event_bodies.plans import (
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import (
    ApprovalRequested,
    DeltaKind,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyRestarted,
    ModelRequestStarted,
    ModelRetryScheduled,
    Notice,
    Origin,
    TextQueued,
    TurnFinished,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.plan_view import SkipReason
from paicli.ui.rendering.task_order import TaskOrder
from tests.ui.fake_engine import event_of


def of(task: str, body: EventBody) -> Event:
    return event_of(body, Origin("turn_1", task, "plan_1", 1, task))


def of_plan(body: EventBody) -> Event:
    return event_of(body, Origin("turn_1", "engine", "plan_1", 1))


def text(words: str) -> ModelDelta:
    return ModelDelta(DeltaKind.TEXT, words)


def released(order: TaskOrder, events: list[Event]) -> list[list[Event]]:
    return [order.accept(event) for event in events]


def test_a_parallel_round_is_read_task_by_task_in_topological_order() -> None:
    order = TaskOrder()
    begin = of_plan(RoundStarted(("task_2", "task_1")))
    one, two = of("task_1", TaskStarted("a", False)), of("task_2", TaskStarted("b", False))
    one_text, two_text = of("task_1", text("one")), of("task_2", text("two"))
    failed, completed = of("task_2", TaskFailed(Fault("x"))), of("task_1", TaskCompleted("done"))
    skipped = of("task_3", TaskSkipped(SkipReason.DEPENDENCY_FAILED, "task_2"))
    end = of_plan(RoundCommitted(("task_1",), ("task_2",), 0.3))

    shown = released(order, [begin, one, two, one_text, two_text, failed, skipped, completed, end])

    assert shown[:-1] == [[begin], [], [], [], [], [], [], []]
    assert shown[-1] == [two, two_text, failed, one, one_text, completed, skipped, end]


def test_a_task_that_runs_alone_streams() -> None:
    order = TaskOrder()
    events = [of_plan(RoundStarted(("task_1",))), of("task_1", TaskStarted("a", True)), of("task_1", text("x"))]
    assert released(order, events) == [[event] for event in events]


def test_questions_retries_and_notices_pass_a_round_that_is_held() -> None:
    order = TaskOrder()
    order.accept(of_plan(RoundStarted(("task_1", "task_2"))))
    passing = [
        of("task_1", ApprovalRequested("r1", "c1", "write_file", "{}")),
        of("task_1", ModelRetryScheduled(2, 5, 1.0, Fault("x"))),
        of("task_2", Notice(Fault("x"))),
        event_of(TextQueued("later")),
    ]
    assert released(order, passing) == [[event] for event in passing]


def test_a_reply_that_starts_again_takes_its_held_text_back() -> None:
    order = TaskOrder()
    order.accept(of_plan(RoundStarted(("task_1", "task_2"))))
    request = of("task_1", ModelRequestStarted(1, 2, ()))
    again = of("task_1", text("right"))
    for event in (request, of("task_1", text("wr")), of("task_1", text("ong")), of("task_1", ModelReplyRestarted())):
        assert order.accept(event) == []
    order.accept(again)
    end = of_plan(RoundCommitted(("task_1",), (), 0.5))
    assert order.accept(end) == [request, again, end]


def test_a_cancelled_round_gives_out_what_it_held() -> None:
    order = TaskOrder()
    order.accept(of_plan(RoundStarted(("task_1", "task_2"))))
    held = of("task_2", text("half"))
    order.accept(held)
    end = event_of(TurnFinished(TurnStatus.CANCELLED, ""))
    assert order.accept(end) == [held, end]
