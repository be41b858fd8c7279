"""Models beside the one that works: `[models]` names one for command reviews."""

from collections.abc import Mapping

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.model_settings import choose_model
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.llm.providers import PROVIDERS

_OF_THE_MAIN_MODEL = ("PAICLI_PROVIDER", "PAICLI_MODEL", "PAICLI_BASE_URL", "PAICLI_API_KEY")


def choose_side_model(
    key: str, main: ModelSettings | ReplaySettings, *, environ: Mapping[str, str], config: ConfigFile
) -> ModelSettings | None:
    """What the dotted `key` names, as [PROVIDER/]MODEL; None: the main model does that too, as it does in a replay.

    A model of the main one's provider has its endpoint and key; another provider has its own. Raises SettingsError
    naming the key where no usable model comes of it.
    """
    name = str(config.get(key) or "").strip()
    if not name or isinstance(main, ReplaySettings):
        return None
    prefix, _, rest = name.partition("/")
    if prefix not in PROVIDERS:
        return main._replace(model=name)
    if prefix == main.provider:
        return main._replace(model=rest or PROVIDERS[prefix].default_model)
    foreign = {name: value for name, value in environ.items() if name not in _OF_THE_MAIN_MODEL}
    owned = config.values if config.get("model.provider") else {**config.values, "model.provider": main.provider}
    try:
        own = config._replace(values=owned).with_owner(main.provider)
        chosen = choose_model(name, "", environ=foreign, config=own)
    except SettingsError as error:
        raise SettingsError("settings.side_model", path=str(config.path), key=key, name=name) from error
    return chosen if isinstance(chosen, ModelSettings) else None
