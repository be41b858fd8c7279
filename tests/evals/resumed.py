"""Journals of plans that a later turn goes on with, and what can be wrong with such a turn."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paicli.core.ops import Submit, TurnKind
from tests.app.wiring.resuming.killed import Gone, go_on, take_turn

Records = list[dict[str, Any]]

CUTS: dict[str, Callable[[list[str]], int]] = {
    "resumed": lambda kinds: kinds.index("round_committed") + 3,
    "resumed in its first round": lambda kinds: kinds.index("task_started", kinds.index("task_started") + 1) + 1,
    "resumed before its review": lambda kinds: kinds.index("plan_created") + 1,
}
"""Behind which line the process is killed."""


def resumed_journals(folder: Path) -> dict[str, Records]:
    project = folder / "project"
    project.mkdir()
    (project / "a.txt").write_text("text\n")
    whole = take_turn(Submit("目标", TurnKind.PLAN), home=folder / "home", project=project)
    lines = whole.journal.read_bytes().splitlines(keepends=True)
    kinds = [json.loads(line)["type"] for line in lines]
    gone: dict[str, Gone] = {
        name: go_on(b"".join(lines[: cut(kinds)]), folder / str(number), project)
        for number, (name, cut) in enumerate(CUTS.items())
    }
    return {name: each.records for name, each in gone.items()}


def went_on(records: Records) -> dict[str, Any]:
    return next(r for r in records if r["type"] == "plan_created" and r["cause"] == "resume")


def tasks(records: Records, *statuses: str) -> Records:
    """Of the plan that went on."""
    return [task for task in went_on(records)["view"]["tasks"] if task["status"] in statuses]


def fresh(records: Records) -> dict[str, Any]:
    return next(r for r in records if r["type"] == "plan_created" and r["cause"] == "goal")["view"]["tasks"][0]


def review_of_resumed(records: Records) -> dict[str, Any]:
    plan = went_on(records)["view"]["id"]
    return next(r for r in records if r["type"] == "plan_reviewed" and r["plan_id"] == plan)


def shown_when_resumed(records: Records) -> dict[str, Any]:
    turn = went_on(records)["turn_id"]
    return next(r for r in records if r["type"] == "plan_review_requested" and r["turn_id"] == turn)


def of_first_turn(records: Records, kind: str) -> dict[str, Any]:
    """In a journal whose plan went on."""
    went_on(records)
    return next(r for r in records if r["type"] == kind and r.get("turn_id") == "turn_1")


def insert_before_resumed(records: Records, **record: Any) -> None:
    """One event more between the turns."""
    went_on(records)
    place = next(number for number, r in enumerate(records) if r.get("turn_id") == "turn_2")
    records.insert(place, record)
    for number, each in enumerate(records, 1):
        each["seq"] = number


MUTATIONS: dict[str, list[Callable[[Records], object]]] = {
    "plan.fresh": [
        lambda r: fresh(r).update(status="COMPLETED"),
        lambda r: fresh(r).update(status="SKIPPED"),
        lambda r: fresh(r).update(was_interrupted=True),
    ],
    "resume.nothing": [
        lambda r: insert_before_resumed(r, type="plan_abandoned", plan="turn_1_plan_1"),
        lambda r: insert_before_resumed(r, type="conversation_cleared"),
        lambda r: insert_before_resumed(r, type="conversation_rewound", before_turn="turn_1"),
    ],
    "resume.plan": [
        lambda r: tasks(r, "PENDING", "COMPLETED")[0].update(description="another"),
        lambda r: went_on(r)["view"].update(goal="another"),
        lambda r: tasks(r, "PENDING")[-1].update(type="COMMAND"),
    ],
    "resume.completed": [
        lambda r: tasks(r, "COMPLETED")[0].update(status="PENDING"),
        lambda r: tasks(r, "PENDING")[-1].update(status="COMPLETED"),
        lambda r: tasks(r, "PENDING")[-1].update(status="RUNNING"),
    ],
    "resume.result": [
        lambda r: tasks(r, "COMPLETED")[0].update(result="invented"),
        lambda r: tasks(r, "COMPLETED")[-1].update(result=""),
        lambda r: of_first_turn(r, "task_completed").update(result="another"),
    ],
    "resume.interrupted": [
        lambda r: next(t for t in tasks(r, "PENDING") if t["was_interrupted"]).update(was_interrupted=False),
        lambda r: next(t for t in tasks(r, "PENDING") if not t["was_interrupted"]).update(was_interrupted=True),
        lambda r: tasks(r, "COMPLETED")[0].update(was_interrupted=True),
    ],
    "review.shown": [
        lambda r: review_of_resumed(r).update(request_id="invented"),
        lambda r: r.remove(shown_when_resumed(r)),
        lambda r: of_first_turn(r, "plan_reviewed").update(decision="stop"),
    ],
}
"""Rule → mutations that break it, as in test_e1_replay."""
