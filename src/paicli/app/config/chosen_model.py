"""A model as the settings choose it, and where each part of the choice comes from."""

from typing import NamedTuple

from paicli.app.settings import ModelSettings, ReplaySettings


class ModelSources(NamedTuple):
    """Where each part of the chosen model comes from: an option, a variable, a key of the file; empty: the default."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    api_key: str = ""


class ChosenModel(NamedTuple):
    settings: ModelSettings | ReplaySettings
    sources: ModelSources
