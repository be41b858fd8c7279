"""Which model, behind which endpoint, with which key: option, then environment, then configuration, then default.

The configuration may have layers: what a trusted folder brings stands above the user's own file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from paicli.app.config.chosen_model import ChosenModel, ModelSources
from paicli.app.config.config_file import ConfigFile
from paicli.app.config.key_destination import keep_own_key_at_home
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.core.messages import Price
from paicli.llm.providers import PROVIDERS, ProviderProfile, checked_key, provider_named

_REPLAY = "replay:"
_CUSTOM = "custom"
"""The provider of whoever names a base URL and no provider."""


_PRICES = ("price_input", "price_cached", "price_output")


class _Layer(NamedTuple):
    """What one source says; empty: nothing."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    sources: ModelSources = ModelSources()
    file: ConfigFile | None = None
    """Of the configuration."""


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
    agreeing = [layer for layer in layers if layer.provider in {"", provider}]
    chosen_model, model_source = _first(_said(layers, provider, "model"))
    chosen_url, url_source = _first(_said(layers, provider, "base_url"))
    if not (chosen_url or profile.base_url):
        raise SettingsError("settings.no_base_url", provider=provider)
    if not (chosen_model or profile.default_model):
        raise SettingsError("llm.no_model", provider=provider)
    api_key, key_source = _choose_key(profile, layers, environ)
    extras = _extras([layer.file for layer in agreeing if layer.file is not None])
    if any(layer.file is not None and layer.model not in {"", chosen_model} for layer in agreeing):
        extras.pop("price", None)  # it is that of the model which the file names
    settings = ModelSettings(
        provider=provider,
        model=chosen_model or profile.default_model,
        base_url=checked_url(chosen_url or profile.base_url),
        api_key=api_key,
        **extras,
    )
    chosen = ChosenModel(settings, ModelSources(provider_source, model_source, url_source, key_source))
    if config.above:
        keep_own_key_at_home(
            chosen,
            config,
            own_choice=lambda: explain_model(model, base_url, environ=environ, config=config._replace(above=())),
        )
    return chosen


def key_variables() -> frozenset[str]:
    """Every environment variable that holds a key of a model: commands don't see them, nothing shows their values."""
    names = (name for profile in PROVIDERS.values() for name in profile.key_variables)
    return frozenset({"PAICLI_API_KEY", "ANTHROPIC_API_KEY", *names})


def _layers(model: str, base_url: str, *, environ: Mapping[str, str], config: ConfigFile) -> tuple[_Layer, ...]:
    """Option, environment, then each file of the configuration."""
    variables = [f"PAICLI_{name}" for name in ("PROVIDER", "MODEL", "BASE_URL")]
    return (
        _layer(["", model, base_url], ["--model", "--model", "--base-url"]),
        _layer([environ.get(name, "") for name in variables], variables),
        *(_file_layer(file) for file in config.layers),
    )


def _file_layer(file: ConfigFile) -> _Layer:
    keys = [f"model.{name}" for name in ("provider", "model", "base_url")]
    values = [file.values.get(key) or "" for key in keys]
    return _layer(values, [file.place_of(key) for key in keys])._replace(file=file)


def _said(layers: Iterable[_Layer], provider: str, name: str) -> Iterator[tuple[str, str]]:
    """(value, source) of "model" or "base_url", the strongest first; what is said of another provider left out."""
    for layer in layers:
        if layer.provider in {"", provider}:
            is_model = name == "model"
            yield (layer.model, layer.sources.model) if is_model else (layer.base_url, layer.sources.base_url)
        if layer.file is not None:
            key = f"providers.{provider}.{name}"
            yield layer.file.values.get(key) or "", layer.file.place_of(key)


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
    for is_environment_asked, files in _strengths(config):
        for name, profile in PROVIDERS.items():
            variables = profile.key_variables if is_environment_asked else ()
            variable = next((variable for variable in variables if environ.get(variable, "").strip()), "")
            key = f"providers.{name}.api_key"
            place = next((file.place_of(key) for file in files if file.values.get(key)), "")
            if variable or place:
                return name, variable or place
    variables = [profile.key_variables[0] for profile in PROVIDERS.values() if profile.key_variables]
    raise SettingsError("settings.no_model", variables=", ".join(variables[:4]), path=str(config.path))


def _strengths(config: ConfigFile) -> Iterator[tuple[bool, tuple[ConfigFile, ...]]]:
    """(the environment is asked, files that are asked), in turn: a folder's keys win over the user's file alone."""
    if config.above:
        yield True, ()
        yield from ((False, (file,)) for file in config.above)
    yield True, (config,)


def _choose_key(profile: ProviderProfile, layers: Sequence[_Layer], environ: Mapping[str, str]) -> tuple[str, str]:
    """(key, source). The first source that is set decides; of a provider's variables one that isn't blank is first."""
    _, from_environment, *from_files = layers
    is_meant = from_environment.provider in {"", profile.name}
    variables = sorted(filter(environ.__contains__, profile.key_variables), key=lambda name: not environ[name].strip())
    candidates: list[tuple[str, str | None]] = [
        ("PAICLI_API_KEY", environ.get("PAICLI_API_KEY") if is_meant else None),
        *((name, environ[name]) for name in variables),
    ]
    for layer in from_files:
        assert layer.file is not None
        keys = ["model.api_key"] if layer.provider in {"", profile.name} else []
        for key in (*keys, f"providers.{profile.name}.api_key"):
            candidates.append((layer.file.place_of(key), layer.file.values.get(key)))
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


def _extras(files: Sequence[ConfigFile]) -> dict[str, Any]:
    """The endpoint's finer settings, as ModelSettings names them: of the first file that has each."""

    def said(name: str) -> Any:
        return next((file.values[f"model.{name}"] for file in files if f"model.{name}" in file.values), None)

    names = ("temperature", "vision", "window_tokens", "connect_timeout_s", "read_timeout_s", "request_timeout_s")
    extras: dict[str, Any] = {name: said(name) for name in names if said(name) is not None}
    if any(said(name) is not None for name in _PRICES):
        extras["price"] = _price_of(*(said(name) for name in _PRICES))
    if said("thinking") is not None:
        extras["is_thinking"] = said("thinking")
    for name in ("headers", "extra_body"):
        table: dict[str, Any] = said(name) or {}
        extras[name] = tuple(table.items())
    return extras


def _price_of(input_usd: float | None, cached_usd: float | None, output_usd: float | None) -> Price:
    """What is not said of cached input is as dear as fresh; of anything else it costs nothing."""
    fresh = input_usd or 0.0
    return Price(fresh, fresh if cached_usd is None else cached_usd, output_usd or 0.0)


def _first(values: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The first (value, source) with a value; two empty texts where there is none."""
    return next((pair for pair in values if pair[0]), ("", ""))
