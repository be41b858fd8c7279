"""The settings as they are in force, each with where it comes from; what is secret is shown as `***`."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from paicli.app.config.config_file import KEYS, ConfigFile, is_secret_header
from paicli.app.config.environment import choose_language, wants_color
from paicli.app.config.model_settings import ModelSources, explain_model
from paicli.app.config.web_settings import choose_search
from paicli.app.settings import ModelSettings, Settings
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.core.masking import MASK, SecretMasker
from paicli.llm.providers import PROVIDERS

_MODEL_KEYS = ("model.provider", "model.model", "model.base_url", "model.api_key")
_OF_SETTINGS, _OF_MODEL = Settings._field_defaults, ModelSettings._field_defaults
_DEFAULTS: dict[str, Any] = {
    "session.mode": _OF_SETTINGS["mode"].value,
    "plan.parallel": _OF_SETTINGS["plan_parallel"],
    "plan.max_replans": _OF_SETTINGS["plan_max_replans"],
    "storage.keep_days": _OF_SETTINGS["keep_days"],
    "ui.ascii": _OF_SETTINGS["is_ascii"],
    "snapshots.enabled": _OF_SETTINGS["snapshots_enabled"],
    "sandbox.mode": _OF_SETTINGS["sandbox"].value,
    "ui.notify": _OF_SETTINGS["notify"].value,
    "ui.theme": _OF_SETTINGS["theme"],
    "model.thinking": _OF_MODEL["is_thinking"],
    "model.connect_timeout_s": _OF_MODEL["connect_timeout_s"],
    "model.read_timeout_s": _OF_MODEL["read_timeout_s"],
    "model.request_timeout_s": _OF_MODEL["request_timeout_s"],
}
_CREDENTIALS = re.compile(r"//[^/@]+@")
_REPLANS_VARIABLE = "PAICLI_PLAN_MAX_REPLANS"


class Setting(NamedTuple):
    key: str
    value: Any
    source: str
    """A variable, a place in the file, or words such as "default"."""

    @property
    def shown(self) -> str:
        """The value as TOML has it, secrets masked."""
        return json.dumps(masked(self.key, self.value), ensure_ascii=False)


class Listing(NamedTuple):
    settings: tuple[Setting, ...]
    problem: SettingsError | None = None
    """Why there is no usable model."""

    def find(self, key: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.key == key), None)


def effective_settings(environ: Mapping[str, str], config: ConfigFile, texts: Texts) -> Listing:
    """Every setting that has a value, in the order of the table of keys."""
    found: dict[str, Setting] = {}
    problem: SettingsError | None = None
    try:
        chosen = explain_model("", "", environ=environ, config=config)
    except SettingsError as error:
        problem = error
    else:
        for setting in _of_model(chosen.settings, chosen.sources, texts):
            found[setting.key] = setting
    for key, value in _DEFAULTS.items():
        found.setdefault(key, Setting(key, value, texts.screen("config.source_default")))
    for key in dict.fromkeys(key for file in config.layers for key in file.values):
        if key not in _MODEL_KEYS or problem is not None:
            value = list(config.collected(key)) if key.startswith("permissions.") else config.get(key)
            found[key] = Setting(key, value, _source(key, config))
    for setting in _of_environment(environ, config, texts):
        found[setting.key] = setting
    order = {key: number for number, key in enumerate(KEYS)}
    ordered = sorted(found.values(), key=lambda setting: (order.get(setting.key, len(order)), setting.key))
    return Listing(tuple(ordered), problem)


def _source(key: str, config: ConfigFile) -> str:
    """Where the value stands; of lists that files add to, each place."""
    places = [file.place_of(key) for file in config.layers if key in file.values]
    return ", ".join(places if key.startswith("permissions.") else places[:1])


def masked(key: str, value: Any) -> Any:
    """`value` as it may be shown."""
    if is_secret(key):
        return MASK if value else value
    if key.endswith(".base_url"):
        return _CREDENTIALS.sub(f"//{MASK}@", value)
    if key == "model.headers":
        return {name: MASK if is_secret_header(name) else text for name, text in value.items()}
    return json.loads(SecretMasker().mask(json.dumps(value, ensure_ascii=False, default=str)))


def is_secret(key: str) -> bool:
    return key.rpartition(".")[2] == "api_key"


def _of_model(chosen: Any, sources: ModelSources, texts: Texts) -> Iterator[Setting]:
    if not isinstance(chosen, ModelSettings):
        yield Setting("model.model", f"replay:{chosen.path}", sources.model)
        return
    row = texts.screen("config.source_row", provider=chosen.provider)
    yield Setting("model.provider", chosen.provider, sources.provider)
    yield Setting("model.model", chosen.model, sources.model or row)
    yield Setting("model.base_url", chosen.base_url, sources.base_url or row)
    if PROVIDERS[chosen.provider].needs_key or chosen.api_key:
        yield Setting("model.api_key", chosen.api_key, sources.api_key)


def _of_environment(environ: Mapping[str, str], config: ConfigFile, texts: Texts) -> Iterator[Setting]:
    """What a variable says in place of the file."""
    language = choose_language("", environ, config).value
    if environ.get("PAICLI_LANG", "").strip():
        yield Setting("ui.language", language, "PAICLI_LANG")
    elif config.get("ui.language") is None:
        yield Setting("ui.language", language, texts.screen("config.source_locale"))
    if not wants_color(environ):
        variable = "NO_COLOR" if environ.get("NO_COLOR") else "TERM"
        yield Setting("ui.color", False, variable)
    elif config.get("ui.color") is None:
        yield Setting("ui.color", True, texts.screen("config.source_default"))
    if config.get("web.search") is None:
        yield from _of_search(environ, config)
    replans = environ.get(_REPLANS_VARIABLE, "").strip()
    if replans.isascii() and replans.isdigit():
        yield Setting("plan.max_replans", int(replans), _REPLANS_VARIABLE)


def _of_search(environ: Mapping[str, str], config: ConfigFile) -> Iterator[Setting]:
    """The service that searches although the file names none."""
    try:
        chosen = choose_search(environ, config)
    except SettingsError:
        return  # the start tells it
    if chosen.choice.provider:
        yield Setting("web.search", chosen.choice.provider, chosen.source)
