# Turns without a person, for real: the installed command against a server on loopback.
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import PAICLI, by_actor, environment, plan_json, run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, hang_before_headers, say, status
from tests.patience import PATIENCE_S

TWO = plan_json(("a", "读取入口", ()), ("b", "汇总情况", ("a",)))


def tasks(description: str, request: RecordedRequest) -> Reply:
    return say(f"{description}好了")


def test_json_is_the_only_thing_on_stdout(project: Path, home: Path) -> None:
    with OpenAiServer([say("你好", usage=(12, 3))]) as server:
        done = run_paicli("-p", "hi", "--output-format", "json", project=project, home=home, server=server)

    record = json.loads(done.stdout)
    assert (done.status, done.stdout.count("\n")) == (0, 1)
    assert {name: record[name] for name in ("type", "result", "status", "is_error", "plan")} == {
        "type": "result",
        "result": "你好",
        "status": "completed",
        "is_error": False,
        "plan": None,
    }
    assert (record["usage"]["input_tokens"], record["usage"]["output_tokens"]) == (12, 3)
    (journal,) = (home / ".paicli" / "sessions").rglob("*.jsonl")
    assert record["session_id"] == journal.stem


def test_stream_json_follows_a_tool_to_its_result(project: Path, home: Path) -> None:
    (project / "a.txt").write_text("文本\n")
    with OpenAiServer([call("read_file", {"path": "a.txt"}, text="先看"), say("好")]) as server:
        done = run_paicli("-p", "hi", "--output-format", "stream-json", project=project, home=home, server=server)

    records: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["type"] for record in records] == ["system", "assistant", "user", "assistant", "result"]
    init, first, answered, second, result = records
    assert (init["subtype"], init["cwd"], init["model"]) == ("init", str(project), "test-1")
    assert "read_file" in init["tools"]
    text, use = first["message"]["content"]
    assert text == {"type": "text", "text": "先看"}
    assert (use["type"], use["name"], use["input"]) == ("tool_use", "read_file", {"path": "a.txt"})
    (block,) = answered["message"]["content"]
    assert (block["type"], block["tool_use_id"], block["is_error"]) == ("tool_result", use["id"], False)
    assert "文本" in block["content"]
    assert second["message"]["content"] == [{"type": "text", "text": "好"}]
    assert (result["subtype"], result["result"], result["num_turns"], result["is_error"]) == ("success", "好", 2, False)
    assert len({record["session_id"] for record in records}) == 1


@pytest.mark.parametrize(
    "words",
    ["hi", "只读,不要联网", "请看 https://a.example/x", "不要执行命令", "/plan 只读", "/plan 看 https://a.example/x"],
)
def test_the_first_line_names_the_tools_that_the_turn_offers(project: Path, home: Path, words: str) -> None:
    with OpenAiServer(by_actor(react=[say("好")], plans=[TWO], tasks=tasks)) as server:
        done = run_paicli(
            "-p", words, "-y", "--output-format", "stream-json", project=project, home=home, server=server
        )
        offered = [request.body["tools"] for request in server.requests if "tools" in request.body]

    init = json.loads(done.stdout.splitlines()[0])
    assert (done.status, init["subtype"]) == (0, "init")
    for tools in offered:
        assert init["tools"] == [tool["function"]["name"] for tool in tools]
    assert len(offered) == (2 if words.startswith("/plan") else 1)
    assert ("web_fetch" in init["tools"]) == ("https:" in words)
    assert ("write_file" in init["tools"]) == ("只读" not in words)


def test_a_plan_without_yes_stops_for_review_with_3(project: Path, home: Path) -> None:
    with OpenAiServer(by_actor(plans=[TWO], tasks=tasks)) as server:
        done = run_paicli("-p", "/plan 了解项目", project=project, home=home, server=server)
        requests = len(server.requests)

    assert (done.status, done.stdout, requests) == (3, "", 1)
    for shown in ("了解项目", "task_1", "读取入口", "task_2", "汇总情况"):
        assert shown in done.stderr


def test_a_plan_with_yes_runs_to_its_summary(project: Path, home: Path) -> None:
    with OpenAiServer(by_actor(plans=[TWO], tasks=tasks)) as server:
        done = run_paicli(
            "-p",
            "了解项目",
            "-y",
            "--mode",
            "plan",
            "--output-format",
            "json",
            project=project,
            home=home,
            server=server,
        )

    record = json.loads(done.stdout)
    assert (done.status, record["status"], record["plan"]["status"]) == (0, "completed", "COMPLETED")
    assert [task["result"] for task in record["plan"]["tasks"]] == ["读取入口好了", "汇总情况好了"]
    assert "✅ 计划执行完成!" in record["result"]


def test_an_invalid_plan_fails_with_1_and_says_why(project: Path, home: Path) -> None:
    with OpenAiServer([say('{"tasks": []}')]) as server:
        done = run_paicli(
            "-p", "/plan x", "-y", "--output-format", "stream-json", project=project, home=home, server=server
        )

    result = json.loads(done.stdout.splitlines()[-1])
    assert done.status == 1
    assert (result["type"], result["subtype"], result["is_error"]) == ("result", "error_during_execution", True)
    assert result["error"] == "计划 tasks 必须是非空数组"
    assert "❌ 执行失败: 计划 tasks 必须是非空数组" in done.stderr


def test_a_plan_is_made_here_and_run_there(project: Path, home: Path) -> None:
    with OpenAiServer(by_actor(plans=[TWO], tasks=tasks)) as server:
        made = run_paicli("plan", "了解项目", "--out", "plan.json", project=project, home=home, server=server)
        stopped = run_paicli("run", "plan.json", project=project, home=home, server=server, stdin=None)
        requests = len(server.requests)
        ran = run_paicli("run", "plan.json", "--yes", project=project, home=home, server=server, stdin=None)

    assert (made.status, stopped.status, requests) == (0, 3, 1)
    assert "汇总情况" in made.stdout
    stored = json.loads((project / "plan.json").read_text())
    assert (stored["goal"], [task["dependencies"] for task in stored["tasks"]]) == ("了解项目", [[], ["task_1"]])
    assert ran.status == 0
    assert "✅ 计划执行完成!" in ran.stdout
    assert "汇总情况好了" in ran.stdout


def test_a_server_that_never_has_time_is_75(project: Path, home: Path) -> None:  # C18
    with OpenAiServer(lambda request: status(429, {"error": {"message": "slow down"}}, {"Retry-After": "0"})) as server:
        done = run_paicli("-p", "hi", project=project, home=home, server=server)

    assert (done.status, done.stdout) == (75, "")
    assert "429" in done.stderr
    assert "slow down" in done.stderr


@pytest.mark.parametrize(
    "reply",
    [
        status(401, {"error": {"message": "bad key"}}),
        status(404, "<html>lost</html>", {"Content-Type": "text/html"}),
    ],
)
def test_a_server_that_refuses_is_1(project: Path, home: Path, reply: Reply) -> None:  # C18 C20
    with OpenAiServer(lambda request: reply) as server:
        done = run_paicli("-p", "hi", project=project, home=home, server=server)
        requests = len(server.requests)

    assert (done.status, done.stdout, requests) == (1, "", 1)
    assert "sk-canary" not in done.stderr
    assert "<html>" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_waiting_turn_with_130(project: Path, home: Path, number: signal.Signals) -> None:
    with OpenAiServer(lambda request: hang_before_headers()) as server:
        process = subprocess.Popen(
            [PAICLI, "-p", "hi", "--output-format", "json"],
            cwd=project,
            env=environment(home, server),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        server.wait_for_requests(1)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert json.loads(stdout)["status"] == "cancelled"
    assert "Traceback" not in stderr


def test_a_pipe_that_stays_open_does_not_hold_up_a_run_with_its_prompt(project: Path, home: Path) -> None:  # C52
    reading, writing = os.pipe()
    with OpenAiServer([say("好")]) as server:
        done = subprocess.run(
            [PAICLI, "-p", "hi"],
            cwd=project,
            env=environment(home, server),
            stdin=reading,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    os.close(writing)
    os.close(reading)

    assert (done.returncode, done.stdout.decode()) == (0, "好\n")


def test_piped_text_reaches_the_model_beside_the_prompt(project: Path, home: Path) -> None:
    with OpenAiServer([say("好")]) as server:
        done = run_paicli("-p", "总结", project=project, home=home, server=server, stdin="第一行\n第二行\n")
        (request,) = server.requests

    message = request.body["messages"][-1]["content"]
    assert done.status == 0
    assert message.startswith("总结")
    assert "第一行\n第二行" in message


def test_a_reader_that_takes_one_byte_is_quiet_and_no_success(project: Path, home: Path) -> None:  # C52
    with OpenAiServer([say("x" * 500_000, piece=50_000)]) as server:
        done = subprocess.run(
            ["bash", "-c", '"$0" -p hi | head -c1; echo "${PIPESTATUS[0]}" >&2', PAICLI],
            cwd=project,
            env=environment(home, server),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    assert (done.stdout, done.stderr) == ("x", "1\n")


def test_an_empty_environment_is_enough(project: Path, home: Path) -> None:  # C52: cron, env -i
    recording = home / "talk.jsonl"
    recording.write_text(
        '{"type": "paicli-recording", "version": 1}\n{"actor": "react", "reply": {"content": "from the record"}}\n'
    )

    done = subprocess.run(
        [PAICLI, "-p", "hi", "-m", f"replay:{recording}"],
        cwd=project,
        env={"PAICLI_HOME": str(home / "p")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "from the record\n", "")


def test_an_input_that_ended_leaves_the_session_with_0(project: Path, home: Path) -> None:  # C52
    with OpenAiServer([]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin=None)

    assert (done.status, done.stderr) == (0, "")
