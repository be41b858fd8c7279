"""From settings to a model client: built at once where it is used at once, else when the first turn asks."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from paicli.app.settings import ModelSettings, ReplaySettings, SessionKind
from paicli.llm.client import LlmClient
from paicli.llm.lazy_client import LazyClient
from paicli.llm.providers import capabilities_of, provider_named

if TYPE_CHECKING:
    from paicli.llm.recorded.client import Divergence


def open_client(
    settings: ModelSettings | ReplaySettings,
    session_kind: SessionKind,
    *,
    folders: Iterable[str] = (),
    on_divergence: "Callable[[Divergence], None]" = lambda divergence: None,
) -> LlmClient:
    """`folders` and `on_divergence`: as a replay takes them (see `RecordedClient`).

    Raises SettingsError for a recording that can't be read and, without a person, for what no request can use."""
    if isinstance(settings, ReplaySettings):
        from paicli.llm.recorded.client import RecordedClient  # start-up: 1 ms, and only a replay needs it

        return RecordedClient(settings.path, folders=folders, on_divergence=on_divergence)
    profile = provider_named(settings.provider)

    def build() -> LlmClient:
        # start-up: httpx costs 97 ms, and the prompt stands before the first request needs it
        from paicli.app.config.client_options import client_options
        from paicli.llm.factory import build_client

        return build_client(
            profile,
            model=settings.model,
            base_url=settings.base_url,
            api_key=settings.api_key,
            options=client_options(settings),
        )

    model = settings.model or profile.default_model
    capabilities = capabilities_of(
        profile, model, window_tokens=settings.window_tokens, vision=settings.vision, price=settings.price
    )
    client = LazyClient(profile.name, model, capabilities=capabilities, build=build)
    if session_kind is SessionKind.UNATTENDED:
        client.prepare()
    return client
