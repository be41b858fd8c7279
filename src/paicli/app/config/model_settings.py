"""Which model, behind which endpoint, with which key: option, then environment, then configuration, then default."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paicli.app.config.config_file import ConfigFile
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.llm.providers import PROVIDERS, ProviderProfile, checked_key, provider_named

_REPLAY = "replay:"
_CUSTOM = "custom"
"""The provider of whoever names a base URL and no provider."""


class _Layer(NamedTuple):
    """What one source says; empty: nothing."""

    provider: str = ""
    model: str = ""
    base_url: str = ""


def choose_model(
    model: str, base_url: str, *, environ: Mapping[str, str], config: ConfigFile
) -> ModelSettings | ReplaySettings:
    """`model` and `base_url` are the options' values, empty when not given.

    A source that names another provider than the one chosen says nothing about it: its model, base URL and key are
    left aside. Raises SettingsError where no usable model comes of it, naming the source and never the value of a key.
    """
    layers = (
        _layer("", model, base_url),
        _layer(*(environ.get(f"PAICLI_{name}", "") for name in ("PROVIDER", "MODEL", "BASE_URL"))),
        _layer(*(config.get(f"model.{name}") or "" for name in ("provider", "model", "base_url"))),
    )
    named = next((layer.model for layer in layers if layer.model), "")
    if named.startswith(_REPLAY):
        return ReplaySettings(Path(named.removeprefix(_REPLAY)).expanduser().absolute())
    provider = _choose_provider(layers, environ, config)
    profile = PROVIDERS[provider]
    _, from_environment, from_config = layers
    agreeing = [layer for layer in layers if layer.provider in {"", provider}]
    chosen_model = _first(layer.model for layer in agreeing) or config.get(f"providers.{provider}.model")
    chosen_url = _first(layer.base_url for layer in agreeing) or config.get(f"providers.{provider}.base_url")
    if not (chosen_url or profile.base_url):
        raise SettingsError("settings.no_base_url", provider=provider)
    if not (chosen_model or profile.default_model):
        raise SettingsError("llm.no_model", provider=provider)
    extras = _extras(config) if from_config in agreeing else {}
    return ModelSettings(
        provider=provider,
        model=chosen_model or profile.default_model,
        base_url=_checked_url(chosen_url or profile.base_url),
        api_key=_choose_key(
            profile,
            environ,
            config,
            is_environment_meant=from_environment in agreeing,
            is_config_meant=from_config in agreeing,
        ),
        **extras,
    )


def key_variables() -> frozenset[str]:
    """Every environment variable that holds a key of a model: commands don't see them, nothing shows their values."""
    names = (name for profile in PROVIDERS.values() for name in profile.key_variables)
    return frozenset({"PAICLI_API_KEY", "ANTHROPIC_API_KEY", *names})


def _layer(provider: str, model: str, base_url: str) -> _Layer:
    provider, model, base_url = provider.strip(), model.strip(), base_url.strip()
    if provider:
        provider = provider_named(provider).name
    prefix, slash, rest = model.partition("/")
    if not provider and prefix in PROVIDERS:
        provider, model = prefix, rest if slash else ""
    return _Layer(provider, model, base_url)


def _choose_provider(layers: tuple[_Layer, ...], environ: Mapping[str, str], config: ConfigFile) -> str:
    named = _first(layer.provider for layer in layers)
    if named:
        return named
    if any(layer.base_url for layer in layers):
        return _CUSTOM
    for name, profile in PROVIDERS.items():
        has_variable = any(environ.get(variable, "").strip() for variable in profile.key_variables)
        if has_variable or config.get(f"providers.{name}.api_key"):
            return name
    variables = [profile.key_variables[0] for profile in PROVIDERS.values() if profile.key_variables]
    raise SettingsError("settings.no_model", variables=", ".join(variables[:4]), path=str(config.path))


def _choose_key(
    profile: ProviderProfile,
    environ: Mapping[str, str],
    config: ConfigFile,
    *,
    is_environment_meant: bool,
    is_config_meant: bool,
) -> str:
    """The first source that is set decides; among a provider's variables one that is not blank goes first."""
    variables = sorted(filter(environ.__contains__, profile.key_variables), key=lambda name: not environ[name].strip())
    candidates: list[tuple[str, str | None]] = [
        ("PAICLI_API_KEY", environ.get("PAICLI_API_KEY") if is_environment_meant else None),
        *((name, environ[name]) for name in variables),
        (f"{config.path}: model.api_key", config.get("model.api_key") if is_config_meant else None),
        (f"{config.path}: providers.{profile.name}.api_key", config.get(f"providers.{profile.name}.api_key")),
    ]
    for source, value in candidates:
        if value is not None:
            return checked_key(value, source)
    if profile.needs_key:
        wanted = " | ".join((*profile.key_variables, "PAICLI_API_KEY"))
        raise SettingsError("settings.no_key", provider=profile.name, variables=wanted)
    return ""


def _checked_url(url: str) -> str:
    """Its rough shape: the client checks the rest when it is built, which a session does late."""
    if not re.match(r"https?://[^\s/?#]+", url, re.IGNORECASE):
        scheme, separator, rest = url.partition("://")
        without_credentials = f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else url.rpartition("@")[2]
        raise SettingsError("llm.bad_base_url", detail=without_credentials)
    return url


def _extras(config: ConfigFile) -> dict[str, Any]:
    """The endpoint's finer settings, as ModelSettings names them."""
    extras: dict[str, Any] = {
        name: config.get(f"model.{name}")
        for name in ("temperature", "window_tokens", "connect_timeout_s", "read_timeout_s", "request_timeout_s")
        if config.get(f"model.{name}") is not None
    }
    if config.get("model.thinking") is not None:
        extras["is_thinking"] = config.get("model.thinking")
    for name in ("headers", "extra_body"):
        table: dict[str, Any] = config.get(f"model.{name}") or {}
        extras[name] = tuple(table.items())
    return extras


def _first(values: Any) -> str:
    return next((value for value in values if value), "")
