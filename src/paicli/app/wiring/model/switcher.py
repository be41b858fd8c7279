"""Another model in mid-conversation: which there are, which is meant, and how the choice is kept."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.config.model_settings import choose_model
from paicli.app.config.resolution import known_secrets
from paicli.app.config.side_models import check_prices
from paicli.app.settings import ModelSettings, ReplaySettings, SessionKind
from paicli.app.wiring.model.choice import open_client
from paicli.core.errors import SettingsError, UserFacingError
from paicli.core.events import EventBody, ModelChanged, Notice, NoticeLevel
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.ops import Storing
from paicli.llm.providers import PROVIDERS, ProviderProfile, provider_named
from paicli.llm.switching_client import SwitchingClient
from paicli.ui.queries import ModelRow

_OF_ONE_PROVIDER = ("api_key", "base_url")
"""Keys of [model] that also have a place in [providers.NAME]."""
_OF_ONE_ENDPOINT = ("headers", "extra_body", "vision")
"""Keys of [model] that have no other place."""


class ModelSwitcher:
    """Holds what the session's model is. May be used from any thread."""

    def __init__(
        self,
        client: SwitchingClient,
        start: ModelSettings | ReplaySettings,
        *,
        config_path: Path,
        environ: Mapping[str, str],
        masker: SecretMasker,
        brought: tuple[ConfigFile, ...] = (),
        is_limited: bool = False,
    ) -> None:
        """`brought`: settings of a trusted folder. `is_limited`: the cost is, so the price must be known."""
        self._is_limited = is_limited
        self.current = start
        self._client = client
        self._start = start
        self._path = config_path
        self._environ = environ
        self._masker = masker
        self._brought = brought

    def change(self, name: str, storing: Storing) -> Iterator[EventBody]:
        """Switches, then stores where that is wished. Raises PaiError where no usable model comes of it."""
        config = read_config(self._path)
        chosen = self._chosen(name, config)
        if chosen == self.current:
            yield Notice(Fault.of("session.model_same", provider=chosen.provider, model=chosen.model))
        else:
            layered = config._replace(above=self._brought)
            if self._is_limited:
                check_prices((chosen,), config=layered)
            self._masker.learn((*known_secrets(self._environ, layered), chosen.api_key))
            client = open_client(chosen, SessionKind.UNATTENDED)  # with all its checks, before anything is changed
            self._client.switch(client)
            self.current = chosen
            yield ModelChanged(chosen.provider, chosen.model, client.capabilities.window_tokens)
        if storing is Storing.SAVED:
            yield self._saved(chosen, config)

    def chosen(self, name: str) -> ModelSettings:
        """What `change` would switch to. Raises PaiError as it does."""
        return self._chosen(name, read_config(self._path))

    def rows(self) -> tuple[ModelRow, ...]:
        """All providers, the one in use first."""
        try:
            config = read_config(self._path)
        except SettingsError:  # whoever changes something is told; a list is one without the file
            config = ConfigFile(self._path, {})
        if isinstance(self.current, ReplaySettings):
            return (ModelRow("replay", (), True, str(self.current.path)),)
        rows = [self._row(profile, config) for profile in PROVIDERS.values()]
        return tuple(sorted(rows, key=lambda row: not row.current))

    def _chosen(self, name: str, config: ConfigFile) -> ModelSettings:
        if isinstance(self.current, ReplaySettings):
            raise UserFacingError("session.model_replayed")
        prefix, slash, rest = name.partition("/")
        known = PROVIDERS.get(prefix.lower())
        if known is None:
            if slash and not self._names_have_slashes(self.current.provider):
                provider_named(prefix)  # says which there are
            return self._beside_current(name)
        if known.name == self.current.provider and rest:
            return self._beside_current(rest)
        wish = f"{known.name}/{rest}" if rest else known.name
        chosen = choose_model(wish, "", environ=self._own_environment(), config=self._own_config(config))
        if isinstance(chosen, ReplaySettings):
            raise UserFacingError("session.model_no_replay")
        return chosen

    def _beside_current(self, model: str) -> ModelSettings:
        """Behind the same endpoint: what the person said of the current one's price is not its own."""
        current = self.current
        assert isinstance(current, ModelSettings)
        return current if current.model == model else current._replace(model=model, price=None)

    def _names_have_slashes(self, provider: str) -> bool:
        """Gateways and servers of one's own name models as `maker/model`."""
        profile = PROVIDERS[provider]
        return not profile.needs_key or "/" in profile.default_model

    def _own_environment(self) -> Mapping[str, str]:
        """Variables that name no provider are those of the one the session began with: no other gets its key."""
        model = self._environ.get("PAICLI_MODEL", "").partition("/")[0].lower()
        if self._environ.get("PAICLI_PROVIDER", "").strip() or model in PROVIDERS:
            return self._environ
        return {**self._environ, "PAICLI_PROVIDER": self._start_provider()}

    def _own_config(self, config: ConfigFile) -> ConfigFile:
        """Likewise for the table [model]."""
        owner = self._owner(config)
        if owner and not config.get("model.provider"):
            config = config._replace(values={**config.values, "model.provider": owner})
        return config._replace(above=self._brought).with_owner(self._start_provider())

    def _owner(self, config: ConfigFile) -> str:
        """Whose the keys of [model] are; empty: there are none."""
        named = str(config.get("model.provider") or "").lower()
        prefix = str(config.get("model.model") or "").partition("/")[0].lower()
        if named or prefix in PROVIDERS:
            return named or prefix
        keys = (*_OF_ONE_PROVIDER, *_OF_ONE_ENDPOINT, "model")
        return self._start_provider() if any(config.get(f"model.{key}") for key in keys) else ""

    def _start_provider(self) -> str:
        return self._start.provider if isinstance(self._start, ModelSettings) else ""

    def _saved(self, chosen: ModelSettings, config: ConfigFile) -> EventBody:
        # start-up: tomlkit costs some 20 ms, and only what is kept needs it
        from paicli.app.config.config_edit import change_config

        try:
            change_config(self._path, lambda now: self._changes(chosen, now))
            config = read_config(self._path)._replace(above=self._brought)
            again = choose_model("", "", environ=self._environ, config=config)
        except UserFacingError as error:
            return Notice(fault_of(error, self._masker), NoticeLevel.WARNING)
        if isinstance(again, ModelSettings) and (again.provider, again.model) == (chosen.provider, chosen.model):
            return Notice(Fault.of("session.model_saved", path=str(self._path)))
        variables = [name for name in ("PAICLI_PROVIDER", "PAICLI_MODEL", "PAICLI_BASE_URL") if self._environ.get(name)]
        variables += [str(file.path) for file in self._brought if any(key.startswith("model.") for key in file.values)]
        return Notice(Fault.of("session.model_overridden", path=str(self._path), variables=", ".join(variables)))

    def _changes(self, chosen: ModelSettings, config: ConfigFile) -> dict[str, Any]:
        changes: dict[str, Any] = {"model.provider": chosen.provider, "model.model": chosen.model}
        owner = self._owner(config)
        is_foreign = bool(owner) and owner != chosen.provider
        left = [key for key in _OF_ONE_ENDPOINT if config.get(f"model.{key}")]
        if is_foreign and left:
            path, keys = str(self._path), ", ".join(left)
            raise UserFacingError("session.model_not_saved", path=path, provider=owner, keys=keys)
        for key in _OF_ONE_PROVIDER:
            value, own = config.get(f"model.{key}"), f"providers.{owner}.{key}"
            if is_foreign and value is not None:  # another provider's key must not go to this one
                changes |= {f"model.{key}": None, own: config.get(own) or value}
        kept_url = None if is_foreign else config.get("model.base_url")
        usual = kept_url or config.get(f"providers.{chosen.provider}.base_url") or PROVIDERS[chosen.provider].base_url
        # An address that a folder brought is the folder's: kept, it would get the user's key elsewhere too.
        brought = {value for file in self._brought for key, value in file.values.items() if key.endswith("base_url")}
        if chosen.base_url != usual and chosen.base_url not in brought:
            changes["model.base_url"] = chosen.base_url
        return changes

    def _row(self, profile: ProviderProfile, config: ConfigFile) -> ModelRow:
        name = profile.name
        is_current = isinstance(self.current, ModelSettings) and self.current.provider == name
        current = self.current.model if isinstance(self.current, ModelSettings) and is_current else ""
        configured = str(config.get(f"providers.{name}.model") or "")
        named = [row.prefix for row in profile.models if row.price is not None]
        models = [model for model in (current, configured, profile.default_model, *named) if model]
        try:
            choose_model(
                f"{name}/{models[0]}" if models else name,
                "",
                environ=self._own_environment(),
                config=self._own_config(config),
            )
            is_ready = True
        except SettingsError as error:
            is_ready = error.code == "llm.no_model"
        return ModelRow(name, tuple(dict.fromkeys(models)), is_ready, current)
