"""Markdown line by line: each line is styled as soon as it is whole, so that it can be printed once and for good.

Tables alone wait for their end, to be aligned. Text that is no Markdown stays as it is; nothing of it is lost but the
marks themselves, and a link always shows where it leads.
"""

import re
from collections.abc import Iterator

from paicli.ui.rendering.styled import Line, Span, Style, line, padded, width

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r" {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
_BULLET = re.compile(r"(\s*)[-*+]\s+(.*)$")
_QUOTE = re.compile(r" {0,3}>\s?(.*)$")
_TABLE_RULE = re.compile(r"\|?[\s:|-]+\|?$")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)"
    r"|\*\*(?P<bold>[^\s*](?:.*?[^\s])?)\*\*"
    r"|(?<![*\w])\*(?P<italic>[^\s*](?:[^*]*[^\s*])?)\*(?![*\w])"
    r"|\[(?P<label>[^\]\[]+)\]\((?P<target>[^()\s]+)\)"
)
_RULE_COLUMNS = 40
_TABLE_ROWS = 200
"""A table longer than this is printed in parts."""


class MarkdownLines:
    """Takes the lines of one answer in order."""

    def __init__(self) -> None:
        self._fence = ""
        self._table: list[str] = []

    def feed(self, text: str) -> list[Line]:
        """The lines that may be printed now."""
        if not self._fence and text.lstrip().startswith("|"):
            self._table.append(text)
            return self._end_table() if len(self._table) >= _TABLE_ROWS else []
        return [*self._end_table(), self._line(text)]

    def finish(self) -> list[Line]:
        """What still waited at the end of the answer."""
        self._fence = ""
        return self._end_table()

    def _line(self, text: str) -> Line:
        fence = _FENCE.match(text)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not text[fence.end() :].strip():
                self._fence = ""
                return line(text, Style.DIM)
            return line(text, Style.CODE)
        if fence:
            self._fence = fence[1]
            return line(text, Style.DIM)
        return _styled(text)

    def _end_table(self) -> list[Line]:
        rows, self._table = self._table, []
        return aligned_table(rows) if len(rows) > 1 else [_styled(row) for row in rows]


def aligned_table(rows: list[str]) -> list[Line]:
    """Rows of a Markdown table with their columns padded to one width."""
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    count = max(len(row) for row in cells)
    is_rule = [bool(_TABLE_RULE.match(row.strip())) for row in rows]
    columns = [
        max((width(row[at]) for row, rule in zip(cells, is_rule, strict=True) if at < len(row) and not rule), default=0)
        for at in range(count)
    ]
    shown: list[Line] = []
    for row, rule in zip(cells, is_rule, strict=True):
        if rule:
            shown.append(line("─┼─".join("─" * column for column in columns), Style.DIM))
            continue
        filled = [*row, *([""] * (count - len(row)))]
        shown.append(
            line(" │ ".join(padded(cell, column) for cell, column in zip(filled, columns, strict=True)).rstrip())
        )
    return shown


def _styled(text: str) -> Line:
    if heading := _HEADING.match(text):
        return line(heading[1], Style.HEADING)
    if _RULE.match(text):
        return line("─" * _RULE_COLUMNS, Style.DIM)
    if bullet := _BULLET.match(text):
        return Line((Span(f"{bullet[1]}• "), *_inline(bullet[2])))
    if quote := _QUOTE.match(text):
        return Line((Span("│ ", Style.DIM), Span(quote[1], Style.DIM)))
    return Line(tuple(_inline(text)))


def _inline(text: str) -> Iterator[Span]:
    position = 0
    for found in _INLINE.finditer(text):
        if found.start() > position:
            yield Span(text[position : found.start()])
        position = found.end()
        if found["code"] is not None:
            yield Span(found["code"], Style.CODE)
        elif found["bold"] is not None:
            yield Span(found["bold"], Style.BOLD)
        elif found["italic"] is not None:
            yield Span(found["italic"], Style.ITALIC)
        else:
            yield Span(found["label"], Style.ACCENT)
            yield Span(f" ({found['target']})", Style.DIM)
    if position < len(text):
        yield Span(text[position:])
