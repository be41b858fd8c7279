"""The runner on small cases of its own: what scores, what loses, what zeroes, what is no evidence."""

import json
import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from evals.__main__ import is_as_wished, main, run_all
from evals.runner import case as cases
from evals.runner.case import Case, CaseBroken, load_case, load_cases
from evals.runner.evidence import Evidence, matches
from evals.runner.report import Report, as_html, as_json, as_junit, table
from evals.runner.running import Outcome, Status, run_case

GRADE = """
from evals.runner.evidence import Check


def grade(run):
    yield Check("answer", run.answer == "42", f"answer {run.answer!r}")
    yield Check("file", run.text("out.txt") == "42\\n", f"out.txt {run.text('out.txt')!r}")
"""
TOML = """
id = "{id}"
title = "a small one"
level = "L1"
prepared = [
    {{ name = "solution" }},
    {{ name = "wrong_answer", loses = ["answer"] }},
    {{ name = "wrong_place", gate = "changed kept.txt" }},
]
{more}

[checks]
answer = 0.5
file = 1.5

[gates]
may_change = ["out.txt"]
"""


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_calls": [{"id": "a", "name": name, "arguments": arguments}]}


def write_case(folder: Path, *, more: str = "", toml: str = TOML, grade: str = GRADE) -> Path:
    for part in ("workspace", "conversations"):
        (folder / part).mkdir(parents=True)
    (folder / "workspace" / "kept.txt").write_text("kept\n")
    (folder / "task.md").write_text("what is it?\n")
    (folder / "grade.py").write_text(grade)
    (folder / "case.toml").write_text(toml.format(id=folder.name, more=more))
    good = call("write_file", path="out.txt", content="42\n")
    stray = [call("read_file", path="kept.txt"), call("write_file", path="kept.txt", content="lost\n")]
    talks = {
        "solution": [good, {"content": "42"}],
        "wrong_answer": [good, {"content": "43"}],
        "wrong_place": [good, *stray, {"content": "42"}],
    }
    for name, replies in talks.items():
        rows = [{"type": "paicli-recording", "version": 1}, *({"actor": "react", "reply": r} for r in replies)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "conversations" / f"{name}.jsonl").write_text(text)
    return folder


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return load_case(write_case(tmp_path / "A2"))


def test_the_solution_scores_in_full_and_the_wrong_ones_lose_what_is_foretold(case: Case) -> None:
    report = run_all([case], model="", jobs=2, keep=None)
    assert {each.conversation: (each.status, each.score, each.lost, each.gate) for each in report.outcomes} == {
        "solution": (Status.GRADED, 2.0, (), ""),
        "wrong_answer": (Status.GRADED, 1.5, ("answer",), ""),
        "wrong_place": (Status.GRADED, 0.0, (), "changed kept.txt"),
    }
    assert (report.surprises, is_as_wished(report)) == ({}, True)
    assert [each.tool_calls for each in report.outcomes] == [1, 1, 3]
    assert "3 of 3 runs as foretold, 2 of them wrong on purpose" in table(report)


def test_a_run_that_differs_from_what_is_foretold_is_named_and_fails(case: Case) -> None:
    solution, wrong, _ = case.prepared
    foretold = case._replace(prepared=(solution._replace(file=wrong.file), wrong._replace(loses=("file",))))
    report = run_all([foretold], model="", jobs=1, keep=None)
    assert set(report.surprises) == {("A2", "solution"), ("A2", "wrong_answer")}
    assert not is_as_wished(report)
    assert "NOT AS FORETOLD" in table(report)
    suite = ElementTree.fromstring(as_junit(report))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")


def test_a_run_without_evidence_is_invalid_and_not_zero(case: Case, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"type": "paicli-recording", "version": 1}\n')
    outcome = run_case(case, model=f"replay:{empty}")
    assert (outcome.status, outcome.score) == (Status.INVALID, 0.0)
    assert "the turn failed" in outcome.why
    report = Report(f"replay:{empty}", (case,), (outcome,), {}, 0.0)
    assert not is_as_wished(report)
    assert "0 of 0 points in 0 graded runs" in table(report)


def test_a_case_whose_programs_are_missing_is_skipped_and_never_passed(tmp_path: Path) -> None:
    more = 'needs = ["no-such-program"]\npackages = "apt: none"'
    case = load_case(write_case(tmp_path / "A3", more=more))
    report = run_all([case], model="", jobs=1, keep=None)
    assert {each.status for each in report.outcomes} == {Status.SKIPPED}
    assert "SKIPPED(missing no-such-program; apt: none): A3" in table(report)
    assert "0 of 0 runs as foretold" in table(report)
    assert ElementTree.fromstring(as_junit(report)).get("skipped") == "3"
    assert json.loads(as_json(report))["points"] == 0


def test_the_page_opens_from_disk_and_names_every_run(case: Case) -> None:
    report = run_all([case], model="", jobs=2, keep=None)
    page = as_html(report)
    assert "http" not in page
    assert page.count("<tr>") == 1 + len(report.outcomes)
    assert "says nothing of a model" in page


def test_a_session_of_several_turns_is_one_run(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "A4")
    (folder / "task.md").write_text("first\nwith two lines\n---\nsecond\n")
    case = load_case(folder)
    talk = tmp_path / "talk.jsonl"
    replies = [{"content": "noted"}, call("write_file", path="out.txt", content="42\n"), {"content": "42"}]
    rows = [{"type": "paicli-recording", "version": 1}, *({"actor": "react", "reply": r} for r in replies)]
    talk.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = run_case(case, model=f"replay:{talk}", keep=tmp_path / "kept")
    assert (outcome.status, outcome.score, outcome.steps) == (Status.GRADED, 2.0, 3)
    (journal,) = (tmp_path / "kept").rglob("sessions/*/*.jsonl")
    said = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [r["text"] for r in said if r["type"] == "turn_started"] == ["first with two lines", "second"]


@pytest.mark.parametrize(
    ("toml", "grade", "said"),
    [
        (TOML.replace("1.5", "1.0"), GRADE, "add up to 1.5, not 2"),
        (TOML.replace('["answer"]', '["style"]'), GRADE, "loses unknown checks"),
        (TOML.replace("title", "tittle"), GRADE, "unknown keys ['tittle']"),
        (TOML.replace('{{ name = "wrong_place", gate = "changed kept.txt" }},', ""), GRADE, "at least two wrong ones"),
        (TOML.replace('"solution"', '"other_way"'), GRADE, "a prepared solution first"),
        (TOML.replace('"wrong_answer"', '"other_answer"'), GRADE, "['other_answer']: what loses something"),
        ("id = ", GRADE, "case.toml: TOMLDecodeError"),
    ],
)
def test_a_broken_case_is_said_with_its_place(tmp_path: Path, toml: str, grade: str, said: str) -> None:
    folder = write_case(tmp_path / "A2", toml=toml, grade=grade)
    with pytest.raises(CaseBroken, match=None) as raised:
        load_case(folder)
    assert said in str(raised.value)


def test_a_grader_that_leaves_a_check_out_is_broken(tmp_path: Path) -> None:
    case = load_case(write_case(tmp_path / "A2", grade=GRADE.rpartition("    yield")[0]))
    with pytest.raises(CaseBroken, match="yields \\['answer'\\]"):
        run_all([case], model="", jobs=1, keep=None)


def test_wrong_usage_is_told_in_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: Any, tmp_path: Path) -> None:
    write_case(tmp_path / "A2")
    monkeypatch.setattr(cases, "CASES", tmp_path)
    assert main(["run", "--case", "Z9"]) == 2
    assert capsys.readouterr().err == "no case Z9; there are A2\n"
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "A2  L1  2  a small one\n"


@pytest.mark.parametrize(
    ("path", "patterns", "expected"),
    [
        ("a/b.py", ("a/*.py",), True),
        ("a/c/b.py", ("a/*.py",), False),
        ("a/c/b.py", ("a/**/*.py",), True),
        ("a/b.py", ("a/**/*.py",), True),
        ("a/b/c", ("a/**",), True),
        ("ab", ("a",), False),
        ("x", (), False),
    ],
)
def test_patterns_of_paths(path: str, patterns: tuple[str, ...], expected: bool) -> None:
    assert matches(path, patterns) is expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ('text\n```json\n{"a": 1}\n```\n', {"a": 1}),
        ('Here: {"a": [1]} done', {"a": [1]}),
        ("[1, 2]", [1, 2]),
        ("no json", None),
        ("", None),
    ],
)
def test_json_in_an_answer(answer: str, expected: object, tmp_path: Path) -> None:
    run = Evidence(workspace=tmp_path, pristine=tmp_path, records=[], answer=answer, folder=tmp_path)
    assert run.json_answer == expected


def test_the_cases_that_are_there_are_whole() -> None:
    assert {case.id for case in load_cases([])} <= set(cases.ALL_POINTS)
    assert sum(cases.ALL_POINTS.values()) == 100
    assert len(cases.ALL_POINTS) == 28


HIDDEN = """
import unittest
import warnings


class fine(unittest.TestCase):
    def test_a(self):
        warnings.warn("this gives the module a name while it is looked through", DeprecationWarning)


class broken(unittest.TestCase):
    def test_a(self):
        import out

        self.assertEqual(out.VALUE, 42)


class empty(unittest.TestCase):
    pass
"""


def test_hidden_tests_give_a_verdict_for_each_group_and_silence_is_no_pass(tmp_path: Path) -> None:
    workspace, tests = tmp_path / "workspace", tmp_path / "case" / "test_hidden.py"
    for folder in (workspace, tests.parent):
        folder.mkdir()
    (workspace / "out.py").write_text("VALUE = 41\n")
    tests.write_text(HIDDEN)
    run = Evidence(workspace=workspace, pristine=workspace, records=[], answer="", folder=tmp_path)
    verdicts = run.hidden_python(tests)
    assert verdicts.groups == {
        "fine": "",
        "broken": "test_a: AssertionError: 41 != 42",
        "empty": "no tests",
    }
    assert [verdicts.check(name).passed for name in ("fine", "broken", "empty", "absent")] == [
        True,
        False,
        False,
        False,
    ]
    assert verdicts.check("other", "fine") == ("other", True, "")
    tests.write_text("raise SystemExit(3)\n")
    assert run.hidden_python(tests).groups == {}
    assert sorted(path.name for path in workspace.iterdir()) == ["out.py"]


def test_a_gate_of_the_grader_makes_the_case_zero(tmp_path: Path) -> None:
    grade = GRADE + "\n\ndef gate(run):\n    return 'too many words' if run.answer == '43' else ''\n"
    case = load_case(write_case(tmp_path / "A2", grade=grade))
    outcomes = {
        each.conversation: (each.score, each.gate) for each in run_all([case], model="", jobs=2, keep=None).outcomes
    }
    assert outcomes["solution"] == (2.0, "")
    assert outcomes["wrong_answer"] == (0.0, "too many words")


def test_a_grader_at_a_loss_costs_its_own_run_only_and_no_gate(tmp_path: Path) -> None:
    grade = GRADE.replace('run.answer == "42"', 'run.answer.index("42") == 0')
    grade = grade.replace("def grade(run):", "def grade(run):\n    ['kept\\n'].index(run.text('kept.txt'))")
    case = load_case(write_case(tmp_path / "A2", grade=grade))
    found = {each.conversation: each for each in run_all([case], model="", jobs=2, keep=None).outcomes}
    assert found["solution"].score == 2.0
    assert found["wrong_answer"].status is Status.INVALID
    assert "A2/grade.py: ValueError: substring not found" in found["wrong_answer"].why
    assert (found["wrong_place"].status, found["wrong_place"].gate) == (Status.GRADED, "changed kept.txt")
    assert found["wrong_place"].score == 0.0


def test_what_no_xml_may_hold_breaks_no_report(case: Case) -> None:
    outcome = Outcome("A2", "solution", Status.INVALID, why="said \x1b[31mno\x00\ufffe\ud800 <&> 好")
    report = Report("", (case,), (outcome,), {("A2", "solution"): "x"}, 0.0)
    (error,) = ElementTree.fromstring(as_junit(report)).iter("error")
    assert error.get("message") == "said \ufffd[31mno\ufffd\ufffd\ufffd <&> 好"


TEST_FILE = """import unittest


class T(unittest.TestCase):
    def test_a(self):
        {a}

    def test_b(self):
        pass
"""


@pytest.mark.parametrize(
    ("text", "passed", "said"),
    [
        (TEST_FILE.format(a="self.assertTrue(True)"), True, ""),
        (TEST_FILE.format(a="self.fail()"), False, "FAILED (failures=1)"),
        (TEST_FILE.format(a="self.skipTest('no')"), False, "'skipped=1' in what they said"),
        (TEST_FILE.partition("\n    def test_b")[0].format(a="pass"), False, "1 tests are left of 2"),
    ],
)
def test_tests_that_fail_are_skipped_or_were_taken_away_are_no_pass(
    text: str, passed: bool, said: str, tmp_path: Path
) -> None:
    run = Evidence(
        workspace=tmp_path / "workspace", pristine=tmp_path / "pristine", records=[], answer="", folder=tmp_path
    )
    for root, written in ((run.pristine, TEST_FILE.format(a="pass")), (run.workspace, text)):
        (root / "tests").mkdir(parents=True)
        (root / "tests" / "test_t.py").write_text(written)
    found = run.own_tests(sys.executable, "-m", "unittest", "discover", "-s", "tests")
    assert (found.name, found.passed) == ("own_tests", passed)
    assert said in found.why


def test_a_program_without_an_end_ends_with_all_that_it_started(tmp_path: Path) -> None:
    run = Evidence(workspace=tmp_path, pristine=tmp_path, records=[], answer="", folder=tmp_path)
    status, said = run.run("sh", "-c", "sleep 60 & echo $! > pid; wait", timeout_s=0.3)
    assert (status, said) == (124, "no end after 0.3 s")
    with pytest.raises(ProcessLookupError):
        end_of(int((tmp_path / "pid").read_text()))


def end_of(pid: int) -> None:
    """Raises ProcessLookupError where nothing of that id runs; what ended and nobody asked about counts as gone."""
    status = Path(f"/proc/{pid}/stat")
    if status.is_file() and status.read_text().rpartition(")")[2].split()[0] == "Z":
        raise ProcessLookupError
    os.kill(pid, 0)


@pytest.mark.parametrize(
    ("told", "expected"), [("./a/b.py", "a/b.py"), ("a/b.py", "a/b.py"), ("{root}/a/b.py", "a/b.py"), (3, 3)]
)
def test_a_path_in_an_answer_is_the_file_however_it_is_spelled(told: object, expected: object, tmp_path: Path) -> None:
    run = Evidence(workspace=tmp_path, pristine=tmp_path, records=[], answer="", folder=tmp_path)
    assert run.relative(told.format(root=tmp_path) if isinstance(told, str) else told) == expected
