"""What a task is told, whole messages."""

from collections.abc import Sequence

from paicli.agent.planning.task_context import task_message
from paicli.core.faults import Fault
from paicli.core.plan_view import PlanView
from paicli.plan.execution_plan import ExecutionPlan
from tests.plan.bench import plan_of

CLOSING = "请执行此任务。如果是ANALYSIS或VERIFICATION类型,请基于以上上下文直接给出结果。"


def completed(plan: ExecutionPlan, number: int, result: str) -> None:
    task = plan.task(f"task_{number}")
    task.start(0.0)
    task.complete(result, began_at=0, ended_at=1, is_partial=False, was_streamed=False)


def message(
    plan: ExecutionPlan, number: int, *, earlier: Sequence[PlanView] = (), urls: Sequence[str] = ()
) -> list[str]:
    view = plan.task(f"task_{number}").view
    return task_message(plan, view, earlier=earlier, urls=urls, bound=lambda text, name: text).split("\n")


def test_a_task_without_dependencies_is_told_so() -> None:
    assert message(plan_of({1: []}), 1) == ["总目标:目标", "当前任务:做 1", "依赖任务:无", CLOSING]


def test_direct_dependencies_come_in_declared_order_and_whole() -> None:
    plan = plan_of({1: [], 2: [1], 3: [1], 4: [3, 2], 5: []})
    completed(plan, 1, "nicht direkt")
    completed(plan, 2, "zwei\n\n  zeilen ")
    completed(plan, 3, "drei")
    completed(plan, 5, "geschwister")
    assert message(plan, 4) == [
        "总目标:目标",
        "当前任务:做 4",
        "依赖任务结果:",
        "- task_3 / 做 3 / 状态=COMPLETED",
        "drei",
        "- task_2 / 做 2 / 状态=COMPLETED",
        "zwei",
        "",
        "  zeilen ",
        CLOSING,
    ]


def test_a_blank_result_adds_no_line() -> None:
    plan = plan_of({1: [], 2: [], 3: [1, 2]})
    completed(plan, 1, " \n\t")
    completed(plan, 2, "zwei")
    assert message(plan, 3)[2:] == [
        "依赖任务结果:",
        "- task_1 / 做 1 / 状态=COMPLETED",
        "- task_2 / 做 2 / 状态=COMPLETED",
        "zwei",
        CLOSING,
    ]


def test_urls_stand_after_the_results() -> None:
    plan = plan_of({1: [], 2: [1]})
    completed(plan, 1, "eins")
    assert message(plan, 2, urls=["https://a.example/x", "https://b.example/"])[4:] == [
        "eins",
        "依赖分支经 web_search 验证的 URL:",
        "- https://a.example/x",
        "- https://b.example/",
        CLOSING,
    ]


def test_what_earlier_plans_completed_is_told_to_root_tasks_only() -> None:  # C61
    first, second, plan = plan_of({1: [], 2: [1]}), plan_of({1: [], 2: []}), plan_of({1: [], 2: [1]})
    completed(first, 1, "alt")
    first.task("task_2").start(0.0)
    first.task("task_2").fail(Fault("x"), error="kaputt", began_at=0, ended_at=1)
    completed(second, 2, "neuer")
    completed(plan, 1, "eins")
    earlier = [first.view(), second.view()]
    assert message(plan, 1, earlier=earlier) == [
        "总目标:目标",
        "当前任务:做 1",
        "依赖任务:无",
        "此前计划已完成:",
        "- task_1 / 做 1 / 状态=COMPLETED",
        "alt",
        "- task_2 / 做 2 / 状态=COMPLETED",
        "neuer",
        CLOSING,
    ]
    assert message(plan, 2, earlier=earlier)[2:4] == ["依赖任务结果:", "- task_1 / 做 1 / 状态=COMPLETED"]


def test_an_earlier_plan_that_completed_nothing_adds_no_heading() -> None:
    assert message(plan_of({1: []}), 1, earlier=[plan_of({1: []}).view()])[2:] == ["依赖任务:无", CLOSING]


def test_each_result_may_be_kept_small_under_a_name_of_its_own() -> None:
    plan, old = plan_of({1: [], 2: [], 3: [1]}, "p2"), plan_of({1: []}, "p1")
    completed(plan, 1, "lang")
    completed(old, 1, "alt")
    names: list[tuple[str, str]] = []

    def bound(text: str, name: str) -> str:
        names.append((text, name))
        return "kurz"

    task_message(plan, plan.task("task_3").view, earlier=[], urls=[], bound=bound)
    told = task_message(plan, plan.task("task_2").view, earlier=[old.view()], urls=[], bound=bound)
    assert names == [("lang", "p2-task_1"), ("alt", "p1-task_1")]
    assert "kurz" in told


def test_foreign_text_is_never_read_as_a_template() -> None:
    plan = plan_of({1: [], 2: [1]})
    completed(plan, 1, "{goal} {0} {")
    assert message(plan, 2)[4] == "{goal} {0} {"
