"""Whether two hosts are one site: the same registrable domain, by the public suffix list."""

from functools import cache
from typing import TYPE_CHECKING

from paicli.policy.network.addresses import parsed_address

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def same_site(one: str, other: str) -> bool:
    """`www.example.co.uk` and `example.co.uk` are; two pages hosts below `github.io` and two addresses are not."""
    one, other = one.lower().rstrip("."), other.lower().rstrip(".")
    if one == other:
        return True
    site = registrable_domain(one)
    return bool(site) and site == registrable_domain(other)


def registrable_domain(host: str) -> str:
    """`example.co.uk` of `www.example.co.uk`; empty for an address, a bare name and a public suffix itself."""
    if parsed_address(host) is not None or "." not in host:
        return ""
    return _suffixes().privatesuffix(host.lower().rstrip(".")) or ""


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import (
        PublicSuffixList,
    )  # start-up: 13 ms, and 80 ms to read its list; redirects alone need it

    # A top-level domain that the list does not know is one of an own network: it tells nothing about who owns what.
    return PublicSuffixList(accept_unknown=False)
