from pathlib import Path

import pytest

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.side_models import choose_side_model
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError

MAIN = ModelSettings("glm", "glm-4.6", "https://glm.example/v4", "glm-key-1")


def chosen(name: str, environ: dict[str, str] | None = None, **values: object) -> ModelSettings | None:
    config = ConfigFile(Path("config.toml"), {"models.review": name, **values})
    return choose_side_model("models.review", MAIN, environ=environ or {}, config=config)


def test_without_a_name_the_main_model_does_it_too() -> None:
    assert chosen("") is None
    assert chosen("  ") is None


def test_a_replay_answers_for_every_model() -> None:
    config = ConfigFile(Path("config.toml"), {"models.review": "glm-4.5-air"})
    assert choose_side_model("models.review", ReplaySettings(Path("x")), environ={}, config=config) is None


@pytest.mark.parametrize("name", ["glm-4.5-air", "glm/glm-4.5-air"])
def test_a_model_of_the_same_provider_has_its_endpoint_and_key(name: str) -> None:
    assert chosen(name) == MAIN._replace(model="glm-4.5-air")


def test_a_model_name_may_have_slashes() -> None:
    assert chosen("zai-org/GLM-4.5-Air") == MAIN._replace(model="zai-org/GLM-4.5-Air")


def test_another_provider_has_its_own_endpoint_and_key_and_never_the_main_ones() -> None:
    environ = {
        "DEEPSEEK_API_KEY": "deepseek-key-1",
        "PAICLI_API_KEY": "glm-key-1",
        "PAICLI_BASE_URL": "https://glm.example/v4",
        "PAICLI_MODEL": "glm-4.6",
    }
    model = chosen("deepseek/deepseek-chat", environ, **{"model.api_key": "glm-key-1", "model.base_url": MAIN.base_url})
    assert model is not None
    assert (model.provider, model.model, model.api_key) == ("deepseek", "deepseek-chat", "deepseek-key-1")
    assert "glm" not in model.base_url


def test_another_provider_without_a_key_is_an_error_that_names_the_setting() -> None:
    with pytest.raises(SettingsError) as caught:
        chosen("deepseek/deepseek-chat", {"PAICLI_API_KEY": "glm-key-1"})
    assert caught.value.code == "settings.side_model"
    assert caught.value.fields == {"path": "config.toml", "key": "models.review", "name": "deepseek/deepseek-chat"}
