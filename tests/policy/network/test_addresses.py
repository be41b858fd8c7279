import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.policy.network.addresses import Place, every_form, parsed_address, place_of
from tests.random_examples import examples

PLACES = {
    "93.184.216.34": Place.PUBLIC,
    "2606:2800:220:1::1": Place.PUBLIC,
    "8.8.8.8": Place.PUBLIC,
    "127.0.0.1": Place.LOOPBACK,
    "127.255.255.254": Place.LOOPBACK,
    "::1": Place.LOOPBACK,
    "0.0.0.0": Place.UNSPECIFIED,
    "0.1.2.3": Place.PRIVATE,
    "::": Place.UNSPECIFIED,
    "10.0.0.1": Place.PRIVATE,
    "172.16.0.1": Place.PRIVATE,
    "172.31.255.255": Place.PRIVATE,
    "172.32.0.1": Place.PUBLIC,
    "192.168.1.1": Place.PRIVATE,
    "fc00::1": Place.PRIVATE,
    "fec0::1": Place.PRIVATE,
    "169.254.1.1": Place.LINK_LOCAL,
    "fe80::1": Place.LINK_LOCAL,
    "169.254.169.254": Place.METADATA,
    "168.63.129.16": Place.METADATA,
    "fd00:ec2::254": Place.METADATA,
    "100.100.100.200": Place.METADATA,
    "100.64.0.1": Place.SHARED,
    "100.127.255.255": Place.SHARED,
    "100.128.0.1": Place.PUBLIC,
    "224.0.0.1": Place.MULTICAST,
    "ff02::1": Place.MULTICAST,
    "240.0.0.1": Place.RESERVED,
    "255.255.255.255": Place.RESERVED,
    "192.0.2.1": Place.PRIVATE,
    "::ffff:127.0.0.1": Place.LOOPBACK,
    "::ffff:93.184.216.34": Place.PUBLIC,
    "::ffff:100.64.0.1": Place.SHARED,
    "::127.0.0.1": Place.RESERVED,
    "::10.0.0.1": Place.RESERVED,
    "64:ff9b::127.0.0.1": Place.LOOPBACK,
    "64:ff9b::8.8.8.8": Place.PUBLIC,
    "64:ff9b::169.254.169.254": Place.METADATA,
    "64:ff9b:1::8.8.8.8": Place.PRIVATE,
    "2002:7f00:1::": Place.LOOPBACK,
    "2002:a00:1::1": Place.PRIVATE,
    "2001:db8::1": Place.PRIVATE,
}


@pytest.mark.parametrize(("text", "place"), PLACES.items())
def test_an_address_is_placed_by_what_it_stands_for(text: str, place: Place) -> None:
    address = parsed_address(text)
    assert address is not None
    found = place_of(address)
    # Which of the closed ranges it is may differ between versions of ipaddress; that it is closed may not.
    assert (found is Place.PUBLIC) == (place is Place.PUBLIC)
    if place in {Place.LOOPBACK, Place.METADATA, Place.SHARED, Place.LINK_LOCAL, Place.MULTICAST}:
        assert found is place


@examples(200)
@given(st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address))
def test_a_closed_address_is_closed_in_every_ipv6_spelling(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    spellings = [
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address(0x0064FF9B << 96 | number),
        ipaddress.IPv6Address(0x2002 << 112 | number << 80),
    ]
    closed = place_of(address) is not Place.PUBLIC
    assert [place_of(each) is not Place.PUBLIC for each in spellings] == [closed] * 3


def test_short_and_numeric_forms_are_no_addresses_yet() -> None:
    # C77: the resolver makes addresses of them, and those are checked
    assert [parsed_address(text) for text in ("2130706433", "0x7f000001", "127.1", "017700000001", "0")] == [None] * 5


def test_a_mapped_address_has_two_forms() -> None:
    mapped = ipaddress.ip_address("::ffff:10.0.0.1")
    assert every_form(mapped) == (mapped, ipaddress.ip_address("10.0.0.1"))
