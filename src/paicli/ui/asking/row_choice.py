"""Which row of a list is chosen, and which rows are seen of a list that is longer than the screen."""

from collections.abc import Sequence

from paicli.core.catalogue.lookup import Texts
from paicli.ui.rendering.styled import Line, Style, line

MARK_COLUMNS = 2


class RowChoice:
    """Up, Down, PageUp, PageDown, Home and End move the choice."""

    def __init__(self, texts: Texts, count: int, *, chosen: int = 0) -> None:
        """`count`: rows of the list, at least one."""
        self._texts = texts
        self.chosen = chosen
        self._last = count - 1
        self._page = 1

    def press(self, key: str) -> None:
        """Any other key changes nothing."""
        steps = {"up": -1, "down": 1, "pageup": -self._page, "pagedown": self._page}
        if key in ("home", "end"):
            self.chosen = 0 if key == "home" else self._last
        self.chosen = max(0, min(self._last, self.chosen + steps.get(key, 0)))

    def rows(self, texts: Sequence[str], height: int) -> list[Line]:
        """`height` rows at most, the chosen one among them and marked. Of a longer list the last row says how much is
        not seen."""
        is_long = len(texts) > height > 1
        self._page = max(1, height - is_long)
        first = max(0, min(self.chosen - self._page // 2, len(texts) - self._page))
        shown = [choice_line(text, is_chosen=number == self.chosen) for number, text in enumerate(texts)]
        unseen = {"list.above": first, "list.below": len(texts) - first - self._page}
        notes = [self._texts.screen(code, count=count) for code, count in unseen.items() if count]
        note = [line("  " + " · ".join(notes), Style.DIM)] if is_long else []
        return [*shown[first : first + self._page], *note]


def choice_line(text: str, *, is_chosen: bool) -> Line:
    return line(("› " if is_chosen else "  ") + text, Style.ACCENT if is_chosen else Style.PLAIN)
