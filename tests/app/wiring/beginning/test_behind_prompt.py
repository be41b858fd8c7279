import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paicli.app.settings import ModelSettings, SessionKind, Settings
from paicli.app.wiring.assembly import Assembly
from paicli.app.wiring.beginning.behind_prompt import LateAssembly, assemble_behind_prompt
from paicli.app.wiring.beginning.front import Front, open_front
from paicli.core.catalogue.lookup import Language
from paicli.core.errors import SettingsError
from paicli.core.events import Notice, SessionFinished, SessionStarted
from paicli.core.ops import Cancel, Mode, Op, Queue, SetMode, Submit
from tests.fakes.scripted_assembly import ScriptedAssembly
from tests.patience import PATIENCE_S


class Quiet(ScriptedAssembly):
    """Keeps what it is given and plays no script."""

    def submit(self, op: Op) -> None:
        self.ops.append(op)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    model = ModelSettings("custom", "m", "http://localhost:9/v1", "sk-1234567890")
    return Settings(Language.EN, tmp_path / ".paicli", tmp_path / "project", model)


def late(settings: Settings) -> LateAssembly:
    return LateAssembly(open_front(settings, SessionKind.INTERACTIVE))


def assembled_by(make: Callable[[Front], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paicli.app.wiring.assembly.assemble_behind", make)
    monkeypatch.setattr("paicli.app.wiring.beginning.behind_prompt.collect_again", lambda: None)


def test_what_is_submitted_before_the_engine_stands_begins_it_and_is_handed_on_in_order(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on, made = threading.Event(), Quiet(lambda engine: None)

    def make(front: Front) -> Quiet:
        assert may_go_on.wait(PATIENCE_S)
        return made

    assembled_by(make, monkeypatch)
    session = late(settings)
    ops: list[Op] = [SetMode(Mode.ASK), Submit("one"), Queue("two"), Cancel()]
    for op in ops:
        session.submit(op)
    assert made.ops == []
    may_go_on.set()
    session.settle().result(PATIENCE_S)
    session.submit(Submit("three"))
    assert made.ops == [*ops, Submit("three")]
    session.close()
    assert made.is_closed


def test_a_question_waits_for_somebody_who_answers(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    class Answering(Quiet):
        queries: Any = Path("/answers")

    assembled_by(lambda front: Answering(lambda engine: None), monkeypatch)
    queries: Any = late(settings).queries
    assert queries.name == "answers"


def test_a_session_that_is_left_before_anything_began_leaves_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assembled_by(lambda front: pytest.fail("assembled"), monkeypatch)
    late(settings).close()
    assert [path for path in settings.home.rglob("*") if path.is_file()] == []


def test_what_goes_wrong_behind_the_prompt_is_in_the_future_and_closing_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(front: Front) -> None:
        raise SettingsError("settings.home_unwritable", path="x", reason="full")

    assembled_by(fail, monkeypatch)
    session = late(settings)
    assert isinstance(session.settle().exception(PATIENCE_S), SettingsError)
    session.close()


def test_whoever_listens_hears_the_start_the_faults_and_the_end(settings: Settings) -> None:
    (settings.home / "commands").mkdir(parents=True)
    (settings.home / "commands" / "broken.md").write_bytes(b"\xff")
    session = assemble_behind_prompt(settings)
    assert isinstance(session, LateAssembly)
    assert session.warnings == ()
    heard: list[object] = []
    session.events.subscribe(lambda event: heard.append(event.body))
    session.settle().result(PATIENCE_S)
    session.close()
    kinds = [type(body) for body in heard]
    assert kinds == [SessionStarted, Notice, SessionFinished]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"tool_names": ("read_fiel",)}, "settings.tool_unknown"),
        ({"allow_rules": ("read_file(",)}, "policy.rule_syntax"),
        ({"deny_rules": ("no_such_tool",)}, "policy.rule_unknown_tool"),
        ({"ask_rules": ("no_such_tool",)}, "policy.rule_unknown_tool"),
        ({"added_folders": (Path("/no/such/folder"),)}, "policy.added_folder_missing"),
        ({"record": Path("/no/such/folder/record.jsonl")}, "settings.record_unwritable"),
        ({"home": Path("/proc/paicli")}, "settings.home_unwritable"),
    ],
)
def test_what_settings_can_cause_is_said_before_anything_is_shown(
    settings: Settings, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        assemble_behind_prompt(settings._replace(**changes))
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("origins", "where"), [((("nope", "/h/c.toml: permissions.deny"),), "/h/c.toml: permissions.deny: "), ((), "")]
)
def test_a_rule_that_is_none_is_told_with_what_brought_it(
    settings: Settings, origins: tuple[tuple[str, str], ...], where: str
) -> None:  # C75
    with pytest.raises(SettingsError) as raised:
        assemble_behind_prompt(settings._replace(deny_rules=("nope",), rule_origins=origins))
    assert raised.value.fields == {"rule": "nope", "where": where}


def test_a_prompt_file_that_can_not_be_read_is_said_before_anything_is_shown(settings: Settings) -> None:
    (settings.home / "prompts" / "tools" / "read_file.md").mkdir(parents=True)
    with pytest.raises(SettingsError) as raised:
        assemble_behind_prompt(settings)
    assert raised.value.code == "settings.prompt_no_file"


def test_right_rules_are_put_together_at_once(settings: Settings) -> None:
    session = assemble_behind_prompt(settings._replace(allow_rules=("read_file",)))
    assert isinstance(session, Assembly)
    session.close()
