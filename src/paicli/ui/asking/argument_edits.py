"""A call's arguments as text that a person can change in place, and back."""

import json
from typing import NamedTuple

from paicli.core.strict_json import JsonFault, parse_strict
from paicli.ui.rendering.tool_lines import parsed_arguments
from paicli.ui.sanitize import hidden_count


class WrongText(NamedTuple):
    """Why the text is no arguments: a text of the catalogue."""

    code: str
    fields: tuple[tuple[str, str], ...] = ()


class ArgumentEdit:
    """For a command the command alone, for anything else the JSON object."""

    def __init__(self, arguments: str) -> None:
        """`arguments`: JSON text."""
        self._arguments = arguments
        self._values = parsed_arguments(arguments)
        command = self._values.get("command")
        # A command is edited as it is only when nothing in it is invisible.
        is_visible = isinstance(command, str) and not hidden_count(command) and command.isprintable()
        self._command = command if isinstance(command, str) and is_visible else ""

    @property
    def text(self) -> str:
        """What the person starts from."""
        if self._command:
            return self._command
        if not self._values:
            return self._arguments
        as_is = json.dumps(self._values, ensure_ascii=False, indent=2)
        return json.dumps(self._values, indent=2) if hidden_count(as_is) else as_is

    def arguments_of(self, text: str) -> str | WrongText:
        """The changed text as JSON arguments; whether they fit the tool is not looked at."""
        if self._command:
            return json.dumps(self._values | {"command": text}, ensure_ascii=False)
        try:
            is_object = isinstance(parse_strict(text), dict)
        except JsonFault as fault:
            place = (("line", str(fault.line)), ("column", str(fault.column)), ("what", fault.reason))
            return WrongText("approval.edit_no_json", place)
        return text if is_object else WrongText("approval.edit_no_object")
