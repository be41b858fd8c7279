import io
from pathlib import Path
from typing import NamedTuple

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.config.command import run_config
from paicli.app.config.config_file import KEYS
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import SCREEN
from paicli.core.errors import SettingsError

KEY = "sk-canary-1234567890"


class Ran(NamedTuple):
    status: int
    answer: str
    told: str


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".paicli"


def run(home: Path, *argv: str, piped: str = "", **environ: str) -> Ran:
    streams = Streams(io.StringIO(piped), io.StringIO(), io.StringIO())
    given = {"PAICLI_HOME": str(home), "LANG": "en_US.UTF-8", **environ}
    status = run_config(parse_command_line(["config", *argv]), given, streams)
    assert isinstance(streams.stdout, io.StringIO)
    assert isinstance(streams.stderr, io.StringIO)
    return Ran(status, streams.stdout.getvalue(), streams.stderr.getvalue())


def rows(shown: str) -> dict[str, tuple[str, str]]:
    """key → (value, source)"""
    found: dict[str, tuple[str, str]] = {}
    for row in shown.splitlines():
        left, _, source = row.partition("  # ")
        key, separator, value = left.partition(" = ")
        if separator:
            found[key.strip()] = (value.strip(), source)
    return found


def test_every_setting_is_shown_with_the_source_that_won(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text(
        f'[model]\nprovider = "glm"\nmodel = "from-file"\n[model.headers]\nX-Api-Key = "{KEY}"\nX-Team = "tea"\n'
        f'[providers.glm]\napi_key = "{KEY}"\n[plan]\nparallel = 2\nmax_replans = 1\n[limits]\nmax_tokens = 500\n'
    )

    ran = run(home, PAICLI_MODEL="from-env", PAICLI_PLAN_MAX_REPLANS="0", NO_COLOR="1")

    file = f"{home / 'config.toml'}: "
    assert rows(ran.answer) == {
        "model.provider": ('"glm"', file + "model.provider"),
        "model.model": ('"from-env"', "PAICLI_MODEL"),
        "model.base_url": ('"https://open.bigmodel.cn/api/paas/v4"', "default of glm"),
        "model.api_key": ('"***"', file + "providers.glm.api_key"),
        "model.headers": ('{"X-Api-Key": "***", "X-Team": "tea"}', file + "model.headers"),
        "model.thinking": ("true", "default"),
        "model.connect_timeout_s": ("15.0", "default"),
        "model.read_timeout_s": ("300.0", "default"),
        "model.request_timeout_s": ("1800.0", "default"),
        "providers.glm.api_key": ('"***"', file + "providers.glm.api_key"),
        "session.mode": ('"auto"', "default"),
        "ui.language": ('"en"', "locale"),
        "ui.ascii": ("false", "default"),
        "ui.notify": ('"bell"', "default"),
        "ui.color": ("false", "NO_COLOR"),
        "ui.theme": ('"dark"', "default"),
        "snapshots.enabled": ("true", "default"),
        "sandbox.mode": ('"off"', "default"),
        "web.search": ('"zhipu"', file + "providers.glm.api_key"),
        "storage.keep_days": ("30", "default"),
        "plan.parallel": ("2", file + "plan.parallel"),
        "plan.max_replans": ("0", "PAICLI_PLAN_MAX_REPLANS"),
        "limits.max_tokens": ("500", file + "limits.max_tokens"),
    }
    assert KEY not in ran.answer + ran.told


def test_without_a_model_the_reason_stands_first_and_the_rest_is_shown(home: Path) -> None:
    ran = run(home)

    assert ran.answer.startswith("# model: No model is configured")
    assert rows(ran.answer)["plan.parallel"] == ("4", "default")


def test_a_variable_that_holds_the_key_is_named_and_its_value_is_not(home: Path) -> None:
    ran = run(home, DEEPSEEK_API_KEY=KEY)

    assert rows(ran.answer)["model.api_key"] == ('"***"', "DEEPSEEK_API_KEY")
    assert KEY not in ran.answer


def test_get_answers_with_the_value_alone(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text(f'[model]\nprovider = "glm"\napi_key = "{KEY}"\n[ui]\nascii = true\n')

    assert run(home, "get", "model.provider") == Ran(0, "glm\n", "")
    assert run(home, "get", "ui.ascii") == Ran(0, "true\n", "")
    assert run(home, "get", "model.api_key") == Ran(0, "***\n", "")
    assert run(home, "get", "limits.max_turns") == Ran(1, "", "")


def test_path_says_where_the_file_is_even_when_it_is_broken(home: Path) -> None:
    home.mkdir()
    (home / "config.toml").write_text("[[[")

    assert run(home, "path") == Ran(0, f"{home / 'config.toml'}\n", "")


@pytest.mark.parametrize(
    ("key", "value", "stored"),
    [
        ("model.provider", "GLM", 'provider = "glm"'),
        ("model.model", "a/b:c", 'model = "a/b:c"'),
        ("model.temperature", "0.5", "temperature = 0.5"),
        ("ui.ascii", "true", "ascii = true"),
        ("plan.parallel", "2", "parallel = 2"),
        ("session.mode", "ask", 'mode = "ask"'),
        ("ui.theme", "dark", 'theme = "dark"'),
        ("model.model", "true", 'model = "true"'),
        ("model.extra_body", "{top_k = 3}", "top_k = 3"),
        ("permissions.allow", '["read_file", "execute_command(git diff:*)"]', '["read_file", "execute_command(git'),
        ("providers.kimi.base_url", "https://h/v1", 'base_url = "https://h/v1"'),
    ],
)
def test_set_writes_what_the_key_wants(home: Path, key: str, value: str, stored: str) -> None:
    ran = run(home, "set", key, value)

    assert (ran.status, ran.answer) == (0, "")
    assert ran.told.startswith(f"Written to {home / 'config.toml'}: {key}")
    assert stored in (home / "config.toml").read_text()


def test_set_says_when_a_variable_wins_over_what_was_written(home: Path) -> None:
    ran = run(home, "set", "model.model", "new", PAICLI_PROVIDER="ollama", PAICLI_MODEL="other")

    assert ran.told.splitlines()[1] == "For now PAICLI_MODEL wins over it"


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["set", "plan.parallel", "9"], "settings.value_wants_parallel"),
        (["set", "ui.ascii", "yes"], "settings.value_wants_a_switch"),
        (["set", "ui.ascii", "true\nmodel.model = 'x'"], "settings.value_wants_a_switch"),
        (["set", "session.mode", "fast"], "settings.value_wants_mode"),
        (["set", "model.provider", "nobody"], "llm.unknown_provider"),
        (["set", "model.base_url", "h/v1"], "llm.bad_base_url"),
        (["set", "permissions.allow", "read_file"], "settings.value_wants_strings"),
        (["set", "ui.ascii"], "config.value_missing"),
        (["set", "nothing.like.it", "1"], "config.key_unknown"),
        (["get", "ui.asci"], "config.key_unknown_nearest"),
        (["set", "providers.nobody.model", "x"], "config.key_unknown_nearest"),
        (["set", "model", "x"], "config.key_unknown_nearest"),
        (["set"], "config.usage"),
        (["get", "ui.ascii", "x"], "config.usage"),
        (["show"], "config.usage"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(home: Path, argv: list[str], code: str) -> None:  # C75
    with pytest.raises(SettingsError) as raised:
        run(home, *argv)

    assert raised.value.code == code
    assert not home.exists()


def test_an_unknown_key_is_answered_with_the_nearest(home: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        run(home, "set", "model.temprature", "1")

    assert raised.value.fields == {"key": "model.temprature", "nearest": "model.temperature"}


def test_a_broken_file_is_told_with_its_place(home: Path) -> None:  # C75
    home.mkdir()
    (home / "config.toml").write_text('[ui]\nascii = true\nascii = "x"\n')

    with pytest.raises(SettingsError) as raised:
        run(home, "set", "plan.parallel", "2")

    assert (raised.value.fields["path"], raised.value.fields["line"]) == (str(home / "config.toml"), "3")


def test_a_key_is_refused_in_argv_and_taken_from_a_pipe(home: Path) -> None:  # C42
    with pytest.raises(SettingsError) as raised:
        run(home, "set", "providers.glm.api_key", KEY)
    assert raised.value.code == "config.secret_in_argv"
    assert KEY not in str(raised.value)

    ran = run(home, "set", "providers.glm.api_key", piped=f" {KEY}\n")

    assert (home / "config.toml").read_text() == f'[providers.glm]\napi_key = "{KEY}"\n'
    assert KEY not in ran.answer + ran.told


@pytest.mark.parametrize("piped", ["", "\n", "two words\n", "中文\n"])
def test_what_can_be_no_key_is_refused_unwritten(home: Path, piped: str) -> None:
    with pytest.raises(SettingsError) as raised:
        run(home, "set", "model.api_key", piped=piped)

    assert raised.value.code in {"llm.key_empty", "llm.key_malformed"}
    assert not home.exists()


def test_each_kind_of_value_says_what_it_wants_without_a_place() -> None:
    assert {kind.wanted.replace("config_wants", "value_wants") for kind in KEYS.values()} <= set(SCREEN)
