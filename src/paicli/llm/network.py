"""Sockets whose blocking calls another thread can end: what makes a synchronous httpx request cancellable.

httpx offers no way to interrupt a call that waits in connect, in a TLS handshake, for headers or in a silent stream.
Here each blocking call registers its socket with the scope of its thread; `RequestScope.cancel()` shuts it down.
"""

import contextlib
import errno
import os
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

import httpcore
from httpcore._backends.sync import (
    SyncStream,  # the only stream that starts TLS inside TLS; httpcore is pinned by httpx
)

NO_HTTP = "what came is no HTTP"
"""The words of the error for a server that speaks something else."""
_HTTP = b"HTTP/"
_NO_LIMIT_S = 86_400.0


class RequestScope:
    """The blocking calls of one request on one thread, which any thread may end."""

    def __init__(self, deadline: float | None = None) -> None:
        """`deadline`: `time.monotonic()` after which every call times out."""
        self._lock = threading.Lock()
        self._interrupts: dict[int, Callable[[], object]] = {}
        self._next_key = 0
        self._is_cancelled = False
        self._deadline = deadline
        self.has_connected = False
        """Whether a connection was made for this request; else it went over a kept one."""

    @property
    def is_overdue(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def limit(self, seconds: float) -> None:
        """Every later call times out `seconds` from now, or earlier where a limit stood already."""
        wanted = time.monotonic() + seconds
        self._deadline = wanted if self._deadline is None else min(self._deadline, wanted)

    def within(self, timeout_s: float | None) -> float:
        """The time-out of a call that begins now. Raises ReadTimeout when the deadline is over.

        The check matters on its own: a server that never stops sending lets no call time out.
        """
        timeout_s = _NO_LIMIT_S if timeout_s is None else timeout_s
        if self._deadline is None:
            return timeout_s
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the request's deadline is over")
        return min(timeout_s, left)

    def cancel(self) -> None:
        """Ends the call that runs and every later one. From any thread; never raises."""
        with self._lock:
            self._is_cancelled = True
            for interrupt in self._interrupts.values():
                with contextlib.suppress(OSError):
                    interrupt()

    @contextlib.contextmanager
    def interruptible(self, interrupt: Callable[[], object]) -> Generator[None]:
        """While the block runs, `cancel` calls `interrupt`. Raises ConnectError when already cancelled."""
        with self._lock:
            if self._is_cancelled:
                raise httpcore.ConnectError("cancelled")
            key = self._next_key
            self._next_key += 1
            self._interrupts[key] = interrupt
        try:
            yield
        finally:
            with self._lock:
                del self._interrupts[key]

    def guard(self, sock: socket.socket) -> contextlib.AbstractContextManager[None]:
        """While the block runs, `cancel` shuts `sock` down."""
        # SSLSocket.shutdown would take the TLS object away under the reader: the plain one leaves it alone.
        return self.interruptible(lambda: socket.socket.shutdown(sock, socket.SHUT_RDWR))


class _Current(threading.local):
    scope: RequestScope | None = None


_current = _Current()


@contextlib.contextmanager
def request_scope(scope: RequestScope) -> Generator[None]:
    """Calls of this thread belong to `scope` while the block runs."""
    outer = _current.scope
    _current.scope = scope
    try:
        yield
    finally:
        _current.scope = outer


def _scope() -> RequestScope:
    return _current.scope or RequestScope()


class CancellableStream(httpcore.NetworkStream):
    """A connection whose reads, writes and handshake end when the scope of the calling thread is cancelled."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner
        self._socket: socket.socket = inner.get_extra_info("socket")
        self._head = b""
        """The first bytes that came, until they are known to be HTTP."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        scope = _scope()
        with scope.guard(self._socket):
            data = self._inner.read(max_bytes, scope.within(timeout))
        if len(self._head) < len(_HTTP):
            # The parser would wait for a whole line, which a server that speaks something else may never end.
            self._head = (self._head + data)[: len(_HTTP)]
            if not _HTTP.startswith(self._head):
                raise httpcore.RemoteProtocolError(NO_HTTP)
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        scope = _scope()
        with scope.guard(self._socket):
            self._inner.write(buffer, scope.within(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        scope = _scope()
        # wrap_socket() detaches the socket that would be guarded: a duplicate shuts the same connection down. A socket
        # that speaks TLS already (to a proxy) has no duplicate, and stays attached.
        guarded = self._socket if isinstance(self._socket, ssl.SSLSocket) else self._socket.dup()
        with contextlib.ExitStack() as held:
            if guarded is not self._socket:
                held.enter_context(guarded)
            held.enter_context(scope.guard(guarded))
            return CancellableStream(self._inner.start_tls(ssl_context, server_hostname, scope.within(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class CancellableBackend(httpcore.NetworkBackend):
    """Opens connections; name lookup and connect can be cancelled too."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        *_: Any,
        socket_options: Iterable[Any] | None = None,
        **__: Any,
    ) -> httpcore.NetworkStream:
        scope = _scope()
        until = time.monotonic() + scope.within(timeout)
        addresses = _looked_up(host, port, scope=scope, until=until)
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for position, address in enumerate(addresses):
            left = until - time.monotonic()
            if left <= 0:
                raise httpcore.ConnectTimeout("timed out")
            # One address that answers nobody must not use up the time of those after it.
            share = left / (len(addresses) - position)
            try:
                sock = _connected(address, scope, timeout_s=share)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            for option in socket_options or ():
                sock.setsockopt(*option)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            scope.has_connected = True
            return CancellableStream(SyncStream(sock))
        raise failure


Address = tuple[int, Any]
"""(family, socket address)"""


def _looked_up(host: str, port: int, *, scope: RequestScope, until: float) -> list[Address]:
    try:
        return _addresses(host, port, socket.AI_NUMERICHOST)
    except socket.gaierror:
        pass  # a name: it must be asked for
    found: list[Address] = []
    failed: list[OSError] = []
    answered = threading.Event()

    def ask() -> None:
        try:
            found.extend(_addresses(host, port, 0))
        except (OSError, UnicodeError) as error:
            failed.append(error if isinstance(error, OSError) else OSError(str(error)))
        answered.set()

    # getaddrinfo cannot be interrupted: after a cancel its thread is abandoned to the resolver's own time-out.
    with scope.interruptible(answered.set):
        threading.Thread(target=ask, name="paicli-lookup", daemon=True).start()
        if not answered.wait(max(until - time.monotonic(), 0)):
            raise httpcore.ConnectTimeout(f"looking up {host} timed out")
    if failed:
        raise httpcore.ConnectError(f"{host}: {failed[0].strerror or failed[0]}")
    return found


def _addresses(host: str, port: int, flags: int) -> list[Address]:
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return [(family, address) for family, _, _, _, address in answers]


def _connected(address: Address, scope: RequestScope, *, timeout_s: float) -> socket.socket:
    """A connected socket. Raises ConnectError or ConnectTimeout."""
    family, place = address
    with contextlib.ExitStack() as on_failure:
        sock = socket.socket(family, socket.SOCK_STREAM)
        on_failure.callback(sock.close)
        # A socket that is not connecting yet cannot be shut down: the pair wakes the selector whenever cancel comes.
        woken, waker = socket.socketpair()
        with woken, waker, scope.interruptible(lambda: waker.send(b"x")), selectors.DefaultSelector() as selector:
            sock.setblocking(False)
            code = sock.connect_ex(place)
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
