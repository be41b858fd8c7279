import pytest

from paicli.policy.urls.sites import registrable_domain, same_site


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("example.com", "www.example.com", True),
        ("a.b.example.co.uk", "example.co.uk", True),
        ("EXAMPLE.com.", "example.com", True),
        ("docs.example.com.cn", "example.com.cn", True),
        ("one.co.uk", "other.co.uk", False),
        ("example.com", "example.org", False),
        ("example.com", "example.com.evil.net", False),
        ("notexample.com", "example.com", False),
        ("alice.github.io", "bob.github.io", False),
        ("alice.github.io", "github.io", False),
        ("localhost", "localhost", True),
        ("localhost", "other", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("1.10.0.0.1", "10.0.0.1", False),
        ("a.corp.internal-network", "b.corp.internal-network", False),
        ("xn--fiqs8s", "xn--55qx5d.xn--fiqs8s", False),
    ],
)
def test_a_site_is_one_registrable_domain(one: str, other: str, same: bool) -> None:
    assert (same_site(one, other), same_site(other, one)) == (same, same)


def test_a_public_suffix_an_address_and_a_bare_name_have_no_domain_of_their_own() -> None:
    assert [registrable_domain(host) for host in ("co.uk", "github.io", "::1", "10.0.0.1", "localhost")] == [""] * 5
