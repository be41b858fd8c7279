"""What guards and rules answer: light types, so that nothing of the shell parser is loaded before the first command."""

from enum import StrEnum
from typing import NamedTuple


class VerdictKind(StrEnum):
    ALLOWED = "allowed"
    """Nothing speaks against it; a review or an approval may."""
    REFUSED = "refused"
    UNPARSED = "unparsed"
    """What it would do can't be told from its text: a review or a person has to look."""


class CommandVerdict(NamedTuple):
    """What the guard says to a command."""

    kind: VerdictKind
    reason: str = ""
    """Code of the catalogue, in the tables `model` and `screen`; its field is `matched`. Empty when allowed."""
    matched: str = ""
    """The part of the command it is about."""


class Match(StrEnum):
    """Whether a rule speaks of a command."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"
    """Part of the command is unknown, so it may be what the rule means."""
