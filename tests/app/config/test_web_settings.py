from pathlib import Path

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.config.config_file import KEYS, read_config
from paicli.app.config.listing import Setting, effective_settings
from paicli.app.config.resolution import known_secrets, resolve_settings
from paicli.app.config.web_settings import ChosenSearch, choose_search
from paicli.app.settings import Settings
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import SettingsError
from paicli.policy.network.guard import AllowedHost
from paicli.tools.web.search.providers import PROVIDERS, SearchChoice

MODEL = '[model]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return path


def chosen(tmp_path: Path, text: str = "", **environ: str) -> ChosenSearch:
    return choose_search(environ, read_config(written(tmp_path, text)))


def resolved(tmp_path: Path, text: str, **environ: str) -> Settings:
    written(tmp_path, MODEL + text)
    return resolve_settings(parse_command_line([]), {"PAICLI_HOME": str(tmp_path), **environ}).settings


@pytest.mark.parametrize(
    ("text", "environ", "choice"),
    [
        ("", {}, SearchChoice()),
        ("", {"TAVILY_API_KEY": " k1 "}, SearchChoice("tavily", "k1")),
        ("", {"BRAVE_API_KEY": "k2", "GLM_API_KEY": "g"}, SearchChoice("brave", "k2")),
        ("", {"SERPAPI_API_KEY": "k3"}, SearchChoice("serpapi", "k3")),
        ("", {"GLM_API_KEY": "g"}, SearchChoice("zhipu", "g")),
        ('[providers.glm]\napi_key = "filed"', {}, SearchChoice("zhipu", "filed")),
        ('[web]\nsearch = "zhipu"', {"GLM_API_KEY": "g", "TAVILY_API_KEY": "k1"}, SearchChoice("zhipu", "g")),
        ('[web]\nsearch = "zhipu"\napi_key = "own"', {}, SearchChoice("zhipu", "own")),
        ('[web]\nsearch = "tavily"\napi_key = "filed"', {"TAVILY_API_KEY": "k1"}, SearchChoice("tavily", "k1")),
        ('[web]\nsearch = "brave"\napi_key = "filed"', {"TAVILY_API_KEY": "k1"}, SearchChoice("brave", "filed")),
        ('[web]\nsearch = "brave"', {"TAVILY_API_KEY": "k1"}, SearchChoice("brave")),
        (
            '[web]\nsearch = "searxng"\nbase_url = "http://127.0.0.1:8888"',
            {"TAVILY_API_KEY": "k1"},
            SearchChoice("searxng", "", "http://127.0.0.1:8888"),
        ),
        ('[web]\nbase_url = "http://127.0.0.1:8888"', {}, SearchChoice("searxng", "", "http://127.0.0.1:8888")),
        ('[web]\nsearch = "searxng"', {}, SearchChoice("searxng")),
        ('[web]\nsearch = "off"', {"TAVILY_API_KEY": "k1"}, SearchChoice()),
        ("", {"TAVILY_API_KEY": "  "}, SearchChoice()),
    ],
)
def test_a_service_is_named_or_known_by_its_key(
    text: str, environ: dict[str, str], choice: SearchChoice, tmp_path: Path
) -> None:
    assert chosen(tmp_path, text, **environ).choice == choice


@pytest.mark.parametrize(
    ("choice", "missing"),
    [
        (SearchChoice(), "provider"),
        (SearchChoice("tavily"), "key"),
        (SearchChoice("tavily", "k"), ""),
        (SearchChoice("searxng"), "url"),
        (SearchChoice("searxng", base_url="http://x"), ""),
    ],
)
def test_a_choice_says_what_it_lacks(choice: SearchChoice, missing: str) -> None:
    assert choice.missing == missing


def test_the_source_of_a_choice_is_told(tmp_path: Path) -> None:
    assert chosen(tmp_path, TAVILY_API_KEY="k").source == "TAVILY_API_KEY"
    assert chosen(tmp_path, '[web]\nsearch = "tavily"\napi_key = "k"').source.endswith("config.toml: web.api_key")


def test_a_key_that_can_be_none_names_its_source_and_not_its_value(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        chosen(tmp_path, TAVILY_API_KEY="two words")
    assert caught.value.fields == {"source": "TAVILY_API_KEY"}


def test_every_service_may_be_named_in_the_file() -> None:
    assert [KEYS["web.search"].fits(name) for name in (*PROVIDERS, "off")] == [True] * 6
    assert KEYS["web.search"].fits("google") is False


def test_keys_of_search_services_are_masked_and_kept_from_children(tmp_path: Path) -> None:
    settings = resolved(
        tmp_path, '[web]\napi_key = "filed-key-1"\n', TAVILY_API_KEY="key-of-tavily", GLM_API_KEY="glm-1"
    )
    assert {"filed-key-1", "key-of-tavily", "glm-1"} <= set(settings.secrets)
    assert {"TAVILY_API_KEY", "BRAVE_API_KEY", "SERPAPI_API_KEY", "GLM_API_KEY"} <= settings.secret_variables
    assert "key-of-brave" in known_secrets({"BRAVE_API_KEY": "key-of-brave"})
    assert settings.web_search.provider == "tavily"


def test_hosts_beyond_the_public_ones_are_read(tmp_path: Path) -> None:
    settings = resolved(tmp_path, '[web]\nallow_hosts = ["wiki.corp", "10.0.0.0/8"]\n')
    assert settings.web_allow_hosts == (AllowedHost("wiki.corp"), AllowedHost.parse("10.0.0.0/8"))
    assert resolved(tmp_path, "").web_allow_hosts == ()


def test_what_is_no_host_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        resolved(tmp_path, '[web]\nallow_hosts = ["http://x/y"]\n')
    assert (caught.value.code, caught.value.fields["entry"]) == ("settings.web_host_unusable", "http://x/y")


def test_a_service_chosen_by_its_key_is_listed_with_where_it_came_from(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, MODEL))
    texts = Texts(Language.EN)
    listed = effective_settings({"BRAVE_API_KEY": "key-of-brave"}, config, texts).find("web.search")
    assert listed == Setting("web.search", "brave", "BRAVE_API_KEY")
    assert effective_settings({}, config, texts).find("web.search") is None
    named = read_config(written(tmp_path, MODEL + '[web]\nsearch = "tavily"\n'))
    listed = effective_settings({"BRAVE_API_KEY": "key-of-brave"}, named, texts).find("web.search")
    assert listed == Setting("web.search", "tavily", f"{named.path}: web.search")
