"""What a panel over the prompt is, and the panel of a plan's review."""

import re
from typing import NamedTuple, Protocol

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.ops import (
    AbandonPlan,
    AnswerQuestion,
    Cancel,
    DecideApproval,
    DecideReview,
    RestoreFiles,
    ReviewDecision,
    Rewind,
    Submit,
    UndoTurns,
)
from paicli.ui.rendering.plan_lines import folded, unfolded
from paicli.ui.rendering.renderer import echo_lines
from paicli.ui.rendering.styled import Line, Style, as_prose, fitted_rows, line, lines

_SILENT_KEY = re.compile(
    r"(?:c-|s-|c-s-)*(?:up|down|left|right|home|end|insert|delete|pageup|pagedown|f\d+|tab)|<(?!bracketed).*>"
)
"""Arrow and function keys do nothing."""

TYPING_PART = 2
"""While an answer is typed, a panel leaves this part of its height to the input."""


class Decided(NamedTuple):
    """The panel is done; `said` stands below its record."""

    op: (
        DecideApproval
        | DecideReview
        | AnswerQuestion
        | Rewind
        | RestoreFiles
        | UndoTurns
        | Submit
        | AbandonPlan
        | Cancel
    )
    said: tuple[Line, ...] = ()


class WantsText(NamedTuple):
    """The input line is the panel's for one answer; it comes by `take_text`, or `stop_text` ends it."""

    prompt_code: str
    prefilled: str = ""


class StillOpen(NamedTuple):
    """Nothing decided; the panel may look different now."""


class Closed(NamedTuple):
    """The person put it away without an answer; `said` stands above the prompt."""

    said: tuple[Line, ...] = ()


Outcome = Decided | WantsText | StillOpen | Closed


class Panel(Protocol):
    request_id: str
    """Empty: nobody waits for it."""
    starts_typing: bool
    """Keys that come in a burst are the beginning of an answer, and no paste to be turned away."""

    def record(self) -> list[Line]:
        """What stays above the prompt once the question is answered."""
        ...

    def rows(self, columns: int, height: int) -> list[Line]:
        """The panel as it stands now, at most `height` rows."""
        ...

    def press(self, key: str) -> Outcome:
        """`key` is a name of prompt_toolkit (`enter`, `escape`, `c-o`, `pageup`), a character, or `paste`."""
        ...

    def take_text(self, text: str) -> Outcome:
        """What was typed after `WantsText`, stripped."""
        ...

    def stop_text(self) -> None:
        """The person went back without an answer."""
        ...


class Scroll:
    """A window over lines that may be more than fit; says how much is above and below."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._top = 0
        self._height = 1

    def press(self, key: str) -> bool:
        steps = {"pagedown": self._height, "pageup": -self._height}
        if key in steps:
            self._top = max(0, self._top + steps[key])
        return key in steps

    def reveal(self, row: int) -> None:
        """Moves so that this row, counted from 0, is inside."""
        self._top = max(row - self._height + 1, min(self._top, row))

    def rows(self, whole: list[Line], height: int) -> list[Line]:
        if len(whole) <= height:
            self._top = 0
            return whole
        self._height = max(1, height - 2)
        self._top = min(self._top, len(whole) - self._height)
        below = len(whole) - self._top - self._height
        above = [self._note("approval.more_above", self._top)] if self._top else []
        return [
            *above,
            *whole[self._top : self._top + self._height],
            *([self._note("approval.more_below", below)] if below else []),
        ]

    def _note(self, code: str, count: int) -> Line:
        return line(self._texts.screen(code, count=count), Style.WARNING)


def framed(whole: list[Line], bottom: list[Line], scroll: Scroll, *, columns: int, height: int) -> list[Line]:
    """`whole` in a window above `bottom`, which is always there, in words of ours."""
    kept = [row for text in as_prose(bottom) for row in fitted_rows(text, columns)][-max(1, height - 1) :]
    rows = [row for text in whole for row in fitted_rows(text, columns)]
    return [*scroll.rows(rows, max(3, height - len(kept))), *kept]


class ReviewPanel:
    """Enter executes, Ctrl+O unfolds, ESC folds or cancels, I changes the plan."""

    starts_typing = False

    def __init__(self, request: PlanReviewRequested, texts: Texts) -> None:
        self.request_id = request.request_id
        self._request = request
        self._texts = texts
        self._is_unfolded = False
        self._hint: list[Line] = []
        self._scroll = Scroll(texts)

    def record(self) -> list[Line]:
        return folded(self._request.view, self._request.changes, self._texts)

    def rows(self, columns: int, height: int) -> list[Line]:
        keys = [*lines(self._texts.screen("plan.review.created")), *self._hint]
        whole = unfolded(self._request.view, self._texts) if self._is_unfolded else self.record()
        return framed(whole, keys, self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        self._hint = []
        match key:
            case "enter":
                return self._decide(ReviewDecision.EXECUTE)
            case "escape" if not self._is_unfolded:
                return self._decide(ReviewDecision.CANCEL)
            case "escape" | "c-o":
                self._is_unfolded = key == "c-o"
            case "i" | "I":
                return WantsText("plan.review.feedback_prompt")
            case _:
                if not self._scroll.press(key) and not is_silent(key):
                    self._hint = [line(self._texts.screen("plan.review.other_key"), Style.WARNING)]
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        if not text:
            return StillOpen()  # back to the review
        op = DecideReview(self.request_id, ReviewDecision.REVISE, text)
        return Decided(op, tuple(echo_lines(text, self._texts)))

    def stop_text(self) -> None:
        return

    def _decide(self, decision: ReviewDecision) -> Decided:
        return Decided(DecideReview(self.request_id, decision))


def is_silent(key: str) -> bool:
    """An arrow, a function key, a mouse report: no answer, and no mistake either."""
    return bool(_SILENT_KEY.fullmatch(key))
