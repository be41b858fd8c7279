"""The summary of a plan turn, whole texts."""

from string import Formatter

import pytest

from paicli.core.catalogue.lookup import SCREEN, Language, Texts
from paicli.core.faults import Fault
from paicli.core.plan_report import fault_text, report_text
from paicli.core.plan_view import (
    PlanEnding,
    PlanReport,
    PlanStatus,
    PlanView,
    SkipReason,
    TaskStatus,
    TaskType,
    TaskView,
)

ZH, EN = Texts(Language.ZH), Texts(Language.EN)
FAULT = Fault("plan.invalid.cycle", (("path", "a → a"),))
DONE, FAILED, SKIPPED = TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.SKIPPED


def task(number: int, status: TaskStatus, result: str = "", **more: object) -> TaskView:
    return TaskView(f"task_{number}", f"做 {number}", TaskType.ANALYSIS, status, result=result)._replace(**more)


def report(ending: PlanEnding, *tasks: TaskView, **more: object) -> PlanReport:
    ids = tuple(each.id for each in tasks)
    leaves = ids[-2:]
    plan = PlanView("p", "目标", "概要", PlanStatus.FAILED, tasks, ids, (ids,), leaves)
    full = PlanReport(plan, ending, rounds=2, wall_s=1.25, tasks_s=3.0, model_calls=5, tokens=1234)
    return full._replace(**more)


def figures(done: int, failed: int = 0, skipped: int = 0) -> str:
    return (
        f"2 轮 · 任务 完成 {done} / 失败 {failed} / 跳过 {skipped} · 用时 1.2 秒 · "
        "任务用时合计 3.0 秒 · 模型调用 5 次 · 1234 tokens"
    )


def lines(made: PlanReport, *, skip_streamed: bool = False) -> list[str]:
    return report_text(made, ZH, skip_streamed=skip_streamed).split("\n")


def test_a_finished_plan_lists_its_leaves_results() -> None:
    made = report(PlanEnding.COMPLETED, task(1, DONE, "eins"), task(2, DONE, "zwei"), task(3, DONE, "drei\nvier"))
    assert lines(made) == ["✅ 计划执行完成!", "[task_2] zwei", "[task_3] drei", "vier", figures(3)]


def test_what_streamed_is_not_printed_twice_on_that_screen() -> None:
    made = report(PlanEnding.COMPLETED, task(1, DONE, "eins"), task(2, DONE, "zwei", was_streamed=True), task(3, DONE))
    assert lines(made, skip_streamed=True) == ["✅ 计划执行完成!", figures(3)]
    assert lines(made) == ["✅ 计划执行完成!", "[task_2] zwei", figures(3)]


def test_a_plan_with_failures_lists_all_results_and_every_reason() -> None:
    made = report(
        PlanEnding.PARTIAL,
        task(1, DONE, "eins", was_streamed=True),
        task(2, DONE, "zwei"),
        task(3, FAILED, error="x", fault=FAULT),
        task(5, SKIPPED, skip_reason=SkipReason.DEPENDENCY_FAILED, skip_cause="task_3"),
    )
    expected = [
        "⚠️ 计划部分完成,有任务失败。",
        "已完成的任务结果:",
        "[task_1] eins",
        "[task_2] zwei",
        "任务 task_3 失败: 计划中存在循环依赖: a → a",
        "任务 task_5 已跳过: 依赖的任务 task_3 失败",
        figures(2, 1, 1),
    ]
    assert lines(made) == lines(made, skip_streamed=True) == expected


def test_a_long_result_that_streamed_is_only_named_in_the_list() -> None:
    long = task(1, DONE, "行\n" * 200, was_streamed=True)
    made = report(PlanEnding.PARTIAL, long, task(2, FAILED, error="坏了"))
    assert lines(made, skip_streamed=True)[2] == "[task_1] " + ("行 " * 50)[:99] + "…"
    assert lines(made, skip_streamed=True)[3] == "任务 task_2 失败: 坏了"


def test_a_plan_stopped_at_the_limit_says_what_did_not_run() -> None:
    made = report(
        PlanEnding.REPLAN_LIMIT, task(1, FAILED, error="坏了"), task(2, SKIPPED, skip_reason=SkipReason.REPLAN_LIMIT)
    )
    assert lines(made) == [
        "⚠️ 计划部分完成,有任务失败。",
        "任务 task_1 失败: 坏了",
        "任务 task_2 已跳过: 已达到重新规划上限",
        figures(0, 1, 1),
    ]


def test_a_partial_task_alone_makes_no_failure_of_the_plan() -> None:
    made = report(PlanEnding.PARTIAL, task(1, DONE, "⚠️ 部分完成(x)\n一半", is_partial=True), task(2, DONE, "zwei"))
    assert lines(made) == [
        "⚠️ 计划部分完成,有任务未全部完成。",
        "已完成的任务结果:",
        "[task_1] ⚠️ 部分完成(x)",
        "一半",
        "[task_2] zwei",
        "任务 task_1 部分完成",
        figures(2),
    ]


@pytest.mark.parametrize(
    ("ending", "last"),
    [
        (PlanEnding.REPLAN_FAILED, "❌ 执行失败: 计划中存在循环依赖: a → a"),
        (PlanEnding.REPLAN_CANCELLED, "⏹️ 已取消本次计划执行。"),
    ],
)
def test_a_replan_that_came_to_nothing_ends_with_its_reason(ending: PlanEnding, last: str) -> None:
    made = report(
        ending,
        task(1, DONE, "eins"),
        task(2, FAILED, error="坏了"),
        task(3, TaskStatus.PENDING),
        fault_code=FAULT.code,
        fault_fields=FAULT.fields,
    )
    assert lines(made) == [
        "⚠️ 计划部分完成,有任务失败。",
        "已完成的任务结果:",
        "[task_1] eins",
        "任务 task_2 失败: 坏了",
        "任务 task_3 未执行",
        last,
        figures(1, 1),
    ]


def test_a_cancelled_plan_lists_what_was_completed() -> None:
    made = report(PlanEnding.CANCELLED, task(1, DONE, "eins"), task(2, TaskStatus.RUNNING))
    assert lines(made) == ["⏹️ 已取消当前计划执行。", "已完成的任务结果:", "[task_1] eins", figures(1)]


def test_a_stuck_plan_says_what_did_not_run() -> None:
    made = report(PlanEnding.STUCK, task(1, TaskStatus.PENDING))
    assert lines(made) == ["⚠️ 计划未能继续推进,存在未满足依赖的任务。", "任务 task_1 未执行", figures(0)]


def test_results_of_replaced_plans_and_overlaps_are_told() -> None:
    earlier = report(PlanEnding.PARTIAL, task(1, DONE, "alt"), task(2, FAILED)).plan
    made = report(
        PlanEnding.PARTIAL,
        task(1, DONE, "neu"),
        task(2, FAILED, error="坏了"),
        earlier=(earlier,),
        overlaps=(("/p/f", "task_1", "task_2"),),
    )
    assert lines(made) == [
        "⚠️ 计划部分完成,有任务失败。",
        "重新规划前已完成的任务结果:",
        "[task_1] alt",
        "已完成的任务结果:",
        "[task_1] neu",
        "任务 task_2 失败: 坏了",
        "⚠️ 同一轮的任务 task_1 与 task_2 都涉及文件 /p/f",
        figures(2, 2),
    ]


@pytest.mark.parametrize("ending", PlanEnding)
def test_every_ending_has_its_english_words(ending: PlanEnding) -> None:
    made = report(ending, task(1, DONE, "one"), task(2, FAILED, fault=FAULT), fault_code=FAULT.code)
    text = report_text(made._replace(fault_fields=FAULT.fields), EN, skip_streamed=False)
    assert text.isascii() or {char for char in text if not char.isascii()} <= set("✅⚠️❌⏹️·→")


def test_a_fault_that_the_catalogue_cannot_word_still_says_something() -> None:
    assert fault_text(Fault("no.such", (("a", "1"),)), ZH) == "no.such a=1"
    assert fault_text(Fault("plan.invalid.cycle"), ZH) == "plan.invalid.cycle"


def test_foreign_braces_are_never_read_as_a_template() -> None:
    made = report(PlanEnding.COMPLETED, task(1, DONE, "{task} {0} {"))
    assert lines(made)[1] == "[task_1] {task} {0} {"


def test_the_two_columns_of_the_plan_texts_take_the_same_fields() -> None:
    for code, columns in SCREEN.items():
        if code.startswith("plan."):
            zh, en = ({name for _, name, _, _ in Formatter().parse(column) if name} for column in columns)
            assert zh == en, code
