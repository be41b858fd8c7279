import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import SettingsError
from paicli.core.messages import ModelCapabilities, Usage
from paicli.llm.factory import ClientOptions, build_client
from paicli.llm.providers import PROVIDERS, Price, capabilities_of, checked_key, price_of, provider_named

NAMES = "glm deepseek kimi step qwen doubao minimax openai openrouter siliconflow ollama lmstudio llamacpp vllm custom"


def test_every_provider_has_its_row() -> None:
    assert list(PROVIDERS) == NAMES.split()


@pytest.mark.parametrize("profile", PROVIDERS.values(), ids=list(PROVIDERS))
def test_each_row_holds_together(profile: object) -> None:
    row = PROVIDERS[profile.name]  # type: ignore[attr-defined] - parametrised by the table itself
    assert not row.base_url.endswith("/")
    assert row.base_url.startswith(("https://", "http://127.0.0.1:")) or row.name == "custom"
    assert row.needs_key == row.base_url.startswith("https://")
    assert all(name.endswith("_API_KEY") for name in row.key_variables)
    if row.models:
        assert capabilities_of(row, row.default_model).window_tokens == row.models[0].window_tokens
    for model in row.models:
        assert row.window_tokens > 0
        assert model.window_tokens >= 100_000


def test_the_keys_of_the_specification_are_looked_at() -> None:
    assert PROVIDERS["glm"].key_variables[0] == "GLM_API_KEY"
    assert PROVIDERS["deepseek"].key_variables == ("DEEPSEEK_API_KEY",)
    assert PROVIDERS["kimi"].key_variables == ("KIMI_API_KEY", "MOONSHOT_API_KEY")
    assert PROVIDERS["step"].key_variables[0] == "STEP_API_KEY"
    assert PROVIDERS["qwen"].key_variables[0] == "DASHSCOPE_API_KEY"
    assert PROVIDERS["openai"].key_variables == ("OPENAI_API_KEY",)


def test_a_provider_is_found_in_any_case_and_a_wrong_name_gets_the_nearest_first() -> None:
    assert provider_named(" DeepSeek ") is PROVIDERS["deepseek"]
    with pytest.raises(SettingsError) as caught:
        provider_named("deepsek")
    text = Texts(Language.EN).screen(caught.value.code, **caught.value.fields)
    assert text.startswith("Unknown provider: deepsek. There are: deepseek, glm, kimi, ")
    assert [text.count(name) for name in ("deepseek", "ollama", "custom")] == [1, 1, 1]


def test_the_longest_fitting_prefix_knows_the_model() -> None:
    glm = PROVIDERS["glm"]
    assert capabilities_of(glm, "GLM-5.2-air").window_tokens == 1_000_000
    assert capabilities_of(glm, "glm-5.1").window_tokens == 200_000
    assert capabilities_of(glm, "glm-9") == ModelCapabilities(128_000, thinking=True, json_mode=True, caching=True)
    assert capabilities_of(glm, "glm-5.2", window_tokens=9_000).window_tokens == 9_000


def test_whether_a_model_sees_is_in_its_row_and_the_user_knows_better() -> None:
    openai, custom = PROVIDERS["openai"], PROVIDERS["custom"]
    asked = [capabilities_of(openai, "gpt-5", vision=wish).vision for wish in (None, True, False)]
    assert asked == [True, True, False]
    assert [capabilities_of(custom, "m", vision=wish).vision for wish in (None, True, False)] == [False, True, False]


def test_costs_count_cached_tokens_once_at_their_own_price() -> None:
    price = Price(input_usd=2.0, cached_input_usd=0.5, output_usd=10.0)
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, reasoning_tokens=50_000)
    assert price.cost_usd(usage) == pytest.approx(1.2 + 0.2 + 1.0)


def test_an_unknown_price_is_none_and_ones_own_server_is_free() -> None:
    assert price_of(PROVIDERS["glm"], "glm-9") is None
    assert price_of(PROVIDERS["custom"], "x") is None
    assert price_of(PROVIDERS["ollama"], "x") == Price(0, 0, 0)


@pytest.mark.parametrize("key", ["", "  \n", "sk-a\nb", "sk-ключ", "sk a", "sk-\x00"])
def test_what_can_be_no_key_is_refused_by_its_source_and_never_shown(key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        checked_key(key, "GLM_API_KEY")
    for language in Language:
        text = Texts(language).screen(caught.value.code, **caught.value.fields)
        assert "GLM_API_KEY" in text
        assert not key.strip() or key.strip() not in text


def test_a_keys_outer_white_space_is_taken_off() -> None:
    assert checked_key(" sk-1234\r\n", "x") == "sk-1234"


@pytest.mark.parametrize(
    ("provider", "settings", "code"),
    [
        ("custom", {"model": "m"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "ftp://a/b"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://[::1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://127.0.0.1:99999/v1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://127.0.0.1:0/v1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": f"http://{'a' * 64}/v1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://a..b/v1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://exa mple/v1"}, "llm.bad_base_url"),
        ("custom", {"model": "m", "base_url": "http://xn--/v1"}, "llm.bad_base_url"),
        ("custom", {"base_url": "http://a/v1"}, "llm.no_model"),
        ("glm", {}, "llm.key_empty"),
        ("glm", {"api_key": "a\nb"}, "llm.key_malformed"),
        ("glm", {"api_key": "sk-1", "options": ClientOptions(headers=(("X-A", "b\r\nc"),))}, "llm.bad_header"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_any_request(
    provider: str, settings: dict[str, object], code: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        build_client(PROVIDERS[provider], **settings)  # type: ignore[arg-type] - a table of keyword arguments
    assert caught.value.code == code
    assert Texts(Language.ZH).screen(code, **caught.value.fields)


def test_a_client_says_what_it_is() -> None:
    client = build_client(PROVIDERS["deepseek"], api_key="sk-1")
    assert (client.provider, client.model) == ("deepseek", "deepseek-v4-flash")
    assert client.capabilities == capabilities_of(PROVIDERS["deepseek"], "deepseek-v4-flash")
    client.close()


@pytest.mark.parametrize(
    ("model", "sees", "window_tokens"),
    [
        ("kimi-k2.6", True, 262_144),
        ("kimi-k2.5", True, 262_144),
        ("kimi-k2-thinking", False, 262_144),
        ("kimi-k2-0905-preview", False, 262_144),
        ("kimi-k2-0711-preview", False, 131_072),
    ],
)
def test_kimi_sees_from_k2_5_on(model: str, sees: bool, window_tokens: int) -> None:
    known = capabilities_of(PROVIDERS["kimi"], model)
    assert (known.vision, known.window_tokens) == (sees, window_tokens)
