"""Who let a call run, or kept it from running."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import BaseModel


class DecidedBy(StrEnum):
    """Values of `ToolFinished.decided_by`."""

    MODE = "mode"
    """The mode lets it run without a question."""
    RULE = "rule"
    GRANT = "grant"
    """The person allowed all of its kind before."""
    PLAIN_READING = "plain_reading"
    REVIEWER = "reviewer"
    CACHE = "cache"
    """The reviewer allowed the identical call earlier in this turn."""
    USER = "user"
    NOBODY = "nobody"
    """A person was needed and none was there."""
    GUARD = "guard"
    POLICY = "policy"
    """The person's own words of this turn forbid it."""


@dataclass(slots=True)
class Decision:
    """Filled in while a call is decided on; what stands here when it ends is who decided."""

    by: str = ""
    """A `DecidedBy`, or another's word that answers in the person's place; empty: it never came to that."""


class Permitted(NamedTuple):
    arguments: "BaseModel"
    """To run with: the model's, or the person's own."""
    is_edited: bool = False
