import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from paicli.core.plan_view import TaskType
from paicli.plan.parser import parse_plan
from paicli.plan.reply_schema import PLAN_SCHEMA
from tests.random_examples import examples


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a server that keeps to the schema may write."""
    match schema:
        case {"enum": choices}:
            return st.sampled_from(choices)
        case {"type": "object", "properties": fields, "required": required, "additionalProperties": False}:
            assert required == list(fields)
            return st.fixed_dictionaries({name: values(field) for name, field in fields.items()})
        case {"type": "array", "items": items}:
            return st.lists(
                values(items), min_size=schema.get("minItems", 0), max_size=min(schema.get("maxItems", 3), 4)
            )
        case {"type": "string"}:
            return st.sampled_from(["task_1", "甲"])
        case _:
            raise AssertionError(schema)


@given(values(PLAN_SCHEMA))
@examples(60)
def test_what_the_schema_lets_through_is_a_plan_but_for_its_ids_and_edges(stated: dict[str, Any]) -> None:
    for number, task in enumerate(stated["tasks"]):
        task["id"], task["dependencies"] = f"t{number}", [f"t{other}" for other in range(number)]
    plan = parse_plan(json.dumps(stated), goal="目标", plan_id="p1")
    assert [(task.description, task.type) for task in plan.view().tasks] == [
        (task["description"], TaskType(task["type"])) for task in stated["tasks"]
    ]
