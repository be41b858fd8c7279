"""The cases as they lie on disk, and a few of them run; `make evals` runs every prepared conversation of every case."""

import json
import shutil
from pathlib import Path

import pytest
from evals.runner.case import ALL_POINTS, CASES, Case, load_cases
from evals.runner.expected import surprise
from evals.runner.running import prepared_runs, run_case

LEFT_BEHIND = {"__pycache__", ".pytest_cache", "node_modules", "dist", "build", "target", "out", ".git", ".venv"}
"""What building and testing leave in a project."""
WRITTEN_BY = {".class", ".pyc", ".o", ".so", ".jar", ".tsbuildinfo"}
FAST = ("A1", "B6", "E1", "E3")
"""Run here in part: no compiler, hardly a second each."""

EVERY_CASE = load_cases([])


def every_case(names: tuple[str, ...] = tuple(case.id for case in EVERY_CASE)) -> pytest.MarkDecorator:
    chosen = [case for case in EVERY_CASE if case.id in names]
    return pytest.mark.parametrize("case", chosen, ids=[case.id for case in chosen])


def recorded(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


@every_case()
def test_every_check_is_lost_by_some_wrong_conversation(case: Case) -> None:
    lost = {name for prepared in case.prepared for name in prepared.loses}
    assert set(case.checks) - lost == set()


@every_case()
def test_every_case_tells_its_levels_and_its_points(case: Case) -> None:
    assert case.level in {"L1", "L2", "L3"}
    assert case.points == ALL_POINTS[case.id]
    assert all(points > 0 for points in case.checks.values())
    assert case.title
    assert all(case.turns)
    assert case.workspace.is_dir()
    assert (case.folder / "grade.py").is_file()


@every_case()
def test_every_conversation_is_foretold_and_holds_replies(case: Case) -> None:
    folder = case.folder / "conversations"
    assert {each.name for each in case.prepared} == {file.stem for file in folder.iterdir()}
    for prepared in case.prepared:
        header, *replies = recorded(prepared.file)
        assert header["type"] == "paicli-recording"
        assert any("reply" in reply for reply in replies)


@every_case()
def test_no_workspace_holds_what_a_build_leaves_behind(case: Case) -> None:
    files = [path.relative_to(case.workspace) for path in case.workspace.rglob("*") if not path.is_dir()]
    assert [path for path in files if LEFT_BEHIND & set(path.parts) or path.suffix in WRITTEN_BY] == []


@every_case()
def test_a_case_that_needs_programs_says_how_to_bring_them(case: Case) -> None:
    rare = set(case.needs) - {"python3", "sh"}
    assert not rare or case.packages


def test_hidden_tests_are_no_part_of_a_workspace() -> None:
    hidden = [path for path in CASES.glob("*/hidden/**/*") if path.is_file()]
    assert len(hidden) >= 6
    for path in hidden:
        workspace = CASES / path.relative_to(CASES).parts[0] / "workspace"
        assert not any(each.name == path.name for each in workspace.rglob("*"))


@every_case(FAST)
def test_the_prepared_solution_scores_in_full(case: Case) -> None:
    for right in (each for each in case.prepared if not each.name.startswith("wrong_")):
        outcome = run_case(case, model=f"replay:{right.file}", conversation=right.name)
        assert (surprise(case, outcome), outcome.score) == ("", ALL_POINTS[case.id])


@every_case(("B2", "E4"))
def test_a_wrong_conversation_comes_to_what_is_foretold(case: Case) -> None:
    assert shutil.which("python3")
    gated = next(each for each in case.prepared if each.gate)
    outcomes = [run for run in prepared_runs([case]) if run[2] == gated.name]
    (outcome,) = [run_case(case, model=model, conversation=name) for _, model, name in outcomes]
    assert (surprise(case, outcome), outcome.score) == ("", 0.0)
    assert gated.gate in outcome.gate
