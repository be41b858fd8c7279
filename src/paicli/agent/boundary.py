"""The boundary around what a tool brought: text inside is data, and can't close the boundary itself."""

import re
from functools import cache

from paicli.core.messages import ToolCall
from paicli.core.unicode import unseen_count, without_tags

_UNSEEN = r"\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
"""What a reader, human or model, does not see between two letters."""
_GAP = rf"[\s{_UNSEEN}]*+"
"""Possessive: a page of blanks after a "<" would otherwise be split in two in every possible way."""
_NOT_A_NAME = re.compile(r"[^A-Za-z0-9_.:-]")


@cache
def _lookalike() -> re.Pattern[str]:
    # compiled with the first result: 3 ms that no prompt and no first request needs
    name = f"[{_UNSEEN}]*+".join("tool_result")
    return re.compile(rf"[<\uff1c](?={_GAP}/?+{_GAP}{name}\b)", re.IGNORECASE)


def wrap_untrusted(call: ToolCall, content: str) -> str:
    """`content` inside `<tool_result …>`; look-alikes are defanged, invisible tag characters taken out and counted.

    Other characters nobody sees are counted and stay: a file with Arabic or Hebrew text is edited byte for byte.
    """
    visible, hidden = without_tags(content)
    unseen = unseen_count(visible)
    # After the tag characters: taken out of a look-alike, they leave a real one.
    shown = _lookalike().sub("&lt;", visible)
    note = f' hidden_characters_removed="{hidden}"' if hidden else ""
    note += f' invisible_characters="{unseen}"' if unseen else ""
    name, call_id = _NOT_A_NAME.sub("_", call.name), _NOT_A_NAME.sub("_", call.id)
    return f'<tool_result tool="{name}" call_id="{call_id}" trust="untrusted"{note}>\n{shown}\n</tool_result>'
