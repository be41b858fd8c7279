"""What the tests of this room share: a client for a fake server, and one question put to it."""

from pathlib import Path
from typing import Any, NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, Delta, UserMessage
from paicli.llm.client import LlmClient
from paicli.llm.factory import ClientOptions, build_client
from paicli.llm.providers import PROVIDERS
from paicli.llm.retry import RetryPolicy
from tests.fakes.openai_server import OpenAiServer

KEY = "canary-0123456789abc"
"""Of no well-known shape: only a masker that knows it hides it."""
CAPTURES = Path(__file__).parent.parent / "fixtures" / "sse"


opened: list[LlmClient] = []
"""Clients of the running test."""


class Answer(NamedTuple):
    response: ChatResponse
    deltas: list[Delta]


def client_for(server: OpenAiServer | str, *, provider: str = "custom", attempts: int = 1, **options: Any) -> LlmClient:
    base_url = server if isinstance(server, str) else server.base_url
    """Closed by the room's fixture when the test ends."""
    retry = RetryPolicy(max_attempts=attempts, first_wait_s=0.01)
    client = build_client(
        PROVIDERS[provider],
        model="m-1",
        base_url=base_url,
        api_key=KEY,
        options=ClientOptions(retry=retry, **options),
    )
    opened.append(client)
    return client


def ask(client: LlmClient, text: str = "hi", *, cancel: CancellationToken | None = None, **fields: Any) -> Answer:
    deltas: list[Delta] = []
    request = ChatRequest((UserMessage(text),), **fields)
    return Answer(client.chat(request, deltas.append, cancel or CancellationToken()), deltas)


class Capture(NamedTuple):
    """A reply as a real server sent it."""

    status: int
    content_type: str
    body: bytes


def capture(name: str) -> Capture:
    raw = (CAPTURES / f"{name}.txt").read_bytes()
    if not raw.startswith(b"HTTP/"):
        return Capture(200, "text/event-stream", raw)
    head, _, body = raw.replace(b"\r\n", b"\n", raw.count(b"\r\n")).partition(b"\n\n")
    status_line, *lines = head.decode("latin-1").split("\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Capture(int(status_line.split(" ")[1]), headers.get("content-type", ""), body)
