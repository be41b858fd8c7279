"""Lines of styled text, and their one way onto a terminal: cleaned, translated to ASCII where asked, coloured."""

from collections.abc import Iterable
from typing import NamedTuple

from wcwidth import wcswidth

from paicli.ui.facts import ColorUse
from paicli.ui.rendering.glyphs import without_glyphs
from paicli.ui.rendering.theme import NONE, THEMES, Style, Theme
from paicli.ui.sanitize import clean


class Span(NamedTuple):
    text: str
    style: Style = Style.PLAIN


class Line(NamedTuple):
    """One line, without its end; a span's text holds no LF."""

    spans: tuple[Span, ...] = ()
    hang: int = 0
    """Over 0: the line is wrapped here and not by the terminal, and its further rows begin with so many spaces."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def line(text: str = "", style: Style = Style.PLAIN) -> Line:
    return Line((Span(text, style),) if text else ())


def lines(text: str, style: Style = Style.PLAIN) -> list[Line]:
    """`text` cut at LF; a last LF makes no empty line."""
    return [line(part, style) for part in text.removesuffix("\n").split("\n")]


def width(text: str) -> int:
    """Columns `text` takes, grapheme by grapheme; what has no width of its own counts as none."""
    columns = wcswidth(text)
    return columns if columns >= 0 else sum(max(0, wcswidth(part)) for part in text)


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
        """Whole lines, each with its LF; those with a hang are wrapped at `columns` (0: none is)."""
        rows = (row for line in block for row in (wrapped(line, columns) if columns and line.hang else [line]))
        return "".join(f"{self.line(row)}\n" for row in rows)
