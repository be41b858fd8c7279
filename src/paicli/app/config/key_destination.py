"""Where a key may go: what a folder brings never sends the user's own key to a host the user did not choose for it."""

import re
from collections.abc import Callable

from paicli.app.config.chosen_model import ChosenModel, ModelSources
from paicli.app.config.config_file import ConfigFile
from paicli.app.settings import ModelSettings
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault
from paicli.llm.providers import PROVIDERS

_OF_THE_MOMENT = ("--base-url", "PAICLI_BASE_URL")
_HEADERS = "model.headers"


def keep_own_key_at_home(chosen: ChosenModel, config: ConfigFile, *, own_choice: Callable[[], ChosenModel]) -> None:
    """Raises SettingsError where a folder's files would send a key or headers of the user's to another host.

    A provider's own key may go to that provider, any key to where the user's settings alone (`own_choice`) would send
    it or to an address that the user named. A folder that brings an address brings its key too.
    """
    settings, sources = chosen
    if not isinstance(settings, ModelSettings) or not (
        config.is_brought(sources.provider) or config.is_brought(sources.base_url)
    ):
        return
    has_own_headers = bool(settings.headers) and not config.is_brought(config.source_of(_HEADERS))
    has_own_key = bool(settings.api_key) and not config.is_brought(sources.api_key)
    if not (has_own_headers or has_own_key) or (sources.base_url and not config.is_brought(sources.base_url)):
        return
    if not sources.base_url and not has_own_headers and _is_of_provider(sources, settings.provider):
        return
    if _address(settings.base_url) == _own_address(own_choice):
        return
    raise SettingsError(
        "settings.key_to_other_host",
        source=sources.base_url or sources.provider,
        host=_address(settings.base_url)[1],
        key=sources.api_key if has_own_key else config.source_of(_HEADERS),
    )


def key_elsewhere(chosen: ChosenModel, config: ConfigFile) -> tuple[Fault, ...]:
    """A warning where an option or a variable sends a provider's key to a host that isn't the provider's."""
    settings, sources = chosen
    if not isinstance(settings, ModelSettings) or not settings.api_key or sources.base_url not in _OF_THE_MOMENT:
        return ()
    usual = config.get(f"providers.{settings.provider}.base_url") or PROVIDERS[settings.provider].base_url
    if sources.api_key.endswith(": model.api_key"):
        usual = config.get("model.base_url") or usual
    elif not _is_of_provider(sources, settings.provider):
        return ()
    host, usual_host = _address(settings.base_url)[1], _address(usual)[1]
    if not usual or host == usual_host:
        return ()
    fields = {"key": sources.api_key, "source": sources.base_url, "host": host, "usual": usual_host}
    return (Fault("settings.key_elsewhere", tuple(fields.items())),)


def _is_of_provider(sources: ModelSources, provider: str) -> bool:
    key = sources.api_key
    return key in PROVIDERS[provider].key_variables or key.endswith(f": providers.{provider}.api_key")


def _own_address(own_choice: Callable[[], ChosenModel]) -> tuple[str, str] | None:
    try:
        settings = own_choice().settings
    except SettingsError:  # alone, the user's settings name no usable model
        return None
    return _address(settings.base_url) if isinstance(settings, ModelSettings) else None


def _address(url: str) -> tuple[str, str]:
    """(scheme, host and port), without credentials: the same host without TLS is another address."""
    scheme, _, rest = url.partition("://")
    netloc = re.split(r"[/?#\\]", rest, maxsplit=1)[0]
    return scheme.lower(), netloc.rpartition("@")[2].lower()
