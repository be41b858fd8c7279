"""Connections that go to an address which was looked up once and checked, and that any thread can end.

A name is resolved here, once for each connection; the guard decides on every address that came; the socket connects to
one of those very addresses. So a second answer of the name server (DNS rebinding) has nowhere to come in.
Each blocking call shuts its socket down on a cancel, as in `llm.network`, and none outlasts the deadline of the whole.
"""

import contextlib
import errno
import os
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import httpcore
from httpcore._backends.sync import SyncStream  # what starts TLS on a socket of our own; httpcore is pinned by httpx

from paicli.core.cancellation import CancellationToken
from paicli.policy.network.guard import NetworkGuard, Target

_HTTP = b"HTTP/"


class Address(NamedTuple):
    """One answer of the resolver."""

    family: int
    place: Any
    """A socket address; its first part is the IP address as text."""

    @property
    def text(self) -> str:
        return str(self.place[0])


Resolve = Callable[[str, int], list[Address]]
"""host, port → its addresses. Blocks; raises OSError (UnicodeError for what is no name)."""


class HostUnknown(httpcore.ConnectError):
    """The name has no address."""


def resolve(host: str, port: int) -> list[Address]:
    """Asks the system."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [Address(family, place) for family, _, _, _, place in answers]


class Limits:
    """One exchange's end: its deadline, and the token that ends it earlier."""

    def __init__(self, seconds: float, cancel: CancellationToken, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.cancel = cancel
        self._clock = clock
        self._until = clock() + seconds

    @property
    def is_over(self) -> bool:
        return self._clock() >= self._until

    def left_s(self) -> float:
        """Seconds left. Raises ReadTimeout when there are none: a peer that keeps sending never times out."""
        left = self._until - self._clock()
        if left <= 0:
            raise httpcore.ReadTimeout("the deadline is over")
        return left

    @contextlib.contextmanager
    def interruptible(self, interrupt: Callable[[], object]) -> Any:
        """While the block runs a cancel calls `interrupt`. Raises ConnectError when it came before."""

        def quietly() -> None:
            with contextlib.suppress(OSError):
                interrupt()

        if self.cancel.cancelled:
            raise httpcore.ConnectError("cancelled")
        forget = self.cancel.on_cancel(quietly)
        try:
            yield
        finally:
            forget()

    def guard(self, sock: socket.socket) -> Any:
        """While the block runs a cancel shuts `sock` down."""
        # SSLSocket.shutdown would take the TLS object away under the reader: the plain one leaves it alone.
        return self.interruptible(lambda: socket.socket.shutdown(sock, socket.SHUT_RDWR))


class _Stream(httpcore.NetworkStream):
    """A connection within the limits."""

    def __init__(self, inner: httpcore.NetworkStream, limits: Limits) -> None:
        self._inner = inner
        self._limits = limits
        self._socket: socket.socket = inner.get_extra_info("socket")
        self._head = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._limits.guard(self._socket):
            data = self._inner.read(max_bytes, self._limits.left_s())
        if len(self._head) < len(_HTTP):
            # The parser would wait for a whole line, which a server that speaks something else may never end.
            self._head = (self._head + data)[: len(_HTTP)]
            if not _HTTP.startswith(self._head):
                raise httpcore.RemoteProtocolError("no HTTP")
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._limits.guard(self._socket):
            self._inner.write(buffer, self._limits.left_s())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        # wrap_socket() detaches the socket: a duplicate shuts the same connection down.
        with self._socket.dup() as twin, self._limits.guard(twin):
            secure = self._inner.start_tls(ssl_context, server_hostname, self._limits.left_s())
        return _Stream(secure, self._limits)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class CheckedBackend(httpcore.NetworkBackend):
    """Opens the connections of one request for `target`."""

    def __init__(self, target: Target, guard: NetworkGuard, *, limits: Limits, resolve: Resolve = resolve) -> None:
        self._target = target
        self._guard = guard
        self._limits = limits
        self._resolve = resolve

    def connect_tcp(
        self,
        host: str,
        port: int,
        *_: Any,
        **__: Any,
    ) -> httpcore.NetworkStream:
        """Raises PolicyDenied when one of the host's addresses is none to go to."""
        addresses = self._looked_up()
        for address in addresses:
            # One bad address refuses the name: whoever answers with a public and an inner one means the inner one.
            self._guard.check_address(self._target, address.text)
        failure: Exception = HostUnknown("no address")
        for position, address in enumerate(addresses):
            # One address that answers nobody must not use up the time of those after it.
            share_s = self._limits.left_s() / (len(addresses) - position)
            try:
                sock = _connected(address, self._limits, timeout_s=share_s)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return _Stream(SyncStream(sock), self._limits)
        raise failure

    def _looked_up(self) -> list[Address]:
        found: list[Address] = []
        failed: list[OSError] = []
        answered = threading.Event()

        def ask() -> None:
            try:
                found.extend(self._resolve(self._target.host, self._target.port))
            except (OSError, UnicodeError) as error:
                failed.append(error if isinstance(error, OSError) else OSError(str(error)))
            answered.set()

        # A lookup cannot be interrupted: after a cancel its thread is left behind to the resolver's own time-out.
        with self._limits.interruptible(answered.set):
            threading.Thread(target=ask, name="paicli-web-lookup", daemon=True).start()
            is_back = answered.wait(self._limits.left_s())
        self._limits.left_s()
        if self._limits.cancel.cancelled or not is_back:
            raise httpcore.ConnectTimeout("the lookup did not end")
        if failed:
            raise HostUnknown(failed[0].strerror or str(failed[0]))
        return found


def _connected(address: Address, limits: Limits, *, timeout_s: float) -> socket.socket:
    """A connected socket. Raises ConnectError or ConnectTimeout."""
    with contextlib.ExitStack() as on_failure:
        sock = socket.socket(address.family, socket.SOCK_STREAM)
        on_failure.callback(sock.close)
        # A socket that is not connecting yet cannot be shut down: the pair wakes the selector whenever a cancel comes.
        woken, waker = socket.socketpair()
        with woken, waker, limits.interruptible(lambda: waker.send(b"x")), selectors.DefaultSelector() as selector:
            sock.setblocking(False)
            code = sock.connect_ex(address.place)
            if code not in (0, errno.EINPROGRESS):
                raise httpcore.ConnectError(os.strerror(code))
            selector.register(sock, selectors.EVENT_WRITE)
            selector.register(woken, selectors.EVENT_READ)
            ready = {key.fileobj for key, _ in selector.select(timeout_s)}
        if woken in ready:
            raise httpcore.ConnectError("cancelled")
        if not ready:
            raise httpcore.ConnectTimeout("timed out")
        if code := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise httpcore.ConnectError(os.strerror(code))
        on_failure.pop_all()
    return sock
