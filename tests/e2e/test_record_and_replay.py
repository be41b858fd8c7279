"""What was recorded replays offline to the same decisions, wherever and however fast its threads run."""

import json
import shutil
import threading
from pathlib import Path
from typing import Any

from tests.e2e.harness import actor_of, plan_json, run_paicli, task_of
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, say, status
from tests.patience import PATIENCE_S

FIRST = plan_json(
    ("a", "读 a", ()), ("b", "读 b", ()), ("c", "读 c", ()), ("d", "读 d", ()), ("e", "合并", ("a", "b", "c", "d"))
)
SECOND = plan_json(("x", "改用 a", ()), ("y", "再合并", ("x",)))
_DECISIONS = ("task_id", "actor", "task_ids", "completed", "failed", "number", "failed_task_ids", "name", "arguments")
_COMPARED = {
    "plan_created", "round_started", "round_committed", "task_failed", "task_skipped", "replan_triggered",
    "tool_started", "plan_reviewed",
}  # fmt: skip


class Script:
    """Four tasks meet at a barrier; b fails for good at once, c once for a retry; the new plan then succeeds."""

    def __init__(self) -> None:
        self._together = threading.Barrier(4)
        self._plans = iter((FIRST, SECOND))
        self._seen: dict[str, int] = {}
        self._lock = threading.Lock()

    def __call__(self, request: RecordedRequest) -> Reply:
        if actor_of(request) == "planner":
            return say(next(self._plans))
        task = task_of(request)
        with self._lock:
            self._seen[task] = count = self._seen.get(task, 0) + 1
        if count == 1 and task.startswith("读"):
            self._together.wait(PATIENCE_S)
        if task == "读 b":
            return status(400, {"error": {"message": "no such tool"}})
        if task == "读 c" and count == 1:
            return status(503, {"error": {"message": "busy"}}, {"Retry-After": "0"})
        name = {"读 a": "a.txt", "改用 a": "a.txt", "读 c": "c.txt", "读 d": "d.txt"}.get(task)
        has_read = request.body["messages"][-1]["role"] == "tool"
        return say(f"结果:{task}") if name is None or has_read else call("read_file", {"path": name})


def decisions(home: Path) -> dict[str, list[dict[str, Any]]]:
    """What was decided, by actor: threads may run in another order."""
    (journal,) = home.rglob("sessions/*/*.jsonl")
    by_actor: dict[str, list[dict[str, Any]]] = {}
    for line in journal.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["type"] in _COMPARED:
            kept = {name: record[name] for name in _DECISIONS if name in record} | {"type": record["type"]}
            by_actor.setdefault(record.get("actor", ""), []).append(kept)
    return by_actor


def test_a_plan_with_parallel_tasks_retries_and_a_replan_replays_to_the_same_decisions(
    project: Path, home: Path, tmp_path: Path
) -> None:
    for name in ("a", "c", "d"):
        (project / f"{name}.txt").write_text(f"{name}\n")
    other = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(project, other)
    (other / "PAI.md").write_text("another rule\n")
    recording = tmp_path / "run.jsonl"
    with OpenAiServer(Script()) as server:
        first = run_paicli(
            "-p", "/plan 汇总", "-y", "--record", str(recording), project=project, home=home, server=server
        )
    assert first.status == 0, first.stderr
    assert "结果:再合并" in first.stdout
    again_home = tmp_path / "home2"
    again = run_paicli(
        "-p", "/plan 汇总", "-y", "--model", f"replay:{recording}", "--lang", "en", project=other, home=again_home
    )
    assert again.status == 0, again.stderr
    before, after = decisions(home), decisions(again_home)
    assert before == after
    assert [r["type"] for r in before["engine"]].count("replan_triggered") == 1
    assert "differs" not in again.stderr
    assert "结果:再合并" in again.stdout


def test_a_replay_that_goes_another_way_says_where_and_what(project: Path, home: Path, tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    with OpenAiServer([say("好")]) as server:
        run_paicli("-p", "第一句", "--record", str(recording), project=project, home=home, server=server)
    done = run_paicli("-p", "第二句", "--model", f"replay:{recording}", project=project, home=home)
    assert (done.status, done.stdout) == (0, "好\n")
    assert "回放从 react 的第 1 个请求开始与录制不同" in done.stderr
    assert "user 第一句" in done.stderr
    assert "user 第二句" in done.stderr


def test_a_request_without_a_recorded_reply_fails_the_turn(project: Path, home: Path, tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    with OpenAiServer([say("好")]) as server:
        run_paicli("-p", "说", "--record", str(recording), project=project, home=home, server=server)
    done = run_paicli(project=project, home=home, stdin="说\n再说\n/exit\n", PAICLI_MODEL=f"replay:{recording}")
    assert "录制的对话里没有 react 的第 2 个回复" in done.stdout


def test_a_recording_is_never_written_over(project: Path, home: Path, tmp_path: Path) -> None:
    recording = tmp_path / "run.jsonl"
    recording.write_text("mine\n")
    with OpenAiServer([say("好")]) as server:
        done = run_paicli("-p", "说", "--record", str(recording), project=project, home=home, server=server)
        assert server.requests == []
    assert done.status == 2
    assert str(recording) in done.stderr
    assert recording.read_text() == "mine\n"
