"""Text that can be written as UTF-8, and read as it is: what no reader sees is known here, once (R3, C84).

Lone surrogates and invalid bytes become U+FFFD at the boundary. Tag characters, which models read as letters and people
not at all, never reach a model or a panel. The joiners of emoji (U+200D), of Persian (U+200C) and variation selectors
belong to visible text and stay.
"""

import re

TAGS = "\U000e0000-\U000e007f"
"""A class for patterns: letters nobody sees, read by models."""
BIDI = "\u202a-\u202e\u2066-\u2069"
"""A class for patterns: what makes text stand in another order than it is read."""
UNSEEN = (
    f"{BIDI}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028\u2029\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb"
)
"""A class for patterns: what else takes no room on a screen."""

_TAG = re.compile(f"[{TAGS}]")
_UNSEEN = re.compile(f"[{UNSEEN}]")
_HIGH, _LOW = r"u[dD][89abAB][0-9a-fA-F]{2}", r"u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = rf"(?s)\\(?:{_HIGH}\\{_LOW}|(?P<lone>{_HIGH}|{_LOW})|.)"
"""Of JSON. Compiled where one that may be a surrogate is met: hardly any session meets one."""

BYTE_ORDER_MARK = "\ufeff"
"""What some programs put at the head of a text."""


def without_tags(text: str) -> tuple[str, int]:
    """`text` without tag characters, and how many there were."""
    return (text, 0) if text.isascii() else _TAG.subn("", text)


def unseen_count(text: str) -> int:
    """How many characters in `text` order others or stand between them without being seen; tags not counted."""
    return 0 if text.isascii() else sum(1 for _ in _UNSEEN.finditer(text))


def well_formed(text: str) -> str:
    """`text` with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def well_formed_json(text: str) -> str:
    """`text` of JSON, well-formed, and so are the strings in it once it is read: `\\ud83d` alone becomes `\\ufffd`.

    What is sent back to a server may be read there.
    """
    if "\\ud" in text or "\\uD" in text:
        text = re.sub(_ESCAPE, lambda escape: r"\ufffd" if escape["lone"] else escape[0], text)
    return well_formed(text)


def decoded(raw: bytes) -> str:
    """UTF-8 text of `raw`, each invalid byte sequence replaced by U+FFFD."""
    return raw.decode("utf-8", "replace")


def clipped(text: str, limit: int, mark: str = "…") -> str:
    """At most `limit` characters, the last being `mark` when something was cut."""
    return text if len(text) <= limit else text[: max(0, limit - len(mark))] + mark
