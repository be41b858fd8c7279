from pathlib import Path

import pytest

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.model_settings import choose_model
from paicli.app.config.side_models import check_prices, choose_fallbacks, choose_side_model
from paicli.app.settings import ModelSettings, ReplaySettings
from paicli.core.errors import SettingsError
from paicli.core.messages import Price

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


def fallbacks(option: str = "", **values: object) -> tuple[str, ...]:
    config = ConfigFile(Path("config.toml"), values)
    return tuple(model.model for model in choose_fallbacks(option, MAIN, environ={}, config=config))


def test_fallbacks_come_in_their_order_each_once_and_the_main_model_is_none() -> None:
    listed = {"models.fallback": ["glm-4.5", "glm-4.6", " ", "glm/glm-5", "glm-4.5"]}
    assert fallbacks(**listed) == ("glm-4.5", "glm-5")
    assert fallbacks("glm-4.7", **listed) == ("glm-4.7",)
    assert fallbacks() == ()


@pytest.mark.parametrize(
    ("model", "is_known"),
    [
        (MAIN, True),
        (MAIN._replace(model="glm-unheard-of"), False),
        (MAIN._replace(model="glm-unheard-of", price=Price(1, 1, 1)), True),
        (ModelSettings("ollama", "any", "http://127.0.0.1:11434/v1"), True),
        (ModelSettings("custom", "any", "https://gateway.example/v1"), False),
        (ReplaySettings(Path("x")), True),
        (None, True),
    ],
)
def test_a_limit_of_cost_needs_a_price_for_each_model(
    model: ModelSettings | ReplaySettings | None, is_known: bool
) -> None:
    config = ConfigFile(Path("config.toml"), {})
    if is_known:
        check_prices((MAIN, model), config=config)
        return
    with pytest.raises(SettingsError) as caught:
        check_prices((MAIN, model), config=config)
    assert caught.value.code == "budget.no_price"


def test_a_price_of_ones_own_is_that_of_the_model_which_the_file_names() -> None:
    values = {"model.provider": "glm", "model.model": "mine", "model.price_input": 2, "model.price_output": 8.5}
    config = ConfigFile(Path("config.toml"), {**values, "model.api_key": "glm-key-1"})
    mine, other = (choose_model(name, "", environ={}, config=config) for name in ("", "glm-4.6"))
    assert isinstance(mine, ModelSettings)
    assert isinstance(other, ModelSettings)
    assert (mine.price, other.price) == (Price(2, 2, 8.5), None)


def test_what_the_person_said_of_a_price_is_not_another_models() -> None:
    priced = MAIN._replace(price=Price(1, 1, 1))
    config = ConfigFile(Path("config.toml"), {"models.small": "glm-4.5-air"})
    small = choose_side_model("models.small", priced, environ={}, config=config)
    assert small == MAIN._replace(model="glm-4.5-air")
