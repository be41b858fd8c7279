"""The JSON schemas of all tools' arguments: built from their pydantic models once, stored with the package.

Building them at each start would cost the import of pydantic and about 50 ms for the models. `make schemas` writes the
file anew; a test compares it with the models.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from paicli.tools.tool import Tool

STORED = Path(__file__).with_name("schemas.json")

_LEFT_OUT = frozenset({"title", "additionalProperties", "maxLength", "minLength", "pattern"})
"""Checked by the models all the same; a model need not read them, and some servers don't know them."""


def load_schemas() -> dict[str, dict[str, Any]]:
    """name → object schema, as stored."""
    return json.loads(STORED.read_bytes())


def build_schemas(tools: Iterable[Tool]) -> dict[str, dict[str, Any]]:
    """name → object schema, from the models: without titles and null variants, references resolved in place."""
    return {tool.name: _schema_of(tool) for tool in tools}


def _schema_of(tool: Tool) -> dict[str, Any]:
    schema = tool.arguments_model.model_json_schema()
    definitions: dict[str, Any] = schema.pop("$defs", {})
    compact = _compact(schema, definitions)
    compact.pop("description", None)
    return compact


def _compact(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_compact(item, definitions) for item in cast(list[Any], node)]
    if not isinstance(node, dict):
        return node
    fields = cast(dict[str, Any], node)
    if "$ref" in fields:
        return _compact(definitions[fields["$ref"].rsplit("/", 1)[1]], definitions)
    variants = [variant for variant in fields.get("anyOf", []) if variant != {"type": "null"}]
    if len(variants) == 1:  # an optional field: absent says it, null need not
        return _compact(
            {**{k: v for k, v in fields.items() if k not in {"anyOf", "default"}}, **variants[0]}, definitions
        )
    return {
        name: {key: _compact(value, definitions) for key, value in item.items()}
        if name == "properties"
        else _compact(item, definitions)
        for name, item in fields.items()
        if name not in _LEFT_OUT and not (name == "default" and item is None)
    }
