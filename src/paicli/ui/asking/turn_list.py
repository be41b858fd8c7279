"""The list of earlier turns to go back to (ESC ESC, `/rewind`)."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.ops import Rewind
from paicli.ui.asking.turn_history import TurnHistory, turn_lines
from paicli.ui.live.panels import Closed, Decided, Outcome, StillOpen
from paicli.ui.rendering.styled import Line, Style, line, wrapped


class TurnListPanel:
    """Up and Down choose, Enter goes back, ESC closes. The latest turn is chosen first."""

    request_id = ""
    starts_typing = False

    def __init__(self, history: TurnHistory, texts: Texts) -> None:
        self._history = history
        self._texts = texts
        self._chosen = len(history.turns) - 1
        self._page = 1

    def record(self) -> list[Line]:
        return []

    def rows(self, columns: int, height: int) -> list[Line]:
        title = [line(self._texts.screen("rewind.title"), Style.BOLD)]
        keys = wrapped(line(self._texts.screen("rewind.keys"), Style.ACCENT), columns)
        self._page = max(1, height - len(title) - len(keys))
        rows = turn_lines(self._history, self._texts, columns - 2)
        first = max(0, min(self._chosen - self._page // 2, len(rows) - self._page))
        shown = [
            line(("› " if number == self._chosen else "  ") + row.text, self._style(number))
            for number, row in enumerate(rows)
        ]
        return [*title, *shown[first : first + self._page], *keys]

    def press(self, key: str) -> Outcome:
        steps = {"up": -1, "down": 1, "pageup": -self._page, "pagedown": self._page}
        last = len(self._history.turns) - 1
        if key == "escape":
            return Closed()
        if key == "enter":
            return Decided(Rewind(self._history.turns[self._chosen].turn_id))
        if key in ("home", "end"):
            self._chosen = 0 if key == "home" else last
        self._chosen = max(0, min(last, self._chosen + steps.get(key, 0)))
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return

    def _style(self, number: int) -> Style:
        return Style.ACCENT if number == self._chosen else Style.PLAIN
