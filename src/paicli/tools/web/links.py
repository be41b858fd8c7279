"""The links of a parsed page, as somebody would need them who does not stand on that page."""

import re
from typing import Any
from urllib.parse import urljoin

_SHOWN_SCHEMES = ("http://", "https://", "mailto:")
_BREAKS = re.compile("[\t\r\n]")
_MAX_CHARACTERS = 2_000


def complete_links(tree: Any, url: str) -> None:
    """Makes them absolute, by the page's own base where it has one; what leads to no page loses its address."""
    base = next((_joined(url, element.get("href")) for element in tree.iter("base") if element.get("href")), url)
    for element in list(tree.iter("a")):
        address = element.get("href")
        whole = "" if address is None or address.strip().startswith("#") else _joined(base, address)
        if whole.lower().startswith(_SHOWN_SCHEMES) and len(whole) <= _MAX_CHARACTERS:
            element.set("href", whole)
        else:
            element.tag = "span"  # words like any other


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, _BREAKS.sub("", address.strip()).replace(" ", "%20"))
    except ValueError:
        return ""
