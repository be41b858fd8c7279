"""The boundary around what a tool brought: text inside is data, and can't close the boundary itself (SPEC 5.5)."""

import re

from paicli.core.messages import ToolCall

_LOOKALIKE = re.compile(r"<(?=\s*/?\s*tool_result\b)", re.IGNORECASE)
_TAG_CHARACTERS = re.compile("[\U000e0000-\U000e007f]")
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_.:-]")


def wrap_untrusted(call: ToolCall, content: str) -> str:
    """`content` inside `<tool_result …>`; look-alikes are defanged, invisible tag characters taken out and counted."""
    shown, hidden = _TAG_CHARACTERS.subn("", _LOOKALIKE.sub("&lt;", content))
    note = f' hidden_characters_removed="{hidden}"' if hidden else ""
    name, call_id = _NOT_A_NAME.sub("_", call.name), _NOT_A_NAME.sub("_", call.id)
    return f'<tool_result tool="{name}" call_id="{call_id}" trust="untrusted"{note}>\n{shown}\n</tool_result>'
