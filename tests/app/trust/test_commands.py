import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.config.command import run_config
from paicli.app.doctor.command import run_doctor
from paicli.app.streams import Streams
from paicli.app.trust.command import run_trust
from paicli.core.errors import SettingsError


class Ran(NamedTuple):
    status: int
    answer: str
    told: str


class Place:
    def __init__(self, folder: Path) -> None:
        self.project, self.home = folder / "project", folder / "home"
        (self.project / ".paicli").mkdir(parents=True)
        self.home.mkdir(mode=0o700)
        self.environ = {"PAICLI_HOME": str(self.home), "HOME": str(folder), "PAICLI_LANG": "en"}

    def put(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *argv: str) -> Ran:
        streams = Streams(io.StringIO(), io.StringIO(), io.StringIO())
        run: Callable[..., int] = {"trust": run_trust, "config": run_config, "doctor": run_doctor}[argv[0]]
        status = run(parse_command_line(list(argv)), self.environ, streams)
        assert isinstance(streams.stdout, io.StringIO)
        assert isinstance(streams.stderr, io.StringIO)
        return Ran(status, streams.stdout.getvalue(), streams.stderr.getvalue())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path.resolve())
    monkeypatch.chdir(made.project)
    return made


def test_trust_shows_keeps_lists_and_forgets(place: Place) -> None:
    root = place.project
    assert place.run("trust").answer == f"{root}: there is nothing to trust\n"
    assert place.run("trust", "yes").answer == f"{root}: there is nothing to trust\n"
    assert place.run("trust", "list").answer == "No answers yet\n"
    place.put(
        ".paicli/mcp.json",
        '{"mcpServers": {"x": {"command": "a\\u001b[31m\\nb", "args": ["c"]}, "y": {"url": "http://h"}}}',
    )
    row = "  .paicli/mcp.json: will start or connect "
    rest = " (this version does not use MCP yet)"
    rows = f"{row}x: a b c{rest}\n{row}y: http://h{rest}\n"
    assert place.run("trust").answer == f"{root}\n{rows}not decided, not used\n"
    assert place.run("trust", "yes").answer == f"{rows}{root} is trusted\n"
    assert place.run("trust").answer == f"{root}\n{rows}trusted, and unchanged since\n"
    place.put(".paicli/mcp.json", "{")
    changed = "  .paicli/mcp.json (changed): its content can't be made out\n"
    assert place.run("trust").answer == f"{root}\n{changed}changed since it was trusted, not used now\n"
    place.run("trust", "no")
    assert place.run("trust").answer.endswith("never used, and not asked about\n")
    assert place.run("trust", "list").answer == f"never  {root}\n"
    place.run("trust", "forget")
    assert place.run("trust").answer.endswith("not decided, not used\n")
    with pytest.raises(SettingsError) as raised:
        place.run("trust", "maybe")
    assert raised.value.code == "trust.usage"


def test_what_is_shown_of_each_file_holds_no_secret(place: Place) -> None:
    place.put(".env", "GLM_API_KEY=sk-secret\nPAICLI_BASE_URL=http://h/v1\n")
    place.put(
        ".paicli/config.toml", "[providers.glm]\napi_key = 'sk-secret'\n[permissions]\nallow = ['a','b','c','d','e']\n"
    )
    shown = place.run("trust").answer
    assert "sk-secret" not in shown
    assert "  .env: sets GLM_API_KEY, PAICLI_BASE_URL=http://h/v1\n" in shown
    assert "  .paicli/config.toml: sets providers.glm.api_key, permissions.allow=a, b, c, d, … (+1)\n" in shown


def test_a_long_list_of_files_is_cut(place: Place) -> None:
    for number in range(40):
        place.put(f".paicli/commands/c{number:02}.md", "x")
    rows = place.run("trust").answer.splitlines()
    assert (len(rows), rows[31]) == (33, "  … and 10 more")


def test_config_says_which_file_each_value_came_from(place: Place) -> None:
    (place.home / "config.toml").write_text(
        "[permissions]\nallow = ['read_file']\n[plan]\nparallel = 2\nmax_replans = 1\n"
    )
    place.put(".env", "PAICLI_MODEL=m\nPAICLI_BASE_URL=http://h/v1\nPAICLI_API_KEY=sk-secret\n")
    project = place.put(".paicli/config.toml", "[plan]\nparallel = 3\n[permissions]\nallow = ['web_fetch']\n")
    before = place.run("config")
    assert "not trusted, ignored: .env, .paicli/config.toml" in before.told
    assert "plan.parallel = 2" in before.answer
    place.run("trust", "yes")
    after = place.run("config")
    assert after.told == ""
    own, env = place.home / "config.toml", place.project / ".env"
    rows = {row.partition(" = ")[0]: row.partition(" = ")[2].split("  # ") for row in after.answer.splitlines()}
    found = {key: (value[0].strip(), value[1]) for key, value in rows.items()}
    assert found["plan.parallel"] == ("3", f"{project}: plan.parallel")
    assert found["plan.max_replans"] == ("1", f"{own}: plan.max_replans")
    assert found["model.model"] == ('"m"', f"{env}: PAICLI_MODEL")
    assert found["model.api_key"] == ('"***"', f"{env}: PAICLI_API_KEY")
    assert found["permissions.allow"] == (
        '["web_fetch", "read_file"]',
        f"{project}: permissions.allow, {own}: permissions.allow",
    )
    assert place.run("config", "get", "plan.parallel").answer == "3\n"
    told = place.run("config", "set", "plan.parallel", "1").told
    assert f"For now {project}: plan.parallel wins over it" in told


def test_doctor_says_whether_the_folder_is_trusted_and_names_a_wrong_file(place: Place) -> None:
    place.put(".env", "PAICLI_MODEL=m\nPAICLI_BASE_URL=http://h/v1\nPAICLI_LANG=fr\n")
    assert "not used of this folder: .env" in place.run("doctor", "--offline").answer
    place.run("trust", "yes")
    done = place.run("doctor", "--offline")
    assert done.status == 1
    assert f"{place.project / '.env'}:3:1: PAICLI_LANG: zh or en is wanted" in done.answer.replace("\n", " ")
    place.put(".env", "PAICLI_MODEL=m\nPAICLI_BASE_URL=http://h/v1\n")
    place.run("trust", "yes")
    done = place.run("doctor", "--offline")
    assert done.status == 0
    assert "custom · m" in done.answer
