"""URL patterns of approval rules: `https://docs.python.org/*`, `docs.python.org`, `https://*.example.com/api/*`."""

import posixpath
import re
from fnmatch import fnmatchcase
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from paicli.policy.urls.normalise import normalise

_PATTERN = re.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>\*|(?:\*\.)?[^/?#@:*\\\s]+|\[[0-9a-fA-F:.]+\])(?::(?P<port>\d{1,5}))?"
    r"(?P<path>/[^#\s]*)?",
    re.IGNORECASE,
)
_AMBIGUOUS = ("/", "\\", "\x00")
"""What no part of a path may become once its escapes are undone."""


class UrlPattern(NamedTuple):
    """Scheme, host and port are compared exactly; `*` counts in the path, and as the host's first part."""

    scheme: str
    """Empty: http and https."""
    host: str
    """Normalised; `*` any, `*.x` every host below x."""
    port: int | None
    path: str
    """With wildcards; empty: any."""

    @classmethod
    def parse(cls, text: str) -> "UrlPattern | None":
        """None for a pattern that no fetchable URL matches."""
        found = _PATTERN.fullmatch(text.strip())
        if found is None:
            return None
        lead = "*." if found["host"].startswith("*.") else ""
        host = found["host"] if found["host"] == "*" else _host_of(found["host"].removeprefix("*."))
        path = found["path"] or ""
        if not host or not 0 < int(found["port"] or 1) < 65_536 or ".." in unquote(path).split("/"):
            return None
        scheme = (found["scheme"] or "").lower()
        port = int(found["port"]) if found["port"] else None
        return cls(scheme, lead + host, port if port != _default(scheme) else None, path)

    def covers(self, url: str) -> bool:
        """Whether a request for `url` stays within the pattern, however it is spelt."""
        normalised = normalise(url)
        if normalised is None:
            return False
        split = urlsplit(normalised)
        host = f"[{split.hostname}]" if ":" in (split.hostname or "") else split.hostname or ""
        if self.scheme not in {"", split.scheme} or split.port != self.port or not self._is_host(host):
            return False
        parts = [unquote(part) for part in split.path.split("/")]
        if any(sign in part for part in parts for sign in _AMBIGUOUS):
            return False
        path = posixpath.normpath("/" + "/".join(parts).lstrip("/"))
        full = f"{path}?{split.query}" if split.query else path
        # `/a/*` means `/a` and what is below it; a trailing slash is no other page
        return not self.path or any(fnmatchcase(form, self.path) for form in (full, full + "/"))

    def _is_host(self, host: str) -> bool:
        if self.host == "*":
            return True
        return host.endswith(self.host[1:]) if self.host.startswith("*.") else host == self.host


def _host_of(text: str) -> str | None:
    normalised = normalise(f"http://{text}/")
    return normalised.removeprefix("http://").rstrip("/") if normalised is not None else None


def _default(scheme: str) -> int | None:
    return {"http": 80, "https": 443}.get(scheme)
