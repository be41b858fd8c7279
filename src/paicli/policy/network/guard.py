"""NetworkGuard: which URLs are requests at all, and which of a host's addresses a request may go to."""

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied
from paicli.policy.network.addresses import Address, Network, Place, every_form, parsed_address, place_of

STANDARD_PORTS = frozenset({80, 443})
MAX_URL_CHARACTERS = 4_000
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_][a-z0-9_.-]*")
_KEPT_IN_TARGET = "!#$%&'()*+,/:;=?@[]~"
"""Of a path and a query that are sent as they were written; the rest is percent-encoded."""


class Target(NamedTuple):
    """A URL taken apart the way it is sent."""

    scheme: str
    host: str
    """Lower-case ASCII, without brackets."""
    port: int
    path: str
    """Path and query in ASCII, from "/"."""

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


class AllowedHost(NamedTuple):
    """One configured exception: a name, an address or a network, with a port or for all of them."""

    name: str = ""
    """Lower-case; "*.example.com" stands for every name below it."""
    network: Network | None = None
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> "AllowedHost | None":
        """`intranet.example`, `*.corp.example:8443`, `127.0.0.1:8080`, `10.1.0.0/16`; None: it is none of these."""
        entry = text.strip().lower()
        try:
            return cls(network=ipaddress.ip_network(entry.strip("[]"), strict=False))
        except ValueError:
            pass
        try:
            parts = urlsplit(f"//{entry}")
            host, port = (parts.hostname or "").rstrip("."), parts.port
            if not host or parts.path or parts.query or parts.fragment or "@" in entry:
                return None
            address = parsed_address(host)
            if address is not None:
                return cls(network=ipaddress.ip_network(address), port=port)
            ascii_name = ("*." if host.startswith("*.") else "") + _ascii_host(host.removeprefix("*."))
        except ValueError:
            return None
        return None if "*" in ascii_name.removeprefix("*.") else cls(ascii_name, port=port)

    def covers_name(self, host: str, port: int) -> bool:
        if not self.name or self.port not in {None, port}:
            return False
        return host == self.name or (self.name.startswith("*.") and host.endswith(self.name[1:]))

    def covers_address(self, address: Address, port: int) -> bool:
        if self.network is None or self.port not in {None, port}:
            return False
        return any(form.version == self.network.version and form in self.network for form in every_form(address))


class NetworkGuard:
    """Decides; it neither looks a name up nor connects."""

    def __init__(self, allowed: Iterable[AllowedHost] = ()) -> None:
        """`allowed`: places that are not public, or ports that are not standard, and yet may be reached."""
        self._allowed = tuple(allowed)

    def with_allowed(self, *allowed: AllowedHost) -> "NetworkGuard":
        """A guard that allows these too."""
        return NetworkGuard((*self._allowed, *allowed))

    def check_url(self, url: str) -> Target:
        """The URL taken apart. Raises PolicyDenied for what is no plain http or https URL."""
        if len(url) > MAX_URL_CHARACTERS:
            raise PolicyDenied("web.url_too_long", limit=MAX_URL_CHARACTERS)
        shown = url[:200]
        if any(character <= " " or character in "\\\x7f" for character in url):
            raise PolicyDenied("web.url_unusable", url=shown)
        try:
            parts = urlsplit(url)
            scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
        except ValueError:
            raise PolicyDenied("web.url_unusable", url=shown) from None
        if scheme not in _DEFAULT_PORTS:
            raise PolicyDenied("web.url_scheme", url=shown)
        if parts.username is not None or parts.password is not None:
            raise PolicyDenied("web.url_credentials", host=host)
        try:
            host = _ascii_host(host)
        except ValueError:
            raise PolicyDenied("web.url_unusable", url=shown) from None
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(scheme, host, port or _DEFAULT_PORTS[scheme], quote(path, safe=_KEPT_IN_TARGET))

    def check_port(self, target: Target, trusted_port: int | None) -> None:
        """Raises PolicyDenied for a port that is neither standard nor that of the trusted URL nor configured."""
        if target.port in STANDARD_PORTS or target.port == trusted_port:
            return
        address = parsed_address(target.host)
        if not any(
            entry.port == target.port
            and (
                entry.covers_name(target.host, target.port) or (address and entry.covers_address(address, target.port))
            )
            for entry in self._allowed
        ):
            raise PolicyDenied("web.port_refused", host=target.host, port=target.port)

    def check_address(self, target: Target, address: str) -> None:
        """Raises PolicyDenied unless a request for `target` may go to `address`, one that the resolver gave."""
        parsed = parsed_address(address)
        place = Place.RESERVED if parsed is None else place_of(parsed)
        if place is Place.PUBLIC or any(entry.covers_name(target.host, target.port) for entry in self._allowed):
            return
        if parsed is not None and any(entry.covers_address(parsed, target.port) for entry in self._allowed):
            return
        kind = model_text(f"web.place.{place}")
        raise PolicyDenied("web.address_refused", host=target.host, address=address, kind=kind)


def _ascii_host(host: str) -> str:
    """As it is looked up and named to the server. Raises ValueError for what is no host."""
    if parsed_address(host) is not None and "%" not in host:
        return host.lower()
    name = (host if host.isascii() else host.encode("idna").decode("ascii")).lower().removesuffix(".")
    if len(name) > 253 or not _NAME.fullmatch(name) or ".." in name:
        raise ValueError(host)
    return name
