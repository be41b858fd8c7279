import pytest

from paicli.policy.urls.normalise import is_loopback, normalise
from paicli.policy.urls.words import urls_in

SAME = [
    ("https://Example.COM/Docs/", "https://example.com/Docs"),
    ("HTTPS://example.com", "https://example.com"),
    ("https://example.com/", "https://example.com"),
    ("https://example.com#part", "https://example.com"),
    ("https://example.com:443/x", "https://example.com/x"),
    ("http://example.com:80/x", "http://example.com/x"),
    ("https://example.com:8443/x", "https://example.com:8443/x"),
    ("https://example.com/a%2fb%c3%a9", "https://example.com/a%2Fb%C3%A9"),
    ("https://example.com/é", "https://example.com/%C3%A9"),
    ("https://例子.中国/路", "https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF"),
    ("https://bücher.example/", "https://xn--bcher-kva.example"),
    ("https://example.com./x", "https://example.com/x"),
    ("https://example.com/x?b=2&a=1", "https://example.com/x?b=2&a=1"),
    ("https://example.com/?q=1", "https://example.com?q=1"),
    (" https://example.com/x \n", "https://example.com/x"),
    ("http://[::1]:8000/", "http://[::1]:8000"),
    ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]"),
]

DIFFERENT = [
    ("https://example.com/a", "http://example.com/a"),
    ("https://example.com/a", "https://example.com/A"),
    ("https://example.com/a", "https://example.com/a?x"),
    ("https://example.com", "https://www.example.com"),
    ("https://example.com", "https://example.com:8443"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
    ("https://example.com/a", "https://example.com.evil.example/a"),
]

UNUSABLE = [
    "", "example.com", "ftp://example.com", "file:///etc/passwd", "data:text/html,x", "gopher://example.com",
    "javascript:alert(1)", "https://", "https:///x", "https://user@example.com", "https://user:pw@example.com",
    "https://example.com@evil.example", "https://exa mple.com", "https://example.com\\@evil.example", "https://a..b/",
    "https://example.com:99999/", "https://example.com:0/", "https://example.com/\x00", "https://[::1", "https://[zz]/",
    "https://-example.com/", "https://faß.example/", "https://exa\u200dmple.com/", "https://e.com/{a,b}",
    "//example.com/x",    "https://" + "a" * 9_000,
]  # fmt: skip


@pytest.mark.parametrize(("url", "normalised"), SAME)
def test_one_spelling(url: str, normalised: str) -> None:
    assert normalise(url) == normalised
    assert normalise(normalised) == normalised


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize("url", UNUSABLE)
def test_no_url_to_be_fetched(url: str) -> None:
    assert normalise(url) is None


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://localhost:8000/x", True),
        ("localhost:8000", True),
        ("http://app.localhost", True),
        ("http://127.0.0.1:5000", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:80/", True),
        ("http://0.0.0.0:8000", True),
        ("http://localhost.evil.example", False),
        ("http://localhost@evil.example", False),
        ("http://127.0.0.1.nip.example", False),
        ("http://2130706433", False),
        ("http://10.0.0.1", False),
        ("http://169.254.169.254", False),
        ("https://example.com/localhost", False),
    ],
)
def test_loopback_is_this_machine_and_nothing_that_looks_like_it(url: str, is_local: bool) -> None:
    assert is_loopback(url) is is_local


WORDS = [
    ("", ()),
    ("read https://example.com/a.", ("https://example.com/a",)),
    ("看 https://example.com/a。然后 https://example.com/b,谢谢", ("https://example.com/a", "https://example.com/b")),
    ("(https://example.com/a)", ("https://example.com/a",)),
    ("https://en.wikipedia.org/wiki/A_(b)", ("https://en.wikipedia.org/wiki/A_(b)",)),
    ("[docs](https://example.com/a) and <https://example.com/b>", ("https://example.com/a", "https://example.com/b")),
    ("`https://example.com/a`", ("https://example.com/a",)),
    ("\"https://example.com/a\"", ("https://example.com/a",)),
    ("「https://example.com/a」", ("https://example.com/a",)),
    ("https://example.com的首页", ("https://example.com",)),
    ("打开https://example.com/a看看", ("https://example.com/a", "https://example.com/a看看")),
    ("https://zh.example.org/wiki/中文", ("https://zh.example.org/wiki/", "https://zh.example.org/wiki/中文")),
    ("https://例子.中国/路", ("https://例子.中国/路",)),
    ("看 http://bücher.example/x 这页", ("http://bücher.example/x",)),
    ("https://example.com/a https://EXAMPLE.com/a/", ("https://example.com/a",)),
    ("HTTPS://Example.com", ("HTTPS://Example.com",)),
    ("https://user:pw@example.com/", ()),
    ("ftp://example.com/x file:///etc/passwd", ()),
    ("see www.example.com/x", ("https://www.example.com/x", "http://www.example.com/x")),
    ("fetch docs.python.org/3/library/re.html", ("https://docs.python.org/3/library/re.html",
                                                 "http://docs.python.org/3/library/re.html")),
    ("look at example.com", ("https://example.com", "http://example.com")),
    ("mail me@example.com", ()),
    ("fix src/main.py and setup.cfg, node.js, foo.io, e.g. a.b", ()),
    ("import java.net.URL and com.example.Main", ()),
]  # fmt: skip


@pytest.mark.parametrize(("words", "urls"), WORDS)
def test_the_urls_in_a_persons_words(words: str, urls: tuple[str, ...]) -> None:
    assert urls_in(words) == urls
