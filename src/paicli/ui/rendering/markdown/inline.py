"""What stands inside a line of Markdown: code, bold, italic, links. Nothing is lost but the marks themselves.

A link always shows where it leads, and is no link of the terminal's. Underscores are left alone: names of code have
them. A backslash stays, and keeps what follows it from being a mark. Three stars stand where a secret was: they are
text, and mark nothing.
"""

import re
from collections.abc import Iterator

from paicli.ui.rendering.styled import Span
from paicli.ui.rendering.theme import Style

_INLINE = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<mask>\*{3})"
    r"|\*\*(?=[^\s*])(?P<bold>(?:\*{3}|[^*]|\*(?!\*))+?)(?<=\S)\*\*(?!\*)"
    r"|(?<![*\w])\*(?P<italic>[^\s*](?:[^*]*[^\s*])?)\*(?![*\w])"
    r"|(?P<image>!?)\[(?P<label>[^\]\[]+)\]\((?P<target>(?:[^()\s]|\([^()\s]*\))+)(?P<title>\s+\"[^\"]*\")?\)"
    r"|<(?P<address>https?://[^\s<>]+)>"
)


def inline_spans(text: str, base: Style = Style.PLAIN) -> Iterator[Span]:
    """`text` in its parts; what has no style of its own has `base`."""
    position = 0
    plain = ""
    for found in _INLINE.finditer(text):
        plain += text[position : found.start()]
        position = found.end()
        if found["escaped"] is not None or found["mask"] is not None:
            plain += found[0]
            continue
        if plain:
            yield Span(plain, base)
            plain = ""
        yield from _marked(found, base)
    plain += text[position:]
    if plain:
        yield Span(plain, base)


def _marked(found: re.Match[str], base: Style) -> Iterator[Span]:
    if found["code"] is not None:
        yield Span(_code(found["code"]), Style.CODE)
    elif found["bold"] is not None:
        yield from inline_spans(found["bold"], Style.BOLD)
    elif found["italic"] is not None:
        yield from inline_spans(found["italic"], Style.ITALIC if base is Style.PLAIN else base)
    elif found["address"] is not None:
        yield Span(found["address"], Style.ACCENT)
    else:
        yield from _link(found["label"], found["target"], found["title"] or "")


def _code(text: str) -> str:
    """One blank on each side belongs to the marks: they make room for a backtick."""
    is_roomy = len(text) > 2 and text[0] == text[-1] == " " and text.strip()
    return text[1:-1] if is_roomy and "`" in text else text


def _link(label: str, target: str, title: str) -> Iterator[Span]:
    yield from inline_spans(label, Style.ACCENT)
    if label != target:
        yield Span(f" ({target}{title})", Style.DIM)
