from pathlib import Path

import pytest

from paicli.app.trust.dotenv import settings_of, used
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault

PATH = Path("/p/.env")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PAICLI_MODEL=m", {"PAICLI_MODEL": "m"}),
        (
            "\ufeffexport PAICLI_MODEL = m # which\r\nPAICLI_PROVIDER=glm",
            {"PAICLI_MODEL": "m", "PAICLI_PROVIDER": "glm"},
        ),
        ("# PAICLI_MODEL=m\n  #x\n\nOTHER=1\n", {}),
        ("PAICLI_MODEL='a # b' # c", {"PAICLI_MODEL": "a # b"}),
        ('PAICLI_MODEL="a\\"b\\n\\\\c"', {"PAICLI_MODEL": 'a"b\n\\c'}),
        ("PAICLI_MODEL='a\\n'", {"PAICLI_MODEL": "a\\n"}),
        ("PAICLI_MODEL=a#b", {"PAICLI_MODEL": "a#b"}),
        ("PAICLI_MODEL=#b", {"PAICLI_MODEL": ""}),
        ("PAICLI_MODEL=a\nPAICLI_MODEL=b", {"PAICLI_MODEL": "b"}),
        ("PAICLI_MODEL=$HOME", {"PAICLI_MODEL": "$HOME"}),
        ('PEM="-----\nPAICLI_MODEL=inside\n-----"\nGLM_API_KEY=k', {"GLM_API_KEY": "k"}),
        ("OTHER='open\nGLM_API_KEY=k", {"GLM_API_KEY": "k"}),
        ("PAICLI_HOME=/evil\nPATH=/evil\nHTTPS_PROXY=http://evil\nDATABASE_URL=x", {}),
        ("no assignment\nPAICLI_MODEL\n=x\n1A=b\n", {}),
        ("PAICLI_MODEL=", {"PAICLI_MODEL": ""}),
    ],
)
def test_only_what_concerns_paicli_is_read(text: str, expected: dict[str, str]) -> None:
    assert dict(used(text.encode())) == expected


def test_variables_become_settings_under_their_own_names() -> None:
    raw = (
        b"PAICLI_PROVIDER=kimi\nKIMI_API_KEY= k1 \nMOONSHOT_API_KEY=k2\nPAICLI_LANG=en_US\nPAICLI_PLAN_MAX_REPLANS=0\n"
    )
    config = settings_of(PATH, raw)
    assert dict(config.values) == {
        "model.provider": "kimi",
        "providers.kimi.api_key": "k1",
        "ui.language": "en",
        "plan.max_replans": 0,
    }
    assert config.source_of("providers.kimi.api_key") == "/p/.env: KIMI_API_KEY"
    assert config.warnings == ()


def test_a_variable_that_a_folder_may_not_set_is_said_with_its_place() -> None:
    config = settings_of(PATH, b"A=1\n  export PAICLI_HOME=/tmp\nPAICLI_MODEL=\n")
    where = (("path", "/p/.env"), ("line", "2"), ("column", "10"), ("key", "PAICLI_HOME"))
    assert (dict(config.values), config.warnings) == ({}, (Fault("settings.env_unknown", where),))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("\nPAICLI_MODEL='a", "settings.env_quote", "2"),
        ('PAICLI_MODEL="a" b', "settings.env_quote", "1"),
        ("PAICLI_LANG=fr", "settings.config_wants_language", "1"),
        ("A=1\nB=2\nPAICLI_PLAN_MAX_REPLANS=many", "settings.config_wants_replans", "3"),
    ],
)
def test_a_wrong_value_is_an_error_with_line_column_and_name(text: str, code: str, line: str) -> None:
    with pytest.raises(SettingsError) as raised:
        settings_of(PATH, text.encode())
    assert raised.value.code == code
    assert (raised.value.fields["path"], raised.value.fields["line"], raised.value.fields["column"]) == (
        "/p/.env",
        line,
        "1",
    )
    assert str(raised.value.fields["key"]).startswith("PAICLI_")
