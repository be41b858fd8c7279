"""An OpenAI-compatible HTTP/1.1 server on loopback that speaks real bytes and does what a script says.

    with OpenAiServer([call("read_file", {"path": "a"}), say("done")]) as server:
        ...  # point a client, or a paicli process, at server.base_url
        assert server.requests[0].body["model"] == "m"

A script is a list of replies, given out in order of arrival, or a function from `RecordedRequest` to a reply. The
function runs on the request's own thread, so it may wait on a `threading.Barrier` or `Event`. A chunk of a reply is
bytes that are flushed at once, or a function that is called between two chunks (wait on an event in it).
"""

import contextlib
import itertools
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Self

from tests.patience import PATIENCE_S

Chunk = bytes | Callable[[], object]
CallSpec = tuple[str, dict[str, Any] | str] | tuple[str, dict[str, Any] | str, str]

_call_numbers = itertools.count(1)


class Framing(StrEnum):
    """How the end of a body is told."""

    CHUNKED = "chunked"
    LENGTH = "length"
    UNTIL_CLOSE = "until_close"


class Ending(StrEnum):
    """What the server does after the last chunk."""

    COMPLETE = "complete"
    """Ends the body properly; the connection serves the next request."""
    COMPLETE_AND_CLOSE = "complete_and_close"
    """Ends the body properly, then closes without having said so."""
    HANG = "hang"
    """Says nothing more until the client goes away or the server is closed."""
    DROP = "drop"
    """Closes with the body unfinished."""
    RESET = "reset"
    """Sends a TCP reset with the body unfinished."""


class Reply(NamedTuple):
    """One answer, from its status line to what becomes of the connection."""

    chunks: Iterable[Chunk] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/event-stream"),)
    framing: Framing = Framing.CHUNKED
    ending: Ending = Ending.COMPLETE
    sends_head: bool = True
    """False: `ending` happens before a single byte was sent."""


class RecordedRequest(NamedTuple):
    """What one request brought."""

    number: int
    """From 0, over all connections, in order of arrival."""
    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    raw_body: bytes
    body: Any
    """Parsed JSON; None where the body is none."""
    arrived_at: float
    """`time.monotonic()` when the last byte of the body was read."""
    connection: int
    """From 0; equal numbers mean a connection used again."""
    client_gone: threading.Event
    """Set when the client closed the connection while its reply was being sent or hung."""
    sent_at: list[float]
    """`time.monotonic()` after the last byte of the reply was handed to the system; one entry once that was so."""


Script = Callable[[RecordedRequest], Reply] | Iterable[Reply]

REVIEWER_BEGINS = "你是命令审查员"
"""How the system prompt of a command's review begins."""
ALLOWED_REVIEW = '{"decision":"allow","reason":"asked for"}'


class OpenAiServer:
    """Serves `script` under `base_url` on threads of its own until closed."""

    def __init__(self, script: Script, *, tls: ssl.SSLContext | None = None, reviews: Script | None = None) -> None:
        """`reviews`: answers to the reviews of commands, which `script` is not asked for; None: allow, each time."""
        self._answer = script if callable(script) else _in_order(script)
        reviews = (lambda request: say(ALLOWED_REVIEW)) if reviews is None else reviews
        self._answer_review = reviews if callable(reviews) else _in_order(reviews)
        self._reviews: list[RecordedRequest] = []
        self._tls = tls
        self._changed = threading.Condition()
        self._requests: list[RecordedRequest] = []
        self._other_requests: list[RecordedRequest] = []
        self._script_errors: list[BaseException] = []
        self._open: set[socket.socket] = set()
        self._is_closed = False
        self._connection_count = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept, name="fake-openai-accept", daemon=True)
        self._acceptor.start()

    @property
    def base_url(self) -> str:
        scheme = "http" if self._tls is None else "https"
        return f"{scheme}://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> list[RecordedRequest]:
        """Chat requests so far, in order of arrival."""
        with self._changed:
            return list(self._requests)

    @property
    def review_requests(self) -> list[RecordedRequest]:
        """Reviews of commands so far; they are not among `requests`."""
        with self._changed:
            return list(self._reviews)

    @property
    def other_requests(self) -> list[RecordedRequest]:
        """What was asked for beside chat completions, such as `GET /v1/models`; the script is not asked for these."""
        with self._changed:
            return list(self._other_requests)

    @property
    def connection_count(self) -> int:
        """TCP connections accepted so far."""
        with self._changed:
            return self._connection_count

    def wait_for_requests(self, count: int, timeout_s: float = PATIENCE_S) -> list[RecordedRequest]:
        """Blocks until `count` chat requests have come; AssertionError after `timeout_s`."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self._requests) >= count, timeout_s)
            assert came, f"{len(self._requests)} of {count} requests came within {timeout_s} s"
            return list(self._requests)

    def close(self) -> None:
        """Ends every connection and thread that is not stuck in the script itself."""
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            connections = list(self._open)
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):  # where shutdown does not wake accept()
            socket.create_connection(("127.0.0.1", self.port), timeout=0.2).close()
        self._listener.close()
        for connection in connections:
            _shut(connection)
        self._acceptor.join(timeout=2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Closes; raises what the script raised, unless the test already fails with an error of its own."""
        self.close()
        if self._script_errors and kind is None:
            raise self._script_errors[0]

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._changed:
                if self._is_closed:
                    connection.close()
                    return
                number = self._connection_count
                self._connection_count += 1
                self._open.add(connection)
            threading.Thread(
                target=self._serve, args=(connection, number), name=f"fake-openai-{number}", daemon=True
            ).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        plain = connection
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                with self._changed:
                    self._open.add(connection)
            # The socket closes only with its file: both must go before a FIN or a reset is sent.
            with connection.makefile("rb") as reader:
                while (request := self._read(reader, number)) is not None:
                    reply = self._reply_to(request)
                    if reply is None:
                        return
                    try:
                        is_reusable = _send(connection, reply, request)
                    except OSError:
                        request.client_gone.set()
                        return
                    if not is_reusable:
                        return
        except (OSError, ValueError):
            pass  # the client went away, or sent no HTTP: nobody is left to answer
        finally:
            with self._changed:
                self._open -= {plain, connection}
            connection.close()

    def _read(self, reader: Any, connection: int) -> RecordedRequest | None:
        start = reader.readline()
        if not start.strip():
            return None
        method, path, _ = start.decode("latin-1").split(" ", 2)
        headers: dict[str, str] = {}
        while (line := reader.readline()) not in (b"\r\n", b"\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        raw = reader.read(int(headers.get("content-length", "0")))
        with self._changed:
            is_chat = path.split("?")[0].endswith("/chat/completions")
            body = _parsed(raw)
            kept = self._requests if is_chat else self._other_requests
            kept = self._reviews if is_chat and _is_review(body) else kept
            request = RecordedRequest(
                number=len(kept),
                method=method,
                path=path,
                headers=headers,
                raw_body=raw,
                body=body,
                arrived_at=time.monotonic(),
                connection=connection,
                client_gone=threading.Event(),
                sent_at=[],
            )
            kept.append(request)
            self._changed.notify_all()
        return request

    def _reply_to(self, request: RecordedRequest) -> Reply | None:
        path = request.path.split("?")[0]
        if path.endswith("/models"):
            return json_reply({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})
        if not path.endswith("/chat/completions"):
            return json_reply({"detail": "Not Found"}, status=404)
        try:
            return self._answer_review(request) if _is_review(request.body) else self._answer(request)
        except Exception as error:  # whatever the script raised is the test's own fault: it is raised on exit
            with self._changed:
                if self._is_closed:
                    return None
                self._script_errors.append(error)
            return status(400, {"error": {"message": f"the script failed: {error!r}"}})


def _is_review(body: Any) -> bool:
    messages = body.get("messages") if isinstance(body, dict) else None
    first = messages[0] if isinstance(messages, list) and messages else None
    return isinstance(first, dict) and str(first.get("content")).startswith(REVIEWER_BEGINS)


def _in_order(replies: Iterable[Reply]) -> Callable[[RecordedRequest], Reply]:
    left = iter(list(replies))
    lock = threading.Lock()

    def answer(request: RecordedRequest) -> Reply:
        with lock:
            reply = next(left, None)
        if reply is None:
            raise AssertionError(f"the script has no reply left for request {request.number}")
        return reply

    return answer


def _send(connection: socket.socket, reply: Reply, request: RecordedRequest) -> bool:
    """Sends `reply`; returns whether the connection can serve another request."""
    is_chunked = reply.framing is Framing.CHUNKED
    if reply.sends_head:
        connection.sendall(_head(reply))
        for chunk in reply.chunks:
            if callable(chunk):
                chunk()
            elif chunk:
                connection.sendall(b"%x\r\n%b\r\n" % (len(chunk), chunk) if is_chunked else chunk)
    is_complete = reply.ending in {Ending.COMPLETE, Ending.COMPLETE_AND_CLOSE}
    if is_complete and is_chunked and reply.sends_head:
        connection.sendall(b"0\r\n\r\n")
    request.sent_at.append(time.monotonic())
    match reply.ending:
        case Ending.COMPLETE:
            return reply.framing is not Framing.UNTIL_CLOSE
        case Ending.HANG:
            _wait_until_gone(connection)
            request.client_gone.set()
        case Ending.RESET:
            # The close that follows then sends a reset instead of a FIN.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        case Ending.COMPLETE_AND_CLOSE | Ending.DROP:
            pass
    return False


def _head(reply: Reply) -> bytes:
    lines = [f"HTTP/1.1 {reply.status} Scripted", *(f"{name}: {value}" for name, value in reply.headers)]
    match reply.framing:
        case Framing.CHUNKED:
            lines.append("Transfer-Encoding: chunked")
        case Framing.LENGTH:
            size = sum(len(chunk) for chunk in reply.chunks if isinstance(chunk, bytes))
            lines.append(f"Content-Length: {size}")
        case Framing.UNTIL_CLOSE:
            lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _wait_until_gone(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while connection.recv(65536):
            pass


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


# What a script is made of


def event(payload: Any) -> bytes:
    """One SSE event with `payload` as JSON."""
    return b"data: " + json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n\n"


def chunk(
    delta: Any = None, *, finish: str | None = None, usage: dict[str, Any] | None = None, index: int = 0
) -> dict[str, Any]:
    """A `chat.completion.chunk` with one choice."""
    whole: dict[str, Any] = {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": 1796059879,
        "model": "fake-model",
        "choices": [{"index": index, "delta": {} if delta is None else delta, "finish_reason": finish}],
    }
    return whole if usage is None else {**whole, "usage": usage}


def delta_event(**delta: Any) -> bytes:
    """The event a real server sends for one delta, such as `delta_event(content="he")`."""
    return event(chunk(delta))


def finish_event(reason: str = "stop") -> bytes:
    return event(chunk(finish=reason))


def usage_event(input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> bytes:
    """The last chunk before `[DONE]`: usage beside an empty `choices`."""
    usage = {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
        "prompt_tokens_details": {"cached_tokens": cached_tokens},
    }
    return event({**chunk(usage=usage), "choices": []})


DONE = b"data: [DONE]\n\n"
STARTED = delta_event(role="assistant", content=None)


def say(
    text: str, *, thinking: str = "", usage: tuple[int, int] | None = (10, 5), finish: str = "stop", piece: int = 8
) -> Reply:
    """A complete answer in deltas of `piece` characters."""
    return Reply(tuple(_answer_events(text, thinking, piece)) + _closing(finish, usage))


def call(name: str, arguments: dict[str, Any] | str, id: str | None = None, *, text: str = "") -> Reply:  # noqa: A002 - the wire's name
    """A complete reply with one tool call; `arguments` as a dict, or as the exact text to send."""
    return calls((name, arguments) if id is None else (name, arguments, id), text=text)


def calls(
    *specs: CallSpec,
    text: str = "",
    thinking: str = "",
    usage: tuple[int, int] | None = (10, 5),
    finish: str = "tool_calls",
) -> Reply:
    """A complete reply with several calls, each `(name, arguments[, id])`, in three deltas each."""
    events = _answer_events(text, thinking, 8)
    for index, (name, arguments, *rest) in enumerate(specs):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        call_id = rest[0] if rest else f"call_{next(_call_numbers)}"
        middle = len(written) // 2
        head = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
        events.append(delta_event(tool_calls=[head]))
        for part in (written[:middle], written[middle:]):
            events.append(delta_event(tool_calls=[{"index": index, "function": {"arguments": part}}]))
    return Reply(tuple(events) + _closing(finish, usage))


def raw_sse(*chunks: Chunk, ending: Ending = Ending.COMPLETE, framing: Framing = Framing.CHUNKED) -> Reply:
    """An event stream of exactly these bytes, flushed chunk by chunk."""
    return Reply(chunks, ending=ending, framing=framing)


def status(code: int, body: Any = "", headers: dict[str, str] | None = None) -> Reply:
    """An error as servers send it: `body` as JSON, or as the text it is (`Content-Type: text/html` unless given)."""
    raw = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    kind = "text/html" if isinstance(body, str | bytes) else "application/json"
    named = {"Content-Type": kind, **(headers or {})}
    return Reply((raw,), status=code, headers=tuple(named.items()), framing=Framing.LENGTH)


def json_reply(body: Any, *, status: int = 200) -> Reply:
    """A plain JSON body, as servers send it that ignore `stream`."""
    raw = json.dumps(body, ensure_ascii=False).encode()
    return Reply((raw,), status=status, headers=(("Content-Type", "application/json"),), framing=Framing.LENGTH)


def hang_before_headers() -> Reply:
    """The request is read, and nothing ever comes."""
    return Reply(ending=Ending.HANG, sends_head=False)


def hang_mid_stream(*chunks: Chunk, framing: Framing = Framing.CHUNKED) -> Reply:
    """These chunks (one started answer if none are given), then silence on an open connection."""
    return Reply(chunks or (STARTED, delta_event(content="par")), ending=Ending.HANG, framing=framing)


def drop_mid_stream(*chunks: Chunk, framing: Framing = Framing.CHUNKED) -> Reply:
    """These chunks, then a clean FIN; with UNTIL_CLOSE framing that looks like a normal end of the body."""
    return Reply(chunks or (STARTED, delta_event(content="par")), ending=Ending.DROP, framing=framing)


def reset(*chunks: Chunk) -> Reply:
    """These chunks, then a TCP reset; without chunks the reset comes instead of an answer."""
    return Reply(chunks, ending=Ending.RESET, sends_head=bool(chunks))


def close_before_headers() -> Reply:
    """The request is read and the connection closed: what a kept-alive connection does that died meanwhile."""
    return Reply(ending=Ending.DROP, sends_head=False)


def _answer_events(text: str, thinking: str, piece: int) -> list[Chunk]:
    events: list[Chunk] = [STARTED]
    events += [delta_event(reasoning_content=part) for part in _pieces(thinking, piece)]
    events += [delta_event(content=part) for part in _pieces(text, piece)]
    return events


def _closing(finish: str, usage: tuple[int, int] | None) -> tuple[Chunk, ...]:
    counted: Sequence[Chunk] = () if usage is None else (usage_event(*usage),)
    return (finish_event(finish), *counted, DONE)


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
