"""Cancels in each phase: proved by the asking thread ending while the server still hangs."""

import contextlib
import os
import random
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.messages import ChatRequest, Delta, RetryScheduled, TextDelta, UserMessage
from paicli.llm.client import LlmClient
from tests.fakes.openai_server import (
    Framing,
    OpenAiServer,
    RecordedRequest,
    Reply,
    hang_before_headers,
    hang_mid_stream,
    say,
    status,
)
from tests.llm.asking import ask, client_for
from tests.llm.test_connections import CERTIFICATE
from tests.patience import PATIENCE_S


class Asking:
    """One request on a thread of its own."""

    def __init__(self, client: LlmClient, text: str = "hi") -> None:
        self.cancel = CancellationToken()
        self.deltas: list[Delta] = []
        self.heard = threading.Event()
        self.outcome: Any = None
        self._client, self._text = client, text
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self._client.chat(ChatRequest((UserMessage(self._text),)), self._hear, self.cancel)
        except Exception as error:  # the test looks at whatever it was
            self.outcome = error

    def _hear(self, delta: Delta) -> None:
        self.deltas.append(delta)
        self.heard.set()

    def cancelled_while_blocked(self) -> None:
        """Asserts that the thread was blocked, and that the cancel alone ended it."""
        self.thread.join(0.1)
        assert self.thread.is_alive()
        self.cancel.cancel()
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        assert isinstance(self.outcome, TurnCancelled)


@contextlib.contextmanager
def mute_listener(backlog: int = 8) -> Iterator[int]:
    """A port that takes connections (the system does) and never reads or says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=backlog) as listener:
        yield listener.getsockname()[1]


@contextlib.contextmanager
def port_that_never_accepts() -> Iterator[int]:
    """A port whose queue is full: the next connect waits."""
    with contextlib.ExitStack() as sockets, mute_listener(0) as port:
        for _ in range(4):
            filler = sockets.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        yield port


def test_in_connect() -> None:
    with port_that_never_accepts() as port:
        Asking(client_for(f"http://127.0.0.1:{port}/v1")).cancelled_while_blocked()


def test_in_the_tls_handshake() -> None:
    with mute_listener() as port:
        Asking(client_for(f"https://127.0.0.1:{port}/v1")).cancelled_while_blocked()


def test_while_the_request_is_sent() -> None:
    with mute_listener() as port:
        Asking(client_for(f"http://127.0.0.1:{port}/v1"), "x" * 30_000_000).cancelled_while_blocked()


def test_while_headers_are_awaited() -> None:
    with OpenAiServer([hang_before_headers()]) as server:
        asking = Asking(client_for(server))
        [request] = server.wait_for_requests(1)
        asking.cancelled_while_blocked()
        assert request.client_gone.wait(PATIENCE_S)


@pytest.mark.parametrize("framing", [Framing.CHUNKED, Framing.UNTIL_CLOSE])
def test_in_a_silent_stream(framing: Framing) -> None:
    with OpenAiServer([hang_mid_stream(framing=framing)]) as server:
        asking = Asking(client_for(server))
        assert asking.heard.wait(PATIENCE_S)
        asking.cancelled_while_blocked()
        assert server.requests[0].client_gone.wait(PATIENCE_S)
    assert asking.deltas == [TextDelta("par")]


def test_in_a_silent_stream_over_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with OpenAiServer([hang_mid_stream()], tls=context) as server:
        asking = Asking(client_for(server))
        assert asking.heard.wait(PATIENCE_S)
        asking.cancelled_while_blocked()


def test_in_the_name_lookup(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = threading.Event(), threading.Event()
    real: Callable[..., Any] = socket.getaddrinfo

    def stuck(host: str, port: int, *rest: Any, **named: Any) -> Any:
        if host != "models.invalid" or named.get("flags") == socket.AI_NUMERICHOST:
            return real(host, port, *rest, **named)
        asked.set()
        answer.wait(PATIENCE_S)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", stuck)
    asking = Asking(client_for("http://models.invalid/v1"))
    assert asked.wait(PATIENCE_S)
    asking.cancelled_while_blocked()
    answer.set()


def test_in_the_wait_before_a_retry() -> None:  # C18
    with OpenAiServer([status(503, "", {"Retry-After": "30"})]) as server:
        asking = Asking(client_for(server, attempts=5))
        assert asking.heard.wait(PATIENCE_S)
        asking.cancelled_while_blocked()
        assert len(server.requests) == 1
    assert [type(delta) for delta in asking.deltas] == [RetryScheduled]


def test_in_an_errors_body() -> None:
    hanging = hang_mid_stream(b"{")._replace(status=500)
    with OpenAiServer([hanging]) as server:
        asking = Asking(client_for(server))
        server.wait_for_requests(1)
        asking.cancelled_while_blocked()


def test_before_anything_was_sent() -> None:
    with OpenAiServer([]) as server:
        cancel = CancellationToken()
        cancel.cancel()
        with pytest.raises(TurnCancelled):
            ask(client_for(server), cancel=cancel)
        assert server.connection_count == 0


def test_by_the_listener_itself() -> None:
    cancel = CancellationToken()
    with OpenAiServer([say("a long answer in several pieces")]) as server:
        client = client_for(server)
        with pytest.raises(TurnCancelled):
            client.chat(ChatRequest((UserMessage("x"),)), lambda delta: cancel.cancel(), cancel)


def test_one_of_four_leaves_the_others_alone() -> None:
    release = threading.Event()

    def reply(request: RecordedRequest) -> Reply:
        release.wait(PATIENCE_S)
        return say(request.body["messages"][0]["content"])

    with OpenAiServer(reply) as server:
        client = client_for(server)
        all_asking = [Asking(client, f"task {number}") for number in range(4)]
        server.wait_for_requests(4)
        all_asking[0].cancelled_while_blocked()
        release.set()
        for number, asking in enumerate(all_asking[1:], 1):
            asking.thread.join(PATIENCE_S)
            assert asking.outcome.content == f"task {number}"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors where the system lists them")
def test_many_cancels_at_random_moments_leak_neither_descriptors_nor_threads() -> None:
    chance = random.Random(7)

    def reply(request: RecordedRequest) -> Reply:
        return chance.choice([hang_before_headers(), hang_mid_stream(), say("x" * 50)])

    with OpenAiServer(reply) as server:
        client = client_for(server)
        ask_until_answered(client)
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(40):
            asking = Asking(client)
            asking.thread.join(chance.random() * 0.02)
            asking.cancel.cancel()
            asking.thread.join(PATIENCE_S)
            assert not asking.thread.is_alive()
            assert isinstance(asking.outcome, TurnCancelled) or asking.outcome.content == "x" * 50
        for request in server.requests:
            assert request.sent_at or request.client_gone.wait(PATIENCE_S)
        client.close()
    assert len(os.listdir("/proc/self/fd")) <= before
    lookups = [thread for thread in threading.enumerate() if thread.name == "paicli-lookup"]
    assert lookups == []


def ask_until_answered(client: LlmClient) -> None:
    for _ in range(30):
        asking = Asking(client)
        if asking.heard.wait(0.2) and isinstance(asking.deltas[-1], TextDelta):
            asking.cancel.cancel()
            asking.thread.join(PATIENCE_S)
            return
        asking.cancel.cancel()
        asking.thread.join(PATIENCE_S)
