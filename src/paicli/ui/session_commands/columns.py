"""Rows of two columns, as most answers show them."""

from collections.abc import Sequence

from paicli.ui.rendering.styled import Line, Span, Style, padded, width


def two_columns(rows: Sequence[tuple[str, str]]) -> list[Line]:
    """(name, value) rows, values aligned."""
    columns = max((width(name) for name, _ in rows), default=0)
    return [
        Line((Span(f"  {padded(name, columns)}  ", Style.DIM), Span(value)), columns + 4, is_prose=True)
        for name, value in rows
    ]
