"""What was printed in part: thinking, diffs, long output. Ctrl+O prints the last of it whole, then the one before."""

from collections import deque

from paicli.core.catalogue.lookup import Texts
from paicli.ui.rendering.styled import Line, Style, line

KEPT = 50
"""So many folded things are remembered."""


class FoldShelf:
    """Holds whole texts whose beginnings stand on the screen."""

    def __init__(self) -> None:
        self._whole: deque[list[Line]] = deque(maxlen=KEPT)

    def put(self, whole: list[Line]) -> None:
        self._whole.append(whole)

    def unfold(self) -> list[Line]:
        """The last that was folded and not asked for yet; empty when there is none."""
        return self._whole.pop() if self._whole else []


def fold_note(left: int, texts: Texts, *, shelf: FoldShelf | None) -> Line:
    """The line below what is shown of something; without a shelf there is no key to name."""
    code = "tool.diff_folded_lines" if shelf is None else "tool.diff_folded"
    return line(texts.screen(code, count=left), Style.DIM)


def folded_at(whole: list[Line], limit: int, texts: Texts, *, shelf: FoldShelf | None) -> list[Line]:
    """At most `limit` lines of `whole`; the rest waits on the shelf."""
    left = len(whole) - limit
    if left <= 0:
        return whole
    if shelf is not None:
        shelf.put(whole)
    return [*whole[:limit], fold_note(left, texts, shelf=shelf)]
