"""From a model's text to an ExecutionPlan, or to the first rule it breaks. A pure function.

The checks run row by row over all tasks, ids before edges, so a forward reference is fine.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from paicli.core.errors import PlanInvalid
from paicli.core.plan_view import TaskStatus, TaskType, TaskView
from paicli.core.unicode import clipped, well_formed
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.graph import TaskGraph
from paicli.plan.reply_json import read_json
from paicli.plan.stored import as_it_stood, check_order

MAX_TASKS = 50
_SHOWN_ID = 80
"""Characters of an id in a message."""

_TYPES = {kind.value: kind for kind in TaskType}

_Fields = Mapping[str, Any]


def parse_plan(text: str, *, goal: str, plan_id: str) -> ExecutionPlan:
    """The plan a reply describes, its tasks renumbered `task_1…` in array order. Raises PlanInvalid."""
    return _plan_of(_object_in(text), goal=goal, plan_id=plan_id)


def parse_stored_plan(text: str, *, plan_id: str) -> ExecutionPlan:
    """A plan written by `stored_plan`: the same rules, and its goal stands in it. Raises PlanInvalid."""
    stored = _object_in(text)
    goal = stored.get("goal")
    if not isinstance(goal, str) or not goal.strip():
        raise PlanInvalid("plan.invalid.file_goal")
    plan = _plan_of(stored, goal=goal, plan_id=plan_id)
    stated = cast(list[_Fields], stored["tasks"])  # `_plan_of` found nothing else in it
    tasks = {task.id: as_it_stood(task.view, said) for task, said in zip(plan.tasks, stated, strict=True)}
    check_order(tasks)
    return ExecutionPlan(plan_id, goal=plan.goal, summary=plan.summary, tasks=tasks.values())


def _object_in(text: str) -> _Fields:
    value = read_json(text)
    if not isinstance(value, dict):
        raise PlanInvalid("plan.invalid.object")
    return cast(dict[str, Any], value)


def _plan_of(stated: _Fields, *, goal: str, plan_id: str) -> ExecutionPlan:
    tasks = _tasks_by_id(stated.get("tasks"))
    for task_id, task in tasks.items():
        if _is_blank(task.get("description")):
            raise PlanInvalid("plan.invalid.description", id=_shown(task_id))
    dependencies = _dependencies(tasks)
    cycle = TaskGraph(dependencies).cycle()
    if cycle:
        raise PlanInvalid("plan.invalid.cycle", path=" → ".join(map(_shown, cycle)))
    if len(tasks) > MAX_TASKS:
        raise PlanInvalid("plan.invalid.too_many")
    numbered = {task_id: f"task_{number}" for number, task_id in enumerate(tasks, start=1)}
    summary = stated.get("summary")
    return ExecutionPlan(
        plan_id,
        goal=well_formed(goal),
        summary=well_formed(summary) if isinstance(summary, str) else "",
        tasks=[
            TaskView(
                id=numbered[task_id],
                description=well_formed(task["description"]),
                type=_type_of(task.get("type")),
                status=TaskStatus.PENDING,
                dependencies=tuple(numbered[needed] for needed in dependencies[task_id]),
            )
            for task_id, task in tasks.items()
        ],
    )


def _tasks_by_id(stated: Any) -> dict[str, _Fields]:
    if not isinstance(stated, list) or not stated:
        raise PlanInvalid("plan.invalid.tasks")
    items = cast(list[Any], stated)
    if any(not isinstance(item, dict) or _is_blank(cast(_Fields, item).get("id")) for item in items):
        raise PlanInvalid("plan.invalid.id")
    tasks: dict[str, _Fields] = {}
    for item in items:
        task_id = well_formed(item["id"])
        if task_id in tasks:
            raise PlanInvalid("plan.invalid.repeated_id", id=_shown(task_id))
        tasks[task_id] = item
    return tasks


def _dependencies(tasks: Mapping[str, _Fields]) -> dict[str, Sequence[str]]:
    stated = {task_id: task.get("dependencies", []) for task_id, task in tasks.items()}
    if any(not isinstance(needed, list) for needed in stated.values()):
        raise PlanInvalid("plan.invalid.dependencies")
    return {task_id: _declared(task_id, needed, tasks) for task_id, needed in stated.items()}


def _declared(task_id: str, stated: Sequence[Any], tasks: Mapping[str, _Fields]) -> Sequence[str]:
    needed: dict[str, None] = {}  # a set that keeps the declared order
    for item in stated:
        name = well_formed(item) if isinstance(item, str) else None
        if name is None or name not in tasks:
            shown = json.dumps(item, ensure_ascii=False) if name is None else name
            raise PlanInvalid("plan.invalid.dependency", task=_shown(task_id), dependency=_shown(shown))
        needed[name] = None
    return tuple(needed)


def _is_blank(value: Any) -> bool:
    return not isinstance(value, str) or not value.strip()


def _type_of(value: Any) -> TaskType:
    return _TYPES.get(value.upper(), TaskType.ANALYSIS) if isinstance(value, str) else TaskType.ANALYSIS


def _shown(task_id: str) -> str:
    return clipped(well_formed(task_id), _SHOWN_ID)
