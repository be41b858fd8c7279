"""Questions of the engine that keys answer: a plan's review and a call's approval. Each is a small state machine."""

import re
from typing import ClassVar, NamedTuple, Protocol

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import ApprovalRequested, Event
from paicli.core.ops import ApprovalDecision, DecideApproval, DecideReview, ReviewDecision
from paicli.core.plan_events import PlanReviewRequested
from paicli.ui.rendering.approval_lines import UNREADABLE_LIMIT, approval_lines, keys_line
from paicli.ui.rendering.plan_lines import folded, unfolded
from paicli.ui.rendering.styled import Line, Style, line, lines, wrapped

_SILENT_KEY = re.compile(
    r"(?:c-|s-|c-s-)*(?:up|down|left|right|home|end|insert|delete|pageup|pagedown|f\d+|tab)|<(?!bracketed).*>"
)
"""Arrow and function keys do nothing (SPEC 3.4)."""


class Decided(NamedTuple):
    """The question is answered."""

    op: DecideApproval | DecideReview


class WantsFeedback(NamedTuple):
    """The person wants to say what to change in the plan."""


class StillOpen(NamedTuple):
    """Nothing decided; the panel may look different now."""


Outcome = Decided | WantsFeedback | StillOpen


class Panel(Protocol):
    request_id: str

    def record(self) -> list[Line]:
        """What stays above the prompt once the question is answered."""
        ...

    def rows(self, columns: int, height: int) -> list[Line]:
        """The panel as it stands now, at most `height` rows."""
        ...

    def press(self, key: str) -> Outcome:
        """`key` is a name of prompt_toolkit (`enter`, `escape`, `c-o`, `pageup`) or a character."""
        ...


class _Scroll:
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


class ReviewPanel:
    """Enter executes, Ctrl+O unfolds, ESC folds or cancels, I changes the plan."""

    def __init__(self, request: PlanReviewRequested, texts: Texts) -> None:
        self.request_id = request.request_id
        self._request = request
        self._texts = texts
        self._is_unfolded = False
        self._hint: list[Line] = []
        self._scroll = _Scroll(texts)

    def record(self) -> list[Line]:
        return folded(self._request.view, self._request.changes, self._texts)

    def rows(self, columns: int, height: int) -> list[Line]:
        keys = [*lines(self._texts.screen("plan.review.created")), *self._hint]
        bottom = [row for text in keys for row in wrapped(text, columns)]
        whole = unfolded(self._request.view, self._texts) if self._is_unfolded else self.record()
        rows = [row for text in whole for row in wrapped(text, columns)]
        return [*self._scroll.rows(rows, max(3, height - len(bottom))), *bottom]

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
                return WantsFeedback()
            case _:
                if not self._scroll.press(key) and not is_silent(key):
                    self._hint = [line(self._texts.screen("plan.review.other_key"), Style.WARNING)]
        return StillOpen()

    def _decide(self, decision: ReviewDecision) -> Decided:
        return Decided(DecideReview(self.request_id, decision))


class ApprovalPanel:
    """y or Enter allows, a allows all of the same, n refuses, s skips, ESC cancels the turn."""

    _DECISIONS: ClassVar[dict[str, ApprovalDecision]] = {
        "y": ApprovalDecision.ALLOW,
        "enter": ApprovalDecision.ALLOW,
        "a": ApprovalDecision.ALLOW_SESSION,
        "n": ApprovalDecision.DENY,
        "s": ApprovalDecision.SKIP,
        "escape": ApprovalDecision.CANCEL,
    }

    def __init__(self, event: Event, request: ApprovalRequested, texts: Texts) -> None:
        self.request_id = request.request_id
        self._lines = approval_lines(event, request, texts)
        self._keys = keys_line(request, texts)
        self._texts = texts
        self._unreadable = 0
        self._scroll = _Scroll(texts)

    def record(self) -> list[Line]:
        return self._lines

    def rows(self, columns: int, height: int) -> list[Line]:
        keys = [self._keys]
        if self._unreadable:
            keys.append(line(self._texts.screen("approval.unreadable", count=self._unreadable), Style.WARNING))
        bottom = [row for text in keys for row in wrapped(text, columns)]
        rows = [row for text in self._lines for row in wrapped(text, columns)]
        return [*self._scroll.rows(rows, max(3, height - len(bottom))), *bottom]

    def press(self, key: str) -> Outcome:
        decision = self._DECISIONS.get(key.lower())
        if decision is None and not self._scroll.press(key) and not is_silent(key):
            self._unreadable += 1
            if self._unreadable >= UNREADABLE_LIMIT:
                decision = ApprovalDecision.DENY
        return Decided(DecideApproval(self.request_id, decision)) if decision else StillOpen()


def is_silent(key: str) -> bool:
    """An arrow, a function key, a mouse report: no answer, and no mistake either."""
    return bool(_SILENT_KEY.fullmatch(key))
