"""Tables of Markdown, aligned by what their cells are wide on the screen, and wrapped where the screen is narrower."""

import re
from enum import StrEnum

from paicli.ui.rendering.markdown.inline import inline_spans
from paicli.ui.rendering.styled import Line, Span, line, width, wrapped
from paicli.ui.rendering.theme import Style

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_BETWEEN = " │ "
_LEAST_COLUMNS = 6
"""Narrower than this no column gets; a table that would need it is shown as records."""


class _Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    CENTER = "center"


def is_rule(text: str) -> bool:
    """The line below a table's head: `|---|:-:|`."""
    return "-" in text and "|" in text and bool(_RULE.match(text))


def cells_of(row: str) -> list[str]:
    """The cells of a row; a bar behind a backslash or inside code is part of its cell."""
    cells = [""]
    in_code = False
    at = 0
    text = row.strip().removeprefix("|")
    while at < len(text):
        pair = text[at : at + 2]
        if pair == "\\|":
            cells[-1] += "|"
            at += 2
            continue
        in_code ^= text[at] == "`" and (in_code or "`" in text[at + 1 :])
        if text[at] == "|" and not in_code:
            cells.append("")
        else:
            cells[-1] += text[at]
        at += 1
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.strip() for cell in cells]


class Table:
    """A table whose columns are as wide as its first rows need; further rows go by the same columns."""

    def __init__(self, rows: list[str], columns: int) -> None:
        """`rows` are the first lines of the table: its head, its rule, and some of its body. At most `columns` wide."""
        head, rule, *self._body = (cells_of(row) for row in rows)
        count = max(len(row) for row in (head, *self._body))
        self._sides = [_side(cell) for cell in rule] + [_Side.LEFT] * count
        self._head = _cells(head, count)
        table = [self._head, *(_cells(row, count) for row in self._body)]
        natural = [max(1, *(width(row[at].text) for row in table)) for at in range(count)]
        self._widths = _fitted(natural, columns - len(_BETWEEN) * (count - 1))

    def lines(self) -> list[Line]:
        """The rows it was made of."""
        rows = [row for cells in self._body for row in self._row(cells)]
        if self._widths is None:
            return rows or [_headline(self._head)]
        rule = line("─┼─".join("─" * column for column in self._widths), Style.DIM)
        return [*_row(self._head, self._widths, self._sides), rule, *rows]

    def more(self, row: str) -> list[Line]:
        """One more row."""
        return self._row(cells_of(row))

    def _row(self, cells: list[str]) -> list[Line]:
        row = _cells(cells, len(self._head))
        return _record(self._head, row) if self._widths is None else _row(row, self._widths, self._sides)


def _cells(cells: list[str], count: int) -> list[Line]:
    """So many cells; what is too much stands in the last."""
    kept = cells if len(cells) <= count else [*cells[: count - 1], " | ".join(cells[count - 1 :])]
    return [_cell(kept[at] if at < len(kept) else "") for at in range(count)]


def _cell(text: str) -> Line:
    return Line(tuple(inline_spans(text)))


def _side(rule: str) -> _Side:
    if rule.endswith(":"):
        return _Side.CENTER if rule.startswith(":") else _Side.RIGHT
    return _Side.LEFT


def _fitted(natural: list[int], room: int) -> list[int] | None:
    """The widest columns give way first. None: there are too many of them."""
    widths = list(natural)
    if room < sum(min(_LEAST_COLUMNS, column) for column in widths):
        return None
    while sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: list[Line], widths: list[int], sides: list[_Side]) -> list[Line]:
    """One row of the table, as many lines as its highest cell needs."""
    wrapped_cells = [wrapped(cell, room, at_blanks=True) for cell, room in zip(cells, widths, strict=True)]
    shown: list[Line] = []
    for at in range(max(map(len, wrapped_cells))):
        spans: list[Span] = []
        for number, (cell, room) in enumerate(zip(wrapped_cells, widths, strict=True)):
            part = _without_blank_end(cell[at].spans) if at < len(cell) else ()
            if number:
                spans.append(Span(_BETWEEN, Style.DIM))
            spans += _aligned(part, room, sides[number])
        shown.append(Line(_without_blank_end(tuple(spans))))
    return shown


def _aligned(part: tuple[Span, ...], room: int, side: _Side) -> list[Span]:
    free = max(0, room - sum(width(span.text) for span in part))
    before = {_Side.LEFT: 0, _Side.RIGHT: free, _Side.CENTER: free // 2}[side]
    padding = [Span(" " * before)] if before else []
    after = [Span(" " * (free - before))] if free > before else []
    return [*padding, *part, *after]


def _without_blank_end(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    while spans and not spans[-1].text.strip():
        spans = spans[:-1]
    return (*spans[:-1], spans[-1]._replace(text=spans[-1].text.rstrip())) if spans else ()


def _record(head: list[Line], row: list[Line]) -> list[Line]:
    """A row as lines of `head: cell`, and a blank line."""
    shown = [
        Line((*(Span(span.text, Style.BOLD) for span in name.spans), Span(": "), *cell.spans), hang=2)
        for name, cell in zip(head, row, strict=True)
    ]
    return [*shown, line()]


def _headline(head: list[Line]) -> Line:
    return Line(tuple(span for name in head for span in (*name.spans, Span(" "))))
