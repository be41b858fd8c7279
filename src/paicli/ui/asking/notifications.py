"""Calls a person back who looks elsewhere: a bell, and OSC 9 where the terminal shows notifications."""

from collections.abc import Callable

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAsked
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.events import ApprovalRequested, Event, TurnFinished, TurnStarted, TurnStatus
from paicli.ui.facts import NotifyBy

LONG_TURN_S = 10.0
"""The end of a shorter turn is no news: the person is still there."""
_BELL = "\a"


class Notifications:
    """`ring` writes to the terminal as it is; the texts are the catalogue's own, nothing foreign is in them."""

    def __init__(self, by: NotifyBy, texts: Texts, ring: Callable[[str], None], *, clock: Callable[[], float]) -> None:
        self._by = by
        self._texts = texts
        self._ring = ring
        self._clock = clock
        self._since: float | None = None

    def accept(self, event: Event) -> None:
        match event.body:
            case TurnStarted():
                self._since = self._clock()
            case TurnFinished(status):
                began, self._since = self._since, None
                if began is not None and self._clock() - began > LONG_TURN_S and status is not TurnStatus.CANCELLED:
                    self._notify("notify.failed" if status is TurnStatus.FAILED else "notify.done")
            case ApprovalRequested():
                self._notify("notify.approval")
            case QuestionAsked():
                self._notify("notify.question")
            case PlanReviewRequested():
                self._notify("notify.review", is_short_wait=self._has_just_begun())
            case _:
                pass

    def _has_just_begun(self) -> bool:
        """Of a plan that comes at once the person sees the review come."""
        return self._since is not None and self._clock() - self._since <= LONG_TURN_S

    def _notify(self, code: str, *, is_short_wait: bool = False) -> None:
        if self._by is NotifyBy.OFF or is_short_wait:
            return
        shown = f"\x1b]9;{self._texts.screen(code)}\x1b\\" if self._by is NotifyBy.ALL else ""
        self._ring(_BELL + shown)
