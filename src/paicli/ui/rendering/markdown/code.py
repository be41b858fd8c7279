"""Code in the colours of its language."""

from functools import lru_cache
from threading import Thread
from typing import Any

from paicli.ui.rendering.styled import Line, Span, line
from paicli.ui.rendering.theme import Style

LONGEST_LINE = 2_000
"""Characters; code with a longer line stays as it is: patterns of lexers get slow on such lines."""

_STYLES: tuple[tuple[str, Style], ...] = (
    ("Keyword", Style.KEYWORD),
    ("Operator.Word", Style.KEYWORD),
    ("Name.Function", Style.NAME),
    ("Name.Class", Style.NAME),
    ("Name.Decorator", Style.NAME),
    ("Name.Tag", Style.KEYWORD),
    ("Name.Attribute", Style.NAME),
    ("Name.Builtin", Style.NAME),
    ("Literal.String", Style.STRING),
    ("Literal.Number", Style.NUMBER),
    ("Comment", Style.COMMENT),
    ("Generic.Inserted", Style.ADDED),
    ("Generic.Deleted", Style.REMOVED),
    ("Generic.Heading", Style.HEADING),
    ("Generic.Subheading", Style.ACCENT),
)
"""Kinds of token by their first names; all others are plain."""

_prepared: set[str] = set()


def prepare(language: str) -> None:
    """Loads what `highlighted` will need, on a thread of its own: a fence has opened, and its end is yet to stream."""
    if language in _prepared:
        return
    _prepared.add(language)
    Thread(target=lexer_for, args=(language,), name="paicli-highlighting", daemon=True).start()


def highlighted(code: list[str], language: str) -> list[Line]:
    """The lines of `code`, letter for letter; in one colour where the language is unknown."""
    plain = [line(text, Style.CODE) for text in code]
    if not code or max(map(len, code)) > LONGEST_LINE:
        return plain
    lexer = lexer_for(language)
    if lexer is None:
        return plain
    spans: list[list[Span]] = [[]]
    for token, value in lexer.get_tokens("\n".join(code)):
        style = _style_of(str(token))
        first, *more = value.split("\n")
        _add(spans[-1], first, style)
        for text in more:
            spans.append([])
            _add(spans[-1], text, style)
    shown = [Line(tuple(row)) for row in spans]
    return shown if [row.text for row in shown] == code else plain  # a lexer that drops or adds something


@lru_cache(maxsize=64)
def lexer_for(language: str) -> Any:
    """A lexer that keeps every character; None where pygments knows no such language."""
    # 45 ms at start-up for pygments and its first lexer, and most answers have no code
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]  # untyped options
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=256)
def _style_of(token: str) -> Style:
    name = token.removeprefix("Token.")
    return next((style for kind, style in _STYLES if name == kind or name.startswith(f"{kind}.")), Style.PLAIN)


def _add(row: list[Span], text: str, style: Style) -> None:
    if not text:
        return
    if row and row[-1].style is style:
        row[-1] = Span(row[-1].text + text, style)
    else:
        row.append(Span(text, style))
