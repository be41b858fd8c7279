"""From HTML to what a person would read of it, as Markdown."""

import logging
import re
from typing import Any, NamedTuple, cast

import trafilatura

from paicli.core.unicode import without_tags
from paicli.tools.web.hidden import drop_unseen, rewrite_texts, without_controls
from paicli.tools.web.links import complete_links
from paicli.tools.web.markup import FAULTS, parse_page
from paicli.tools.web.plain_page import plain_page, tagless

MAX_ELEMENTS = 8_000
MAX_CHARACTERS = 800_000
"""Above either trafilatura takes many seconds and hundreds of megabytes: such a page is given as plain text."""
MAX_TAGS = 300_000
"""Above it the tree alone takes more than 70 MB and many seconds: the text between the tags is all there is then."""
_SHORT_CHARACTERS = 200
_MUCH_MORE = 3
_MAX_TITLE_CHARACTERS = 300
_WANTS_SCRIPT = re.compile("javascript|java script|启用 ?js", re.IGNORECASE)
_MOUNTS = frozenset({"root", "app", "__next", "__nuxt", "react-root", "svelte", "main-app"})
"""The ids of elements that scripts fill."""

for _name in ("trafilatura", "htmldate", "courlan", "justext"):
    # Without a handler of its own a warning would be written to stderr, into the middle of the screen.
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False


class ReadablePage(NamedTuple):
    title: str
    text: str
    """Markdown; empty where the page says nothing."""
    needs_script: bool = False
    hidden_count: int = 0
    """Elements that no reader would see, with words in them."""
    tag_count: int = 0
    """Invisible tag characters that were taken out."""


def read_html(markup: str, url: str) -> ReadablePage:
    """Never raises for what a page holds. `url` makes its links absolute."""
    markup, tag_count = without_tags(without_controls(markup))
    page = parse_page(markup) if markup.count("<") <= MAX_TAGS else None
    if page is None:
        return ReadablePage("", tagless(markup), tag_count=tag_count)
    tree = page.tree
    title = _title(tree)
    if page.is_too_deep:
        return ReadablePage(title, tagless(markup), tag_count=tag_count)
    signs = _script_signs(tree)
    hidden_count = drop_unseen(tree)
    late_count = _drop_late_tags(tree)
    kept = _Joiners(markup)
    rewrite_texts(tree, kept.hide)
    complete_links(tree, url)
    text = kept.show(_text_of(tree, markup))
    needs_script = len(text) < _SHORT_CHARACTERS and (bool(signs) or (not text and _has_scripts(markup)))
    if needs_script and signs.strip() and signs.strip() not in text:
        text = f"{text}\n\n{signs.strip()}".strip()
    text, last_count = without_tags(without_controls(text))
    return ReadablePage(title, text, needs_script, hidden_count, tag_count + late_count + last_count)


class _Joiners:
    """U+200C and U+200D, which belong to words (Persian, emoji) and which trafilatura would take out with the rest."""

    def __init__(self, markup: str) -> None:
        unused = (letter for letter in map(chr, range(0x10600, 0x10737)) if letter not in markup)
        self._stand_ins = dict(zip("\u200c\u200d", unused, strict=False))

    def hide(self, text: str) -> str:
        for joiner, stand_in in self._stand_ins.items():
            text = text.replace(joiner, stand_in)
        return text

    def show(self, text: str) -> str:
        for joiner, stand_in in self._stand_ins.items():
            text = text.replace(stand_in, joiner)
        return text


def _drop_late_tags(tree: Any) -> int:
    """Tag characters written as references (`&#xE0041;`) are characters only now."""
    counts: list[int] = []

    def rewrite(text: str) -> str:
        text, count = without_tags(text)
        counts.append(count)
        return text

    rewrite_texts(tree, rewrite)
    return sum(counts)


def _text_of(tree: Any, markup: str) -> str:
    plain = plain_page(tree.find("body") if tree.find("body") is not None else tree)
    is_large = len(markup) > MAX_CHARACTERS or sum(1 for _ in tree.iter()) > MAX_ELEMENTS
    if is_large or not plain:
        return plain
    extract = cast(Any, trafilatura.extract)
    try:
        chosen = extract(
            tree,
            output_format="markdown",
            include_links=True,
            include_tables=True,
            include_formatting=True,
            include_comments=True,
            favor_recall=True,
        )
    except (*FAULTS, TypeError, AttributeError, LookupError, RecursionError):
        return plain  # it stumbles over some markup; the words are there all the same
    text = str(chosen or "").strip()
    is_poor = len(text) < _SHORT_CHARACTERS and len(plain) > len(text) * _MUCH_MORE
    return plain if is_poor else text


def _title(tree: Any) -> str:
    words = " ".join(str(tree.findtext(".//title") or "").split())
    return without_tags(words)[0][:_MAX_TITLE_CHARACTERS]


def _script_signs(tree: Any) -> str:
    """What says that scripts make this page: words of a noscript, or an empty element that a script would fill."""
    for element in tree.iter("noscript"):
        words = " ".join("".join(element.itertext()).split())
        if _WANTS_SCRIPT.search(words):
            return words[:_SHORT_CHARACTERS]
    for element in tree.iter("div", "main", "section"):
        if element.get("id") in _MOUNTS and not "".join(element.itertext()).strip():
            return " "
    return ""


def _has_scripts(markup: str) -> bool:
    return "<script" in markup.lower()
