"""A unified diff as lines with their numbers: added and removed ones coloured, long ones wrapped behind the numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from paicli.core.unicode import clipped
from paicli.ui.rendering.styled import Line, Span, line
from paicli.ui.rendering.theme import Style

LINE_CHARACTERS = 1_000
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_INDENT = "    "
_STYLES = {"+": Style.ADDED, "-": Style.REMOVED}


class _Row(NamedTuple):
    number: int | None
    """In the new file; of a removed line in the old one. None: a line about the diff."""
    sign: str
    text: str


def diff_lines(diff: str) -> list[Line]:
    """The changes and what stands around them; between two places that are not neighbours stands ⋯."""
    rows = list(_rows(diff)) if diff else []
    digits = max((len(str(row.number)) for row in rows if row.number is not None), default=0)
    return [_line(row, digits) for row in rows]


def _rows(diff: str) -> Iterator[_Row]:
    old = new = old_left = new_left = 0
    has_hunks = False
    for raw in diff.removesuffix("\n").split("\n"):
        text = raw.removesuffix("\r")
        sign = text[:1]
        if old_left <= 0 and new_left <= 0 and (hunk := _HUNK.match(text)):
            old, new = int(hunk[1]), int(hunk[3])
            old_left, new_left = int(hunk[2] or 1), int(hunk[4] or 1)
            if has_hunks:
                yield _Row(None, "", "⋯")
            has_hunks = True
        elif sign == "-" and old_left > 0:
            yield _Row(old, "-", text[1:])
            old, old_left = old + 1, old_left - 1
        elif sign == "+" and new_left > 0:
            yield _Row(new, "+", text[1:])
            new, new_left = new + 1, new_left - 1
        elif sign in ("", " ") and old_left > 0 and new_left > 0:
            yield _Row(new, " ", text[1:])
            old, new, old_left, new_left = old + 1, new + 1, old_left - 1, new_left - 1
        elif has_hunks or not text.startswith(("--- ", "+++ ")):
            yield _Row(None, sign if sign in _STYLES else "", text)


def _line(row: _Row, digits: int) -> Line:
    text = clipped(row.text, LINE_CHARACTERS).expandtabs(4)
    if row.number is None:
        return line(_INDENT + text, _STYLES.get(row.sign, Style.DIM))
    number = f"{_INDENT}{row.number:>{digits}} "
    style = _STYLES.get(row.sign, Style.PLAIN)
    return Line((Span(number, Style.DIM), Span(f"{row.sign} {text}".rstrip(), style)), hang=len(number) + 2)
