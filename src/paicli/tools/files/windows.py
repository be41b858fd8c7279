"""A window of lines cut out of a text that comes in pieces; what lies outside it is counted, never kept."""

from typing import NamedTuple

MAX_LINE_CHARACTERS = 2_000
MAX_WINDOW_CHARACTERS = 100_000
_MAX_SCANNED = 64_000_000
"""Characters of one line that are counted to say how long it is."""


class ShownLine(NamedTuple):
    number: int
    text: str
    """At most 2,000 characters, from the window's column on."""
    length: int
    """Of the whole line, without its end."""
    is_counted: bool = True
    """False: the line is longer than `length`."""


class LineWindow:
    """Lines `offset` to `offset + limit - 1`, each from `column` on (all count from 1), 100,000 characters at most."""

    def __init__(self, offset: int, limit: int, column: int) -> None:
        self._first, self._last, self._column = offset, offset + limit - 1, column
        self.lines: list[ShownLine] = []
        self.number = 1
        """The line that comes next, or is under way."""
        self.has_more = False
        """The text goes on behind the last line of the window."""
        self._shown = 0
        self._start_line()

    def feed(self, chunk: str) -> bool:
        """Takes the next piece. False: nothing more is wanted."""
        breaks = chunk.count("\n")
        if self.number + breaks < self._first:
            self.number += breaks
            self._length = len(chunk) - 1 - chunk.rfind("\n") + (0 if breaks else self._length)
            return True
        at = 0
        while at < len(chunk):
            if self._is_full:
                self.has_more = True
                return False
            end = chunk.find("\n", at)
            self._take(chunk[at : end if end >= 0 else len(chunk)])
            if end < 0:
                break
            self._end_line()
            at = end + 1
        if self._length > _MAX_SCANNED and self.number >= self._last:
            self._end_line(is_counted=False)
            self.has_more = True
            return False
        return True

    def finish(self) -> None:
        """Call at the end of the text: a last line may have no end."""
        if self._length and not self._is_full:
            self._end_line()

    @property
    def _is_full(self) -> bool:
        return self.number > self._last or self._shown >= MAX_WINDOW_CHARACTERS

    def _start_line(self) -> None:
        self._length = 0
        self._kept: list[str] = []
        self._ends_with_return = False

    def _take(self, piece: str) -> None:
        start = self._column - 1 - self._length
        if self.number >= self._first and start + MAX_LINE_CHARACTERS > 0:
            self._kept.append(piece[max(0, start) : start + MAX_LINE_CHARACTERS])
        self._length += len(piece)
        if piece:
            self._ends_with_return = piece.endswith("\r")

    def _end_line(self, *, is_counted: bool = True) -> None:
        if self.number >= self._first:
            length = self._length - self._ends_with_return
            text = "".join(self._kept)[: max(0, length - self._column + 1)]
            self.lines.append(ShownLine(self.number, text, length, is_counted))
            self._shown += len(text) + 1
        self.number += 1
        self._start_line()
