"""Lines of styled text, and their one way onto a terminal: cleaned, translated to ASCII where asked, coloured."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from paicli.ui.facts import ColorUse
from paicli.ui.rendering.glyphs import without_glyphs
from paicli.ui.rendering.theme import NONE, THEMES, Style, Theme
from paicli.ui.sanitize import clean

_WIDE = r"\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_OPENING = r"(\[{\u2018\u201c\u3008\u300a\u300c\u300e\u3010\u3014\uff08\uff3b\uff5b"
_CLOSING = (
    r")\]},.;:!?%\u2019\u201d\u2026\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015"
    r"\uff01\uff09\uff0c\uff1a\uff1b\uff1f\uff3d\uff5d"
)


@cache
def _unit() -> re.Pattern[str]:
    """What a row does not end in the middle of: a word, or one CJK character, with the brackets and stops around it.

    Compiled where the first line is wrapped: its sets take 5 ms, and a start wraps nothing.
    """
    return re.compile(rf"\s+|[{_OPENING}]*(?:[{_WIDE}]|[^\s{_WIDE}]+)[{_CLOSING}]*|[{_CLOSING}]+")


@cache
def _measure() -> Callable[[str], int]:
    from wcwidth import wcswidth  # start-up: 15 ms before the first request, and nothing is shown before it

    return wcswidth


class Span(NamedTuple):
    text: str
    style: Style = Style.PLAIN


class Line(NamedTuple):
    """One line, without its end; a span's text holds no LF."""

    spans: tuple[Span, ...] = ()
    hang: int = 0
    """Over 0: the line is wrapped here and not by the terminal, and its further rows begin with so many spaces."""
    is_prose: bool = False
    """The line is wrapped here, between words. What a person may want to copy as it is (code, output) is no prose."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def line(text: str = "", style: Style = Style.PLAIN) -> Line:
    return Line((Span(text, style),) if text else ())


def lines(text: str, style: Style = Style.PLAIN) -> list[Line]:
    """`text` cut at LF; a last LF makes no empty line."""
    return [line(part, style) for part in text.removesuffix("\n").split("\n")]


def prose(text: str, style: Style = Style.PLAIN, *, hang: int = 0) -> list[Line]:
    """`text` cut at LF; each line is wrapped between words, its further rows begin with `hang` spaces."""
    return as_prose(lines(text, style), hang=hang)


def as_prose(block: Iterable[Line], *, hang: int = 0) -> list[Line]:
    """Those of `block` that say nothing of how they are wrapped are wrapped between words."""
    return [part if part.hang else part._replace(hang=hang, is_prose=True) for part in block]


def width(text: str) -> int:
    """Columns `text` takes, grapheme by grapheme; what has no width of its own counts as none."""
    measured = _measure()
    columns = measured(text)
    return columns if columns >= 0 else sum(max(0, measured(part)) for part in text)


def cut(text: str, columns: int) -> str:
    """At most `columns` columns of `text`, ending in … when something was cut."""
    return text if width(text) <= columns else _fitting(text, columns - 1) + "…"


def wrapped(long: Line, columns: int, *, at_blanks: bool = False) -> list[Line]:
    """`long` in pieces of at most `columns` columns, at least one; `at_blanks`: between words where that can be."""
    hang = Span(" " * min(long.hang, columns // 2))
    begun = [hang] if hang.text else []
    rows: list[Line] = []
    row: list[Span] = []
    room = columns
    for span in long.spans:
        text = span.text.expandtabs(4)
        while text:
            fitting = _fitting(text, room)
            if at_blanks and len(fitting) < len(text) and text[len(fitting)] != " ":
                fitting = fitting[: fitting.rfind(" ") + 1] or fitting
            if not fitting and room < columns - len(hang.text) * bool(rows):
                rows.append(Line(tuple(row)))
                row, room = list(begun), columns - len(hang.text)
                continue
            fitting = fitting or text[0]  # wider than the whole row: it stands alone
            row.append(Span(fitting, span.style))
            text = text[len(fitting) :]
            room = 0 if text else room - width(fitting)
    return [*rows, Line(tuple(row))]


def flowed(long: Line, columns: int) -> list[Line]:
    """`long` in rows of at most `columns` columns, cut between words or at CJK characters, without the blanks there.

    A word that is wider than a row stays whole, for the terminal to wrap: an address can be copied as it is.
    """
    text = long.text
    if (text.isascii() and len(text) <= columns and "\t" not in text) or width(text) <= columns:
        return [long]
    if "\t" in text:
        return flowed(
            Line(tuple(span._replace(text=span.text.expandtabs(4)) for span in long.spans), long.hang), columns
        )
    hang = min(long.hang, columns // 2)
    rows: list[Line] = []
    begun, end, used = 0, 0, 0  # the row is text[begun:end]; all that follows `end` is blanks so far
    for unit in _unit().finditer(text):
        if unit[0].isspace() and end > begun:
            continue
        taken = width(text[end : unit.end()])
        if used + taken > columns and end > begun and not _is_mark(text[begun:end], unit[0], columns - hang):
            rows.append(_row(long, begun, end, hang=hang if rows else 0))
            begun, used, taken = unit.start(), hang, width(unit[0])
        end, used = unit.end(), used + taken
    return [*rows, _row(long, begun, end, hang=hang if rows else 0)]


def _is_mark(row: str, unit: str, room: int) -> bool:
    """A list's mark is not left alone by a word that fits nowhere."""
    return not any(map(str.isalpha, row)) and width(unit) > room


def _row(long: Line, begin: int, end: int, *, hang: int) -> Line:
    spans = [Span(" " * hang)] if hang else []
    position = 0
    for span in long.spans:
        piece = span.text[max(0, begin - position) : max(0, end - position)]
        if piece:
            spans.append(Span(piece, span.style))
        position += len(span.text)
    return Line(tuple(spans))


def _fitting(text: str, columns: int) -> str:
    if width(text) <= columns:
        return text
    low, high = 0, len(text)  # the longest prefix that fits: a prefix is never wider than a longer one
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width(text[:middle]) <= columns else (low, middle - 1)
    return text[:low]


def padded(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))


class Painter:
    """Turns styled text into what is written to the terminal. All text passes here, ours and foreign alike."""

    def __init__(self, color: ColorUse, *, is_ascii: bool = False, theme: str = "dark") -> None:
        """`theme` is a name of `THEMES`; where no colour is to be used it is none, whatever it says."""
        self._color = color
        self._is_ascii = is_ascii
        self.theme: Theme = NONE
        self.use(theme)

    def use(self, theme: str) -> None:
        """From now on the looks of that theme. Raises KeyError for a theme there is none."""
        chosen = THEMES[theme]
        self.theme = chosen if self._color is ColorUse.ALLOWED else NONE

    def plain(self, text: str) -> str:
        """`text` without anything that steers a terminal."""
        text = clean(text)
        return without_glyphs(text) if self._is_ascii else text

    def text(self, text: str, style: Style = Style.PLAIN) -> str:
        """`text` with the SGR codes of `style` around each of its lines."""
        shown, look = self.plain(text), self.theme.printed(style)
        if not look or not shown:
            return shown
        return "\n".join(f"\x1b[{look}m{part}\x1b[0m" if part else "" for part in shown.split("\n"))

    def line(self, line: Line) -> str:
        return "".join(self.text(span.text, span.style) for span in line.spans)

    def block(self, block: Iterable[Line], *, columns: int = 0) -> str:
        """Whole lines, each with its LF; prose and those with a hang are wrapped at `columns` (0: none is)."""
        shown = map(self._measurable, block) if columns else block
        return "".join(f"{self.line(row)}\n" for line in shown for row in printed_rows(line, columns))

    def _measurable(self, line: Line) -> Line:
        """What stands in place of a glyph may be wider."""
        if not self._is_ascii:
            return line
        return line._replace(spans=tuple(span._replace(text=self.plain(span.text)) for span in line.spans))


def fitted_rows(long: Line, columns: int) -> list[Line]:
    """`long` in rows for a window of so many columns, where nothing wraps by itself: prose between words."""
    rows = flowed(long, columns) if long.is_prose else [long]
    return [part for row in rows for part in wrapped(row._replace(hang=long.hang), columns)]


def printed_rows(long: Line, columns: int) -> list[Line]:
    """As `long` is printed on a screen of so many columns, 0: of unknown width; the rest is the terminal's to wrap."""
    if columns and long.is_prose:
        return flowed(long, columns)
    return wrapped(long, columns) if columns and long.hang else [long]
