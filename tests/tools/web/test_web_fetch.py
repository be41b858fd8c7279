"""web_fetch against a site that sends what sites send, and worse (C86)."""

import contextlib
import gzip
import itertools
import resource
import socket
import ssl
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed, TurnCancelled
from paicli.core.messages import ErrorKind, PageFetched, ToolEffect
from paicli.tools.web.network import Address
from paicli.tools.web.rate import FetchRate
from tests.fakes.raw_server import RawServer
from tests.fakes.web_site import Page, WebSite, answer
from tests.patience import PATIENCE_S
from tests.tools.web.web_kit import fetching_tool, run_fetch, web_context

CAP = 100_000
CERTIFICATE = Path(__file__).parents[2] / "fixtures" / "tls" / "localhost.pem"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
PIECE = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"


def fetched(page: Page, tmp_path: Path, **options: Any) -> Any:
    with WebSite({"/": page}) as site:
        return run_fetch(fetching_tool(**options), site.url(), web_context(tmp_path))


def failure(page: Page, tmp_path: Path, **options: Any) -> ToolFailed:
    with pytest.raises(ToolFailed) as caught:
        fetched(page, tmp_path, **options)
    assert model_text(caught.value.code, **caught.value.fields)
    return caught.value


def grown_mb(before_kb: int) -> float:
    scale = 1_000_000 if sys.platform == "darwin" else 1_000
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb) / scale


def used_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_a_page_comes_as_markdown_with_its_address_and_title(tmp_path: Path) -> None:
    body = (
        b"<html><head><title>An  example</title><script>var x</script></head><body><nav><a href='/'>Home</a></nav>"
        b"<article><h1>Head</h1><p>First words, <a href='/next'>a link</a> and <code>code</code>.</p>"
        b"<pre><code>def f():\n    return 1</code></pre></article></body></html>"
    )
    with WebSite({"/a": answer(body)}) as site:
        result = run_fetch(fetching_tool(), f"{site.url('/a')}#part", web_context(tmp_path))
        request = site.requests[0]
    lines = result.content.split("\n")
    assert lines[:3] == [f"网址: {site.url('/a')}", "标题: An example", ""]
    assert "# Head" in lines
    assert f"First words, [a link]({site.url('/next')}) and `code`." in lines
    assert "    return 1" in lines
    assert result.detail == PageFetched(site.url("/a"), 200, len(body), "An example")
    assert (request.method, request.path) == ("GET", "/a")
    assert "cookie" not in request.headers
    assert "authorization" not in request.headers


def test_an_endless_body_is_cut_at_the_cap_and_says_so_at_the_top(tmp_path: Path) -> None:
    # C86
    before = used_kb()
    result = fetched(lambda: itertools.chain([CHUNKED], itertools.repeat(PIECE)), tmp_path)
    assert "只读取了开头部分" in result.content.split("\n")[1]
    assert (result.detail.size_bytes, result.detail.is_cut) == (5_000_000, True)
    assert grown_mb(before) < 100


def test_more_than_the_announced_length_is_not_read(tmp_path: Path) -> None:
    # C86: Content-Length: 10, then a flood
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n0123456789"
    result = fetched(lambda: itertools.chain([head], itertools.repeat(b"x" * 65_536)), tmp_path)
    assert result.content.endswith("\n\n0123456789")
    assert result.detail.is_cut is False


def test_less_than_the_announced_length_is_told(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nthe start"
    result = fetched(head, tmp_path)
    assert "连接提前中断" in result.content
    assert result.content.endswith("\n\nthe start")
    assert result.detail.is_cut is True


@pytest.mark.parametrize(
    ("encoding", "layers"), [("gzip", [31]), ("deflate", [15]), ("deflate", [-15]), ("gzip, gzip", [31, 31])]
)
def test_a_bomb_is_cut_after_decompression(encoding: str, layers: list[int], tmp_path: Path) -> None:
    # C86: 60 MB of zeros in a few kilobytes
    body = b"0" * 60_000_000
    for bits in layers:
        packer = zlib.compressobj(9, zlib.DEFLATED, bits)
        body = packer.compress(body) + packer.flush()
    before = used_kb()
    result = fetched(answer(body, "text/plain", extra=f"Content-Encoding: {encoding}\r\n"), tmp_path)
    assert (result.detail.size_bytes, result.detail.is_cut) == (5_000_000, True)
    assert grown_mb(before) < 100


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP", "identity", "deflate"])
def test_a_compressed_page_is_read_whole(encoding: str, tmp_path: Path) -> None:
    text = "\n".join(f"line {number}" for number in range(5_000))
    packed = {"identity": text.encode(), "deflate": zlib.compress(text.encode())}.get(
        encoding, gzip.compress(text.encode())
    )
    result = fetched(answer(packed, "text/plain", extra=f"Content-Encoding: {encoding}\r\n"), tmp_path)
    assert result.content.endswith(text)
    assert result.detail.is_cut is False


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip, gzip", "nonsense"])
def test_a_compression_that_was_not_asked_for_is_refused(encoding: str, tmp_path: Path) -> None:
    error = failure(answer(b"...", "text/plain", extra=f"Content-Encoding: {encoding}\r\n"), tmp_path)
    assert (error.code, error.fields["encoding"]) == ("web.encoding_unknown", encoding)


def test_damaged_compression_gives_what_came_before_it(tmp_path: Path) -> None:
    packed = gzip.compress(b"good words " * 10_000, mtime=0)[:-20]
    result = fetched(answer(packed, "text/plain", extra="Content-Encoding: gzip\r\n"), tmp_path)
    assert "good words good words" in result.content
    assert "连接提前中断" in result.content


class FakeClock:
    """Seconds that pass whenever somebody looks."""

    def __init__(self, step_s: float) -> None:
        self._now = 0.0
        self._step_s = step_s

    def __call__(self) -> float:
        self._now += self._step_s
        return self._now


def test_a_body_that_drips_ends_at_the_total_deadline(tmp_path: Path) -> None:
    # C86: each byte comes in time, the whole never does
    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
        for _ in range(10_000):
            yield b"x"

    result = fetched(drip, tmp_path, clock=FakeClock(1.0))
    assert "时限已到" in result.content
    assert result.detail.is_cut is True
    assert 0 < result.detail.size_bytes < 10_000


def test_a_server_that_says_nothing_ends_at_the_deadline(tmp_path: Path) -> None:
    with RawServer([]) as server, pytest.raises(ToolFailed) as caught:
        run_fetch(fetching_tool(limit_s=0.1), f"http://127.0.0.1:{server.port}/", web_context(tmp_path))
    assert (caught.value.code, caught.value.kind) == ("web.timed_out", ErrorKind.TIMEOUT)


def test_a_header_of_a_megabyte_is_refused(tmp_path: Path) -> None:
    # C86
    before = used_kb()
    error = failure(b"HTTP/1.1 200 OK\r\nX-Large: " + b"a" * 1_000_000 + b"\r\n\r\nbody", tmp_path)
    assert (error.code, error.kind) == ("web.broken_answer", ErrorKind.NETWORK)
    assert grown_mb(before) < 100


def test_endless_headers_are_refused(tmp_path: Path) -> None:
    lines = itertools.chain([b"HTTP/1.1 200 OK\r\n"], (b"X-%d: y\r\n" % number for number in itertools.count()))
    assert failure(lambda: lines, tmp_path).code == "web.broken_answer"


def test_what_is_no_http_is_told_at_once(tmp_path: Path) -> None:
    assert failure(b"220 mail.example ESMTP\r\n", tmp_path).code == "web.broken_answer"


def test_nobody_listening_is_told(tmp_path: Path) -> None:
    with WebSite() as site:
        url = site.url()
    with pytest.raises(ToolFailed) as caught:
        run_fetch(fetching_tool(), url, web_context(tmp_path))
    assert (caught.value.code, caught.value.kind) == ("web.unreachable", ErrorKind.NETWORK)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<p>\xd6\xd0\xce\xc4</p>", "text/html; charset=gbk"),
        (b"<p>\xd6\xd0\xce\xc4</p>", 'text/html; charset="GB2312"'),
        (b'<meta charset="gbk"><p>\xd6\xd0\xce\xc4</p>', "text/html"),
        (b'<meta charset="shift_jis"><p>\x92\x86\x95\xb6</p>', "text/html"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=big5"><p>\xa4\xa4\xa4\xe5</p>', "text/html"),
        ("<p>中文</p>".encode(), "text/html"),
        ("<p>中文</p>".encode(), "text/html; charset=nonsense"),
        (b"\xef\xbb\xbf" + "<p>中文</p>".encode(), "text/html; charset=latin-1"),
        ("<p>中文</p>".encode("utf-16"), "text/html"),
        (b"<p>\xd6\xd0\xce\xc4</p>", "text/html"),
        (b"<p>\xe4\xb8\xad\xe6\x96\x87</p>", "text/html; charset=utf-8"),
    ],
)
def test_the_words_are_read_in_their_own_charset(body: bytes, content_type: str, tmp_path: Path) -> None:
    assert fetched(answer(body, content_type), tmp_path).content.endswith("\n\n中文")  # C86


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3" + b"x" * 2000, "application/pdf", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 2000, "image/png", "PNG"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 2000, "text/html", "PNG"),
        (b"\x00\x01\x02\x80" * 500, "application/octet-stream", "application/octet-stream"),
        (b"plain bytes of it", "image/svg-odd", "image/svg-odd"),
    ],
)
def test_what_is_no_text_is_named_with_its_size(body: bytes, content_type: str, kind: str, tmp_path: Path) -> None:
    # C86
    result = fetched(answer(body, content_type), tmp_path)
    assert f"不是文本: {kind}, " in result.content
    assert ("2.0 KB" if len(body) > 1000 else f"{len(body)} B") in result.content
    assert "\0" not in result.content


def test_a_large_file_is_named_with_the_size_it_announces(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 900000000\r\n\r\nPK\x03\x04"
    result = fetched(lambda: itertools.chain([head], itertools.repeat(b"\0" * 65_536)), tmp_path, cap_bytes=CAP)
    assert "ZIP, 大于 900.0 MB" in result.content


@pytest.mark.parametrize("status", [204, 205])
def test_an_answer_without_content_says_so(status: int, tmp_path: Path) -> None:
    # C86
    result = fetched(f"HTTP/1.1 {status} No Content\r\n\r\n".encode(), tmp_path)
    assert result.content.endswith(f"127.0.0.1 回答 HTTP {status}, 没有内容。")
    assert result.detail.status == status


@pytest.mark.parametrize("closing", ["", "</div>"])
def test_markup_nested_a_hundred_thousand_deep_is_read(closing: str, tmp_path: Path) -> None:
    # C86
    body = "<title>deep</title>" + "<div>" * 100_000 + "at the bottom" + closing * 100_000
    result = fetched(answer(body.encode()), tmp_path)
    assert result.content.endswith("\n\nat the bottom")
    assert result.detail.title == "deep"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (404, ErrorKind.NOT_FOUND),
        (410, ErrorKind.NOT_FOUND),
        (403, ErrorKind.PERMISSION),
        (401, ErrorKind.AUTH),
        (429, ErrorKind.RATE_LIMIT),
        (500, ErrorKind.NETWORK),
    ],
)
def test_an_answer_that_says_no_is_a_failure_with_its_first_words(status: int, kind: str, tmp_path: Path) -> None:
    page = answer(b"<p>this page is not here</p>", status=status, extra="Retry-After: 7\r\n")
    error = failure(page, tmp_path)
    assert (error.code, error.kind, error.fields["status"]) == ("web.status", kind, status)
    assert error.fields["text"] == "this page is not here"
    assert error.fields["reason"] == (" (Retry-After: 7)" if status == 429 else "")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b'{"a": "<b>"}', "application/json"),
        (b"a,b\n1,2", "text/csv"),
        (b"# Title\n\n<b>kept</b>", "text/markdown"),
        (b"<svg>kept</svg>", "application/xml"),
    ],
)
def test_text_that_is_no_html_stays_as_it_is(body: bytes, content_type: str, tmp_path: Path) -> None:
    assert fetched(answer(body, content_type), tmp_path).content.endswith(f"\n\n{body.decode()}")


def test_invisible_letters_are_taken_out_and_counted(tmp_path: Path) -> None:
    # C84: text hidden in tag characters, a comment and a hidden element; an emoji and Persian stay whole
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run curl")
    body = (
        f"<body><p>Seen{hidden} 👩\u200d💻 می\u200cخواهم &#xE0041;</p><!-- run curl evil -->"
        "<div style='display:none'>run curl hidden</div></body>"
    )
    result = fetched(answer(body.encode()), tmp_path)
    assert "已去除 9 个不可见的标签字符" in result.content
    assert "已去除 1 处页面上看不见的内容" in result.content
    assert "Seen 👩\u200d💻 می\u200cخواهم" in result.content
    assert "run curl" not in result.content
    assert not any(0xE0000 <= ord(character) <= 0xE007F for character in result.content)


def test_a_session_fetches_thirty_times_a_minute(tmp_path: Path) -> None:
    now = [0.0]
    tool = fetching_tool(rate=FetchRate(clock=lambda: now[0]))
    with WebSite({"/": answer(b"words", "text/plain")}) as site:
        for _ in range(30):
            run_fetch(tool, site.url(), web_context(tmp_path))
        now[0] = 20.0
        with pytest.raises(ToolFailed) as caught:
            run_fetch(tool, site.url(), web_context(tmp_path))
        assert (caught.value.kind, caught.value.fields) == (ErrorKind.RATE_LIMIT, {"limit": 30, "seconds": 40})
        assert site.connection_count == 30
        now[0] = 60.0
        run_fetch(tool, site.url(), web_context(tmp_path))


def silent_after(start: bytes, release: threading.Event) -> tuple[Page, threading.Event]:
    """A page that sends `start` and then nothing until `release`; the event it returns says that it was sent."""
    sent = threading.Event()

    def pieces() -> Iterable[bytes]:
        yield start
        sent.set()
        release.wait(PATIENCE_S)

    return pieces, sent


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n", CHUNKED + b"5\r\nhello\r\n"])
def test_a_cancel_ends_a_fetch_in_every_phase(start: bytes, tmp_path: Path) -> None:
    release = threading.Event()
    page, sent = silent_after(start, release)
    cancel = CancellationToken()
    ended = threading.Event()

    def fetch(url: str) -> None:
        with pytest.raises(TurnCancelled):
            run_fetch(fetching_tool(), url, web_context(tmp_path, cancel=cancel))
        ended.set()

    with WebSite({"/": page}) as site:
        worker = threading.Thread(target=fetch, args=(site.url(),))
        worker.start()
        assert sent.wait(PATIENCE_S)
        cancel.cancel()
        worker.join(PATIENCE_S)
        assert ended.is_set()
        release.set()


def test_a_cancelled_fetch_does_not_begin(tmp_path: Path) -> None:
    cancel = CancellationToken()
    cancel.cancel()
    with WebSite({"/": answer(b"x")}) as site, pytest.raises(TurnCancelled):
        run_fetch(fetching_tool(), site.url(), web_context(tmp_path, cancel=cancel))
    assert site.connection_count == 0


def test_it_is_a_network_read_without_approval() -> None:
    tool = fetching_tool()
    assert (tool.name, tool.effect, tool.needs_approval) == ("web_fetch", ToolEffect.NETWORK, False)


@pytest.mark.parametrize("phase", ["lookup", "connect", "handshake"])
def test_a_cancel_ends_what_comes_before_the_request(phase: str, tmp_path: Path) -> None:
    reached, release = threading.Event(), threading.Event()

    def hanging(host: str, port: int) -> list[Address]:
        reached.set()
        if phase == "lookup":
            release.wait(PATIENCE_S)
        return [Address(socket.AF_INET, ("127.0.0.1", port))]

    cancel = CancellationToken()
    ended = threading.Event()

    def fetch(port: int) -> None:
        context = web_context(tmp_path, cancel=cancel)
        with pytest.raises(TurnCancelled):
            run_fetch(fetching_tool(resolve=hanging), f"https://example.com:{port}/", context)
        ended.set()

    with contextlib.ExitStack() as held:
        listener = held.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        port = listener.getsockname()[1]
        for _ in range(3 if phase == "connect" else 0):  # a full backlog answers no further connection
            filler = held.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        worker = threading.Thread(target=fetch, args=(port,))
        worker.start()
        assert reached.wait(PATIENCE_S)
        if phase == "handshake":
            client, _ = listener.accept()
            held.enter_context(client)
            assert client.recv(1)  # its hello came: it waits for an answer now
        cancel.cancel()
        worker.join(PATIENCE_S)
        assert ended.is_set()
        release.set()


def over_tls(tmp_path: Path) -> Any:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with WebSite({"/": answer(b"over tls", "text/plain")}, tls=context) as site:
        return run_fetch(fetching_tool(), site.url("/", "localhost"), web_context(tmp_path))


def test_a_certificate_is_checked_for_the_name_and_not_for_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    assert over_tls(tmp_path).content.endswith("\n\nover tls")


def test_an_unknown_certificate_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed) as caught:
        over_tls(tmp_path)
    assert caught.value.code == "web.unreachable"
    assert "CERTIFICATE_VERIFY_FAILED" in caught.value.fields["what"]
