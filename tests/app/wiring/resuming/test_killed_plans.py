# A plan outlives a kill: its journal is cut behind every line, and within lines, and the session goes on from there.
import json
from pathlib import Path
from typing import Any

import pytest
from evals.e1_replay import check

from paicli.core.catalogue.lookup import model_text
from paicli.core.events import TurnStatus
from paicli.core.ops import Submit, TurnKind
from paicli.session.stored.plans import PlanHistory
from paicli.session.stored.reading import session_of
from tests.app.wiring.resuming.killed import NAMES, Gone, go_on, take_turn

Records = list[dict[str, Any]]
INTERRUPTED = model_text("task.interrupted")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project").resolve()
    (folder / "a.txt").write_text("text\n")
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Gone:
    return take_turn(Submit("目标", TurnKind.PLAN), home=tmp_path_factory.mktemp("home"), project=project)


def results(text: str) -> list[str]:
    """The summary without its line of figures."""
    return text.split("\n")[:-1]


def of(records: Records, *kinds: str) -> set[str]:
    return {record.get("task_id", "") for record in records if record["type"] in kinds}


def is_over(records: Records) -> bool:
    heard = [r for r in records if r["type"] == "message_appended" and r["actor"] == "react"]
    return "turn_finished" in {r["type"] for r in records} or any(
        r["message"]["type"] == "assistant_message" for r in heard
    )


def assert_went_on(gone: Gone, cut: bytes, before: Records, whole: Gone) -> None:
    made = bool(of(before, "plan_created"))
    assert gone.journal.read_bytes().startswith(cut)
    assert check(gone.records) == []
    if not made or is_over(before):
        assert (gone.turn.status, gone.turn.fault and gone.turn.fault.code) == (TurnStatus.FAILED, "resume.nothing")
        assert (gone.model.plans, gone.model.asked) == (0, [])
        return
    done = of(before, "task_completed")
    left = sorted(set(NAMES.values()) - done)
    assert gone.turn.status is TurnStatus.COMPLETED
    assert results(gone.turn.text) == results(whole.turn.text)
    assert gone.model.plans == 0
    assert sorted(gone.model.asked) == sorted(left * 2)  # its file, its result; nothing of what was done
    assert gone.review_count == (0 if of(before, "plan_reviewed") else 1)
    begun = of(before, "task_started") - done
    assert {name for name, told in gone.model.told.items() if INTERRUPTED in told} == begun
    if "task_3" in gone.model.told:
        plain = gone.model.told["task_3"].replace(f"{INTERRUPTED}\n", "")
        assert plain == whole.model.told["task_3"]
    said = [r["message"]["content"] for r in gone.records if r["type"] == "message_appended" and r["actor"] == "react"]
    assert said[-2:] == ["目标", gone.turn.text]


def test_killed_behind_any_line_a_plan_goes_on_where_it_was(tmp_path: Path, project: Path, whole: Gone) -> None:
    lines = whole.journal.read_bytes().splitlines(keepends=True)
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds.count("round_committed") == 2
    assert kinds.count("tool_finished") == 3
    for count in range(1, len(lines) + 1):
        cut = b"".join(lines[:count])
        before = [json.loads(line) for line in lines[:count]]
        assert_went_on(go_on(cut, tmp_path / str(count), project), cut, before, whole)


@pytest.mark.parametrize("kind", ["plan_created", "task_completed", "round_committed", "plan_finished"])
def test_killed_within_a_line_a_plan_goes_on_as_if_it_had_not_been_begun(
    tmp_path: Path, project: Path, whole: Gone, kind: str
) -> None:
    lines = whole.journal.read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if json.loads(line)["type"] == kind)
    before, torn = b"".join(lines[:at]), lines[at]
    left = PlanHistory(session_of(whole.journal, before).events).unfinished
    for size in range(1, len(torn) - 1, max(1, len(torn) // 300)):  # without its last brace it is no record
        assert PlanHistory(session_of(whole.journal, before + torn[:size]).events).unfinished == left
    for size in (1, len(torn) // 2, len(torn) - 2, len(torn) - 1):
        cut = before + torn[:size]
        is_whole = size == len(torn) - 1  # only its end is missing
        records = [json.loads(line) for line in lines[: at + is_whole]]
        assert_went_on(go_on(cut, tmp_path / str(size), project), cut, records, whole)


def test_killed_again_while_it_goes_on_a_plan_goes_on_again(tmp_path: Path, project: Path, whole: Gone) -> None:
    lines = whole.journal.read_bytes().splitlines(keepends=True)
    kinds = [json.loads(line)["type"] for line in lines]
    first = b"".join(lines[: kinds.index("task_started") + 2])
    second = go_on(first, tmp_path / "first", project).journal.read_bytes()
    resumed = second.splitlines(keepends=True)
    for count in range(len(first.splitlines()), len(resumed) + 1):
        cut = b"".join(resumed[:count])
        before = [json.loads(line) for line in resumed[:count]]
        gone = go_on(cut, tmp_path / str(count), project)
        assert check(gone.records) == []
        if is_over(before):
            assert gone.model.asked == []
            continue
        done = of(before, "task_completed")
        assert results(gone.turn.text) == results(whole.turn.text)
        assert set(gone.model.asked) == set(NAMES.values()) - done
        begun = of(before, "task_started") - done
        assert {name for name, told in gone.model.told.items() if INTERRUPTED in told} == begun
        assert gone.review_count == 0
