"""From the text of a call's arguments to its validated model."""

from typing import TYPE_CHECKING, Any

from paicli.core.errors import ToolInputInvalid
from paicli.core.strict_json import JsonFault, parse_strict
from paicli.core.unicode import clipped
from paicli.tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import BaseModel


def parse_arguments(tool: Tool, text: str) -> "BaseModel":
    """Raises ToolInputInvalid that names the fault and the tool's fields; nothing is repaired."""
    from pydantic import ValidationError  # start-up: pydantic costs 100 ms and is first needed at the first call

    model = tool.arguments_model
    fields = ", ".join(model.model_fields)
    try:
        value: Any = parse_strict(text) if text.strip() else {}
    except JsonFault as fault:
        raise ToolInputInvalid(
            "tool.arguments_no_json",
            tool=tool.name,
            line=fault.line,
            column=fault.column,
            what=fault.reason,
            fields=fields,
        ) from None
    if not isinstance(value, dict):
        raise ToolInputInvalid("tool.arguments_no_object", tool=tool.name, fields=fields)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ToolInputInvalid("tool.arguments_invalid", tool=tool.name, what=_listed(error), fields=fields) from None


def _listed(error: Any) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    shown = (f"{'.'.join(map(str, fault['loc'])) or '-'}: {fault['msg']}" for fault in faults[:5])
    return clipped("; ".join(shown), 800)
