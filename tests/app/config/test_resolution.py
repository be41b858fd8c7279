from pathlib import Path
from typing import Any

import pytest

from paicli.app.command_line import CommandLine, parse_command_line
from paicli.app.config.environment import choose_language, error_language, home_folder
from paicli.app.config.resolution import resolve_settings
from paicli.app.settings import ModelSettings, ReplaySettings, Settings
from paicli.core.catalogue.lookup import Language
from paicli.core.errors import SettingsError
from paicli.core.ops import Mode
from paicli.llm.providers import PROVIDERS
from paicli.tools.web.search.providers import SearchChoice


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def settings(home: Path, argv: list[str] | None = None, *, config: str = "", **environ: str) -> Settings:
    (home / "config.toml").write_text(config)
    given = {"PAICLI_HOME": str(home), **environ}
    return resolve_settings(parse_command_line(argv or []), given).settings


def model_of(home: Path, argv: list[str] | None = None, *, config: str = "", **environ: str) -> ModelSettings:
    model = settings(home, argv, config=config, **environ).model
    assert isinstance(model, ModelSettings)
    return model


def error_of(home: Path, argv: list[str] | None = None, *, config: str = "", **environ: str) -> SettingsError:
    with pytest.raises(SettingsError) as raised:
        settings(home, argv, config=config, **environ)
    return raised.value


CONFIG = """
[model]
provider = "openai"
model = "from-config"
base_url = "http://config/v1"
api_key = "key-config"
"""


def test_everything_from_the_environment(home: Path) -> None:
    assert model_of(
        home,
        PAICLI_PROVIDER="custom",
        PAICLI_MODEL="m",
        PAICLI_BASE_URL="http://127.0.0.1:9/v1",
        PAICLI_API_KEY=" key-1\n",
    ) == ModelSettings("custom", "m", "http://127.0.0.1:9/v1", "key-1")


def test_a_base_url_alone_means_a_custom_endpoint_that_wants_no_key(home: Path) -> None:
    assert model_of(home, PAICLI_BASE_URL="http://h/v1", PAICLI_MODEL="m") == ModelSettings(
        "custom", "m", "http://h/v1"
    )


@pytest.mark.parametrize("provider", [name for name, profile in PROVIDERS.items() if profile.key_variables])
def test_a_providers_key_variable_is_configuration_enough(home: Path, provider: str) -> None:
    profile = PROVIDERS[provider]
    for variable in profile.key_variables:
        assert model_of(home, **{variable: "key-of-it"}) == ModelSettings(
            provider, profile.default_model, profile.base_url, "key-of-it"
        )


@pytest.mark.parametrize(
    ("argv", "environ", "expected"),
    [
        ([], {}, ("from-config", "http://config/v1", "key-config")),
        ([], {"OPENAI_API_KEY": "key-own"}, ("from-config", "http://config/v1", "key-own")),
        ([], {"PAICLI_MODEL": "from-env"}, ("from-env", "http://config/v1", "key-config")),
        (
            ["-m", "from-option", "--base-url", "http://option/v1"],
            {"PAICLI_MODEL": "from-env", "PAICLI_BASE_URL": "http://env/v1", "PAICLI_API_KEY": "key-env"},
            ("from-option", "http://option/v1", "key-env"),
        ),
        ([], {"PAICLI_BASE_URL": "http://env/v1"}, ("from-config", "http://env/v1", "key-config")),
    ],
)
def test_option_beats_environment_beats_configuration(
    home: Path, argv: list[str], environ: dict[str, str], expected: tuple[str, str, str]
) -> None:
    model = model_of(home, argv, config=CONFIG, **environ)

    assert (model.provider, model.model, model.base_url, model.api_key) == ("openai", *expected)


def test_what_names_another_provider_says_nothing_about_the_chosen_one(home: Path) -> None:
    model = model_of(
        home,
        ["-m", "deepseek/x"],
        config=CONFIG + '[providers.deepseek]\napi_key = "key-deep"\n',
        PAICLI_PROVIDER="glm",
        PAICLI_MODEL="glm-9",
        PAICLI_BASE_URL="http://glm/v1",
        PAICLI_API_KEY="key-glm",
    )

    assert model == ModelSettings("deepseek", "x", PROVIDERS["deepseek"].base_url, "key-deep")


@pytest.mark.parametrize(
    ("argv", "environ", "expected"),
    [
        (["-m", "openrouter/openai/gpt-x"], {"OPENROUTER_API_KEY": "k1"}, ("openrouter", "openai/gpt-x")),
        ([], {"PAICLI_PROVIDER": "openrouter", "PAICLI_MODEL": "openai/gpt-x", "PAICLI_API_KEY": "k1"},
         ("openrouter", "openai/gpt-x")),
        (["-m", "ollama"], {}, ("ollama", PROVIDERS["ollama"].default_model)),
        (["-m", "org/model"], {"GLM_API_KEY": "k1"}, ("glm", "org/model")),
        ([], {"PAICLI_PROVIDER": "GLM", "GLM_API_KEY": "k1"}, ("glm", PROVIDERS["glm"].default_model)),
    ],
)  # fmt: skip
def test_the_first_part_of_a_model_name_is_a_provider_where_it_is_one(
    home: Path, argv: list[str], environ: dict[str, str], expected: tuple[str, str]
) -> None:
    model = model_of(home, argv, **environ)

    assert (model.provider, model.model) == expected


def test_a_replay_needs_no_key(home: Path, tmp_path: Path) -> None:
    recording = tmp_path / "talk.jsonl"

    assert settings(home, ["-m", f"replay:{recording}"]).model == ReplaySettings(recording)


def test_the_finer_settings_of_the_configured_endpoint(home: Path) -> None:
    config = CONFIG + (
        "temperature = 0\nthinking = false\nwindow_tokens = 9\nvision = false\n"
        "connect_timeout_s = 1\nread_timeout_s = 2\n"
        'request_timeout_s = 3\nheaders = {A = "b"}\nextra_body = {top_k = 3}\n'
    )

    assert model_of(home, config=config) == ModelSettings(
        "openai",
        "from-config",
        "http://config/v1",
        "key-config",
        headers=(("A", "b"),),
        extra_body=(("top_k", 3),),
        temperature=0,
        is_thinking=False,
        window_tokens=9,
        connect_timeout_s=1,
        read_timeout_s=2,
        request_timeout_s=3,
        vision=False,
    )
    assert model_of(home, ["-m", "ollama/q"], config=config).headers == ()


@pytest.mark.parametrize(
    ("environ", "config", "code", "named"),
    [
        ({}, "", "settings.no_model", "GLM_API_KEY"),
        ({"PAICLI_PROVIDER": "glm"}, "", "settings.no_key", "GLM_API_KEY"),
        ({"PAICLI_PROVIDER": "glmm"}, "", "llm.unknown_provider", "glm"),
        ({"PAICLI_PROVIDER": "custom", "PAICLI_MODEL": "m"}, "", "settings.no_base_url", "custom"),
        ({"PAICLI_BASE_URL": "http://h/v1"}, "", "llm.no_model", "custom"),
        ({"PAICLI_BASE_URL": "ftp://u:pw@h/v1", "PAICLI_MODEL": "m"}, "", "llm.bad_base_url", "ftp://h/v1"),
        ({"PAICLI_BASE_URL": "localhost:80", "PAICLI_MODEL": "m"}, "", "llm.bad_base_url", "localhost:80"),
        ({"PAICLI_PROVIDER": "glm", "GLM_API_KEY": "  "}, "", "llm.key_empty", "GLM_API_KEY"),
        ({"PAICLI_PROVIDER": "glm", "GLM_API_KEY": "pw-a\npw-b"}, "", "llm.key_malformed", "GLM_API_KEY"),
        ({"PAICLI_PROVIDER": "glm", "PAICLI_API_KEY": "pw-密"}, "", "llm.key_malformed", "PAICLI_API_KEY"),
        ({}, '[model]\nprovider = "glm"\napi_key = "pw-\\u00e9"\n', "llm.key_malformed", "model.api_key"),
        ({}, '[providers.glm]\napi_key = " pw\\n-x "\n', "llm.key_malformed", "providers.glm.api_key"),
        ({"GLM_API_KEY": "k", "PAICLI_PLAN_MAX_REPLANS": "-1"}, "", "settings.variable_wants", "MAX_REPLANS"),
        ({"GLM_API_KEY": "k", "PAICLI_PLAN_MAX_REPLANS": "0000000101"}, "", "settings.variable_wants", "0..100"),
        ({"GLM_API_KEY": "k", "PAICLI_LANG": "fr"}, "", "settings.variable_wants", "PAICLI_LANG"),
    ],
)  # fmt: skip
def test_what_can_not_work_names_its_source_and_never_a_key(
    home: Path, environ: dict[str, str], config: str, code: str, named: str
) -> None:
    error = error_of(home, config=config, **environ)

    assert error.code == code
    assert any(named in str(value) for value in error.fields.values())
    assert "pw" not in str(error)


def test_a_blank_variable_stands_back_for_its_sibling(home: Path) -> None:
    assert model_of(home, PAICLI_PROVIDER="kimi", KIMI_API_KEY=" ", MOONSHOT_API_KEY="key-m").api_key == "key-m"


def test_the_defaults_of_everything_else(home: Path) -> None:
    resolved = settings(home, OPENAI_API_KEY="key-canary-2", LANG="en_US.UTF-8")

    assert resolved == Settings(
        language=Language.EN,
        home=home,
        project_root=Path.cwd(),
        model=resolved.model,
        secrets=("key-canary-2",),
        secret_variables=resolved.secret_variables,
    )


def test_everything_else_from_configuration_and_options(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    config = (
        '[session]\nmode = "plan"\n[ui]\nlanguage = "en"\nascii = true\ncolor = false\n'
        "[plan]\nparallel = 2\nmax_replans = 0\n[limits]\nmax_turns = 9\nmax_tokens = 8\n"
        '[permissions]\nallow = ["a"]\ndeny = ["b"]\n'
    )
    argv = ["--mode", "ask", "--allowed-tools", "c", "--disallowed-tools", "d", "--tools", "e", "--add-dir", str(extra)]
    argv += ["-p", "x", "-C", str(tmp_path), "--max-turns", "3", "--verbose", "--append-system-prompt", "f"]

    resolved = settings(home, argv, config=config, GLM_API_KEY="k")

    assert resolved == Settings(
        language=Language.EN,
        home=home,
        project_root=tmp_path,
        model=resolved.model,
        mode=Mode.ASK,
        plan_parallel=2,
        plan_max_replans=0,
        max_steps=3,
        max_budget_tokens=8,
        verbose=True,
        added_folders=(extra,),
        tool_names=("e",),
        append_system_prompt="f",
        is_ascii=True,
        color=False,
        allow_rules=("c", "a"),
        deny_rules=("d", "b"),
        rule_origins=(
            ("c", "--allowed-tools"),
            ("d", "--disallowed-tools"),
            ("a", f"{home}/config.toml: permissions.allow"),
            ("b", f"{home}/config.toml: permissions.deny"),
        ),
        web_search=SearchChoice("zhipu", "k"),
        secrets=("k",),
        secret_variables=resolved.secret_variables,
    )
    assert settings(home, config=config, GLM_API_KEY="k").mode is Mode.PLAN
    assert settings(home, config=config, GLM_API_KEY="k", PAICLI_PLAN_MAX_REPLANS="7").plan_max_replans == 7


def test_every_key_paicli_knows_of_is_secret(home: Path) -> None:  # C42
    config = (
        '[model]\nprovider = "glm"\napi_key = "sk-canary-3"\n'
        'headers = {Authorization = "Bearer sk-canary-5", X-Password = "canary-6", X-Team = "tea"}\n'
        '[providers.kimi]\napi_key = "sk-canary-4"\n'
    )

    resolved = settings(home, config=config, PAICLI_API_KEY="sk-canary-1", OPENAI_API_KEY="sk-canary-2", TEAM="tea")

    assert sorted(resolved.secrets) == ["canary-6", *(f"sk-canary-{number}" for number in (1, 2, 3, 4, 5))]
    assert {"PAICLI_API_KEY", "OPENAI_API_KEY", "GLM_API_KEY", "KIMI_API_KEY"} <= resolved.secret_variables
    assert not {"PATH", "HOME", "LANG", "VIRTUAL_ENV", "TEAM"} & resolved.secret_variables


@pytest.mark.parametrize("named", ["missing", "file", "a\0b"])
def test_a_folder_that_is_none_is_named_with_its_option(home: Path, tmp_path: Path, named: str) -> None:
    (tmp_path / "file").write_text("")

    for option, argv in (("-C", ["-C", str(tmp_path / named)]), ("--add-dir", ["--add-dir", str(tmp_path / named)])):
        error = error_of(home, argv, GLM_API_KEY="k")
        assert (error.code, error.fields) == (
            "settings.folder_missing",
            {"option": option, "path": str(tmp_path / named)},
        )


def test_a_current_folder_that_is_gone_is_an_error(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert error_of(home, GLM_API_KEY="k").code == "settings.no_current_folder"


def test_warnings_of_the_file_come_along(home: Path) -> None:
    (home / "config.toml").write_text("nonsense = 1\n")

    configured = resolve_settings(CommandLine(), {"PAICLI_HOME": str(home), "GLM_API_KEY": "k"})

    assert [warning.code for warning in configured.warnings] == ["settings.config_key_unknown"]


@pytest.mark.parametrize(
    ("wish", "environ", "expected"),
    [
        ("", {}, "zh"),
        ("", {"LANG": "C"}, "zh"),
        ("", {"LANG": "POSIX"}, "zh"),
        ("", {"LANG": "C.UTF-8"}, "zh"),
        ("", {"LANG": "zh_CN.UTF-8"}, "zh"),
        ("", {"LANG": "zh_TW"}, "zh"),
        ("", {"LANG": "en_US.UTF-8"}, "en"),
        ("", {"LANG": "de_DE@euro"}, "en"),
        ("", {"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ("", {"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "fr_FR"}, "en"),
        ("", {"LANG": "en_US", "LC_ALL": ""}, "en"),
        ("", {"LANG": "zh_CN", "PAICLI_LANG": "en"}, "en"),
        ("", {"LANG": "en_US", "PAICLI_LANG": "zh_CN.UTF-8"}, "zh"),
        ("en", {"PAICLI_LANG": "zh"}, "en"),
    ],
)
def test_the_language_follows_option_variable_and_locale(wish: str, environ: dict[str, str], expected: str) -> None:
    assert choose_language(wish, environ) is Language(expected)


def test_a_configured_language_stands_between_variable_and_locale(home: Path) -> None:
    config = '[ui]\nlanguage = "en"\n'

    assert settings(home, config=config, GLM_API_KEY="k", LANG="zh_CN").language is Language.EN
    assert settings(home, config=config, GLM_API_KEY="k", PAICLI_LANG="zh").language is Language.ZH
    assert error_language("", {"PAICLI_HOME": str(home)}) is Language.EN


def test_an_error_finds_a_language_even_where_everything_is_broken(home: Path) -> None:
    (home / "config.toml").write_text("[")

    assert error_language("", {"PAICLI_HOME": str(home), "PAICLI_LANG": "fr", "LANG": "en_US"}) is Language.EN
    assert error_language("", {"PAICLI_HOME": str(home), "PAICLI_LANG": "en", "LANG": "C"}) is Language.EN
    assert error_language("zh", {"PAICLI_HOME": str(home), "PAICLI_LANG": "en"}) is Language.ZH


def test_a_variable_of_no_use_leaves_the_language_to_the_configuration(home: Path) -> None:
    (home / "config.toml").write_text('[ui]\nlanguage = "en"\n')

    assert error_language("", {"PAICLI_HOME": str(home), "PAICLI_LANG": "fr", "LANG": "C"}) is Language.EN


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HOME": "/home/u"}, "/home/u/.paicli"),
        ({"HOME": "/home/u", "PAICLI_HOME": "/else"}, "/else"),
        ({"HOME": "/home/u", "PAICLI_HOME": "~/p"}, "/home/u/p"),
        ({"HOME": "/home/u", "PAICLI_HOME": " "}, "/home/u/.paicli"),
    ],
)
def test_the_home_folder(environ: dict[str, str], expected: str) -> None:
    assert home_folder(environ) == Path(expected)


def test_a_relative_home_is_below_the_current_folder() -> None:
    assert home_folder({"HOME": "/home/u", "PAICLI_HOME": "p"}) == Path.cwd() / "p"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"TERM": "dumb", "FORCE_COLOR": "0"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_no_color_and_dumb_terminals_are_honoured(home: Path, environ: dict[str, Any], expected: bool) -> None:
    assert settings(home, GLM_API_KEY="k", **environ).color is expected


def test_force_color_is_told_and_no_color_wins_over_it(home: Path) -> None:
    assert settings(home, GLM_API_KEY="k", FORCE_COLOR="1").is_color_forced
    assert not settings(home, GLM_API_KEY="k", FORCE_COLOR="1", NO_COLOR="1").is_color_forced
    assert not settings(home, GLM_API_KEY="k").is_color_forced


@pytest.mark.parametrize("theme", ["dark", "light", "none"])
def test_the_theme_comes_from_the_configuration(home: Path, theme: str) -> None:
    assert settings(home, GLM_API_KEY="k").theme == "dark"
    assert settings(home, GLM_API_KEY="k", config=f'[ui]\ntheme = "{theme}"\n').theme == theme


def test_a_theme_there_is_none_is_an_error_that_names_them(home: Path) -> None:
    error = error_of(home, GLM_API_KEY="k", config='[ui]\ntheme = "pink"\n')
    assert error.code == "settings.config_wants_theme"
