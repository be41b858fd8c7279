"""Which search service, with which key, and which hosts beyond the public ones: configuration, then environment."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.model_settings import checked_url
from paicli.core.errors import SettingsError
from paicli.llm.providers import checked_key
from paicli.tools.web.search.providers import PROVIDERS, SearchChoice

if TYPE_CHECKING:
    from paicli.policy.network.guard import AllowedHost

OFF = "off"
"""The value of `web.search` that searches with none, whatever keys there are."""
_BY_ITSELF = ("tavily", "brave", "serpapi", "zhipu")
"""Chosen in this order by the first key there is: a key of a search service says more than one of a model."""
_GLM_CONFIGURED = "providers.glm.api_key"
"""Zhipu searches with the key of its models."""


class ChosenSearch(NamedTuple):
    choice: SearchChoice
    source: str = ""
    """A variable, or a place in the file; empty: nothing was chosen."""
    is_off: bool = False


def choose_search(environ: Mapping[str, str], config: ConfigFile) -> ChosenSearch:
    """`web.search` names one; else the first service whose key is in the environment or, of Zhipu, in the file.

    Raises SettingsError for a key or an address that can be none, naming the source and not the key.
    """
    named: str = config.get("web.search") or ""
    if named == OFF:
        return ChosenSearch(SearchChoice(), f"{config.path}: web.search", is_off=True)
    base_url: str = (config.get("web.base_url") or "").strip()
    named = named or ("searxng" if base_url else "")  # nobody else needs to be told where it is
    if named:
        key, source = _key_of(named, environ, config, own=str(config.get("web.api_key") or ""))
        choice = SearchChoice(named, key, checked_url(base_url) if base_url else "")
        return ChosenSearch(choice, source or f"{config.path}: web.search")
    for name in _BY_ITSELF:
        key, source = _key_of(name, environ, config, own="")
        if key:
            return ChosenSearch(SearchChoice(name, key), source)
    return ChosenSearch(SearchChoice())


def allowed_hosts(config: ConfigFile) -> "tuple[AllowedHost, ...]":
    """The exceptions of `web.allow_hosts`. Raises SettingsError for an entry that is no host."""
    entries: list[str] = config.get("web.allow_hosts") or []
    if not entries:
        return ()
    # start-up: 8 ms with ipaddress and urllib, and few configurations have such a key
    from paicli.policy.network.guard import AllowedHost

    found: list[AllowedHost] = []
    for entry in entries:
        parsed = AllowedHost.parse(entry)
        if parsed is None:
            raise SettingsError("settings.web_host_unusable", path=str(config.path), entry=entry[:80])
        found.append(parsed)
    return tuple(found)


def search_key_variables() -> frozenset[str]:
    """Environment variables that hold a key of a search service."""
    return frozenset(row.key_variable for row in PROVIDERS.values() if row.key_variable)


def _key_of(name: str, environ: Mapping[str, str], config: ConfigFile, *, own: str) -> tuple[str, str]:
    """(key, source); the file's `web.api_key` is meant for the service that the file names."""
    variable = PROVIDERS[name].key_variable
    candidates = [(variable, environ.get(variable, "") if variable else ""), (f"{config.path}: web.api_key", own)]
    if name == "zhipu":
        candidates.append((f"{config.path}: {_GLM_CONFIGURED}", str(config.get(_GLM_CONFIGURED) or "")))
    for source, value in candidates:
        if value.strip():
            return checked_key(value, source), source
    return "", ""
