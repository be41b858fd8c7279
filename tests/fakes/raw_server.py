"""A TCP server on loopback that answers each connection with fixed bytes, whatever it was asked, and then stays silent.

For endpoints that are none: another protocol, half a header, bytes that no HTTP library would send.
"""

import contextlib
import socket
import threading
from collections.abc import Iterable
from typing import Self


class RawServer:
    """Serves until it is left; `connection_count` says how often somebody came."""

    def __init__(self, chunks: Iterable[bytes], *, asks_first: bool = True) -> None:
        """`chunks` may be endless. `asks_first`: waits for the first bytes before it answers."""
        self._chunks = chunks
        self._asks_first = asks_first
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connection_count = 0
        self._lock = threading.Lock()
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

    def base_url(self, scheme: str = "http") -> str:
        return f"{scheme}://127.0.0.1:{self.port}/v1"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connection_count += 1
                self._open.append(connection)
                self._threads.append(threading.Thread(target=self._answer, args=(connection,), daemon=True))
                self._threads[-1].start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if self._asks_first:
                connection.recv(65_536)
            for chunk in self._chunks:
                connection.sendall(chunk)
            while connection.recv(65_536):
                pass
