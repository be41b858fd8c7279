"""A plan as JSON text: for a file that `paicli run` takes, and for the planner that shall change it.

A file may carry how far its tasks came: `status`, and `result` where it is COMPLETED. A plain one has neither.
"""

import json
from collections.abc import Mapping
from typing import Any

from paicli.core.errors import PlanInvalid
from paicli.core.plan_view import PlanView, TaskStatus, TaskView
from paicli.core.unicode import well_formed


def stored_plan(view: PlanView) -> str:
    """Goal, summary, tasks and how far they came, indented, ending in a newline; `parse_stored_plan` reads it back."""
    tasks = [_described(task) | _come_to(task) for task in view.tasks]
    plan = {"goal": view.goal, "summary": view.summary, "tasks": tasks}
    return json.dumps(plan, ensure_ascii=False, indent=2) + "\n"


def plan_for_model(view: PlanView) -> str:
    """Summary and tasks on one line, in the shape the planner is asked for."""
    tasks = [_described(task) for task in view.tasks]
    return json.dumps({"summary": view.summary, "tasks": tasks}, ensure_ascii=False)


def as_it_stood(task: TaskView, stated: Mapping[str, Any]) -> TaskView:
    """The task with what the file says of an earlier run. Raises PlanInvalid for a completed one without a result."""
    status = stated.get("status")
    if status == TaskStatus.RUNNING.value:
        return task._replace(was_interrupted=True)
    if status != TaskStatus.COMPLETED.value:
        return task
    result = stated.get("result")
    if not isinstance(result, str):
        raise PlanInvalid("plan.invalid.file_result", id=task.id)
    return task._replace(
        status=TaskStatus.COMPLETED, result=well_formed(result), is_partial=stated.get("partial") is True
    )


def check_order(tasks: Mapping[str, TaskView]) -> None:
    """Raises PlanInvalid where a task is completed before one that it depends on."""
    for task in tasks.values():
        if task.status is TaskStatus.COMPLETED:
            for needed in task.dependencies:
                if tasks[needed].status is not TaskStatus.COMPLETED:
                    raise PlanInvalid("plan.invalid.file_order", id=task.id, dependency=needed)


def _described(task: TaskView) -> dict[str, Any]:
    return {
        "id": task.id,
        "description": task.description,
        "type": task.type.value,
        "dependencies": list(task.dependencies),
    }


def _come_to(task: TaskView) -> dict[str, Any]:
    if task.status is TaskStatus.COMPLETED:
        partial = {"partial": True} if task.is_partial else {}
        return {"status": task.status.value, "result": task.result} | partial
    if task.status is TaskStatus.RUNNING or (task.status is TaskStatus.PENDING and task.was_interrupted):
        return {"status": TaskStatus.RUNNING.value}
    return {}
