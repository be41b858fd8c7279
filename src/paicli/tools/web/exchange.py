"""One request and its answer: no proxy, no cookies, no redirects; everything that comes is bounded."""

import ssl
from functools import cached_property
from typing import NamedTuple

import httpcore
import httpx

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind
from paicli.policy.network.guard import NetworkGuard, Target
from paicli.tools.web.bodies import ACCEPTED_ENCODINGS, BodyDamaged, inflated
from paicli.tools.web.network import CheckedBackend, HostUnknown, Limits, Resolve, resolve

USER_AGENT = "Mozilla/5.0 (compatible; paicli)"
_BODILESS = frozenset({204, 205, 304})


class Request(NamedTuple):
    target: Target
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    cap_bytes: int = 5_000_000
    """Of the body, after decompression."""


class Answer(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    body: bytes
    is_cut: bool = False
    """It was longer than the cap."""
    broke_off: str = ""
    """Why it ended before its end; empty: it did not."""
    is_overdue: bool = False
    """The deadline came before its end."""

    def header(self, name: str) -> str:
        """The first value, empty where there is none."""
        return next((value for known, value in self.headers if known == name), "")


class Exchanges:
    """Makes requests; every address they go to is one that the guard allowed."""

    def __init__(self, guard: NetworkGuard, *, resolve: Resolve = resolve) -> None:
        self._guard = guard
        self._resolve = resolve

    def run(self, request: Request, limits: Limits) -> Answer:
        """Blocks until the body is there, cut, or the deadline is over.

        Raises PolicyDenied for an address that is none to go to, ToolFailed when no usable answer came, TurnCancelled
        within 300 ms of a cancel.
        """
        target = request.target
        backend = CheckedBackend(target, self._guard, limits=limits, resolve=self._resolve)
        context = self._certified if target.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        headers = [
            ("Host", target.authority),
            ("User-Agent", USER_AGENT),
            ("Accept-Encoding", ACCEPTED_ENCODINGS),
            ("Connection", "close"),
            *request.headers,
        ]
        url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        try:
            with (
                httpcore.ConnectionPool(ssl_context=context, max_connections=1, network_backend=backend) as pool,
                pool.stream(request.method, url, headers=headers, content=request.body) as response,
            ):
                answer = _read(response, request, limits)
        except (
            httpcore.TimeoutException,
            httpcore.NetworkError,
            httpcore.ProtocolError,
            httpcore.UnsupportedProtocol,
            OSError,
        ) as error:
            limits.cancel.raise_if_cancelled()
            raise _failure(error, target, limits) from error
        limits.cancel.raise_if_cancelled()
        return answer

    @cached_property
    def _certified(self) -> ssl.SSLContext:
        """Certificates as for the model: SSL_CERT_FILE, SSL_CERT_DIR, else certifi's. Costs 30 ms."""
        return httpx.create_ssl_context()


def _read(response: httpcore.Response, request: Request, limits: Limits) -> Answer:
    headers = tuple((_text(name).lower(), _text(value)) for name, value in response.headers)
    start = Answer(response.status, headers, b"")
    if response.status in _BODILESS or request.method == "HEAD":
        return start
    encodings = ", ".join(value for name, value in headers if name == "content-encoding")
    body = bytearray()
    broke_off = ""
    is_overdue = False
    try:
        for piece in inflated(response.iter_stream(), encodings, host=request.target.host):
            body += piece
            if len(body) > request.cap_bytes:
                return start._replace(body=bytes(body[: request.cap_bytes]), is_cut=True)
    except httpcore.TimeoutException:
        is_overdue = True
        if not body:
            raise
    except (BodyDamaged, httpcore.NetworkError, httpcore.ProtocolError) as error:
        broke_off = str(error)[:200] or type(error).__name__
        if not body and not isinstance(error, BodyDamaged):
            raise
    return start._replace(body=bytes(body), broke_off=broke_off, is_overdue=is_overdue)


def _failure(error: Exception, target: Target, limits: Limits) -> ToolFailed:
    what = " ".join(str(error).split())[:300] or type(error).__name__
    host = target.host
    if isinstance(error, HostUnknown):
        return ToolFailed("web.host_unknown", kind=ErrorKind.NETWORK, host=host, what=what)
    if isinstance(error, httpcore.TimeoutException) or limits.is_over:
        return ToolFailed("web.timed_out", kind=ErrorKind.TIMEOUT, host=host, seconds=f"{limits.seconds:g}")
    if isinstance(error, httpcore.ProtocolError):
        return ToolFailed("web.broken_answer", kind=ErrorKind.NETWORK, host=host, what=what)
    return ToolFailed("web.unreachable", kind=ErrorKind.NETWORK, host=host, what=what)


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
