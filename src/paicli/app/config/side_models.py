"""Models beside the one that works: `[models]` names those for reviews, summaries, and in its stead."""

from collections.abc import Mapping, Sequence

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.model_settings import choose_model
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.llm.providers import PROVIDERS, price_of

_OF_THE_MAIN_MODEL = ("PAICLI_PROVIDER", "PAICLI_MODEL", "PAICLI_BASE_URL", "PAICLI_API_KEY")


def choose_side_model(
    key: str, main: ModelSettings | ReplaySettings, *, environ: Mapping[str, str], config: ConfigFile
) -> ModelSettings | None:
    """What the dotted `key` names, as [PROVIDER/]MODEL; None: the main model does that too, as it does in a replay.

    A model of the main one's provider has its endpoint and key; another provider has its own. Raises SettingsError
    naming the key where no usable model comes of it.
    """
    name = str(config.get(key) or "").strip()
    return _named(name, key, main, environ=environ, config=config) if name else None


def choose_fallbacks(
    option: str, main: ModelSettings | ReplaySettings, *, environ: Mapping[str, str], config: ConfigFile
) -> tuple[ModelSettings, ...]:
    """`option`: the value of --fallback-model, which stands for the list of the configuration; empty: not given."""
    names: Sequence[str] = [option] if option else config.get("models.fallback") or ()
    key = "--fallback-model" if option else "models.fallback"
    found = (_named(name.strip(), key, main, environ=environ, config=config) for name in names if name.strip())
    chosen: list[ModelSettings] = []
    for model in found:
        if model is not None and model != main and model not in chosen:
            chosen.append(model)
    return tuple(chosen)


def check_prices(models: Sequence[ModelSettings | ReplaySettings | None], *, config: ConfigFile) -> None:
    """Raises SettingsError for a model whose price is not known: a limit of cost could not be kept."""
    for model in models:
        if isinstance(model, ModelSettings) and not has_price(model):
            raise SettingsError("budget.no_price", model=f"{model.provider}/{model.model}", path=str(config.path))


def has_price(model: ModelSettings) -> bool:
    return model.price is not None or price_of(PROVIDERS[model.provider], model.model) is not None


def _named(
    name: str, key: str, main: ModelSettings | ReplaySettings, *, environ: Mapping[str, str], config: ConfigFile
) -> ModelSettings | None:
    if isinstance(main, ReplaySettings):
        return None
    prefix, _, rest = name.partition("/")
    if prefix not in PROVIDERS:
        return _of_main(main, name)
    if prefix == main.provider:
        return _of_main(main, rest or PROVIDERS[prefix].default_model)
    foreign = {name: value for name, value in environ.items() if name not in _OF_THE_MAIN_MODEL}
    owned = config.values if config.get("model.provider") else {**config.values, "model.provider": main.provider}
    try:
        own = config._replace(values=owned).with_owner(main.provider)
        chosen = choose_model(name, "", environ=foreign, config=own)
    except SettingsError as error:
        raise SettingsError("settings.side_model", path=str(config.path), key=key, name=name) from error
    return chosen if isinstance(chosen, ModelSettings) else None


def _of_main(main: ModelSettings, model: str) -> ModelSettings:
    """Another model behind the main one's endpoint: what the person said of the main one's price is not its own."""
    return main if model == main.model else main._replace(model=model, price=None)
