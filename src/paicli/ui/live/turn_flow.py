"""Whether a turn runs, as far as the terminal knows: one that was submitted does before the engine says so."""

from collections.abc import Callable

from paicli.core.events import Event, QueueTaken, TurnFinished, TurnStarted
from paicli.core.ops import Cancel, Op, RunShell, Submit

AFTER_CANCEL_S = 1.0
"""Ctrl+C presses this soon after a cancel don't count towards leaving."""


class TurnFlow:
    """Belongs to the terminal's thread."""

    def __init__(self, submit: Callable[[Op], None], clock: Callable[[], float]) -> None:
        self._submit = submit
        self._clock = clock
        self._submitted = 0
        """Turns that were submitted and have not started."""
        self._is_active = False
        self._wants_cancel = False
        """A cancel came before the turn had started: it is sent again when it does."""
        self._cancelled_at = float("-inf")
        self._is_echoed = False
        """The next turn's text stands on the screen already, though nobody submitted it here."""

    @property
    def is_running(self) -> bool:
        return self._is_active or self._submitted > 0

    @property
    def was_just_cancelled(self) -> bool:
        return self._clock() - self._cancelled_at < AFTER_CANCEL_S

    def begin(self, op: Submit | RunShell) -> None:
        self._submitted += 1
        self._submit(op)

    def cancel(self) -> None:
        self.note_cancel()
        self._wants_cancel = not self._is_active
        self._submit(Cancel())

    def note_cancel(self) -> None:
        """Another op cancels the turn."""
        self._cancelled_at = self._clock()

    def accept(self, event: Event) -> str:
        """What the person typed for a turn that begins, where it has not been shown yet: it was queued too late for the
        turn before; else nothing."""
        match event.body:
            case TurnStarted(text=text):
                is_shown, self._is_echoed = self._is_echoed or self._submitted > 0, False
                self._is_active, self._submitted = True, max(0, self._submitted - 1)
                if self._wants_cancel:
                    self._wants_cancel = False
                    self._submit(Cancel())
                return "" if is_shown else text
            case TurnFinished():
                self._is_active = False
            case QueueTaken(into="next_turn"):
                self._is_echoed = True
            case _:
                pass
        return ""
