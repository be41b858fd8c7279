"""The list of earlier turns to go back to (ESC ESC, `/rewind`), then the question what goes back."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.ops import Rewind, RewindScope
from paicli.ui.asking.row_choice import MARK_COLUMNS, RowChoice, choice_line
from paicli.ui.asking.turn_history import EarlierTurn, TurnHistory, turn_lines
from paicli.ui.live.panels import Closed, Decided, Outcome, StillOpen
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.styled import Line, Style, fitted_rows, line, prose

_SCOPES = {"c": RewindScope.CONVERSATION, "f": RewindScope.FILES, "b": RewindScope.BOTH}


class TurnListPanel:
    """Up and Down choose, Enter takes, ESC goes one step back. The latest turn is chosen first."""

    request_id = ""
    starts_typing = False

    def __init__(self, history: TurnHistory, texts: Texts, turn: EarlierTurn | None = None) -> None:
        """`turn` given: only what goes back is asked."""
        self._history = history
        self._texts = texts
        self._choice = RowChoice(texts, len(history.turns), chosen=len(history.turns) - 1)
        self._turn = turn
        self._has_list = turn is None
        self._scope = 0

    def record(self) -> list[Line]:
        return []

    def rows(self, columns: int, height: int) -> list[Line]:
        if self._turn is not None:
            return self._scope_rows(self._turn, columns)
        title = [line(self._texts.screen("rewind.title"), Style.BOLD)]
        (keys_line,) = prose(self._texts.screen("rewind.keys"), Style.ACCENT)
        keys = fitted_rows(keys_line, columns)
        rows = [row.text for row in turn_lines(self._history, self._texts, columns - MARK_COLUMNS)]
        return [*title, *self._choice.rows(rows, height - len(title) - len(keys)), *keys]

    def press(self, key: str) -> Outcome:
        if self._turn is not None:
            return self._press_scope(key, self._turn)
        if key == "escape":
            return Closed()
        if key == "enter":
            self._turn = self._history.turns[self._choice.chosen]
        self._choice.press(key)
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return

    def _scope_rows(self, turn: EarlierTurn, columns: int) -> list[Line]:
        title = line(self._texts.screen("rewind.scope_title", text=one_line(turn.text, columns - 20)), Style.BOLD)
        shown = [
            choice_line(self._texts.screen(f"rewind.scope_{scope}"), is_chosen=number == self._scope)
            for number, scope in enumerate(_SCOPES.values())
        ]
        keys = prose(self._texts.screen("rewind.scope_keys"), Style.ACCENT)
        return [row for text in (title, *shown, *keys) for row in fitted_rows(text, columns)]

    def _press_scope(self, key: str, turn: EarlierTurn) -> Outcome:
        if key == "escape":
            self._turn = None
            return StillOpen() if self._has_list else Closed()
        if key == "enter":
            return Decided(Rewind(turn.turn_id, list(_SCOPES.values())[self._scope]))
        if key.lower() in _SCOPES:
            return Decided(Rewind(turn.turn_id, _SCOPES[key.lower()]))
        step = {"up": -1, "down": 1}.get(key, 0)
        self._scope = (self._scope + step) % len(_SCOPES)
        return StillOpen()
