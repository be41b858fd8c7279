"""What a task is told: goal, its own description, and the results it builds on."""

from collections.abc import Callable, Sequence

from paicli.core.catalogue.lookup import model_text
from paicli.core.plan_view import PlanView, TaskStatus, TaskView
from paicli.plan.execution_plan import ExecutionPlan

BoundText = Callable[[str, str], str]
"""(text, name) → the text as it is, or its head and tail with the path of the file that has all of it."""


def task_message(
    plan: ExecutionPlan, task: TaskView, *, earlier: Sequence[PlanView], urls: Sequence[str], bound: BoundText
) -> str:
    """The user message of a task's fresh conversation.

    `earlier`: the plans of this turn that a replan replaced, oldest first; what they completed is told to tasks
    without dependencies. `urls`: found by web_search in the branch this task depends on.
    """
    lines = [
        model_text("task.goal", goal=plan.goal),
        model_text("task.description", description=task.description),
    ]
    if task.was_interrupted:
        lines.append(model_text("task.interrupted"))
    if task.dependencies:
        lines.append(model_text("task.dependencies"))
        for task_id in task.dependencies:
            lines += _result_lines(plan.id, plan.task(task_id).view, bound)
    else:
        lines.append(model_text("task.no_dependencies"))
        lines += _earlier_lines(earlier, bound)
    if urls:
        lines.append(model_text("task.urls"))
        lines += [model_text("task.url", url=url) for url in urls]
    lines.append(model_text("task.closing"))
    return "\n".join(lines)


def completed_tasks(plan: PlanView) -> list[TaskView]:
    """In topological order."""
    tasks = (plan.task(task_id) for task_id in plan.order)
    return [task for task in tasks if task.status is TaskStatus.COMPLETED]


def _earlier_lines(earlier: Sequence[PlanView], bound: BoundText) -> list[str]:
    lines = [line for plan in earlier for task in completed_tasks(plan) for line in _result_lines(plan.id, task, bound)]
    return [model_text("task.earlier"), *lines] if lines else []


def _result_lines(plan_id: str, task: TaskView, bound: BoundText) -> list[str]:
    head = model_text("task.dependency", task=task.id, description=task.description)
    return [head, bound(task.result, f"{plan_id}-{task.id}")] if task.result.strip() else [head]
