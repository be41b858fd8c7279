"""What the runner of commands asks of a sandbox."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol


class ConfinedCommand(NamedTuple):
    """How a command is started."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    holder: str = ""
    """The program whose own process stays as long as one of the command's lives; empty: there is none such."""


class Confine(Protocol):
    def __call__(self, words: Sequence[str], environment: Mapping[str, str], *, cwd: Path) -> ConfinedCommand:
        """Raises ToolFailed where it can't be confined."""
        ...
