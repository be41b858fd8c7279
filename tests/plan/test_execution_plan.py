import pytest

from paicli.core.faults import Fault
from paicli.core.plan_view import PlanStatus, SkipReason, TaskStatus, TaskType, TaskView, UnfinishedPlan
from paicli.plan.execution_plan import ExecutionPlan, resumed_plan
from paicli.plan.task import IllegalMove, Task
from tests.plan.bench import plan_of, statuses

FAULT = Fault("llm.broken")
MOVES = {
    TaskStatus.RUNNING: lambda task: task.start(1.0),
    TaskStatus.COMPLETED: lambda task: task.complete(
        "r", began_at=2.0, ended_at=3.0, is_partial=False, was_streamed=True
    ),
    TaskStatus.FAILED: lambda task: task.fail(FAULT, error="断线", began_at=2.0, ended_at=3.0),
    TaskStatus.SKIPPED: lambda task: task.skip(SkipReason.DEPENDENCY_FAILED, "task_9"),
}
LEGAL = {
    (TaskStatus.PENDING, TaskStatus.RUNNING),
    (TaskStatus.PENDING, TaskStatus.SKIPPED),
    (TaskStatus.RUNNING, TaskStatus.COMPLETED),
    (TaskStatus.RUNNING, TaskStatus.FAILED),
}


def view(status: TaskStatus = TaskStatus.PENDING) -> TaskView:
    return TaskView("task_1", "做", TaskType.COMMAND, status)


@pytest.mark.parametrize("before", TaskStatus)
@pytest.mark.parametrize("after", MOVES)
def test_only_the_legal_moves_of_a_task_are_possible(before: TaskStatus, after: TaskStatus) -> None:
    task = Task(view(before))
    if (before, after) in LEGAL:
        MOVES[after](task)
        assert task.status is after
    else:
        with pytest.raises(IllegalMove):
            MOVES[after](task)
        assert task.view == view(before)


def test_a_completed_task_carries_result_and_times() -> None:
    task = Task(view())
    task.start(1.0)
    assert task.view.started_at == 1.0
    task.complete("r", began_at=2.0, ended_at=3.0, is_partial=True, was_streamed=True)
    assert task.view == view(TaskStatus.COMPLETED)._replace(
        result="r", started_at=2.0, ended_at=3.0, is_partial=True, was_streamed=True
    )


def test_a_failed_and_a_skipped_task_carry_their_reasons() -> None:
    failed, skipped = Task(view()), Task(view())
    failed.start(1.0)
    failed.fail(FAULT, error="断线", began_at=2.0, ended_at=3.0)
    skipped.skip(SkipReason.DEPENDENCY_FAILED, "task_9")
    assert failed.view == view(TaskStatus.FAILED)._replace(error="断线", fault=FAULT, started_at=2.0, ended_at=3.0)
    assert skipped.view == view(TaskStatus.SKIPPED)._replace(
        skip_reason=SkipReason.DEPENDENCY_FAILED, skip_cause="task_9"
    )


@pytest.mark.parametrize(
    ("path", "is_legal"),
    [
        ([PlanStatus.RUNNING, PlanStatus.COMPLETED], True),
        ([PlanStatus.RUNNING, PlanStatus.FAILED], True),
        ([PlanStatus.RUNNING, PlanStatus.CANCELLED], True),
        ([PlanStatus.CANCELLED], True),
        ([PlanStatus.COMPLETED], False),
        ([PlanStatus.FAILED], False),
        ([PlanStatus.CANCELLED, PlanStatus.RUNNING], False),
        ([PlanStatus.RUNNING, PlanStatus.COMPLETED, PlanStatus.RUNNING], False),
        ([PlanStatus.RUNNING, PlanStatus.RUNNING], False),
    ],
)
def test_a_plan_moves_forward_only(path: list[PlanStatus], is_legal: bool) -> None:
    plan = plan_of({1: []})
    for status in path[:-1]:
        plan.move(status)
    if is_legal:
        plan.move(path[-1])
        assert plan.status is path[-1]
    else:
        with pytest.raises(IllegalMove):
            plan.move(path[-1])


def test_a_task_is_ready_when_everything_it_needs_is_completed() -> None:
    plan = plan_of({1: [], 2: [1], 3: [1, 4], 4: []})
    assert [task.id for task in plan.ready()] == ["task_1", "task_4"]
    finish(plan, "task_1")
    assert [task.id for task in plan.ready()] == ["task_2", "task_4"]
    plan.task("task_4").start(1.0)
    assert [task.id for task in plan.ready()] == ["task_2"]
    assert plan.progress == 0.25


def finish(plan: ExecutionPlan, task_id: str) -> None:
    plan.task(task_id).start(0.0)
    plan.task(task_id).complete(f"r {task_id}", began_at=0.0, ended_at=1.0, is_partial=False, was_streamed=False)


def test_the_graph_answers_in_topological_order() -> None:
    plan = plan_of({5: [3], 1: [], 2: [1], 3: [2, 4], 4: [1], 6: []})
    assert plan.order == ("task_1", "task_2", "task_4", "task_3", "task_5", "task_6")
    assert [task.id for task in plan.downstream("task_1")] == ["task_2", "task_4", "task_3", "task_5"]
    assert [task.id for task in plan.upstream("task_3")] == ["task_1", "task_2", "task_4"]
    assert plan.downstream("task_6") == plan.upstream("task_6") == ()
    assert plan.batches() == (("task_1", "task_6"), ("task_2", "task_4"), ("task_3",), ("task_5",))
    assert plan.task("task_1").dependents == ("task_2", "task_4")
    assert plan.view().leaves == ("task_5", "task_6")
    assert [task.id for task in plan.view().tasks] == ["task_5", "task_1", "task_2", "task_3", "task_4", "task_6"]


def test_tasks_that_repeat_a_completed_description_are_marked() -> None:
    plan = plan_of({1: [], 2: []})
    plan.mark_repeating({"做 2", "anderes"})
    assert [task.view.repeats_completed for task in plan.tasks] == [False, True]


def test_a_resumed_plan_keeps_what_is_completed_and_starts_the_rest_anew() -> None:
    plan = plan_of({1: [], 2: [1], 3: [1], 4: [2], 5: []})
    plan.move(PlanStatus.RUNNING)
    finish(plan, "task_1")
    plan.task("task_2").start(1.0)
    plan.task("task_3").start(1.0)
    plan.task("task_3").fail(FAULT, error="断线", began_at=1.0, ended_at=2.0)
    plan.task("task_4").skip(SkipReason.REPLAN_LIMIT)
    again = resumed_plan(UnfinishedPlan(plan.view(), interrupted=("task_2",)), "p2")
    assert (again.id, again.goal, again.status, statuses(again)) == ("p2", "目标", PlanStatus.CREATED, "CPPPP")
    assert again.task("task_1").view == plan.task("task_1").view
    assert again.task("task_3").view == plan_of({1: [], 2: [1], 3: [1]}).task("task_3").view
    assert [task.view.was_interrupted for task in again.tasks] == [False, True, False, False, False]
