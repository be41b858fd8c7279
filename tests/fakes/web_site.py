"""A web site on loopback that sends exactly the bytes it was told to, path by path, and counts who came."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Self

Page = bytes | Callable[[], Iterable[bytes]]
"""The whole answer, head and body; a function gives its pieces, which may be endless, or wait between two."""


class SeenRequest(NamedTuple):
    method: str
    path: str
    """With its query."""
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


def answer(body: bytes, content_type: str = "text/html; charset=utf-8", *, status: int = 200, extra: str = "") -> bytes:
    """A complete answer; `extra` are further header lines, each ended by CRLF."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode("latin-1") + body


def redirect(location: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


class WebSite:
    """Serves until it is left."""

    def __init__(self, pages: Mapping[str, Page] | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        """`pages`: by path, without the query; what is not there is a 404."""
        self.pages: dict[str, Page] = dict(pages or {})
        self.requests: list[SeenRequest] = []
        self.connection_count = 0
        self._tls = tls
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *details: object) -> None:
        with self._lock:
            for connection in (self._listener, *self._open):
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
        for thread in self._threads:
            thread.join(2)

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connection_count += 1
                self._open.append(connection)
                self._threads.append(threading.Thread(target=self._serve, args=(connection,), daemon=True))
                self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection, self._spoken(connection) as connection:
            request = _read_request(connection)
            if request is None:
                return
            self.requests.append(request)
            page = self.pages.get(request.path.partition("?")[0], answer(b"no such page", status=404))
            for piece in (page,) if isinstance(page, bytes) else page():
                connection.sendall(piece)
            connection.shutdown(socket.SHUT_WR)

    def _spoken(self, connection: socket.socket) -> socket.socket:
        return connection if self._tls is None else self._tls.wrap_socket(connection, server_side=True)


def _read_request(connection: socket.socket) -> SeenRequest | None:
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = connection.recv(65_536)
        if not piece:
            return None
        raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.split(":", 1) for line in lines)
    headers = {name.lower(): value.strip() for name, value in pairs}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65_536)
    method, path, _ = first.split(" ", 2)
    return SeenRequest(method, path, headers, body)
