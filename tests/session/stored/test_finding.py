import json
import os
from pathlib import Path

import pytest

from paicli.core.errors import SessionNotFound
from paicli.core.events import MessageAppended, ModelChanged, SessionForked, SessionRenamed
from paicli.core.messages import UserMessage
from paicli.core.ops import TurnKind
from paicli.session.stored.finding import find_session, list_sessions, newest_session, session_ids, sessions_folder
from tests.session.stored.samples import STARTED, Written

ROOT = Path("/w/proj")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = sessions_folder(tmp_path, ROOT)
    folder.mkdir(parents=True)
    return folder


def stored(folder: Path, name: str, *texts: str, changed_at: float, title: str = "") -> Path:
    session = Written(folder / f"{name}.jsonl")
    session.say(STARTED)
    for number, text in enumerate(texts, 1):
        session.begin(number, text)
        tricky = '{"seq":1,"type":"turn_started"} "type":"turn_started"'
        session.say(MessageAppended(UserMessage(tricky)), turn=f"turn_{number}", actor="react")
        session.end(number, "ok")
    if title:
        session.say(SessionRenamed(title))
    session.close()
    os.utime(folder / f"{name}.jsonl", (changed_at, changed_at))
    return folder / f"{name}.jsonl"


def test_sessions_are_listed_the_one_changed_last_first(folder: Path) -> None:
    stored(folder, "20261101-1-aaa", "first\nwords", "more", changed_at=100)
    stored(folder, "20261102-1-bbb", "other", changed_at=300, title="my title")
    stored(folder, "20261103-1-ccc", changed_at=200)
    (folder / "20261101-1-aaa.results").mkdir()
    (folder / "20261101-1-aaa.damaged").write_bytes(b"x")
    (folder / ".hidden.jsonl").write_bytes(b"x")
    found = [(each.id, each.title, each.turn_count, each.changed_at, each.model) for each in list_sessions(folder)]
    assert found == [
        ("20261102-1-bbb", "my title", 1, 300.0, "deepseek/ds-1"),
        ("20261103-1-ccc", "", 0, 200.0, "deepseek/ds-1"),
        ("20261101-1-aaa", "first words", 2, 100.0, "deepseek/ds-1"),
    ]
    assert {each.project for each in list_sessions(folder)} == {"/w/proj"}
    assert session_ids(folder) == tuple(each[0] for each in found)
    assert list_sessions(folder / "nowhere") == session_ids(folder / "nowhere") == ()


def test_the_newest_is_one_in_which_something_was_asked(folder: Path) -> None:
    assert newest_session(folder) is None
    asked = stored(folder, "a", "first", changed_at=100)
    stored(folder, "b", changed_at=300)
    (folder / "c.jsonl").write_bytes(b"\0\0\0")
    assert newest_session(folder) == asked


def test_a_session_is_found_by_its_id_or_the_beginning_of_it(tmp_path: Path, folder: Path) -> None:
    one = stored(folder, "20261101-1-aaa", "x", changed_at=1)
    other = stored(folder, "20261102-1-bbb", "x", changed_at=2)
    longer = stored(folder, "20261102-1-bbbb", "x", changed_at=3)
    assert find_session(tmp_path, ROOT, "20261101") == one
    assert find_session(tmp_path, ROOT, "20261102-1-bbb") == other
    assert find_session(tmp_path, ROOT, "20261102-1-bbbb") == longer


@pytest.mark.parametrize(
    ("wished", "code", "fields"),
    [
        ("2026", "stored.ambiguous", {"id": "2026", "ids": "20261101-1-aaa, 20261102-1-bbb"}),
        (
            "20261103-1-aaa",
            "stored.unknown_near",
            {"id": "20261103-1-aaa", "nearest": "20261101-1-aaa, 20261102-1-bbb"},
        ),
        ("zzz", "stored.unknown", {"id": "zzz"}),
        ("", "stored.unknown", {"id": ""}),
        ("../x", "stored.unknown", {"id": "../x"}),
        ("a\0b", "stored.unknown", {"id": "a\0b"}),
    ],
)
def test_what_is_not_there_is_said_with_what_comes_near(
    tmp_path: Path, folder: Path, wished: str, code: str, fields: dict[str, str]
) -> None:
    stored(folder, "20261101-1-aaa", "x", changed_at=1)
    stored(folder, "20261102-1-bbb", "x", changed_at=2)
    with pytest.raises(SessionNotFound) as raised:
        find_session(tmp_path, ROOT, wished)
    assert (raised.value.code, raised.value.fields) == (code, fields)


def test_a_session_of_another_folder_is_said_to_be_there_as_a_shell_takes_it(tmp_path: Path, folder: Path) -> None:
    there = tmp_path / "a project"
    there.mkdir()
    session = Written(folder / "20261101-1-aaa.jsonl")
    session.say(STARTED._replace(project=str(there)))
    session.close()
    with pytest.raises(SessionNotFound) as raised:
        find_session(tmp_path, Path("/w/other"), "20261101-1-aaa")
    assert (raised.value.code, raised.value.fields["project"]) == ("stored.elsewhere", f"'{there}'")


def test_a_session_whose_folder_is_gone_is_found_from_any_other_one(tmp_path: Path, folder: Path) -> None:
    journal = stored(folder, "20261101-1-aaa", "x", changed_at=1)
    assert find_session(tmp_path, Path("/w/other"), "20261101-1-aaa") == journal
    there = tmp_path / "moved here"
    there.mkdir()
    session = Written(folder / "20261102-1-bbb.jsonl")
    session.say(STARTED, SessionForked("20261101-1-aaa", 2, str(there)))
    session.close()
    with pytest.raises(SessionNotFound, match="elsewhere"):
        find_session(tmp_path, Path("/w/other"), "20261102-1-bbb")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('{"goal": "tidy\\nthe tests", "tasks": []}', "tidy the tests"),
        ('{"goal": 1}', ""),
        ("[]", ""),
        ("{", ""),
        ("[" * 100_000, ""),
    ],
)
def test_a_session_that_ran_a_stored_plan_is_called_by_its_goal(folder: Path, text: str, title: str) -> None:
    session = Written(folder / "s.jsonl")
    session.say(STARTED)
    session.begin(1, text, TurnKind.PLAN_FILE)
    session.close()
    (summary,) = list_sessions(folder)
    assert summary.title == title


def test_a_list_shows_what_whole_reading_would(folder: Path) -> None:
    session = Written(folder / "s.jsonl")
    session.say(STARTED)
    session.begin(1, "{}", TurnKind.PLAN_FILE)
    session.say(ModelChanged("glm", "glm-5"))
    session.begin(2, "二")
    session.close()
    (summary,) = list_sessions(folder)
    lines = [json.loads(line) for line in (folder / "s.jsonl").read_bytes().splitlines()]
    assert summary.turn_count == sum(line["type"] == "turn_started" for line in lines)
    assert (summary.title, summary.model, summary.size_bytes) == (
        "二",
        "glm/glm-5",
        (folder / "s.jsonl").stat().st_size,
    )
