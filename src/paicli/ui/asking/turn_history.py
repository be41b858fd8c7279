"""The earlier turns of this conversation, as a list of lines and by their numbers."""

import time
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import CompactionFinished, ConversationCleared, ConversationRewound, Event, TurnStarted
from paicli.core.ops import TurnKind
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.styled import Line, cut, line

_PLANNED = frozenset({TurnKind.PLAN, TurnKind.PLAN_ONLY})


class EarlierTurn(NamedTuple):
    turn_id: str
    time: float
    """When it began; seconds since the epoch, UTC."""
    text: str
    """As the person would type it."""


class TurnHistory:
    """Follows the conversation by its events."""

    def __init__(self) -> None:
        self.turns: list[EarlierTurn] = []
        """Oldest first."""
        self._compacting: EarlierTurn | None = None
        """It is listed once there is something to take back of it."""

    def accept(self, event: Event) -> None:
        match event.body:
            case TurnStarted(kind, text):
                turn = EarlierTurn(event.origin.turn_id, event.time, typed_form(kind, text))
                self._compacting = turn if kind is TurnKind.COMPACT else None
                self.turns += [] if kind in (TurnKind.PLAN_FILE, TurnKind.COMPACT) else [turn]
            case CompactionFinished(fault=None) if self._compacting is not None:
                self.turns.append(self._compacting)
                self._compacting = None
            case ConversationCleared():
                self.turns.clear()
            case ConversationRewound(before_turn):
                ids = [turn.turn_id for turn in self.turns]
                self.turns = self.turns[: ids.index(before_turn)] if before_turn in ids else self.turns
            case _:
                pass

    def numbered(self, number: str) -> EarlierTurn | None:
        """The turn of that number, counted from 1 as the list shows it."""
        is_number = number.isascii() and number.isdigit() and len(number) < 9
        return self.turns[int(number) - 1] if is_number and 1 <= int(number) <= len(self.turns) else None


def typed_form(kind: TurnKind, text: str) -> str:
    """What the person would type for such a turn."""
    if kind in _PLANNED:
        return f"/plan {text}"
    if kind is TurnKind.PLAN_RESUME:
        return "/plan resume"
    if kind is TurnKind.INIT:
        return f"/init {text}".rstrip()
    if kind is TurnKind.COMPACT:
        return f"/compact {text}".rstrip()
    return f"!{text}" if kind is TurnKind.SHELL else text


def turn_lines(history: TurnHistory, texts: Texts, columns: int) -> list[Line]:
    """Number, time, first line of each turn, oldest first, one row each."""
    digits = len(str(len(history.turns)))
    return [
        line(cut(_row(f"{number:>{digits}}", turn, texts), columns)) for number, turn in enumerate(history.turns, 1)
    ]


def _row(number: str, turn: EarlierTurn, texts: Texts) -> str:
    clock = time.strftime("%H:%M", time.localtime(turn.time))
    return texts.screen("rewind.turn", number=number, time=clock, text=one_line(turn.text, 500))
