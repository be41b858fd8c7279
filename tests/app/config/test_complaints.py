from pathlib import Path

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.config.complaints import with_others
from paicli.app.config.resolution import resolve_settings
from paicli.core.errors import SettingsError

MODEL = '[model]\nprovider = "custom"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'


def codes_of(home: Path, *argv: str, config: str = "", **environ: str) -> list[str]:
    (home / "config.toml").write_text(config)
    given = {"PAICLI_HOME": str(home), **environ}
    line = parse_command_line([*argv])
    with pytest.raises(SettingsError) as raised:
        resolve_settings(line, given)
    error = with_others(raised.value, line, given)
    assert error is raised.value
    return [error.code, *(other.code for other in error.others)]


def test_a_missing_model_hides_nothing_else(tmp_path: Path) -> None:
    found = codes_of(
        tmp_path, "--add-dir", "nowhere", config='[web]\nallow_hosts = ["a b"]\n', PAICLI_PLAN_MAX_REPLANS="many"
    )
    assert found == [
        "settings.no_model",
        "settings.folder_missing",
        "settings.variable_wants",
        "settings.web_host_unusable",
    ]


def test_what_follows_from_another_error_is_not_said(tmp_path: Path) -> None:
    assert codes_of(tmp_path, config='[models]\nreview = "glm/x"\n') == ["settings.no_model"]
    assert codes_of(tmp_path, config="[model\n") == ["settings.config_syntax"]


def test_each_wrong_key_of_the_file_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[ui]\nascii = 1\ntheme = "pink"\n')
    with pytest.raises(SettingsError) as raised:
        resolve_settings(parse_command_line([]), {"PAICLI_HOME": str(tmp_path)})
    errors = [raised.value, *raised.value.others]
    assert [(error.fields["key"], error.fields["line"]) for error in errors] == [("ui.ascii", "2"), ("ui.theme", "3")]


def test_every_model_beside_the_main_one_is_looked_at(tmp_path: Path) -> None:
    models = '[models]\nreview = "glm/x"\nsmall = "deepseek/y"\n'
    assert codes_of(tmp_path, config=MODEL + models) == ["settings.side_model", "settings.side_model"]


def test_at_most_five_are_said(tmp_path: Path) -> None:
    folders = [word for number in range(9) for word in ("--add-dir", f"nowhere{number}")]
    assert codes_of(tmp_path, *folders) == ["settings.no_model", *["settings.folder_missing"] * 4]
