"""What kind of place an IP address is, decided on the resolved address and never on how somebody spelled it.

`127.1`, `0x7f000001` and `017700000001` are no business of this module: the resolver turns them into addresses first.
"""

import ipaddress
from collections.abc import Iterator
from enum import StrEnum

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Place(StrEnum):
    """What an address is for; only PUBLIC is anybody's to fetch from."""

    PUBLIC = "public"
    LOOPBACK = "loopback"
    PRIVATE = "private"
    LINK_LOCAL = "link_local"
    METADATA = "metadata"
    SHARED = "shared"
    MULTICAST = "multicast"
    UNSPECIFIED = "unspecified"
    RESERVED = "reserved"


_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        (
            "169.254.169.254",  # most clouds
            "169.254.170.2",  # container credentials
            "168.63.129.16",  # a public address that only the host's own fabric answers
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
        ),
    )
)
_SHARED = ipaddress.ip_network("100.64.0.0/10")  # carrier-grade NAT: ipaddress calls it neither private nor global
_SITE_LOCAL = ipaddress.ip_network("fec0::/10")
_WELL_KNOWN_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")
_COMPATIBLE = ipaddress.ip_network("::/96")
_LOW_32 = 0xFFFFFFFF


def place_of(address: Address) -> Place:
    """The least public place that the address or one wrapped in it stands for."""
    places = [_own_place(address), *(_own_place(inner) for inner in _wrapped(address))]
    return next((place for place in places if place is not Place.PUBLIC), Place.PUBLIC)


def every_form(address: Address) -> tuple[Address, ...]:
    """The address, and the IPv4 address that an IPv6 one is another spelling of."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (address,) if mapped is None else (address, mapped)


def parsed_address(text: str) -> Address | None:
    """None where `text` is no plain address; a zone (`%eth0`) is left out."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _own_place(address: Address) -> Place:
    if address in _METADATA:
        return Place.METADATA
    if isinstance(address, ipaddress.IPv4Address) and address in _SHARED:
        return Place.SHARED
    checks = (
        (address.is_unspecified, Place.UNSPECIFIED),
        (address.is_loopback, Place.LOOPBACK),
        (address.is_link_local, Place.LINK_LOCAL),
        (address.is_multicast, Place.MULTICAST),
        (isinstance(address, ipaddress.IPv6Address) and address in _SITE_LOCAL, Place.PRIVATE),
        (address.is_reserved, Place.RESERVED),
        (address.is_private, Place.PRIVATE),
        (not address.is_global, Place.RESERVED),
    )
    place = next((place for is_true, place in checks if is_true), Place.PUBLIC)
    if place is Place.RESERVED and _is_well_known_carrier(address):
        return Place.PUBLIC  # what it carries decides
    return place


def _is_well_known_carrier(address: Address) -> bool:
    return isinstance(address, ipaddress.IPv6Address) and (
        address in _WELL_KNOWN_NAT64 or address.sixtofour is not None or address.ipv4_mapped is not None
    )


def _wrapped(address: Address) -> Iterator[Address]:
    """IPv4 addresses that a gateway or the system would take an IPv6 address for."""
    if not isinstance(address, ipaddress.IPv6Address):
        return
    low = ipaddress.IPv4Address(int(address) & _LOW_32)
    if (
        address.ipv4_mapped is not None
        or address in _WELL_KNOWN_NAT64
        or address in _LOCAL_NAT64
        or (address in _COMPATIBLE and not address.is_loopback)
    ):
        yield low
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
