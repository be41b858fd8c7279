import ssl
import threading
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import LlmError, LlmRejected, LlmUnreachable, SettingsError
from tests.fakes.openai_server import Ending, OpenAiServer, RecordedRequest, Reply, close_before_headers, reset, say
from tests.fakes.raw_server import RawServer
from tests.llm.asking import ask, client_for
from tests.patience import PATIENCE_S

CERTIFICATE = Path(__file__).parent.parent / "fixtures" / "tls" / "localhost.pem"
"""Self-signed, for 127.0.0.1, made for these tests; its key protects nothing."""

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def server_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


@pytest.mark.parametrize("dying", [close_before_headers(), reset()])
def test_a_kept_connection_that_died_is_replaced_at_once_and_uncounted(dying: Reply) -> None:
    with OpenAiServer([say("one"), dying, say("two")]) as server:
        client = client_for(server, attempts=1)
        assert ask(client).response.content == "one"
        assert ask(client).response.content == "two"
        assert [request.connection for request in server.requests] == [0, 0, 1]


def test_a_connection_closed_while_idle_is_replaced() -> None:
    closing = say("one")._replace(ending=Ending.COMPLETE_AND_CLOSE)
    with OpenAiServer([closing] * 20) as server:
        client = client_for(server, attempts=1)
        assert [ask(client).response.content for _ in range(20)] == ["one"] * 20


def test_a_new_connection_that_dies_is_not_repeated_by_stealth() -> None:
    with OpenAiServer([close_before_headers(), say("never asked")]) as server:
        with pytest.raises(LlmUnreachable):
            ask(client_for(server, attempts=1))
        assert len(server.requests) == 1


def test_four_threads_ask_at_once_over_one_client() -> None:
    barrier = threading.Barrier(4)

    def together(request: RecordedRequest) -> Reply:
        barrier.wait(PATIENCE_S)
        return say(request.body["messages"][0]["content"])

    answers: dict[str, str] = {}
    with OpenAiServer(together) as server:
        client = client_for(server)

        def work(text: str) -> None:
            answers[text] = ask(client, text).response.content

        threads = [threading.Thread(target=work, args=(f"task {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert answers == {f"task {number}": f"task {number}" for number in range(4)}


def test_https_trusts_the_certificates_of_ssl_cert_file(
    server_tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with OpenAiServer([say("one"), say("two")], tls=server_tls) as server:
        client = client_for(server)
        assert [ask(client).response.content for _ in range(2)] == ["one", "two"]
        assert server.connection_count == 1


def test_an_unknown_certificate_is_told_and_not_retried(server_tls: ssl.SSLContext) -> None:
    with OpenAiServer([], tls=server_tls) as server:
        with pytest.raises(LlmRejected) as caught:
            ask(client_for(server, attempts=3))
        assert server.connection_count == 1
    assert caught.value.code == "llm.certificate"
    assert "SSL_CERT_FILE" in Texts(Language.EN).screen(caught.value.code, **caught.value.fields)


def test_certificates_are_loaded_only_for_https(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(broken))
    with OpenAiServer([say("ok")]) as server:
        assert ask(client_for(server)).response.content == "ok"
        with pytest.raises(SettingsError) as caught:
            ask(client_for(server.base_url.replace("http://", "https://")))
    assert caught.value.code == "llm.connection_settings"


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAiServer([say("through the proxy")]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert ask(client_for("http://models.invalid/v1")).response.content == "through the proxy"
        assert proxy.requests[0].path == "http://models.invalid/v1/chat/completions"


def test_a_proxy_is_not_asked_for_this_machines_own_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAiServer([]) as proxy, OpenAiServer([say("direct")]) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        assert ask(client_for(server)).response.content == "direct"
        assert proxy.connection_count == 0


def test_a_proxy_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAiServer([]) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(LlmError) as caught:
            ask(client_for("https://models.invalid/v1"))
    assert caught.value.code == "llm.proxy_failed"
    assert "HTTPS_PROXY" in Texts(Language.EN).screen(caught.value.code, **caught.value.fields)


def test_a_proxy_address_of_no_use_is_a_setting_to_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:1")
    with pytest.raises(SettingsError) as caught:
        ask(client_for("http://models.invalid/v1"))
    assert caught.value.code == "llm.connection_settings"


@pytest.mark.parametrize(
    "banner", [b"SSH-2.0-OpenSSH_9.0\r\n", b"220 mail.example ESMTP\r\n", b"\x15\x03\x01", b"\r\n", b"H2"]
)
def test_a_server_that_speaks_no_http_is_told_at_once_and_not_retried(banner: bytes) -> None:
    with RawServer([banner]) as server, pytest.raises(LlmRejected) as caught:
        ask(client_for(server.base_url()))
    assert (caught.value.code, server.connection_count) == ("llm.not_http", 1)
    assert str(server.port) in Texts(Language.ZH).screen(caught.value.code, **caught.value.fields)


def test_a_head_in_pieces_is_http() -> None:
    body = b"".join(chunk for chunk in say("好").chunks if isinstance(chunk, bytes))
    head = b"Content-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body)
    with RawServer([b"H", b"TT", b"P/1.1 200 OK\r\n", head, body]) as server:
        assert ask(client_for(server.base_url())).response.content == "好"


@pytest.mark.parametrize("head", [b"HTTP/1.1 okay\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000])
def test_a_head_that_no_parser_takes_is_no_http(head: bytes) -> None:
    with RawServer([head]) as server, pytest.raises(LlmRejected) as caught:
        ask(client_for(server.base_url()))
    assert caught.value.code == "llm.not_http"


def test_a_plain_server_behind_https_is_told_and_not_retried() -> None:
    with RawServer([b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"]) as server:
        with pytest.raises(LlmRejected) as caught:
            ask(client_for(server.base_url("https")))
        assert server.connection_count == 1
    assert caught.value.code == "llm.not_tls"
    assert "http://" in Texts(Language.ZH).screen(caught.value.code, **caught.value.fields)
