"""Streamed text cut into whole lines, printed once and for good, and the unfinished rest, shown live."""

from typing import assert_never

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import DeltaKind
from paicli.ui.rendering.markdown import MarkdownLines
from paicli.ui.rendering.renderer import Shown, StreamEnd, StreamText
from paicli.ui.rendering.styled import Line, Style, line
from paicli.ui.sanitize import TextCleaner

TAIL_CHARACTERS = 300
"""Of an unfinished line, so much of its end is shown live."""


class AnswerStream:
    """Takes what the renderer shows; gives the lines to print above the prompt."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._kind: DeltaKind | None = None
        self._cleaner = TextCleaner()
        self._markdown = MarkdownLines()
        self._pending: list[str] = []
        """Pieces of the unfinished line."""

    @property
    def tail(self) -> Line:
        """The end of the unfinished line."""
        text = "".join(self._pending)[-TAIL_CHARACTERS:]
        return line(text, Style.DIM if self._kind is DeltaKind.THINKING else Style.PLAIN)

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
        return [line(text, Style.DIM)] if self._kind is DeltaKind.THINKING else self._markdown.feed(text)

    def _end(self) -> list[Line]:
        if self._kind is None:
            return []
        committed = self._feed(self._cleaner.finish())
        if self._pending:
            committed += self._commit("".join(self._pending))
        committed += self._markdown.finish()
        self._kind, self._pending = None, []
        return committed
