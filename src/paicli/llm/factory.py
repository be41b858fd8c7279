"""Builds the client of a provider's row: the one place where the parts of a real client come together."""

from typing import Any, NamedTuple

import httpx

from paicli.core.errors import SettingsError
from paicli.core.masking import SecretMasker
from paicli.llm.client import LlmClient
from paicli.llm.openai.client import ClientTimes, OpenAiClient, Wire
from paicli.llm.providers import ProviderProfile, capabilities_of, checked_key
from paicli.llm.retry import RetryingClient, RetryPolicy
from paicli.llm.wire_errors import Endpoint

_PATH = "/chat/completions"


class ClientOptions(NamedTuple):
    """What a user may set for one model."""

    headers: tuple[tuple[str, str], ...] = ()
    """Added to every request; they win over ours."""
    extra_body: tuple[tuple[str, Any], ...] = ()
    """Fields of the request's JSON body; they win over ours."""
    temperature: float | None = None
    is_thinking: bool = True
    window_tokens: int | None = None
    """None: the provider's row knows, or its default."""
    vision: bool | None = None
    """Whether images are sent. None: the provider's row knows."""
    connect_timeout_s: float = 15.0
    read_timeout_s: float = 300.0
    """Longest silence between bytes."""
    request_timeout_s: float = 1_800.0
    """One whole request."""
    retry: RetryPolicy = RetryPolicy()
    key_source: str = "API key"
    """Where the key came from, for messages."""


USUAL_OPTIONS = ClientOptions()


def build_client(
    profile: ProviderProfile,
    *,
    model: str = "",
    base_url: str = "",
    api_key: str = "",
    options: ClientOptions = USUAL_OPTIONS,
) -> LlmClient:
    """A client that retries. Empty `model` and `base_url` mean the row's own; no connection is made yet.

    Raises SettingsError for a missing model or address, a key that can be no key, and headers that can be none.
    """
    url = _chat_url(base_url or profile.base_url)
    model = model or profile.default_model
    if not model:
        raise SettingsError("llm.no_model", provider=profile.name)
    key = checked_key(api_key, options.key_source) if api_key or profile.needs_key else ""
    endpoint = Endpoint(
        profile.name, model, url, " / ".join(profile.key_variables) or "PAICLI_API_KEY", SecretMasker([key])
    )
    wire = Wire(
        quirks=profile.quirks,
        headers=_headers(key, options.headers),
        extra_body=options.extra_body,
        temperature=options.temperature,
        is_thinking=options.is_thinking,
        times=ClientTimes(options.connect_timeout_s, options.read_timeout_s, options.request_timeout_s),
    )
    capabilities = capabilities_of(profile, model, window_tokens=options.window_tokens, vision=options.vision)
    return RetryingClient(OpenAiClient(endpoint, capabilities, wire), options.retry)


def _chat_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise SettingsError("llm.bad_base_url", detail=str(error)) from error
    if url.scheme not in {"http", "https"} or not _can_be_connected_to(url):
        raise SettingsError("llm.bad_base_url", detail=str(url.copy_with(userinfo=b"", query=None)))
    path = url.path.rstrip("/")
    return url.copy_with(path=path if path.endswith(_PATH) else path + _PATH)


def _can_be_connected_to(url: httpx.URL) -> bool:
    """The system would take port 99999 for 34463, and the key would go there."""
    if "%" in _readable_host(url).partition(":")[0]:  # a blank or a stray sign, escaped; behind ":" a link's zone
        return False
    labels = url.raw_host.rstrip(b".").split(b".")
    has_port = url.port is None or 1 <= url.port <= 65_535
    return has_port and len(url.raw_host) <= 253 and all(1 <= len(label) <= 63 for label in labels)


def _readable_host(url: httpx.URL) -> str:
    try:
        return url.host
    except UnicodeError:
        return "%"  # `xn--` with nothing behind it that could be decoded


def _headers(key: str, added: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    ours = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream, application/json",
        "Accept-Encoding": "identity",  # a compressed stream is held back in the compressor
        "User-Agent": "paicli",
    }
    if key:
        ours["Authorization"] = f"Bearer {key}"
    named = {name.lower() for name, _ in added}
    for name, value in added:
        if not (name.isascii() and name.isprintable() and value.isascii() and value.isprintable()):
            raise SettingsError("llm.bad_header", name=name)
    return (*((name, value) for name, value in ours.items() if name.lower() not in named), *added)
