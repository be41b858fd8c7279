"""The person's own commands: a name, and a text with places for arguments."""

import re
import shlex
from typing import NamedTuple

_PLACE = re.compile(r"\$(?:ARGUMENTS\b|([1-9]))")


class CustomCommand(NamedTuple):
    """`~/.paicli/commands/NAME.md`."""

    name: str
    description: str
    body: str

    @property
    def takes_arguments(self) -> bool:
        return bool(_PLACE.search(self.body))

    def filled(self, arguments: str) -> str:
        """The text to send: each place filled once, what was filled in is not looked at again.

        `$ARGUMENTS` is all of it, `$1` … `$9` its words (quotes hold words together), "" where there are too few. A
        text without places gets the arguments at its end.
        """
        words = _words(arguments)

        def fill(place: re.Match[str]) -> str:
            if place[1] is None:
                return arguments
            number = int(place[1])
            return words[number - 1] if number <= len(words) else ""

        if arguments and not self.takes_arguments:
            return f"{self.body}\n\n{arguments}"
        return _PLACE.sub(fill, self.body).strip()


def _words(arguments: str) -> list[str]:
    try:
        return shlex.split(arguments)
    except ValueError:  # a quote that is never closed is a character like any other
        return arguments.split()
