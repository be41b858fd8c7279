"""C77: nothing inner is reached, however it is spelled, named, redirected to or resolved a second time."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.core.errors import ModelFacingError, PolicyDenied, ToolFailed
from paicli.policy.network.guard import NetworkGuard
from tests.fakes.web_site import WebSite, answer, redirect
from tests.patience import PATIENCE_S
from tests.tools.web.web_kit import Names, allowing, fetching_tool, run_fetch, web_context

GREETING = answer(b"<p>hello from the inside</p>")


@pytest.fixture
def sentinel() -> Iterator[WebSite]:
    with WebSite({"/": GREETING, "/page": GREETING}) as site:
        yield site


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "127.1",
        "017700000001",
        "0",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "100.100.100.200",
        "[fe80::1]",
        "[fc00::1]",
    ],
)
def test_an_inner_address_is_refused_in_any_spelling_before_connecting(
    host: str, sentinel: WebSite, tmp_path: Path
) -> None:
    # C77: with the system's own resolver
    tool = fetching_tool(NetworkGuard())
    with pytest.raises(PolicyDenied, match=r"web\.address_refused"):
        run_fetch(tool, f"http://{host}:{sentinel.port}/", web_context(tmp_path))
    assert sentinel.connection_count == 0


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.example/", "data:,x", "gopher://127.0.0.1:PORT/"])
def test_other_schemes_are_refused_before_anything(url: str, sentinel: WebSite, tmp_path: Path) -> None:
    tool = fetching_tool(NetworkGuard())  # C77
    with pytest.raises(PolicyDenied, match=r"web\.url_scheme"):
        run_fetch(tool, url.replace("PORT", str(sentinel.port)), web_context(tmp_path))
    assert sentinel.connection_count == 0


@pytest.mark.parametrize(
    "answers", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"]]
)
def test_a_name_that_leads_inside_is_refused(answers: list[str], sentinel: WebSite, tmp_path: Path) -> None:
    # C77: also when only one of its addresses is an inner one
    names = Names({"innocent.example": [answers]})
    tool = fetching_tool(NetworkGuard(), resolve=names)
    with pytest.raises(PolicyDenied, match=r"web\.address_refused"):
        run_fetch(tool, f"http://innocent.example:{sentinel.port}/", web_context(tmp_path))
    assert (names.asked, sentinel.connection_count) == (["innocent.example"], 0)


def test_a_name_is_looked_up_once_and_the_checked_address_is_the_one_connected_to(
    sentinel: WebSite, tmp_path: Path
) -> None:
    # C77, DNS rebinding: a second answer would lead elsewhere
    names = Names({"example.com": [["127.0.0.1"], ["127.0.0.2"]]})
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    result = run_fetch(tool, sentinel.url("/page", "example.com"), web_context(tmp_path))
    assert "hello from the inside" in result.content
    assert names.asked == ["example.com"]
    assert [request.headers["host"] for request in sentinel.requests] == [f"example.com:{sentinel.port}"]


def test_a_name_that_changes_its_answer_for_the_second_hop_is_checked_again(sentinel: WebSite, tmp_path: Path) -> None:
    names = Names({"example.com": [["127.0.0.1"], ["10.0.0.1"]]})
    sentinel.pages["/start"] = redirect("/page")
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    with pytest.raises(PolicyDenied, match=r"web\.address_refused"):
        run_fetch(tool, sentinel.url("/start", "example.com"), web_context(tmp_path))
    assert sentinel.paths == ["/start"]


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.0.0.2:PORT/page", "web.redirect_refused"),
        ("http://2130706434:PORT/page", "web.redirect_refused"),
        ("http://example.org:PORT/page", "web.redirect_refused"),
        ("//example.org:PORT/page", "web.redirect_refused"),
        ("http://inner.example.com:PORT/page", "web.address_refused"),
        ("http://www.example.com:22/page", "web.port_refused"),
        ("file:///etc/passwd", "web.url_scheme"),
        ("javascript:alert(1)", "web.url_scheme"),
        ("http://user:pass@www.example.com:PORT/", "web.url_credentials"),
        ("http://[broken/", "web.url_unusable"),
        ("/pa\x01ge", "web.url_unusable"),
    ],
)
@pytest.mark.parametrize("hops", [0, 2])
def test_no_hop_of_a_redirect_leads_away(
    location: str, code: str, hops: int, sentinel: WebSite, tmp_path: Path
) -> None:
    # C77 at each hop
    names = Names(
        {
            "example.com": [["127.0.0.1"]],
            "www.example.com": [["127.0.0.1"]],
            "example.org": [["127.0.0.1"]],
            "inner.example.com": [["10.0.0.1"]],
        }
    )
    sentinel.pages |= {f"/{hop}": redirect(f"/{hop - 1}") for hop in range(1, hops + 1)}
    sentinel.pages["/0"] = redirect(location.replace("PORT", str(sentinel.port)))
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    asked = sentinel.url(f"/{hops}", "example.com")
    with pytest.raises(PolicyDenied) as caught:
        run_fetch(tool, asked, web_context(tmp_path, trusts_url=lambda url: url == asked))
    assert caught.value.code == code
    assert sentinel.paths == [f"/{hop}" for hop in range(hops, -1, -1)]


def test_a_redirect_is_followed_within_the_site_and_to_a_trusted_url(sentinel: WebSite, tmp_path: Path) -> None:
    names = Names({name: [["127.0.0.1"]] for name in ("example.com", "www.example.com", "example.net")})
    trusted = {sentinel.url("/start", "example.com"), sentinel.url("/page", "example.net")}
    sentinel.pages["/start"] = redirect(sentinel.url("/middle", "www.example.com"), 301)
    sentinel.pages["/middle"] = redirect(sentinel.url("/page#part", "example.net"), 307)
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    result = run_fetch(
        tool, sentinel.url("/start", "example.com"), web_context(tmp_path, trusts_url=trusted.__contains__)
    )
    assert "hello from the inside" in result.content
    assert result.detail.url == sentinel.url("/page", "example.net")
    hosts = [request.headers["host"].partition(":")[0] for request in sentinel.requests]
    assert hosts == ["example.com", "www.example.com", "example.net"]


def test_a_redirect_goes_on_within_the_site_of_the_last_trusted_url(sentinel: WebSite, tmp_path: Path) -> None:
    names = Names({name: [["127.0.0.1"]] for name in ("example.com", "example.net", "www.example.net")})
    trusted = {sentinel.url("/start", "example.com"), sentinel.url("/middle", "example.net")}
    sentinel.pages["/start"] = redirect(sentinel.url("/middle", "example.net"))
    sentinel.pages["/middle"] = redirect(sentinel.url("/page", "www.example.net"))
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    run_fetch(tool, sentinel.url("/start", "example.com"), web_context(tmp_path, trusts_url=trusted.__contains__))
    assert sentinel.paths == ["/start", "/middle", "/page"]


def test_a_trusted_url_passed_on_the_way_is_no_bridge_back(sentinel: WebSite, tmp_path: Path) -> None:
    names = Names({name: [["127.0.0.1"]] for name in ("example.com", "example.net", "www.example.com")})
    trusted = {sentinel.url("/start", "example.com"), sentinel.url("/middle", "example.net")}
    sentinel.pages["/start"] = redirect(sentinel.url("/middle", "example.net"))
    sentinel.pages["/middle"] = redirect(sentinel.url("/page", "www.example.com"))
    tool = fetching_tool(allowing("127.0.0.1"), resolve=names)
    with pytest.raises(PolicyDenied, match=r"web\.redirect_refused"):
        run_fetch(tool, sentinel.url("/start", "example.com"), web_context(tmp_path, trusts_url=trusted.__contains__))
    assert sentinel.paths == ["/start", "/middle"]


def test_a_circle_of_redirects_ends(sentinel: WebSite, tmp_path: Path) -> None:
    sentinel.pages["/round"] = redirect("/round")
    with pytest.raises(ToolFailed, match=r"web\.redirects_many"):
        run_fetch(fetching_tool(), sentinel.url("/round"), web_context(tmp_path))
    assert sentinel.connection_count == 6


def test_an_untrusted_url_is_refused_with_what_would_make_it_trusted(sentinel: WebSite, tmp_path: Path) -> None:
    with pytest.raises(PolicyDenied) as caught:
        run_fetch(fetching_tool(), sentinel.url("/page"), web_context(tmp_path, trusts_url=lambda url: False))
    assert caught.value.code == "web.untrusted"
    assert sentinel.connection_count == 0


def test_proxies_of_the_environment_are_left_alone(
    sentinel: WebSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with WebSite() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        run_fetch(fetching_tool(), sentinel.url("/page"), web_context(tmp_path))
        assert (proxy.connection_count, sentinel.connection_count) == (0, 1)


@pytest.mark.parametrize("answers", [None, []])
def test_a_name_without_an_address_is_told_as_such(answers: list[str] | None, tmp_path: Path) -> None:
    names = Names({} if answers is None else {"nowhere.example": [answers]})
    with pytest.raises(ModelFacingError) as caught:
        run_fetch(fetching_tool(resolve=names), "http://nowhere.example/", web_context(tmp_path))
    assert caught.value.code == "web.host_unknown"


def test_the_next_address_is_tried_when_one_answers_nobody(sentinel: WebSite, tmp_path: Path) -> None:
    names = Names({"example.com": [["127.0.0.9", "127.0.0.1"]]})
    tool = fetching_tool(allowing("127.0.0.0/8"), resolve=names)
    result = run_fetch(tool, sentinel.url("/page", "example.com"), web_context(tmp_path))
    assert "hello from the inside" in result.content


def test_a_lookup_that_hangs_ends_at_the_deadline(tmp_path: Path) -> None:
    release = threading.Event()

    def hang(host: str, port: int) -> list[object]:
        release.wait(PATIENCE_S)
        return []

    try:
        with pytest.raises(ToolFailed, match=r"web\.timed_out"):
            run_fetch(fetching_tool(resolve=hang, limit_s=0.05), "http://slow.example/", web_context(tmp_path))
    finally:
        release.set()
