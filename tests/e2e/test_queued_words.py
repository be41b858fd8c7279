"""What is typed while a plan runs: it starts the next turn, and what it forbids holds at once."""

import threading
from pathlib import Path

from tests.e2e.harness import Terminal, by_actor, last_message, plan_json
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, say
from tests.patience import PATIENCE_S


def test_words_queued_in_a_plan_bind_its_tasks_at_once_and_then_start_the_next_turn(project: Path, home: Path) -> None:
    asked, was_typed = threading.Event(), threading.Event()

    def task(description: str, request: RecordedRequest) -> Reply:
        if last_message(request)["role"] == "tool":
            return say("finished")
        asked.set()
        assert was_typed.wait(PATIENCE_S)
        return call("execute_command", {"command": "echo ran > ran.txt"})

    script = by_actor(plans=[plan_json(("task_1", "do it", []))], tasks=task, react=[say("下一轮好的")])
    with OpenAiServer(script) as server, Terminal(project=project, home=home, server=server) as terminal:
        terminal.wait_for("shift+tab")
        terminal.press("/plan do it\r")
        terminal.wait_for("回车:按当前计划执行")
        terminal.press("\r")
        assert asked.wait(PATIENCE_S)
        terminal.press("不要执行命令\r")
        terminal.wait_for("按本轮要求限制: 不执行命令")
        was_typed.set()
        text = terminal.wait_for("下一轮好的")
        assert text.count("> 不要执行命令") == 1
        results = [last_message(request) for request in server.requests if last_message(request)["role"] == "tool"]
        assert len(results) == 1
        assert "不执行命令" in results[0]["content"]
        assert not (project / "ran.txt").exists()
        assert server.review_requests == []
        terminal.press("\x04")
        assert terminal.wait_end() == 0
