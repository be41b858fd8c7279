"""Markdown line by line: each line is styled as soon as it is whole, so that it can be printed once and for good.

What needs its neighbours waits for them: the rows of a table, to be aligned; code of a known language, to be coloured.
Both are printed in parts when they get long. A block of code stands between two marks of ours, its language beside the
first; its lines are as they came, to be copied. Text that is no Markdown stays as it is.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from paicli.core.masking import MASK
from paicli.ui.rendering.markdown.code import highlighted, prepare
from paicli.ui.rendering.markdown.inline import inline_spans
from paicli.ui.rendering.markdown.tables import Table, is_rule
from paicli.ui.rendering.styled import Line, Span, line, width
from paicli.ui.rendering.theme import Style

_FENCE = re.compile(r"(?P<quote>(?:\s{0,3}>\s?)*)\s*(?P<marks>`{3,}|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r" {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
_BULLET = re.compile(r"(\s*)[-*+]\s+(?:\[(?P<check>[ xX])\]\s+)?(?P<text>.*)$")
_NUMBERED = re.compile(r"(\s*\d{1,9}[.)])(\s+)(.*)$")
_QUOTE = re.compile(r" {0,3}>\s?(.*)$")
_QUOTE_MARK = re.compile(r"\s{0,3}>\s?")
_CHECKS = {"x": "✓ ", "X": "✓ ", " ": "○ "}
_CODE_BEGINS, _CODE_ENDS = "╭─", "╰─"
_UNSURE_FENCE = re.compile(r"(?:\s{0,3}>\s?)*\s*(?:`{1,2}|~{1,2})$")
"""An unfinished line that may become a fence."""
_MARKDOWN = frozenset({"md", "markdown", "mdx"})
_RULE_COLUMNS = 40
_TABLE_ROWS = 200
"""A table longer than this is printed in parts."""
_CODE_PART = 40
"""Lines of code that wait at most; the lexer sees as many lines of those printed before them, three times over."""
_COLORED_LINES = 1_000
"""So much of one block is coloured; what follows keeps up with any stream."""


class _Fence(NamedTuple):
    marks: str
    language: str
    quotes: int
    """Marks of quotation before each of its lines."""
    indent: str
    """Blanks before its marks."""


class MarkdownLines:
    """Takes the lines of one answer in order."""

    def __init__(self, columns: Callable[[], int] = lambda: 80) -> None:
        """`columns`: of the screen, when a table is printed."""
        self._columns = columns
        self._fence: _Fence | None = None
        self._inner_fences = 0
        """Fences of the same length that opened inside a fence of Markdown."""
        self._code: list[str] = []
        self._context: list[str] = []
        """Lines of this block that are printed, for the lexer to know where it stands."""
        self._colored = 0
        self._table: list[str] = []
        self._long_table: Table | None = None
        """The table whose first part is printed."""

    @property
    def held(self) -> list[Line]:
        """What waits for its neighbours, as it came."""
        quotes = self._fence.quotes if self._fence is not None else 0
        code = [_behind_quotes(quotes, line(text, Style.CODE)) for text in self._code]
        return code or [line(text) for text in self._table]

    def feed(self, text: str) -> list[Line]:
        """The lines that may be printed now."""
        if self._fence is not None:
            return self._in_fence(self._fence, text)
        if self._long_table is not None:
            if "|" in text:
                return self._long_table.more(text)
            self._long_table = None
        if self._table:
            return self._in_table(text)
        if "|" in text and not _FENCE.match(text):
            self._table = [text]
            return []
        return self._line(text)

    def unfinished(self, text: str) -> list[Line]:
        """How a line looks of which no more than `text` has come."""
        if self._fence is not None:
            code = _without_quotes(text, self._fence.quotes)
            may_close = not code.strip().strip(self._fence.marks[0])
            return [] if may_close else [_behind_quotes(self._fence.quotes, line(code, Style.CODE))]
        if _UNSURE_FENCE.match(text):
            return []
        fence = _fence_opened_by(text)
        if fence is not None:
            return [_opening(fence, text)]
        return [line(text)] if "|" in text else [styled_line(text, self._columns())]

    def finish(self) -> list[Line]:
        """What still waited at the end of the answer."""
        return [*self._end_code(), *self._end_table()]

    def _line(self, text: str) -> list[Line]:
        fence = _fence_opened_by(text)
        if fence is None:
            return [styled_line(text, self._columns())]
        self._fence = fence
        if fence.language:
            prepare(fence.language)
        return [_opening(fence, text)]

    def _in_fence(self, fence: _Fence, text: str) -> list[Line]:
        if fence.quotes and _QUOTE_MARK.match(text) is None:
            return [*self._end_code(), *self.feed(text)]  # the quotation ended, and its fence with it
        code = _without_quotes(text, fence.quotes)
        if self._closes(fence, code):
            return self._end_code()
        if not fence.language or self._colored >= _COLORED_LINES:
            return [*self._code_part(fence), _behind_quotes(fence.quotes, line(code, Style.CODE))]
        self._code.append(code)
        return self._code_part(fence) if len(self._code) >= _CODE_PART else []

    def _closes(self, fence: _Fence, text: str) -> bool:
        found = _FENCE.match(text)
        if found is None or not found["marks"].startswith(fence.marks) or found["quote"]:
            return False
        is_bare = not found["info"].strip()
        if not is_bare:
            self._inner_fences += fence.language in _MARKDOWN
        elif self._inner_fences:
            self._inner_fences -= 1
            return False
        return is_bare

    def _code_part(self, fence: _Fence) -> list[Line]:
        """What waits of the code, in colours."""
        code, self._code = self._code, []
        if not code:
            return []
        shown = highlighted([*self._context, *code], fence.language)[len(self._context) :]
        self._context = [*self._context, *code][-3 * _CODE_PART :]
        self._colored += len(code)
        return [_behind_quotes(fence.quotes, row) for row in shown]

    def _end_code(self) -> list[Line]:
        if self._fence is None:
            return []
        end = _behind_quotes(self._fence.quotes, line(self._fence.indent + _CODE_ENDS, Style.DIM))
        shown = [*self._code_part(self._fence), end]
        self._fence, self._context, self._colored, self._inner_fences = None, [], 0, 0
        return shown

    def _in_table(self, text: str) -> list[Line]:
        if len(self._table) == 1 and is_rule(text):
            self._table.append(text)
            return []
        if len(self._table) > 1 and "|" in text:
            self._table.append(text)
            if len(self._table) < _TABLE_ROWS:
                return []
            rows, self._table = self._table, []
            self._long_table = Table(rows, self._columns())
            return self._long_table.lines()
        return [*self._end_table(), *self.feed(text)]

    def _end_table(self) -> list[Line]:
        rows, self._table, self._long_table = self._table, [], None
        if len(rows) < 2:
            return [shown for row in rows for shown in self._line(row)]
        return Table(rows, self._columns()).lines()


def _fence_opened_by(text: str) -> _Fence | None:
    found = _FENCE.match(text)
    if found is None or (found["marks"][0] == "`" and "`" in found["info"]):
        return None
    language = found["info"].strip().partition(" ")[0].strip("{}.").lower()
    quotes = found["quote"].count(">")
    code = _without_quotes(text, quotes)
    return _Fence(found["marks"], language, quotes, code[: len(code) - len(code.lstrip())])


def _opening(fence: _Fence, text: str) -> Line:
    """The mark above the code, and all that its fence says of it."""
    info = _without_quotes(text, fence.quotes).strip().removeprefix(fence.marks).strip()
    return _behind_quotes(fence.quotes, line(f"{fence.indent}{_CODE_BEGINS} {info}".rstrip(), Style.DIM))


def styled_line(text: str, columns: int, base: Style = Style.PLAIN) -> Line:
    """One line that stands alone."""
    if heading := _HEADING.match(text):
        return Line(tuple(inline_spans(heading[1], Style.HEADING)), is_prose=True)
    if _RULE.match(text) and text.strip() != MASK:
        return line("─" * min(_RULE_COLUMNS, columns), Style.DIM)
    if bullet := _BULLET.match(text):
        mark = bullet[1] + _CHECKS.get(bullet["check"] or "", "• ")
        return Line((Span(mark, base), *inline_spans(bullet["text"], base)), width(mark), is_prose=True)
    if numbered := _NUMBERED.match(text):
        mark = numbered[1] + numbered[2]
        return Line((Span(mark, base), *inline_spans(numbered[3], base)), width(mark), is_prose=True)
    if quote := _QUOTE.match(text):
        said = styled_line(quote[1], columns, Style.DIM)
        return Line((Span("│ ", Style.DIM), *said.spans), said.hang + 2, is_prose=True)
    return Line(tuple(inline_spans(text, base)), len(text) - len(text.lstrip(" ")), is_prose=True)


def flattened(text: str) -> str:
    """What `text` says in one line, without its marks; code is left as it is."""
    shown: list[str] = []
    fence = ""
    for row in text.split("\n"):
        found = _FENCE.match(row)
        if found is not None and (not fence or found["marks"].startswith(fence)):
            fence = "" if fence else found["marks"]
        elif row.strip() and (fence or not _RULE.match(row)):
            shown += (row if fence else styled_line(row, _RULE_COLUMNS).text).split()
    return " ".join(shown)


def _without_quotes(text: str, count: int) -> str:
    for _ in range(count):
        text = _QUOTE_MARK.sub("", text, count=1) if _QUOTE_MARK.match(text) else text
    return text


def _behind_quotes(count: int, shown: Line) -> Line:
    return Line((Span("│ " * count, Style.DIM), *shown.spans)) if count else shown
