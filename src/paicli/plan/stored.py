"""A plan as JSON text: for a file that `paicli run` takes, and for the planner that shall change it."""

import json
from typing import Any

from paicli.core.plan_view import PlanView


def stored_plan(view: PlanView) -> str:
    """Goal, summary and tasks, indented, ending in a newline; `parse_stored_plan` reads it back."""
    return json.dumps({"goal": view.goal, **_described(view)}, ensure_ascii=False, indent=2) + "\n"


def plan_for_model(view: PlanView) -> str:
    """Summary and tasks on one line, in the shape the planner is asked for."""
    return json.dumps(_described(view), ensure_ascii=False)


def _described(view: PlanView) -> dict[str, Any]:
    return {
        "summary": view.summary,
        "tasks": [
            {
                "id": task.id,
                "description": task.description,
                "type": task.type.value,
                "dependencies": list(task.dependencies),
            }
            for task in view.tasks
        ],
    }
