"""What the person has said so far, and what config.toml would be with it."""

from collections.abc import Mapping
from typing import NamedTuple

from paicli.app.config.config_edit import Changes, with_changes
from paicli.app.config.config_file import ConfigFile
from paicli.app.config.model_settings import ChosenModel, explain_model
from paicli.app.settings import ModelSettings
from paicli.core.errors import SettingsError
from paicli.llm.providers import PROVIDERS, ProviderProfile


class Draft(NamedTuple):
    """A model that is being set up; empty: nothing said, the provider's own."""

    provider: str
    model: str = ""
    base_url: str = ""
    api_key: str = ""

    @property
    def profile(self) -> ProviderProfile:
        return PROVIDERS[self.provider]


class Surroundings(NamedTuple):
    """What stands beside the draft and may win over it."""

    environ: Mapping[str, str]
    config: ConfigFile
    model_option: str = ""
    base_url_option: str = ""

    def chosen(self, draft: Draft) -> ChosenModel:
        """The model a session would have once `draft` is kept. Raises SettingsError as its start would."""
        config = with_changes(self.config, self.changes(draft))
        return explain_model(self.model_option, self.base_url_option, environ=self.environ, config=config)

    def changes(self, draft: Draft) -> Changes:
        """Keys of config.toml. What [model] says of another provider moves to that one's own table: it stays known, and
        neither the old address nor the old key meets the new ones.
        """
        own_url = draft.base_url if draft.base_url != draft.profile.base_url else ""
        changes = self._moved(draft)
        changes |= {
            "model.provider": draft.provider,
            "model.model": draft.model or draft.profile.default_model or None,
            "model.base_url": own_url or None,
        }
        # One that stays in [model] would win over the provider's own.
        is_in_model = self.config.values.get("model.api_key") and "model.api_key" not in changes
        place = "model.api_key" if is_in_model else f"providers.{draft.provider}.api_key"
        if draft.api_key:
            changes[place] = draft.api_key
        elif is_in_model:
            changes[place] = None
        return changes

    def _moved(self, draft: Draft) -> dict[str, str | None]:
        before = str(self.config.values.get("model.provider") or "").strip().lower()
        changes: dict[str, str | None] = {}
        if before == draft.provider or before not in PROVIDERS:
            return changes
        for name in ("model", "base_url", "api_key"):
            value: str | None = self.config.values.get(f"model.{name}")
            if value is not None:
                changes[f"model.{name}"] = None
                if self.config.values.get(f"providers.{before}.{name}") is None:
                    changes[f"providers.{before}.{name}"] = value
        return changes

    def overruling(self, draft: Draft) -> tuple[str, str] | None:
        """(source, provider) of what names another provider and wins; None: the draft's own would be taken."""
        whole = draft._replace(model="-", base_url=draft.base_url or "http://127.0.0.1", api_key=draft.api_key or "-")
        try:
            settings, sources = self.chosen(whole)
        except SettingsError:
            return None  # told when the model is tried
        if isinstance(settings, ModelSettings) and settings.provider == draft.provider:
            return None
        named = settings.provider if isinstance(settings, ModelSettings) else str(settings.path)
        return sources.provider or sources.model, named

    def key_source(self, draft: Draft) -> str:
        """The variable or key of the file that already holds a key for the draft's provider; empty: none does."""
        whole = draft._replace(model=draft.model or "-", base_url=draft.base_url or "http://127.0.0.1", api_key="")
        try:
            return self.chosen(whole).sources.api_key
        except SettingsError:
            return ""
