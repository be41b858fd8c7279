"""One spelling for a URL that can be fetched; two URLs are the same when theirs is."""

import ipaddress
import re
from urllib.parse import SplitResult, quote, urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNUSABLE = re.compile(r"[\x00-\x20\x7f\\<>\"`{}|^]")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_TWO_WAYS = frozenset("ßς\u200c\u200d")
"""The two IDNA standards make different hosts of them."""
_LONGEST = 8_000
_DOTS = str.maketrans(dict.fromkeys("。．｡", "."))


def normalise(url: str) -> str | None:
    """None for what is no absolute http or https URL, has a user's name in it, or is written in two readings."""
    text = url.strip()
    if len(text) > _LONGEST or _UNUSABLE.search(text):
        return None
    try:
        split = urlsplit(text)
        port = split.port
    except ValueError:
        return None
    scheme = split.scheme.lower()
    if scheme not in _DEFAULT_PORTS or "@" in split.netloc:
        return None
    host = _host(split)
    if host is None or port == 0:
        return None
    place = host if port is None or port == _DEFAULT_PORTS[scheme] else f"{host}:{port}"
    path = _escaped(split.path).rstrip("/")
    query = f"?{_escaped(split.query)}" if split.query else ""
    return f"{scheme}://{place}{path}{query}"


def is_loopback(url: str) -> bool:
    """Whether it names this very machine: `localhost`, 127.0.0.0/8, `::1`, 0.0.0.0."""
    normalised = normalise(url if "://" in url else f"http://{url}")
    if normalised is None:
        return False
    host = urlsplit(normalised).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _host(split: SplitResult) -> str | None:
    host = (split.hostname or "").rstrip(".")
    if split.netloc.startswith("["):
        try:
            return f"[{ipaddress.IPv6Address(host).compressed}]"
        except ValueError:
            return None
    if not host.isascii():
        if not _TWO_WAYS.isdisjoint(host):
            return None
        try:
            host = host.translate(_DOTS).encode("idna").decode("ascii").lower()
        except UnicodeError:
            return None
    return host if _HOST.fullmatch(host) and ".." not in host else None


def _escaped(text: str) -> str:
    """Characters outside ASCII as percent escapes, all escapes in capitals."""
    plain = quote(text, safe="".join(map(chr, range(0x21, 0x7F)))) if not text.isascii() else text
    return _ESCAPE.sub(lambda match: match[0].upper(), plain)
