from pathlib import Path

import pytest

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.settings import ModelSettings, ReplaySettings, SessionKind
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.switcher import ModelSwitcher
from paicli.core.errors import SettingsError, UserFacingError
from paicli.core.events import EventBody, ModelChanged, Notice
from paicli.core.masking import SecretMasker
from paicli.core.ops import Storing
from paicli.llm.providers import PROVIDERS
from paicli.llm.switching_client import SwitchingClient

LOCAL = "http://127.0.0.1:9/v1"


class Switched:
    """A switcher that began with a server of one's own, and its config.toml."""

    def __init__(self, home: Path, config: str = "", *, start: ModelSettings | None = None, **environ: str) -> None:
        self.path = home / "config.toml"
        if config:
            self.path.write_text(config)
        self.masker = SecretMasker()
        self.start = start or ModelSettings("custom", "one", LOCAL, "sk-own-000000")
        self.client = SwitchingClient(open_client(self.start, SessionKind.INTERACTIVE))
        self.switcher = ModelSwitcher(
            self.client, self.start, config_path=self.path, environ=environ, masker=self.masker
        )

    def change(self, name: str, storing: Storing = Storing.SESSION) -> list[EventBody]:
        return list(self.switcher.change(name, storing))

    def codes(self, name: str) -> list[str]:
        return [body.fault.code for body in self.change(name, Storing.SAVED) if isinstance(body, Notice)]


def test_a_name_alone_is_another_model_of_the_same_endpoint(tmp_path: Path) -> None:
    switched = Switched(tmp_path)
    assert switched.change("maker/two") == [ModelChanged("custom", "maker/two", 32_000)]
    assert switched.switcher.current == switched.start._replace(model="maker/two")
    assert switched.client.model == "maker/two"
    assert not switched.path.exists()


def test_another_provider_comes_with_its_own_key_and_url(tmp_path: Path) -> None:
    switched = Switched(
        tmp_path,
        '[providers.deepseek]\napi_key = "sk-deep-111111"\nbase_url = "http://127.0.0.1:9/deep"\n',
        PAICLI_BASE_URL=LOCAL,
        PAICLI_MODEL="one",
        PAICLI_API_KEY="sk-own-000000",
    )
    changed = switched.change("deepseek/deepseek-v4-pro")
    assert changed == [ModelChanged("deepseek", "deepseek-v4-pro", 1_000_000)]
    # Nothing of the variables, which name no provider, goes to the new one: no key, no URL.
    assert switched.switcher.current == ModelSettings(
        "deepseek", "deepseek-v4-pro", "http://127.0.0.1:9/deep", "sk-deep-111111"
    )
    assert switched.masker.mask("sk-deep-111111") == "***"
    assert switched.change("custom/three")[0] == ModelChanged("custom", "three", 32_000)
    assert switched.switcher.current == switched.start._replace(model="three")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("deepseek", "settings.no_key"),
        ("nosuch/model", "llm.unknown_provider"),
        ("vllm", "llm.no_model"),
    ],
)
def test_what_can_not_be_used_changes_nothing(tmp_path: Path, name: str, code: str) -> None:
    start = ModelSettings("glm", "glm-5", "https://localhost/v4", "sk-glm-000000")
    switched = Switched(tmp_path, start=start)
    with pytest.raises(SettingsError) as refused:
        switched.change(name, Storing.SAVED)
    assert refused.value.code == code
    assert switched.switcher.current == start
    assert switched.client.model == "glm-5"
    assert not switched.path.exists()


def test_a_recording_is_no_model_to_switch_from_or_to(tmp_path: Path) -> None:
    switched = Switched(tmp_path)
    replayed = ModelSwitcher(
        switched.client,
        ReplaySettings(tmp_path / "r.jsonl"),
        config_path=switched.path,
        environ={},
        masker=SecretMasker(),
    )
    with pytest.raises(UserFacingError) as refused:
        list(replayed.change("glm", Storing.SESSION))
    assert refused.value.code == "session.model_replayed"


def test_saving_keeps_comments_and_gives_no_key_to_another_provider(tmp_path: Path) -> None:
    switched = Switched(
        tmp_path,
        "# mine\n[model]\nprovider = 'custom'  # home\nmodel = 'one'\n"
        f"base_url = '{LOCAL}'\napi_key = 'sk-own-000000'\n\n[plan]\nparallel = 2 # slow machine\n",
        GLM_API_KEY="sk-glm-222222",
    )
    assert switched.codes("glm/glm-4.6") == ["session.model_saved"]
    written = switched.path.read_text()
    assert "# mine" in written
    assert "# slow machine" in written
    assert dict(read_config(switched.path).values) == {
        "model.provider": "glm",
        "model.model": "glm-4.6",
        "plan.parallel": 2,
        "providers.custom.base_url": LOCAL,
        "providers.custom.api_key": "sk-own-000000",
    }
    assert switched.path.stat().st_mode & 0o777 == 0o600


def test_saving_says_what_wins_over_it_and_what_stands_in_its_way(tmp_path: Path) -> None:
    from_variables = {"PAICLI_PROVIDER": "custom", "PAICLI_MODEL": "one", "PAICLI_BASE_URL": LOCAL}
    assert Switched(tmp_path, **from_variables).codes("two") == ["session.model_overridden"]
    (tmp_path / "config.toml").unlink()
    headers = f"[model]\nbase_url = '{LOCAL}'\nmodel = 'one'\n[model.headers]\nX-Auth = 'secret-value'\n"
    switched = Switched(tmp_path, headers, GLM_API_KEY="sk-glm-222222")
    assert switched.codes("glm") == ["session.model_not_saved"]
    assert switched.path.read_text() == headers
    assert switched.client.provider == "glm"  # for this session it holds


def test_the_word_that_a_model_sees_is_not_for_another_providers(tmp_path: Path) -> None:
    config = "[model]\nvision = true\n"
    switched = Switched(tmp_path, config, GLM_API_KEY="sk-glm-222222")
    assert switched.codes("glm") == ["session.model_not_saved"]
    assert (switched.client.provider, switched.client.capabilities.vision) == ("glm", False)
    assert switched.path.read_text() == config


def test_a_broken_file_stays_as_it_is_and_the_model_stays_too(tmp_path: Path) -> None:
    switched = Switched(tmp_path)
    switched.path.write_text("[model\n")
    with pytest.raises(SettingsError):
        switched.change("two", Storing.SAVED)
    assert switched.path.read_text() == "[model\n"
    assert [row.current for row in switched.switcher.rows() if row.current] == ["one"]


def test_the_rows_say_what_can_be_used(tmp_path: Path) -> None:
    config = "[providers.kimi]\napi_key = 'sk-kimi-333333'\nmodel = 'k-own'\n"
    switched = Switched(tmp_path, config, GLM_API_KEY="sk-g-4444")
    rows = switched.switcher.rows()
    assert (rows[0].provider, rows[0].current, rows[0].models) == ("custom", "one", ("one",))
    ready = {row.provider: row.models[:1] for row in rows if row.is_ready}
    assert ready["kimi"] == ("k-own",)
    assert ready["glm"] == ("glm-5.2",)
    assert "deepseek" not in ready
    assert "ollama" in ready


def test_what_a_folder_brings_stays_with_the_folder(tmp_path: Path) -> None:
    evil = "http://evil.example/v1"
    brought = ConfigFile(tmp_path / ".env", {"model.base_url": evil, "model.model": "m", "model.api_key": "theirs"})
    start = ModelSettings("custom", "m", evil, "theirs")
    path = tmp_path / "config.toml"
    client = SwitchingClient(open_client(start, SessionKind.INTERACTIVE))
    environ = {"GLM_API_KEY": "sk-own-333333"}
    switcher = ModelSwitcher(
        client, start, config_path=path, environ=environ, masker=SecretMasker(), brought=(brought,)
    )
    list(switcher.change("custom/m2", Storing.SAVED))
    assert dict(read_config(path).values) == {"model.provider": "custom", "model.model": "m2"}
    list(switcher.change("glm/glm-5", Storing.SESSION))
    assert isinstance(switcher.current, ModelSettings)
    assert (switcher.current.api_key, switcher.current.base_url) == (
        "sk-own-333333",
        PROVIDERS["glm"].base_url,
    )


def test_under_a_limit_of_cost_a_model_without_a_price_is_refused(tmp_path: Path) -> None:
    switched = Switched(tmp_path)
    limited = ModelSwitcher(
        switched.client,
        switched.start,
        config_path=switched.path,
        environ={},
        masker=SecretMasker(),
        is_limited=True,
    )
    with pytest.raises(UserFacingError) as refused:
        list(limited.change("unheard-of", Storing.SESSION))
    assert refused.value.code == "budget.no_price"
    assert limited.current == switched.start
