"""A page's words in order, without judging what is content: for pages too large, odd or short for trafilatura."""

import html
import re
from collections.abc import Iterator
from typing import Any

from paicli.tools.web.markup import walk

_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption"),
        *("figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol"),
        *("option", "p", "pre", "section", "summary", "table", "tbody", "thead", "tfoot", "tr", "ul"),
    )
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLANKS = re.compile(r"[ \t\n]{2,}|[\t\n]")
"""What becomes one blank. Single ones are left alone: each match costs ninety bytes while a text is rewritten."""
_BLANKS_AT_END = re.compile(r"(?<![ \t])[ \t]+\n")  # without its look-behind a run of blanks is read once for each
_MANY_LINES = re.compile(r"\n{3,}")
_UNSHOWN = ("script", "style", "template", "noscript", "title")
_TAG = re.compile(r"<[^<>]*>")
_BREAKING_TAG = re.compile(r"</?(?:p|div|br|li|tr|h[1-6]|section|article|pre)\b[^<>]*>", re.IGNORECASE)


def plain_page(tree: Any) -> str:
    """The visible text of a parsed page, a line for each block; headings and list items are marked."""
    return _tidied("".join(_pieces(tree)))


def tagless(markup: str) -> str:
    """What is left of HTML when its tags go: for markup that no parser holds (nested tens of thousands deep)."""
    for name in _UNSHOWN:
        markup = "".join(_outside(markup, name))
    markup = "".join(_outside_of(markup, "<!--", "-->"))
    markup = _TAG.sub("", _BREAKING_TAG.sub("\n", markup))
    return _tidied("\n".join(_BLANKS.sub(" ", line).strip() for line in html.unescape(markup).split("\n")))


def _pieces(tree: Any) -> Iterator[str]:
    kept_depth = 0
    for event, element in walk(tree):
        tag: Any = element.tag
        is_block = tag in _BLOCKS
        if event == "start":
            kept_depth += tag == "pre"
            if is_block or tag == "br":
                yield "\n"
            yield _HEADINGS.get(tag, "") or ("- " if tag == "li" else "")
            yield _text(element.text, is_kept=kept_depth > 0)
            continue
        kept_depth -= tag == "pre"
        if tag in {"td", "th"}:
            yield " | "
        elif is_block:
            yield "\n"
        if element is not tree:
            yield _text(element.tail, is_kept=kept_depth > 0)


def _text(text: str | None, *, is_kept: bool) -> str:
    if not text:
        return ""
    return text if is_kept else _BLANKS.sub(" ", text)


def _tidied(text: str) -> str:
    return _MANY_LINES.sub("\n\n", _BLANKS_AT_END.sub("\n", text)).strip()


def _outside(markup: str, name: str) -> Iterator[str]:
    return _outside_of(markup, f"<{name}", f"</{name}", ">")


def _outside_of(markup: str, opening: str, *closings: str) -> Iterator[str]:
    """The parts before, between and behind; what has no end hides the rest. `closings` follow one another."""
    folded = markup.lower()
    if len(folded) != len(markup):  # a letter whose small form is longer: places would no longer agree
        folded = markup
    position = 0
    while (start := folded.find(opening, position)) >= 0:
        yield markup[position:start]
        position = start
        for closing in closings:
            end = folded.find(closing, position)
            if end < 0:
                return
            position = end + len(closing)
    yield markup[position:]
