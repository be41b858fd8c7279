# A plan outlives kill -9 and ESC: real processes, real journals, a real terminal.
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import (
    PAICLI,
    Terminal,
    actor_of,
    by_actor,
    environment,
    first_user_text,
    last_message,
    plan_json,
    run_paicli,
    task_of,
)
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, hang_before_headers, say

PLAN = plan_json(("a", "甲", ()), ("b", "乙", ()), ("c", "丙", ("a", "b")))


class Story:
    """Serves the plan; request `hangs_at` (from 1) is never answered, until `goes_on`."""

    def __init__(self, hangs_at: int) -> None:
        self._hangs_at = hangs_at
        self.has_hung = False
        self._answer = by_actor(plans=[PLAN], tasks=self._task, react=[say("好")])

    def __call__(self, request: RecordedRequest) -> Reply:
        if request.number + 1 >= self._hangs_at and not self.has_hung:
            return hang_before_headers()
        return self._answer(request)

    def _task(self, description: str, request: RecordedRequest) -> Reply:
        if last_message(request)["role"] == "user":
            return call("read_file", {"path": "a.txt"})
        return say(f"{description}的结果")


def kill_at(story: Story, count: int, server: OpenAiServer, project: Path, home: Path) -> None:
    """Starts the plan and kills the process when so many requests have come."""
    (project / "a.txt").write_text("text\n")
    process = subprocess.Popen(
        [PAICLI, "-y", "-p", "/plan 目标"],
        cwd=project,
        env=environment(home, server),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server.wait_for_requests(count)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    story.has_hung = True


def records(home: Path) -> list[dict[str, Any]]:
    (journal,) = home.rglob("sessions/*/*.jsonl")
    return [json.loads(line) for line in journal.read_bytes().splitlines()]


def completed(home: Path) -> set[str]:
    return {record["task_id"] for record in records(home) if record["type"] == "task_completed"}


@pytest.mark.parametrize("count", [3, 5, 6, 7])
def test_after_kill_nine_a_plan_goes_on_and_nothing_done_is_done_again(project: Path, home: Path, count: int) -> None:
    story = Story(count)
    with OpenAiServer(story) as server:
        kill_at(story, count, server, project, home)
        asked, done = len(server.requests), completed(home)
        gone = run_paicli("-p", "/plan resume", "-c", project=project, home=home, server=server)
        later = server.requests[asked:]
    assert (gone.status, gone.stderr.count("继续未完成的计划")) == (0, 1)
    assert "[task_3] 丙的结果" in gone.stdout
    names = {"甲": "task_1", "乙": "task_2", "丙": "task_3"}
    assert sorted(names[task_of(request)] for request in later) == sorted(
        [*(left := set(names.values()) - done), *left]
    )
    assert all(actor_of(request) == "task" for request in later)
    merge = next(first_user_text(request) for request in later if task_of(request) == "丙")
    assert "- task_1 / 甲 / 状态=COMPLETED\n甲的结果\n- task_2 / 乙 / 状态=COMPLETED\n乙的结果\n" in merge
    assert completed(home) == set(names.values())


def test_without_a_person_an_unfinished_plan_is_told_of_and_not_run(project: Path, home: Path) -> None:
    story = Story(6)
    with OpenAiServer(story) as server:
        kill_at(story, 6, server, project, home)
        done = run_paicli("-p", "你好", "-c", project=project, home=home, server=server)
        assert (done.status, done.stdout) == (0, "好\n")
        assert "未完成的计划(已完成 2/3 个任务)" in done.stderr
        assert "paicli -p '/plan resume' -c" in done.stderr
        none = run_paicli("-p", "/plan resume", project=project, home=home, server=server)
        assert (none.status, none.stdout) == (1, "")
        assert "没有未完成的计划可以继续" in none.stderr


def test_line_mode_asks_shows_and_gives_up_once_and_for_all(project: Path, home: Path) -> None:
    story = Story(6)
    with OpenAiServer(story) as server:
        kill_at(story, 6, server, project, home)
        asked = len(server.requests)
        looked = run_paicli("-c", project=project, home=home, server=server, stdin="查看\n/status\n/exit\n")
        assert "已完成 2/3 个任务,中断的任务: task_3" in looked.stdout
        assert "✅ task_1 [ANALYSIS]" in looked.stdout
        assert "以后可以用 /plan resume 继续" in looked.stdout
        assert "模型" in looked.stdout.partition("以后可以用")[2]  # what was no answer was taken for what it is
        dropped = run_paicli("-c", project=project, home=home, server=server, stdin="3\n/plan resume\n/exit\n")
        assert "已放弃未完成的计划" in dropped.stdout
        assert "没有未完成的计划可以继续" in dropped.stdout
        silent = run_paicli("-c", project=project, home=home, server=server, stdin="/exit\n")
        assert "上次的计划没有执行完" not in silent.stdout
        assert len(server.requests) == asked


def test_in_a_terminal_one_key_goes_on_and_esc_can_be_gone_on_from(project: Path, home: Path) -> None:
    story = Story(6)
    with OpenAiServer(story) as server:
        kill_at(story, 6, server, project, home)
        story.has_hung = False
        with Terminal("-c", project=project, home=home, server=server) as terminal:
            terminal.wait_for("1. 继续执行", "3. 放弃", "中断的任务: task_3")
            terminal.press("2")
            terminal.wait_for("✅ task_2 [ANALYSIS]")
            terminal.press("1")
            server.wait_for_requests(7)
            terminal.press("\x1b")
            terminal.wait_for("已取消当前计划执行")
            story.has_hung = True
            terminal.press("/plan resume\r")
            terminal.wait_for("丙的结果", "计划执行完成")
            terminal.press("/exit\r")
            assert terminal.wait_end() == 0
        assert [task_of(request) for request in server.requests[6:]] == ["丙", "丙", "丙"]
    assert completed(home) == {"task_1", "task_2", "task_3"}


def test_a_plan_file_with_results_runs_what_is_left_of_it(project: Path, home: Path) -> None:
    story = Story(6)
    with OpenAiServer(story) as server:
        kill_at(story, 6, server, project, home)
        stdin = "4\n/export plan left.json\n/exit\n"
        exported = run_paicli("-c", project=project, home=home, server=server, stdin=stdin)
        assert "left.json" in exported.stdout
        asked = len(server.requests)
        ran = run_paicli("run", "left.json", "-y", project=project, home=home, server=server)
        assert (ran.status, "[task_3] 丙的结果" in ran.stdout) == (0, True)
        later = server.requests[asked:]
        assert [task_of(request) for request in later] == ["丙", "丙"]
        assert "此任务上次执行时中断" in first_user_text(later[0])
        assert "甲的结果" in first_user_text(later[0])
