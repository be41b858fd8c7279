from pathlib import Path

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.config.resolution import resolve_settings
from paicli.app.settings import Settings
from paicli.app.wiring.guarding.sandbox import open_sandbox, sandbox_faults
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault
from paicli.system.sandbox.confinement import SandboxMode
from paicli.system.sandbox.sandbox import Sandbox, SandboxRefusal


def settings(home: Path, *argv: str, config: str = "") -> Settings:
    (home / "config.toml").write_text(config)
    return resolve_settings(parse_command_line(list(argv)), {"PAICLI_HOME": str(home), "GLM_API_KEY": "k"}).settings


@pytest.mark.parametrize("mode", SandboxMode)
def test_the_option_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path, mode: SandboxMode) -> None:
    assert settings(tmp_path).sandbox is SandboxMode.OFF
    assert settings(tmp_path, config=f'[sandbox]\nmode = "{mode}"\n').sandbox is mode
    other = SandboxMode.STRICT if mode is not SandboxMode.STRICT else SandboxMode.OFF
    assert settings(tmp_path, "--sandbox", other, config=f'[sandbox]\nmode = "{mode}"\n').sandbox is other


def test_a_mode_there_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(tmp_path, config='[sandbox]\nmode = "loose"\n')
    assert caught.value.code == "settings.config_wants_sandbox"
    with pytest.raises(SettingsError) as caught:
        settings(tmp_path, "--sandbox", "loose")
    assert caught.value.code == "cli.value_not_a_choice"


def test_none_is_made_where_it_is_off_and_one_knows_the_session_where_it_is_on(tmp_path: Path) -> None:
    assert open_sandbox(settings(tmp_path), lambda: ()) is None
    assert sandbox_faults(None) == ()
    results = tmp_path / "results"
    results.mkdir()
    made = open_sandbox(settings(tmp_path, "--sandbox", "strict"), lambda: (tmp_path,), readable=(results,))
    assert made is not None
    found = made.confinement()
    assert (found.writable, found.has_network, results in found.shown) == ((tmp_path,), False, True)
    assert tmp_path in found.hidden_folders
    made.close()


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "refusal", [SandboxRefusal("missing", "bwrap"), SandboxRefusal("refused", "/usr/bin/bwrap", "no namespaces")]
)
def test_at_the_start_it_is_said_why_no_command_will_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: SandboxRefusal, language: Language
) -> None:
    sandbox = Sandbox(SandboxMode.STRICT, lambda: (), user_home=tmp_path, own_home=tmp_path)
    monkeypatch.setattr(sandbox, "refusal", lambda: refusal)
    (fault,) = sandbox_faults(sandbox)
    assert fault == Fault(
        f"sandbox.{refusal.code}", (("mode", "strict"), ("program", refusal.program), ("reason", refusal.reason))
    )
    shown = Texts(language).screen(fault.code, **dict(fault.fields))
    assert refusal.program in shown
    assert refusal.reason in shown
