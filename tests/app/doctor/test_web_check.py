from pathlib import Path

import pytest

from paicli.app.config.config_file import read_config
from paicli.app.doctor.web_check import check_web_search
from paicli.core.catalogue.lookup import Language, Texts


@pytest.mark.parametrize(
    ("text", "environ", "code", "verdict"),
    [
        ("", {}, "doctor.web_unset", "ok"),
        ("", {"TAVILY_API_KEY": "secret-1"}, "doctor.web_search", "ok"),
        ('[web]\nsearch = "off"', {"TAVILY_API_KEY": "secret-1"}, "doctor.web_off", "ok"),
        ('[web]\nsearch = "brave"', {}, "doctor.web_no_key", "warn"),
        ('[web]\nsearch = "searxng"', {}, "doctor.web_no_url", "warn"),
        ("", {"TAVILY_API_KEY": "not a key"}, "llm.key_malformed", "bad"),
        ('[web]\nallow_hosts = ["a b"]', {}, "settings.web_host_unusable", "bad"),
    ],
)
def test_the_search_is_examined_without_a_request(
    text: str, environ: dict[str, str], code: str, verdict: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    finding = check_web_search(environ, read_config(path))
    said = Texts(Language.EN).screen(finding.what.code, **dict(finding.what.fields))
    assert (finding.what.code, finding.verdict.value) == (code, verdict)
    assert not any(value in said for value in environ.values())
