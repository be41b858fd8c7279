"""The shape of a plan's JSON, for servers that hold a reply to a schema while it is written.

It narrows what the parser takes and never widens it: ids, edges and cycles are checked there as before.
"""

from typing import Any

from paicli.core.plan_view import TaskType
from paicli.plan.parser import MAX_TASKS

_TEXT = {"type": "string"}
_TASK = {
    "id": _TEXT,
    "description": _TEXT,
    "type": {"type": "string", "enum": [kind.value for kind in TaskType]},
    "dependencies": {"type": "array", "items": _TEXT},
}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    """All fields required and no others: what strict servers ask for."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_TASKS = {"type": "array", "items": _object(_TASK), "minItems": 1, "maxItems": MAX_TASKS}
PLAN_SCHEMA = _object({"summary": _TEXT, "tasks": _TASKS})
