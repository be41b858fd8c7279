"""What the reviews of one turn share: the person's words, what was allowed, and how many denials stand in a row."""

import threading

from paicli.core.event_bodies.person import QuestionAnswered
from paicli.core.event_bodies.plans import PlanCreated, PlanReviewed, PlanStarted
from paicli.core.events import Event, QueueTaken, TextQueued, TurnStarted
from paicli.core.ops import TurnKind

DENIALS_UNTIL_ASKED = 3

_WITHOUT_WORDS = frozenset({TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME, TurnKind.SHELL, TurnKind.COMPACT})
"""Turns whose text is no request of the person's: a stored plan's JSON, a command."""
_PLANS = frozenset({TurnKind.PLAN, TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME})
_BY_STORED_GOAL = frozenset({TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME})


class TurnReviews:
    """The record of one turn: a ReAct turn, or a whole plan with its replans and parallel tasks. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._words: list[str] = []
        self._allowed: set[str] = set()
        self._denied_in_row = 0

    @property
    def words(self) -> tuple[str, ...]:
        """What the person said in this turn, in order."""
        with self._lock:
            return tuple(self._words)

    def note_words(self, text: str) -> None:
        with self._lock:
            if text.strip() and text not in self._words:
                self._words.append(text)

    def has_allowed(self, key: str) -> bool:
        """Whether the identical call was allowed; an answer by yes starts the count anew."""
        with self._lock:
            is_known = key in self._allowed
            if is_known:
                self._denied_in_row = 0
            return is_known

    def note_allowed(self, key: str) -> None:
        with self._lock:
            self._allowed.add(key)
            self._denied_in_row = 0

    def note_denied(self) -> bool:
        """Returns True for each third denial in a row: it is the person's to decide, and the count starts anew."""
        with self._lock:
            self._denied_in_row += 1
            is_persons = self._denied_in_row == DENIALS_UNTIL_ASKED
            if is_persons:
                self._denied_in_row = 0
            return is_persons


class SessionReviews:
    """A listener that hears what the person says, and keeps the record of the turn that runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[str, TurnReviews] = {}
        self._kind, self._turn_id = TurnKind.REACT, ""

    def __call__(self, event: Event) -> None:
        turn_id = event.origin.turn_id
        match event.body:
            case TurnStarted(kind, text):
                with self._lock:
                    self._turns = {turn_id: TurnReviews()}
                self._kind, self._turn_id = kind, turn_id
                if kind not in _WITHOUT_WORDS:
                    self.of_turn(turn_id).note_words(text)
            case TextQueued(text) if self._kind in _PLANS:  # a plan never takes it in: it starts the next turn
                self.of_turn(self._turn_id).note_words(text)
            case QueueTaken(texts, "turn"):
                for text in texts:
                    self.of_turn(turn_id).note_words(text)
            case PlanReviewed(feedback=text, by="user") | QuestionAnswered(answer=text, by="user"):
                self.of_turn(turn_id).note_words(text)
            case PlanCreated(view) | PlanStarted(view) if self._kind in _BY_STORED_GOAL:
                self.of_turn(turn_id).note_words(view.goal)
            case _:  # the other events bring no words of the person's
                pass

    def of_turn(self, turn_id: str) -> TurnReviews:
        """May be called from any thread."""
        with self._lock:
            return self._turns.setdefault(turn_id, TurnReviews())
