"""The summary of a plan turn as text, from its report alone. Pure."""

from collections.abc import Iterable

from paicli.core.catalogue.lookup import Texts, model_text
from paicli.core.faults import Fault
from paicli.core.plan_view import PlanEnding, PlanReport, PlanView, SkipReason, TaskStatus, TaskView
from paicli.core.unicode import clipped

_STREAMED_SHOWN = 100
"""Characters that a result which already stands on the screen is named by."""


def report_text(report: PlanReport, texts: Texts, *, skip_streamed: bool) -> str:
    """The whole summary, its last line the figures.

    `skip_streamed`: for the screen the tasks streamed on. Their results are left out of a finished plan's summary,
    and named by their first 100 characters where all results are listed.
    """
    match report.ending:
        case PlanEnding.COMPLETED:
            lines = [texts.screen("plan.report.completed"), *_leaf_results(report.plan, texts, skip_streamed)]
        case PlanEnding.CANCELLED:
            lines = [texts.screen("plan.cancelled"), *_results(report, texts, skip_streamed)]
        case PlanEnding.STUCK:
            lines = [texts.screen("plan.stuck"), *_partial_block(report, texts, skip_streamed)]
        case PlanEnding.PARTIAL | PlanEnding.REPLAN_LIMIT:
            lines = [_headline(report.plan, texts), *_partial_block(report, texts, skip_streamed)]
        case PlanEnding.REPLAN_FAILED:
            fault = Fault(report.fault_code, report.fault_fields)
            lines = [_headline(report.plan, texts), *_partial_block(report, texts, skip_streamed)]
            lines.append(texts.screen("plan.failed", reason=fault_text(fault, texts)))
        case PlanEnding.REPLAN_CANCELLED:
            lines = [_headline(report.plan, texts), *_partial_block(report, texts, skip_streamed)]
            lines.append(texts.screen("plan.review.cancelled"))
    lines += [
        texts.screen("plan.task.overlapped", path=path, first=first, second=second)
        for path, first, second in report.overlaps
    ]
    return "\n".join((*lines, figures_text(report, texts)))


def figures_text(report: PlanReport, texts: Texts) -> str:
    """One line: rounds, tasks, times, model calls, tokens; over all plans of the turn."""
    tasks = [task for view in (*report.earlier, report.plan) for task in view.tasks]
    return texts.screen(
        "plan.report.figures",
        rounds=report.rounds,
        done=_count(tasks, TaskStatus.COMPLETED),
        failed=_count(tasks, TaskStatus.FAILED),
        skipped=_count(tasks, TaskStatus.SKIPPED),
        wall_s=f"{report.wall_s:.1f}",
        tasks_s=f"{report.tasks_s:.1f}",
        model_calls=report.model_calls,
        tokens=report.tokens,
    )


def fault_text(fault: Fault, texts: Texts) -> str:
    """The fault in the language of `texts`; its bare code and fields where the catalogue can't word it."""
    fields = dict(fault.fields)
    try:
        return texts.screen(fault.code, **fields) if texts.has(fault.code) else model_text(fault.code, **fields)
    except KeyError:
        return " ".join((fault.code, *(f"{name}={value}" for name, value in fields.items())))


def skip_text(task: TaskView, texts: Texts) -> str:
    """Why a task was skipped."""
    reason = task.skip_reason or SkipReason.DEPENDENCY_FAILED
    return texts.screen(f"plan.skip.{reason.value}", cause=task.skip_cause)


def _headline(plan: PlanView, texts: Texts) -> str:
    has_failed = any(task.status is TaskStatus.FAILED for task in plan.tasks)
    return texts.screen("plan.report.partial" if has_failed else "plan.report.partial_task")


def _leaf_results(plan: PlanView, texts: Texts, skip_streamed: bool) -> list[str]:
    leaves = [plan.task(task_id) for task_id in plan.leaves]
    return [
        texts.screen("plan.report.result", task=task.id, result=task.result)
        for task in leaves
        if task.result.strip() and not (skip_streamed and task.was_streamed)
    ]


def _partial_block(report: PlanReport, texts: Texts, skip_streamed: bool) -> list[str]:
    lines = _results(report, texts, skip_streamed)
    for task in _in_order(report.plan):
        match task.status:
            case TaskStatus.FAILED:
                reason = fault_text(task.fault, texts) if task.fault else task.error
                lines.append(texts.screen("plan.report.failed", task=task.id, reason=reason))
            case TaskStatus.SKIPPED:
                lines.append(texts.screen("plan.report.skipped", task=task.id, reason=skip_text(task, texts)))
            case TaskStatus.PENDING | TaskStatus.RUNNING:
                lines.append(texts.screen("plan.report.not_run", task=task.id))
            case TaskStatus.COMPLETED:
                if task.is_partial:
                    lines.append(texts.screen("plan.report.task_partial", task=task.id))
    return lines


def _results(report: PlanReport, texts: Texts, skip_streamed: bool) -> list[str]:
    """All completed results, those of replaced plans first and under a heading of their own."""
    lines: list[str] = []
    earlier = [line for plan in report.earlier for line in _completed(plan, texts, skip_streamed)]
    if earlier:
        lines += [texts.screen("plan.report.earlier"), *earlier]
    results = _completed(report.plan, texts, skip_streamed)
    if results:
        lines += [texts.screen("plan.report.results"), *results]
    return lines


def _completed(plan: PlanView, texts: Texts, skip_streamed: bool) -> list[str]:
    return [
        texts.screen(
            "plan.report.result",
            task=task.id,
            result=_named(task.result) if skip_streamed and task.was_streamed else task.result,
        )
        for task in _in_order(plan)
        if task.status is TaskStatus.COMPLETED
    ]


def _named(result: str) -> str:
    return clipped(" ".join(result.split()), _STREAMED_SHOWN)


def _in_order(plan: PlanView) -> Iterable[TaskView]:
    return (plan.task(task_id) for task_id in plan.order)


def _count(tasks: Iterable[TaskView], status: TaskStatus) -> int:
    return sum(task.status is status for task in tasks)
