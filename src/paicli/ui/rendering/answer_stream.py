"""Streamed text cut into whole lines, printed once and for good, and the unfinished rest, shown live.

Of thinking only the first lines are printed; the rest is shown live while it comes, and can be unfolded afterwards.
"""

from collections.abc import Callable
from typing import assert_never

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import DeltaKind
from paicli.core.unicode import clipped
from paicli.ui.rendering.folds import FoldShelf, fold_note
from paicli.ui.rendering.markdown.blocks import MarkdownLines
from paicli.ui.rendering.renderer import Shown, StreamEnd, StreamText
from paicli.ui.rendering.styled import Line, Style, as_prose, line, prose
from paicli.ui.sanitize import TextCleaner

TAIL_CHARACTERS = 300
"""Of an unfinished line, so much of its end is shown live."""
THINKING_LINES = 3
THINKING_CHARACTERS = 240
"""Of each of these lines."""
_TAIL_LINES = 12
"""Whole lines that wait (a table, code, folded thinking): so many of them are shown live."""


class AnswerStream:
    """Takes what the renderer shows; gives the lines to print above the prompt."""

    def __init__(
        self, texts: Texts, *, shelf: FoldShelf | None = None, columns: Callable[[], int] = lambda: 80
    ) -> None:
        """What is folded goes to `shelf`; `columns` are the screen's, at the moment something is printed."""
        self._texts = texts
        self._shelf = shelf
        self._kind: DeltaKind | None = None
        self._cleaner = TextCleaner()
        self._markdown = MarkdownLines(columns)
        self._thoughts: list[Line] = []
        """All lines of the thinking that streams."""
        self._pending: list[str] = []
        """Pieces of the unfinished line."""

    @property
    def tail(self) -> list[Line]:
        """What of the stream is not printed yet: lines that wait for others, and the end of the unfinished one."""
        whole = "".join(self._pending)
        text = whole if len(whole) <= TAIL_CHARACTERS else "…" + whole[-TAIL_CHARACTERS:]
        if self._kind is DeltaKind.THINKING:
            waiting = self._thoughts[THINKING_LINES:][-_TAIL_LINES:]
            return [*waiting, *([line(text, Style.DIM)] if text else [])]
        unfinished = self._markdown.unfinished(whole) if len(whole) <= TAIL_CHARACTERS else prose(text)
        return [*self._markdown.held[-_TAIL_LINES:], *(unfinished if text else [])]

    def accept(self, shown: Shown) -> list[Line]:
        match shown:
            case Line():
                return [*self._end(), shown]
            case StreamEnd():
                return self._end()
            case StreamText(kind, text):
                return [*self._begin(kind), *self._feed(self._cleaner.feed(text))]
            case _:
                assert_never(shown)

    def _begin(self, kind: DeltaKind) -> list[Line]:
        if kind is self._kind:
            return []
        ended = self._end()
        self._kind = kind
        if kind is DeltaKind.THINKING:
            self._pending.append(self._texts.screen("model.thinking"))
        return ended

    def _feed(self, text: str) -> list[Line]:
        *whole, rest = text.split("\n")
        committed: list[Line] = []
        for piece in whole:
            committed += self._commit("".join((*self._pending, piece)))
            self._pending = []
        if rest:
            self._pending.append(rest)
        return committed

    def _commit(self, text: str) -> list[Line]:
        if self._kind is not DeltaKind.THINKING:
            return self._markdown.feed(text)
        self._thoughts.append(line(text, Style.DIM))
        if len(self._thoughts) > THINKING_LINES:
            return []
        return prose(clipped(text, THINKING_CHARACTERS), Style.DIM)

    def _end(self) -> list[Line]:
        if self._kind is None:
            return []
        committed = self._feed(self._cleaner.finish())
        if self._pending:
            committed += self._commit("".join(self._pending))
        committed += self._markdown.finish()
        committed += self._end_thinking()
        self._kind, self._pending = None, []
        return committed

    def _end_thinking(self) -> list[Line]:
        thoughts, self._thoughts = self._thoughts, []
        while len(thoughts) > THINKING_LINES and not thoughts[-1].text.strip():
            thoughts.pop()
        left = len(thoughts) - THINKING_LINES
        is_cut = any(len(thought.text) > THINKING_CHARACTERS for thought in thoughts[:THINKING_LINES])
        if left <= 0 and not is_cut:
            return []
        if self._shelf is not None:
            self._shelf.put(as_prose(thoughts))
        return [fold_note(max(1, left), self._texts, shelf=self._shelf)]
