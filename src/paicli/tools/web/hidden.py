"""What a reader of the page would not see, taken out of it: a page may hide words there for a model to obey (C84)."""

import re
from collections.abc import Callable
from typing import Any

_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?:\.0+)?\s*(?:[a-z%!]|;|$)"
    r"|(?:left|top|right|text-indent|margin-left)\s*:\s*-\d{3,}",
    re.IGNORECASE,
)
_NEVER_SHOWN = frozenset({"script", "style", "template", "noscript", "iframe", "object", "svg", "canvas", "math"})


def without_controls(text: str) -> str:
    """`text` with plain line ends, and without control characters other than tabs and line ends."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))


def drop_unseen(tree: Any) -> int:
    """Takes out of the parsed page what is no text of it, and what is hidden; how many hidden elements had words."""
    hidden_count = 0
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            continue
        is_hidden = _is_hidden(element)
        if not is_hidden and element.tag not in _NEVER_SHOWN:
            continue
        if is_hidden and any(text.strip() for text in element.itertext()):
            hidden_count += element.tag not in _NEVER_SHOWN
        if element.getparent() is not None and element.tag not in {"html", "body"}:
            _drop(element)
    return hidden_count


def rewrite_texts(tree: Any, rewrite: Callable[[str], str]) -> None:
    """Passes each text of the parsed page through `rewrite`; one that comes back as it was is not copied."""
    for element in tree.iter():
        for place in ("text", "tail"):
            text = getattr(element, place)
            rewritten = rewrite(text) if text else text
            if rewritten != text:
                setattr(element, place, rewritten)


def _is_hidden(element: Any) -> bool:
    style = element.get("style")
    if style and _HIDING_STYLE.search(style):
        return True
    return element.get("hidden") is not None or (element.tag == "input" and element.get("type") == "hidden")


def _drop(element: Any) -> None:
    """Takes the element out and leaves the text behind it in its place."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)
