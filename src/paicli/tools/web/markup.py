"""HTML as a tree: the one place that talks to lxml."""

# lxml ships neither types nor stubs; what comes out of it is annotated here, once.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false, reportUnknownArgumentType=false

from collections.abc import Iterator
from typing import Any, NamedTuple

import lxml.html
from lxml import etree

FAULTS: tuple[type[Exception], ...] = (etree.LxmlError, ValueError)
"""What reading or changing a tree may raise."""


class ParsedPage(NamedTuple):
    tree: Any
    """The root element."""
    is_too_deep: bool
    """The parser stopped where elements stood in more elements than it holds: the tree lacks the rest."""


def parse_page(markup: str) -> ParsedPage | None:
    """Without comments and processing instructions; None for what no tree can be made of."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        tree = lxml.html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except FAULTS:
        return None
    return ParsedPage(tree, any("depth" in str(entry.message).lower() for entry in parser.error_log))


def walk(tree: Any) -> Iterator[tuple[str, Any]]:
    """Each element twice, as ("start", element) and ("end", element), in the order of the page; never recursive."""
    yield from etree.iterwalk(tree, events=("start", "end"))
