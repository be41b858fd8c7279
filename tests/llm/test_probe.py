import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from paicli.llm.probe import LocalPort, LocalServer, find_local_servers, list_models
from tests.fakes.openai_server import OpenAiServer
from tests.fakes.raw_server import RawServer
from tests.patience import PATIENCE_S


def http(body: bytes, *, status: str = "200 OK", extra: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{extra}Connection: close\r\n\r\n".encode() + body


@contextmanager
def answering(raw: bytes) -> Iterator[RawServer]:
    with RawServer([raw]) as server:
        yield server


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}', ("a", "b")),
        (b'{"object": "list", "data": []}', ()),
        (b'{"data": [{"id": 1}, {"name": "x"}, "y", null, {"id": "good"}]}', ("good",)),
        (b'{"data": [{"id": "nomic-embed-text"}, {"id": "qwen3"}]}', ("qwen3",)),
        (b'{"data": [{"id": "\\u001b[2Jevil"}, {"id": "\\ud800"}, {"id": "fine"}]}', ("fine",)),
        (b'{"data": null}', None),
        (b"[1, 2]", None),
        (b"<html></html>", None),
        (b"{" * 20_000, None),
    ],
)
def test_a_list_of_models_is_read_and_nothing_else_is_one(body: bytes, expected: tuple[str, ...] | None) -> None:
    with answering(http(body)) as server:
        assert list_models(server.base_url()) == expected


@pytest.mark.parametrize(
    "raw",
    [
        http(b"{}", status="404 Not Found"),
        http(b"", status="302 Found", extra="Location: http://127.0.0.1:1/\r\n"),
        b"SSH-2.0-OpenSSH_9.9\r\n",
        http(b'{"data": [{"id": "' + b"x" * 1_100_000 + b'"}]}'),
    ],
)
def test_what_is_no_answer_is_none(raw: bytes) -> None:
    with answering(raw) as server:
        assert list_models(server.base_url()) is None


@pytest.mark.parametrize("url", ["", "no url", "http://", "ftp://127.0.0.1/v1", "http://127.0.0.1:99999/v1"])
def test_an_address_that_is_none_is_none(url: str) -> None:
    assert list_models(url) is None


def test_the_key_goes_along_and_a_proxy_is_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with OpenAiServer([]) as server:
        assert list_models(server.base_url, "sk-x") == ("fake-model",)

        assert server.other_requests[0].headers["authorization"] == "Bearer sk-x"


def test_servers_are_found_in_the_order_of_their_ports_and_asked_side_by_side() -> None:
    together = threading.Barrier(2, timeout=PATIENCE_S)

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            together.wait()
            connection.sendall(http(b'{"data": [{"id": "m"}]}'))

    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
        socket.create_server(("127.0.0.1", 0)) as gone,
    ):
        ports = [listener.getsockname()[1] for listener in (one, gone, two)]
        gone.close()
        threads = [threading.Thread(target=serve, args=(listener,), daemon=True) for listener in (one, two)]
        for thread in threads:
            thread.start()

        found = find_local_servers([LocalPort(name, port) for name, port in zip("abc", ports, strict=True)])

        for thread in threads:
            thread.join(PATIENCE_S)
    assert found == (
        LocalServer("a", f"http://127.0.0.1:{ports[0]}/v1", ("m",)),
        LocalServer("c", f"http://127.0.0.1:{ports[2]}/v1", ("m",)),
    )


def test_a_server_that_drips_does_not_hold_up_the_others() -> None:
    stop = threading.Event()

    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        while not stop.wait(0.2):
            yield b" "

    with RawServer(drip()) as slow, OpenAiServer([]) as server:
        found = find_local_servers([LocalPort("slow", slow.port), LocalPort("quick", server.port)])
        stop.set()
    assert [each.provider for each in found] == ["quick"]
