import json
from pathlib import Path

import pytest

from paicli.app.evidence.packed import journal_text, pack
from tests.e2e.harness import plan_json, run_paicli, task_of
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, say

CANARY = "sk-canary-1234567890"
PLAN = plan_json(("a", "读 a", ()), ("b", "读 b", ()), ("c", "合并", ("a", "b")))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(name)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def answer(request: RecordedRequest) -> Reply:
    task = task_of(request)
    if not task:
        return say(PLAN)
    if task == "合并" or request.body["messages"][-1]["role"] == "tool":
        return say(f"结果:{task} {CANARY}")
    return call("read_file", {"path": f"{task[-1]}.txt"})


def ran(project: Path, home: Path) -> Path:
    """The journal of a plan that ran."""
    with OpenAiServer(answer) as server:
        done = run_paicli("-p", "/plan 汇总", "-y", project=project, home=home, server=server)
    assert done.status == 0, done.stderr
    (journal,) = home.rglob("sessions/*/*.jsonl")
    return journal


def test_a_run_that_kept_the_rules_is_told_so_by_id_by_prefix_and_by_path(project: Path, home: Path) -> None:
    journal = ran(project, home)
    for named in (journal.stem, journal.stem[:12], str(journal)):
        done = run_paicli("verify", named, project=project, home=home)
        assert (done.status, done.stderr) == (0, "")
        assert "没有违反规则" in done.stdout


def test_a_violation_is_named_with_its_event_and_its_rule(project: Path, home: Path, tmp_path: Path) -> None:
    lines = ran(project, home).read_text(encoding="utf-8").splitlines(keepends=True)
    (lost,) = [line for line in lines if '"type":"task_completed"' in line and "读 a" in line]
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join(line for line in lines if line is not lost), encoding="utf-8")
    done = run_paicli("verify", str(broken), project=project, home=home)
    told = run_paicli("verify", str(broken), "--json", project=project, home=home)
    assert (done.status, told.status) == (1, 1)
    record = json.loads(told.stdout)
    assert (record["verdict"], record["path"]) == ("violated", str(broken))
    for violation in record["violations"]:
        assert f"#{violation['seq']} {violation['rule']}: {violation['what']}" in done.stdout


@pytest.mark.parametrize("text", ["", "no json\n", "[1, 2]\n"])
def test_missing_evidence_is_no_verdict(project: Path, home: Path, tmp_path: Path, text: str) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(text)
    done = run_paicli("verify", str(empty), "--json", project=project, home=home)
    assert (done.status, json.loads(done.stdout)["verdict"]) == (2, "unjudgeable")


@pytest.mark.parametrize(
    ("named", "told"),
    [("nothing-like-it", "没有会话 nothing-like-it"), ("./missing.jsonl", "没有文件 ./missing.jsonl")],
)
def test_what_is_not_there_is_said(project: Path, home: Path, named: str, told: str) -> None:
    done = run_paicli("verify", named, project=project, home=home)
    assert (done.status, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_bug_report_replays_and_can_be_judged_and_holds_no_key(project: Path, home: Path, tmp_path: Path) -> None:
    journal = ran(project, home)
    report = tmp_path / "report.jsonl"
    done = run_paicli("bugreport", "--out", str(report), project=project, home=home)
    assert done.status == 0, done.stderr
    assert f"--model replay:{report}" in done.stdout
    assert CANARY not in report.read_text(encoding="utf-8")
    assert oct(report.stat().st_mode & 0o777) == "0o600"
    again = run_paicli(
        "-p", "/plan 汇总", "-y", "--model", f"replay:{report}", project=project, home=tmp_path / "another"
    )
    assert again.status == 0, again.stderr
    assert "结果:合并" in again.stdout
    judged = run_paicli("verify", str(report), project=project, home=home)
    assert (judged.status, "没有违反规则" in judged.stdout) == (0, True)
    assert journal_text(report.read_text(encoding="utf-8")).count("\n") == journal.read_text("utf-8").count("\n")


def test_a_bug_report_is_never_written_over(project: Path, home: Path, tmp_path: Path) -> None:
    ran(project, home)
    report = tmp_path / "report.jsonl"
    report.write_text("mine")
    done = run_paicli("bugreport", "--out", str(report), project=project, home=home)
    assert (done.status, report.read_text()) == (2, "mine")
    assert str(report) in done.stderr


def test_requests_without_an_answer_and_side_requests_are_packed_under_their_own_names() -> None:
    records = [
        {"type": "session_started", "model": "m-1", "version": "1"},
        {"type": "turn_started", "kind": "react", "text": "go", "mode": "auto"},
        {"type": "model_request_started", "actor": "react", "purpose": "step"},
        {"type": "model_reply_received", "actor": "react", "response": {"content": "x", "tool_calls": []}},
        {"type": "model_request_started", "actor": "react", "purpose": "review"},
        {"type": "model_reply_received", "actor": "react", "response": {"content": "{}"}},
        {"type": "model_request_started", "actor": "task_1", "purpose": "step"},
        {
            "type": "model_request_failed",
            "actor": "task_1",
            "fault": {"code": "llm.status", "fields": [["status", "503"]], "is_retryable": True},
        },
        {"type": "model_request_started", "actor": "react", "purpose": "step"},
        {"type": "turn_finished"},
    ]
    packed = pack("".join(json.dumps(record) + "\n" for record in records) + '{"cut": ')
    assert [json.loads(line) for line in packed.lines[1 : 1 + packed.replies]] == [
        {"actor": "react", "reply": {"content": "x"}},
        {"actor": "react/review", "reply": {"content": "{}"}},
        {"actor": "task_1", "error": {"kind": "LlmUnreachable", "code": "llm.status", "fields": {"status": "503"}}},
        {"actor": "react", "error": {"kind": "TurnCancelled", "code": "turn.cancelled", "fields": {}}},
    ]
    assert packed.turns == ({"kind": "react", "text": "go", "mode": "auto"},)
