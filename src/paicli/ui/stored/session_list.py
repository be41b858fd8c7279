"""The list of this folder's sessions to go on with one of them: `/resume` without a name."""

from collections.abc import Callable

from paicli.core.catalogue.lookup import Texts
from paicli.ui.asking.row_choice import MARK_COLUMNS, RowChoice
from paicli.ui.command import GoOn
from paicli.ui.live.panels import Closed, Outcome, StillOpen
from paicli.ui.queries import SessionRow
from paicli.ui.rendering.styled import Line, Style, cut, fitted_rows, line, prose
from paicli.ui.stored.session_rows import choice_texts


class SessionListPanel:
    """Up and Down choose, Enter takes, ESC closes. The latest session other than the current one is chosen first."""

    request_id = ""
    starts_typing = False

    def __init__(self, rows: tuple[SessionRow, ...], texts: Texts, *, take: Callable[[GoOn], None]) -> None:
        """`rows`: at least one that is not the current session."""
        self._rows = tuple(row for row in rows if not row.is_current)
        self._texts = texts
        self._take = take
        self._choice = RowChoice(texts, len(self._rows))

    def record(self) -> list[Line]:
        return []

    def rows(self, columns: int, height: int) -> list[Line]:
        title = [line(cut(self._texts.screen("stored.choose"), columns), Style.BOLD)]
        (keys_line,) = prose(self._texts.screen("stored.choose_keys"), Style.ACCENT)
        keys = fitted_rows(keys_line, columns)
        shown = [cut(text, columns - MARK_COLUMNS) for text in choice_texts(self._rows, self._texts)]
        return [*title, *self._choice.rows(shown, height - len(title) - len(keys)), *keys]

    def press(self, key: str) -> Outcome:
        if key == "escape":
            return Closed()
        if key == "enter":
            self._take(GoOn(self._rows[self._choice.chosen].id))
            return Closed()
        self._choice.press(key)
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return
