"""Looks which model servers answer, and which models they have: short questions, never an error."""

import json
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import httpx

from paicli.core.unicode import well_formed

_CONNECT_S = 1.0
_READ_S = 2.0
_WAIT_S = 3.0
"""For all servers of this machine together: one that drips must not hold up the first start."""
_LIMIT_BYTES = 1_000_000
_MODEL_LIMIT = 100
_NAME_LIMIT = 200
_NO_CHAT = ("embed", "rerank", "whisper", "tts-", "dall-e", "moderation")
"""Models that no conversation can be held with."""


class LocalPort(NamedTuple):
    """Where a server of the provider's row usually listens."""

    provider: str
    port: int


LOCAL_PORTS = (LocalPort("ollama", 11434), LocalPort("lmstudio", 1234), LocalPort("llamacpp", 8080))


class LocalServer(NamedTuple):
    """A server on this machine that answers."""

    provider: str
    base_url: str
    models: tuple[str, ...]
    """Names as the server gives them; empty: it has none yet."""


def find_local_servers(ports: Sequence[LocalPort] = LOCAL_PORTS) -> tuple[LocalServer, ...]:
    """Those of `ports` that list their models, in that order. Takes 3 s at most; asks nobody but this machine."""
    found: dict[int, LocalServer] = {}

    def ask(place: LocalPort) -> None:
        base_url = f"http://127.0.0.1:{place.port}/v1"
        try:
            models = list_models(base_url)
            if models is not None:
                found[place.port] = LocalServer(place.provider, base_url, models)
        finally:
            answered.release()

    answered = threading.Semaphore(0)
    deadline = time.monotonic() + _WAIT_S
    for place in ports:
        threading.Thread(target=ask, args=(place,), name="paicli-probe", daemon=True).start()
    for _ in ports:
        answered.acquire(timeout=max(0.0, deadline - time.monotonic()))
    return tuple(found[place.port] for place in ports if place.port in found)


def list_models(base_url: str, api_key: str = "") -> tuple[str, ...] | None:
    """What `GET {base_url}/models` names, at most 100; None where no such list comes within 2 s between bytes."""
    try:
        url = httpx.URL(base_url.strip())
        with httpx.Client(
            timeout=httpx.Timeout(_READ_S, connect=_CONNECT_S),
            trust_env=url.host not in {"127.0.0.1", "localhost", "::1"},  # no proxy reaches this machine
            follow_redirects=False,
        ) as client:
            headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
            with client.stream("GET", url.copy_with(path=f"{url.path.rstrip('/')}/models"), headers=headers) as reply:
                return _names_in(_body(reply)) if reply.is_success else None
    except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError, OSError):
        return None


def _body(reply: httpx.Response) -> bytes:
    raw = b""
    for chunk in reply.iter_bytes():
        raw += chunk
        if len(raw) > _LIMIT_BYTES:
            return b""
    return raw


def _names_in(raw: bytes) -> tuple[str, ...] | None:
    try:
        parsed: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    body = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    rows = body.get("data")
    if not isinstance(rows, list):
        return None
    found: list[str] = []
    for row in cast("list[Any]", rows):
        name: Any = cast("dict[str, Any]", row).get("id") if isinstance(row, dict) else None
        if isinstance(name, str) and _is_usable(name):
            found.append(name)
    return tuple(dict.fromkeys(found))[:_MODEL_LIMIT]


def _is_usable(name: str) -> bool:
    """A name that may be shown and sent: foreign text, so nothing else is let in."""
    is_plain = name.isprintable() and well_formed(name) == name and 0 < len(name.strip()) <= _NAME_LIMIT
    return is_plain and not any(word in name.lower() for word in _NO_CHAT)
