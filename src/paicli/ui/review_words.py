"""What a line typed at a plan's review means in line mode. A pure function."""

import re
from enum import StrEnum
from typing import NamedTuple


class ReviewAct(StrEnum):
    EXECUTE = "execute"
    VIEW = "view"
    CANCEL = "cancel"
    LEAVE = "leave"
    """Cancel the plan and leave."""
    REVISE = "revise"
    UNKNOWN = "unknown"
    """Another `/word`."""


class ReviewAnswer(NamedTuple):
    act: ReviewAct
    text: str = ""
    """The feedback of REVISE, the word of UNKNOWN."""


_WORDS = {
    "": ReviewAct.EXECUTE,
    "y": ReviewAct.EXECUTE,
    "yes": ReviewAct.EXECUTE,
    "run": ReviewAct.EXECUTE,
    "/view": ReviewAct.VIEW,
    "cancel": ReviewAct.CANCEL,
    "esc": ReviewAct.CANCEL,
    "/cancel": ReviewAct.CANCEL,
    "/exit": ReviewAct.LEAVE,
    "/quit": ReviewAct.LEAVE,
}
_COMMAND = re.compile(r"/\w[\w:-]*(?=\s|$)")


def review_answer(line: str | None) -> ReviewAnswer:
    """`line` None is the end of input: it cancels."""
    if line is None:
        return ReviewAnswer(ReviewAct.CANCEL)
    text = line.strip()
    act = _WORDS.get(text.lower())
    if act is not None:
        return ReviewAnswer(act)
    command = _COMMAND.match(text)
    return ReviewAnswer(ReviewAct.UNKNOWN, command[0]) if command else ReviewAnswer(ReviewAct.REVISE, text)
