import pytest

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied
from paicli.policy.network.guard import AllowedHost, NetworkGuard, Target


def allowing(*entries: str) -> NetworkGuard:
    parsed = [AllowedHost.parse(entry) for entry in entries]
    assert None not in parsed, entries
    return NetworkGuard(entry for entry in parsed if entry)


def refusal(guard: NetworkGuard, url: str) -> str:
    with pytest.raises(PolicyDenied) as caught:
        guard.check_url(url)
    assert model_text(caught.value.code, **caught.value.fields)
    return caught.value.code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("file:///etc/passwd", "web.url_scheme"),
        ("ftp://example.com/x", "web.url_scheme"),
        ("data:text/html,hello", "web.url_scheme"),
        ("gopher://127.0.0.1:70/", "web.url_scheme"),
        ("javascript:alert(1)", "web.url_scheme"),
        ("example.com/page", "web.url_scheme"),
        ("//example.com/page", "web.url_scheme"),
        ("", "web.url_scheme"),
        ("http://", "web.url_unusable"),
        ("http:///path", "web.url_unusable"),
        ("http://exam ple.com/", "web.url_unusable"),
        ("http://example.com/a\r\nHost: evil", "web.url_unusable"),
        ("http://example.com\\@127.0.0.1/", "web.url_unusable"),
        ("http://127%2e0.0.1/", "web.url_unusable"),
        ("http://[fe80::1%25eth0]/", "web.url_unusable"),
        ("http://[::1/", "web.url_unusable"),
        ("http://a..b/", "web.url_unusable"),
        ("http://example.com:port/", "web.url_unusable"),
        ("http://example.com:99999/", "web.url_unusable"),
        ("http://user:secret@example.com/", "web.url_credentials"),
        ("http://example.com@127.0.0.1/", "web.url_credentials"),
        (f"http://example.com/{'a' * 4000}", "web.url_too_long"),
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str, code: str) -> None:
    assert refusal(NetworkGuard(), url) == code  # C77


@pytest.mark.parametrize(
    ("url", "target", "spelled"),
    [
        ("HTTP://Example.COM", Target("http", "example.com", 80, "/"), "http://example.com/"),
        ("https://example.com./a?b=c#d", Target("https", "example.com", 443, "/a?b=c"), "https://example.com/a?b=c"),
        ("http://例子.测试/文?字=1", None, "http://xn--fsqu00a.xn--0zwm56d/%E6%96%87?%E5%AD%97=1"),
        (
            "http://a.example:8080/%E4%B8%AD",
            Target("http", "a.example", 8080, "/%E4%B8%AD"),
            "http://a.example:8080/%E4%B8%AD",
        ),
        ("http://[::1]:8080/", Target("http", "::1", 8080, "/"), "http://[::1]:8080/"),
        ("http://0x7f.1/", Target("http", "0x7f.1", 80, "/"), "http://0x7f.1/"),
    ],
)
def test_a_url_is_taken_apart_the_way_it_is_sent(url: str, target: Target | None, spelled: str) -> None:
    found = NetworkGuard().check_url(url)
    assert found.url == spelled
    assert target is None or found == target


def test_digits_of_other_scripts_become_the_host_that_is_looked_up() -> None:
    assert NetworkGuard().check_url("http://①②⑦.0.0.1/").host == "127.0.0.1"


CLOSED = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.100.100.200", "fe80::1%2", "fc00::1", "0.0.0.0", "nonsense"]


@pytest.mark.parametrize("address", CLOSED)
def test_an_inner_address_is_refused_under_any_name(address: str) -> None:
    target = NetworkGuard().check_url("http://innocent.example/")
    with pytest.raises(PolicyDenied) as caught:
        NetworkGuard().check_address(target, address)
    said = model_text(caught.value.code, **caught.value.fields)
    assert "innocent.example" in said
    assert address in said


def test_a_public_address_passes() -> None:
    guard = NetworkGuard()
    guard.check_address(guard.check_url("http://example.com/"), "93.184.216.34")


@pytest.mark.parametrize(
    ("entry", "url", "address", "passes"),
    [
        ("127.0.0.1", "http://127.0.0.1/", "127.0.0.1", True),
        ("127.0.0.1", "http://localhost/", "127.0.0.1", True),
        ("127.0.0.1", "http://x.example/", "::ffff:127.0.0.1", True),
        ("127.0.0.1", "http://127.0.0.2/", "127.0.0.2", False),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/", "127.0.0.1", True),
        ("127.0.0.1:8080", "http://127.0.0.1:9090/", "127.0.0.1", False),
        ("10.1.0.0/16", "http://wiki.example/", "10.1.2.3", True),
        ("10.1.0.0/16", "http://wiki.example/", "10.2.2.3", False),
        ("::1", "http://[::1]/", "::1", True),
        ("[::1]:8080", "http://[::1]:8080/", "::1", True),
        ("wiki.example", "http://wiki.example/", "10.2.2.3", True),
        ("Wiki.Example.", "http://wiki.example/", "10.2.2.3", True),
        ("wiki.example", "http://evil-wiki.example/", "10.2.2.3", False),
        ("*.corp.example", "http://a.corp.example/", "10.2.2.3", True),
        ("*.corp.example", "http://corp.example/", "10.2.2.3", False),
        ("*.corp.example", "http://acorp.example/", "10.2.2.3", False),
    ],
)
def test_a_configured_place_is_an_exception_and_nothing_beside_it(
    entry: str, url: str, address: str, passes: bool
) -> None:
    guard = allowing(entry)
    target = guard.check_url(url)
    if passes:
        guard.check_address(target, address)
        return
    with pytest.raises(PolicyDenied):
        guard.check_address(target, address)


@pytest.mark.parametrize("entry", ["", "http://a", "a/b", "a b", "*", "a.*.b", "user@host", "host:x", "10.0.0.0/99"])
def test_what_is_no_host_is_no_exception(entry: str) -> None:
    assert AllowedHost.parse(entry) is None


@pytest.mark.parametrize(
    ("url", "trusted_port", "passes"),
    [
        ("http://example.com/", None, True),
        ("https://example.com/", None, True),
        ("http://example.com:443/", None, True),
        ("http://example.com:8080/", None, False),
        ("http://example.com:8080/", 8080, True),
        ("http://example.com:22/", 8080, False),
        ("http://dev.example:3000/", None, True),
        ("http://127.0.0.1:3000/", None, True),
    ],
)
def test_a_port_is_standard_or_trusted_or_configured(url: str, trusted_port: int | None, passes: bool) -> None:
    guard = allowing("dev.example:3000", "127.0.0.1:3000")
    target = guard.check_url(url)
    if passes:
        guard.check_port(target, trusted_port)
        return
    with pytest.raises(PolicyDenied, match=r"web\.port_refused"):
        guard.check_port(target, trusted_port)
