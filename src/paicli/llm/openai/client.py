"""The OpenAI-compatible dialect: sends one request and reads its stream. Retries are the business of retry.py."""

import contextlib
import itertools
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, cast

import httpx
from httpx_sse import ServerSentEvent

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, LlmRejected, LlmTimeout, LlmUnreachable, SettingsError, TurnCancelled
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities
from paicli.llm.client import OnDelta
from paicli.llm.network import CancellableBackend, RequestScope, request_scope
from paicli.llm.openai.reply import ReplyAssembler
from paicli.llm.openai.request import encode_request
from paicli.llm.providers import Quirks
from paicli.llm.sse import read_events
from paicli.llm.wire_errors import Endpoint, error_in_stream, error_of_network, error_of_status, retry_after_of

_REPLY_LIMIT_BYTES = 64 * 2**20
_ERROR_LIMIT_BYTES = 64 * 2**10
_ERROR_LIMIT_S = 5.0
"""An error's body is read no longer than this: its status says enough."""
_AFTER_FINISH_S = 3.0
"""How long usage and `[DONE]` are waited for once the model has finished."""
_AFTER_DONE_S = 0.05
"""Reading on to the body's end keeps the connection for the next request."""
_STALE_LIMIT = 8
"""Kept connections that may turn out dead before one request."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1", "[::1]"}


class ClientTimes(NamedTuple):
    """Time-outs in seconds."""

    connect_s: float = 15.0
    silence_s: float = 300.0
    """Longest wait for the next byte."""
    request_s: float = 1_800.0
    """One whole request."""


class Wire(NamedTuple):
    """What every request of a client shares."""

    quirks: Quirks
    headers: tuple[tuple[str, str], ...]
    extra_body: tuple[tuple[str, Any], ...] = ()
    temperature: float | None = None
    is_thinking: bool = True
    """False: thinking is off whatever a request says."""
    times: ClientTimes = ClientTimes()


class OpenAiClient:
    """One model behind one endpoint; each `chat` is one try."""

    def __init__(
        self,
        endpoint: Endpoint,
        capabilities: ModelCapabilities,
        wire: Wire,
        *,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """`wall_clock`: seconds since the epoch, for servers that answer "not before" a date.

        Raises SettingsError for a proxy or a certificate file of no use; no connection is made yet.
        """
        self._endpoint = endpoint
        self._capabilities = capabilities
        self._wire = wire
        self._wall_clock = wall_clock
        self._lock = threading.Lock()
        self._http: httpx.Client | None = _http_client(endpoint.url, wire.times)

    @property
    def provider(self) -> str:
        return self._endpoint.provider

    @property
    def model(self) -> str:
        return self._endpoint.model

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._capabilities

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        cancel.raise_if_cancelled()
        wire, times = self._wire, self._wire.times
        body = encode_request(
            request._replace(thinking=request.thinking and wire.is_thinking),
            model=self.model,
            quirks=wire.quirks,
            vision=self._capabilities.vision,
            temperature=wire.temperature,
            extra_body=dict(wire.extra_body),
        )
        scope = RequestScope(time.monotonic() + times.request_s)
        forget = cancel.on_cancel(scope.cancel)
        try:
            with request_scope(scope), contextlib.closing(self._send(body, scope)) as response:
                reply = self._read(response, on_delta, scope)
        except httpx.HTTPError as error:
            # A cancel shuts the socket down, which looks like any broken connection.
            cancel.raise_if_cancelled()
            if scope.is_overdue:
                fields = self._endpoint.fields()
                raise LlmTimeout("llm.overlong", seconds=f"{times.request_s:g}", **fields) from error
            raise error_of_network(
                self._endpoint, error, connect_timeout_s=times.connect_s, read_timeout_s=times.silence_s
            ) from error
        except LlmError as error:
            if cancel.cancelled:
                raise TurnCancelled from error
            raise
        finally:
            forget()
        # A body that ends with its connection ends normally when the socket is shut down.
        cancel.raise_if_cancelled()
        return reply

    def close(self) -> None:
        with self._lock:
            if self._http is not None:
                self._http.close()
                self._http = None

    def _send(self, body: bytes, scope: RequestScope) -> httpx.Response:
        """The response with its body still to come."""
        http = self._opened()
        request = http.build_request("POST", self._endpoint.url, content=body, headers=self._wire.headers)
        for _ in range(_STALE_LIMIT):
            try:
                return http.send(request, stream=True)
            except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                # A kept connection that the server had closed meanwhile: nothing was asked yet, so ask again at once.
                if scope.has_connected:
                    raise
        return http.send(request, stream=True)

    def _read(self, response: httpx.Response, on_delta: OnDelta, scope: RequestScope) -> ChatResponse:
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not response.is_success:
            raise error_of_status(
                self._endpoint,
                response.status_code,
                content_type=content_type,
                body=_error_body(response, scope),
                retry_after_s=retry_after_of(response.headers, now=self._wall_clock()),
            )
        if "html" in content_type:
            raise self._no_reply(response)
        chunks = self._capped(response.iter_bytes())
        head = b""
        for chunk in chunks:
            head += chunk
            if head.lstrip(b"\xef\xbb\xbf \t\r\n"):
                break
        # Some servers answer with plain JSON although a stream was asked for, whatever type they name.
        if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            events = _events_of_json(b"".join(itertools.chain([head], chunks)))
        else:
            events = read_events(itertools.chain([head], chunks))
        return self._assembled(events, on_delta, response=response, scope=scope)

    def _assembled(
        self, events: Iterable[ServerSentEvent], on_delta: OnDelta, *, response: httpx.Response, scope: RequestScope
    ) -> ChatResponse:
        assembler = ReplyAssembler()
        has_begun = False
        try:
            for event in events:
                if event.data.strip() == "[DONE]":
                    assembler.mark_done()
                    scope.limit(_AFTER_DONE_S)
                    continue
                chunk = _parsed(event.data)
                if error := error_in_stream(self._endpoint, chunk, event=event.event):
                    raise error
                if chunk is None:
                    is_half = has_begun or event.data.lstrip().startswith("{")
                    raise self._cut("unreadable event") if is_half else self._no_reply(response)
                has_begun = has_begun or "choices" in chunk
                for delta in assembler.feed(chunk):
                    on_delta(delta)
                if assembler.finish_reason is not None:
                    scope.limit(_AFTER_FINISH_S)
        except (httpx.HTTPError, LlmError):
            # Once the model has finished, nothing that happens to the connection takes the reply away.
            if assembler.finish_reason is None:
                raise
        if assembler.finish_reason is None:
            raise self._cut("") if has_begun else self._no_reply(response)
        for delta in assembler.close():
            on_delta(delta)
        return assembler.response()

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._http is None:
                self._http = _http_client(self._endpoint.url, self._wire.times)
            return self._http

    def _capped(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > _REPLY_LIMIT_BYTES:
                raise LlmRejected("llm.reply_too_large", limit_mb=_REPLY_LIMIT_BYTES >> 20, **self._endpoint.fields())
            yield chunk

    def _no_reply(self, response: httpx.Response) -> LlmRejected:
        """What came is neither a stream nor JSON: most often not the API's address."""
        content_type = response.headers.get("content-type", "").partition(";")[0] or "-"
        fields = self._endpoint.fields()
        return LlmRejected("llm.not_a_reply", status=response.status_code, content_type=content_type, **fields)

    def _cut(self, detail: str) -> LlmUnreachable:
        return LlmUnreachable("llm.stream_cut", **self._endpoint.fields(detail))


def _http_client(url: httpx.URL, times: ClientTimes) -> httpx.Client:
    """A client whose connections can be cancelled. Raises SettingsError for a proxy or certificate file of no use."""
    try:
        client = httpx.Client(
            verify=_tls_context(url),
            trust_env=url.host not in _LOOPBACK,  # a proxy cannot reach this machine's own servers
            timeout=httpx.Timeout(connect=times.connect_s, read=times.silence_s, write=times.silence_s, pool=None),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=60),
            follow_redirects=False,
        )
    except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
        raise SettingsError("llm.connection_settings", detail=str(error)) from error
    backend = CancellableBackend()
    # Client(transport=...) would drop the proxies of the environment, so the backend goes into the finished transports.
    for transport in (client._transport, *client._mounts.values()):  # pyright: ignore[reportPrivateUsage]
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = backend  # pyright: ignore[reportPrivateUsage]
    return client


def _tls_context(url: httpx.URL) -> ssl.SSLContext:
    # Reading the certificate authorities takes 20 to 30 ms, which a plain http address has no use for.
    return httpx.create_ssl_context() if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _error_body(response: httpx.Response, scope: RequestScope) -> bytes:
    body = b""
    scope.limit(_ERROR_LIMIT_S)
    with contextlib.suppress(httpx.HTTPError):
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) >= _ERROR_LIMIT_BYTES:
                break
    return body


def _events_of_json(body: bytes) -> list[ServerSentEvent]:
    """A whole JSON reply as the stream it stands for; its end is its terminal signal."""
    text = body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    parsed = _parsed(text)
    is_reply = parsed is not None and "choices" in parsed
    return [ServerSentEvent(data=text), *([ServerSentEvent(data="[DONE]")] if is_reply else [])]


def _parsed(text: str) -> dict[str, Any] | None:
    """The JSON object in `text`, None where it holds none."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else None
