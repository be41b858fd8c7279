"""Which model, behind which endpoint, with which key: option, then environment, then configuration, then default."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paicli.app.config.config_file import ConfigFile
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.llm.providers import PROVIDERS, ProviderProfile, checked_key, provider_named

_REPLAY = "replay:"
_CUSTOM = "custom"
"""The provider of whoever names a base URL and no provider."""


class ModelSources(NamedTuple):
    """Where each part of the chosen model comes from: an option, a variable, a key of the file; empty: the default."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    api_key: str = ""


class ChosenModel(NamedTuple):
    settings: ModelSettings | ReplaySettings
    sources: ModelSources


class _Layer(NamedTuple):
    """What one source says; empty: nothing."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    sources: ModelSources = ModelSources()


def choose_model(
    model: str, base_url: str, *, environ: Mapping[str, str], config: ConfigFile
) -> ModelSettings | ReplaySettings:
    """As `explain_model`, without the sources."""
    return explain_model(model, base_url, environ=environ, config=config).settings


def explain_model(model: str, base_url: str, *, environ: Mapping[str, str], config: ConfigFile) -> ChosenModel:
    """`model` and `base_url` are the options' values, empty when not given.

    A source that names another provider than the one chosen says nothing about it: its model, base URL and key are
    left aside. Raises SettingsError where no usable model comes of it, naming the source and never the value of a key.
    """
    layers = _layers(model, base_url, environ=environ, config=config)
    named = _first((layer.model, layer.sources.model) for layer in layers)
    if named[0].startswith(_REPLAY):
        replay = ReplaySettings(Path(named[0].removeprefix(_REPLAY)).expanduser().absolute())
        return ChosenModel(replay, ModelSources(model=named[1]))
    provider, provider_source = _choose_provider(layers, environ, config)
    profile = PROVIDERS[provider]
    _, from_environment, from_config = layers
    agreeing = [layer for layer in layers if layer.provider in {"", provider}]
    own = f"providers.{provider}"
    chosen_model, model_source = _first(
        [*((layer.model, layer.sources.model) for layer in agreeing), _configured(config, f"{own}.model")]
    )
    chosen_url, url_source = _first(
        [*((layer.base_url, layer.sources.base_url) for layer in agreeing), _configured(config, f"{own}.base_url")]
    )
    if not (chosen_url or profile.base_url):
        raise SettingsError("settings.no_base_url", provider=provider)
    if not (chosen_model or profile.default_model):
        raise SettingsError("llm.no_model", provider=provider)
    extras = _extras(config) if from_config in agreeing else {}
    api_key, key_source = _choose_key(
        profile,
        environ,
        config,
        is_environment_meant=from_environment in agreeing,
        is_config_meant=from_config in agreeing,
    )
    settings = ModelSettings(
        provider=provider,
        model=chosen_model or profile.default_model,
        base_url=checked_url(chosen_url or profile.base_url),
        api_key=api_key,
        **extras,
    )
    return ChosenModel(settings, ModelSources(provider_source, model_source, url_source, key_source))


def key_variables() -> frozenset[str]:
    """Every environment variable that holds a key of a model: commands don't see them, nothing shows their values."""
    names = (name for profile in PROVIDERS.values() for name in profile.key_variables)
    return frozenset({"PAICLI_API_KEY", "ANTHROPIC_API_KEY", *names})


def _layers(
    model: str, base_url: str, *, environ: Mapping[str, str], config: ConfigFile
) -> tuple[_Layer, _Layer, _Layer]:
    """Option, environment, configuration."""
    variables = [f"PAICLI_{name}" for name in ("PROVIDER", "MODEL", "BASE_URL")]
    keys = [f"model.{name}" for name in ("provider", "model", "base_url")]
    return (
        _layer(["", model, base_url], ["--model", "--model", "--base-url"]),
        _layer([environ.get(name, "") for name in variables], variables),
        _layer([config.get(key) or "" for key in keys], [f"{config.path}: {key}" for key in keys]),
    )


def _layer(values: list[str], sources: list[str]) -> _Layer:
    provider, model, base_url = (value.strip() for value in values)
    named = ModelSources(*sources)
    if provider:
        provider = provider_named(provider).name
    prefix, slash, rest = model.partition("/")
    if not provider and prefix in PROVIDERS:
        provider, model = prefix, rest if slash else ""
        named = named._replace(provider=named.model)
    return _Layer(provider, model, base_url, named)


def _choose_provider(layers: tuple[_Layer, ...], environ: Mapping[str, str], config: ConfigFile) -> tuple[str, str]:
    """(name, source)"""
    named = _first((layer.provider, layer.sources.provider) for layer in layers)
    if named[0]:
        return named
    url = _first((layer.base_url, layer.sources.base_url) for layer in layers)
    if url[0]:
        return _CUSTOM, url[1]
    for name, profile in PROVIDERS.items():
        variable = next((variable for variable in profile.key_variables if environ.get(variable, "").strip()), "")
        configured = f"providers.{name}.api_key"
        if variable or config.get(configured):
            return name, variable or f"{config.path}: {configured}"
    variables = [profile.key_variables[0] for profile in PROVIDERS.values() if profile.key_variables]
    raise SettingsError("settings.no_model", variables=", ".join(variables[:4]), path=str(config.path))


def _choose_key(
    profile: ProviderProfile,
    environ: Mapping[str, str],
    config: ConfigFile,
    *,
    is_environment_meant: bool,
    is_config_meant: bool,
) -> tuple[str, str]:
    """(key, source). The first source that is set decides; of a provider's variables one that isn't blank is first."""
    variables = sorted(filter(environ.__contains__, profile.key_variables), key=lambda name: not environ[name].strip())
    candidates: list[tuple[str, str | None]] = [
        ("PAICLI_API_KEY", environ.get("PAICLI_API_KEY") if is_environment_meant else None),
        *((name, environ[name]) for name in variables),
        (f"{config.path}: model.api_key", config.get("model.api_key") if is_config_meant else None),
        (f"{config.path}: providers.{profile.name}.api_key", config.get(f"providers.{profile.name}.api_key")),
    ]
    for source, value in candidates:
        if value is not None:
            return checked_key(value, source), source
    if profile.needs_key:
        wanted = " | ".join((*profile.key_variables, "PAICLI_API_KEY"))
        raise SettingsError("settings.no_key", provider=profile.name, variables=wanted)
    return "", ""


def checked_url(url: str) -> str:
    """`url`, if it has the rough shape of one, else SettingsError; the client, built late, checks the rest."""
    if not re.match(r"https?://[^\s/?#]+", url, re.IGNORECASE):
        scheme, separator, rest = url.partition("://")
        without_credentials = f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else url.rpartition("@")[2]
        raise SettingsError("llm.bad_base_url", detail=without_credentials)
    return url


def _extras(config: ConfigFile) -> dict[str, Any]:
    """The endpoint's finer settings, as ModelSettings names them."""
    extras: dict[str, Any] = {
        name: config.get(f"model.{name}")
        for name in (
            *("temperature", "vision", "window_tokens"),
            *("connect_timeout_s", "read_timeout_s", "request_timeout_s"),
        )
        if config.get(f"model.{name}") is not None
    }
    if config.get("model.thinking") is not None:
        extras["is_thinking"] = config.get("model.thinking")
    for name in ("headers", "extra_body"):
        table: dict[str, Any] = config.get(f"model.{name}") or {}
        extras[name] = tuple(table.items())
    return extras


def _configured(config: ConfigFile, key: str) -> tuple[str, str]:
    return config.get(key) or "", f"{config.path}: {key}"


def _first(values: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The first (value, source) with a value; two empty texts where there is none."""
    return next((pair for pair in values if pair[0]), ("", ""))
