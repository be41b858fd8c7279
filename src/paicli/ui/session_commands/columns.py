"""Answers in columns, and what they become on a screen that is too narrow for them."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.ui.rendering.styled import Line, Span, Style, line, padded, width

_GAP = "  "
_HANG = 4


def two_columns(rows: Sequence[tuple[str, str]]) -> list[Line]:
    """(name, value) rows, values aligned."""
    columns = max((width(name) for name, _ in rows), default=0)
    return [
        Line((Span(f"  {padded(name, columns)}  ", Style.DIM), Span(value)), columns + 4, is_prose=True)
        for name, value in rows
    ]


class TableRow(NamedTuple):
    cells: tuple[str, ...]
    style: Style = Style.PLAIN


def table(head: tuple[str, ...], rows: Sequence[TableRow], *, name_count: int, columns: int) -> list[Line]:
    """A dimmed head and a line each, figures to the right behind `name_count` names. Where that is wider than `columns`
    (0: of any width), each row's names stand alone, and below them its figures with what they are."""
    widths = [max(width(cells[at]) for cells in (head, *(row.cells for row in rows))) for at in range(len(head))]
    if columns and sum(widths) + len(_GAP) * len(widths) > columns:
        return [shown for row in rows for shown in _folded(head, row, name_count)]
    whole = [line(_row(head, widths, name_count), Style.DIM)]
    return whole + [line(_row(row.cells, widths, name_count), row.style) for row in rows]


def _row(cells: tuple[str, ...], widths: list[int], name_count: int) -> str:
    names = [padded(cell, size) for cell, size in zip(cells[:name_count], widths, strict=False)]
    figures = [" " * (size - width(cell)) + cell for cell, size in zip(cells, widths, strict=True)][name_count:]
    return _GAP + _GAP.join([*names, *figures])


def _folded(head: tuple[str, ...], row: TableRow, name_count: int) -> list[Line]:
    names = _GAP + _GAP.join(cell for cell in row.cells[:name_count] if cell)
    figures = [f"{name} {cell}" for name, cell in zip(head, row.cells, strict=True)][name_count:]
    indent = Span(" " * _HANG)
    return [
        Line((Span(names, row.style),), is_prose=True),
        Line((indent, Span(" · ".join(figures), Style.DIM)), _HANG, is_prose=True),
    ]
