# A session goes on in another process: real processes, real journals, a real terminal.
import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.harness import PAICLI, Finished, Terminal, by_actor, environment, plan_json, run_paicli
from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    call,
    delta_event,
    finish_event,
    raw_sse,
    say,
    usage_event,
)

ENTER = "\r"


def journals(home: Path) -> list[Path]:
    return sorted((home / ".paicli" / "sessions").rglob("*.jsonl"), key=lambda path: path.stat().st_mtime)


def records(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_bytes().splitlines()]


def sent(request: RecordedRequest) -> list[tuple[str, str]]:
    """(role, content) without the system message."""
    return [(message["role"], message.get("content") or "") for message in request.body["messages"][1:]]


def types_of(journal: Path, *wanted: str) -> list[str]:
    return [record["type"] for record in records(journal) if record["type"] in wanted]


def test_continue_brings_conversation_mode_model_list_and_title_back(project: Path, home: Path) -> None:
    todo = call("todo_write", {"items": [{"text": "写测试", "status": "pending"}]})
    with OpenAiServer([say("一"), todo, say("二"), say("三")]) as server:
        first = "你好\n!echo out-$((20+2))\n再来\n/rename 我的工作\n/model custom/test-2\n/mode ask\n/exit\n"
        run_paicli(project=project, home=home, server=server, stdin=first)
        done = run_paicli("-c", project=project, home=home, server=server, stdin="继续\n/status\n/exit\n")
        last = server.requests[-1]
    assert done.status == 0, done.stderr
    assert last.body["model"] == "test-2"
    roles = [role for role, _ in sent(last)]
    assert roles == ["user", "assistant", "user", "assistant", "tool", "assistant", "user"]
    assert "out-22" in sent(last)[2][1]  # the own command's output had joined the next message
    assert sent(last)[-1] == ("user", "继续")
    assert re.search(r"已恢复会话 \S+ · 我的工作 · 3 轮 · 6 条消息 · 1 项待办", done.stdout)
    assert "> 再来\n二\n" in done.stdout
    assert re.search(r"ask", done.stdout.partition("/status")[2])
    (journal,) = journals(home)
    turns = [record["turn_id"] for record in records(journal) if record["type"] == "turn_started"]
    assert turns == ["turn_1", "turn_2", "turn_3", "turn_4"]
    numbers = [record["seq"] for record in records(journal) if "seq" in record]
    assert sorted(set(numbers)) == numbers
    assert types_of(journal, "session_started", "session_resumed", "session_finished") == [
        "session_started",
        "session_finished",
        "session_resumed",
        "session_finished",
    ]


def test_an_option_wins_over_what_the_session_had(project: Path, home: Path) -> None:
    with OpenAiServer([say("一"), say("二")]) as server:
        run_paicli("--mode", "ask", project=project, home=home, server=server, stdin="你好\n/exit\n")
        run_paicli(
            "-c", "--mode", "auto", "-m", "custom/x-9", project=project, home=home, server=server, stdin="继续\n/exit\n"
        )
        assert server.requests[-1].body["model"] == "x-9"
    (journal,) = journals(home)
    started = [record["mode"] for record in records(journal) if record["type"] == "turn_started"]
    assert started == ["ask", "auto"]


def test_without_a_person_the_newest_session_goes_on_too(project: Path, home: Path) -> None:
    with OpenAiServer([say("一"), say("二"), say("三")]) as server:
        one = json.loads(
            run_paicli("-p", "甲", "--output-format", "json", project=project, home=home, server=server).stdout
        )
        two = run_paicli("-p", "-c", "乙", "--output-format", "json", project=project, home=home, server=server)
        three = run_paicli("-p", "丙", "-r", one["session_id"][:-2], project=project, home=home, server=server)
        assert sent(server.requests[-1]) == [
            ("user", "甲"),
            ("assistant", "一"),
            ("user", "乙"),
            ("assistant", "二"),
            ("user", "丙"),
        ]
    assert json.loads(two.stdout)["session_id"] == one["session_id"]
    assert (three.status, three.stdout) == (0, "三\n")
    assert len(journals(home)) == 1


def test_what_can_not_be_gone_on_with_is_one_line_and_exit_2(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        for arguments in (("-c",), ("-p", "x", "-c"), ("-r", "nothing"), ("-p", "x", "-r", "nothing")):
            done = run_paicli(*arguments, project=project, home=home, server=server)
            assert (done.status, done.stdout, done.stderr.count("\n")) == (2, "", 1), arguments
    assert journals(home) == []


def test_reasoning_goes_back_with_its_tool_round_after_a_resume(project: Path, home: Path) -> None:  # C11
    thinking = raw_sse(
        delta_event(reasoning_content="R1"),
        delta_event(reasoning_content="R2"),
        delta_event(tool_calls=[{"index": 0, "id": "c1", "function": {"name": "list_dir", "arguments": "{}"}}]),
        finish_event("tool_calls"),
        usage_event(5, 5),
    )

    def asked(*arguments: str) -> Finished:
        named = {"PAICLI_PROVIDER": "deepseek", "PAICLI_MODEL": "deepseek-reasoner"}
        return run_paicli(*arguments, project=project, home=home, server=server, **named)

    with OpenAiServer([thinking, say("一"), say("二")]) as server:
        asked("-p", "甲")
        done = asked("-p", "乙", "-c")
        messages = server.requests[-1].body["messages"]
    assert (done.status, done.stdout) == (0, "二\n")
    assert messages[2]["reasoning_content"] == "R1R2"
    assert [message["role"] for message in messages[1:]] == ["user", "assistant", "tool", "assistant", "user"]


def test_kill_9_while_a_command_runs_leaves_a_session_that_goes_on(project: Path, home: Path) -> None:  # C66
    fifo = project / "pipe"
    os.mkfifo(fifo)
    command = call("execute_command", {"command": "echo begun > started; cat pipe"}, id="w1")
    arguments = [PAICLI, "-p", "写", "--allowed-tools", "*"]
    with OpenAiServer([command, say("好")]) as server:
        process = subprocess.Popen(
            arguments,
            cwd=project,
            env=environment(home, server),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with fifo.open("wb"):  # opens when the command reads
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        (project / "started").unlink()
        done = run_paicli("-p", "怎样了", "-c", project=project, home=home, server=server)
        messages = server.requests[-1].body["messages"]
    assert (done.status, done.stdout) == (0, "好\n")
    assert [message["role"] for message in messages[1:]] == ["user", "assistant", "tool", "user"]
    assert messages[2]["tool_calls"][0]["id"] == messages[3]["tool_call_id"] == "w1"
    assert "中断" in messages[3]["content"]
    assert "检查" in messages[3]["content"]
    assert not (project / "started").exists()  # nothing was executed again


def test_two_starts_of_one_session_never_write_one_journal(project: Path, home: Path) -> None:  # C74
    with OpenAiServer([say("一")]) as server:
        run_paicli("-p", "甲", project=project, home=home, server=server)
        (journal,) = journals(home)
        with Terminal("-c", project=project, home=home, server=server) as terminal:
            terminal.wait_for("已恢复会话")
            done = run_paicli("-c", project=project, home=home, server=server, stdin="/sessions\n/exit\n")
            terminal.press("/exit")
            terminal.press(ENTER)
            assert terminal.wait_end() == 0
    assert done.status == 0
    assert journal.stem in done.stderr
    assert "副本" in done.stderr
    (other,) = set(journals(home)) - {journal}
    assert types_of(journal, "session_resumed", "session_forked") == ["session_resumed"]
    assert types_of(other, "session_resumed", "session_forked") == [
        "session_resumed",
        "session_forked",
        "session_resumed",
    ]
    assert {record["session_id"] for record in records(journal) if "seq" in record} == {journal.stem}


def test_sessions_are_listed_without_a_model(project: Path, home: Path) -> None:
    with OpenAiServer([say("一")]) as server:
        run_paicli("-p", "甲\n乙", project=project, home=home, server=server)
    done = run_paicli("sessions", project=project, home=home)
    (journal,) = journals(home)
    assert done.status == 0
    assert re.fullmatch(rf"    1  {journal.stem}  \S+ \S+    1 轮 +\S+ KB  custom/test-1  甲 乙\n", done.stdout)
    (record,) = json.loads(run_paicli("sessions", "--json", project=project, home=home).stdout)
    assert (record["id"], record["turn_count"], record["project"]) == (journal.stem, 1, str(project))
    elsewhere = run_paicli("sessions", "-C", str(home), project=project, home=home)
    assert (elsewhere.status, elsewhere.stdout) == (0, "")


def test_in_the_terminal_a_fork_and_a_resume_go_on_in_the_same_window(project: Path, home: Path) -> None:
    with (
        OpenAiServer([say("答一"), say("答二"), say("答三")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("问一")
        terminal.press(ENTER)
        terminal.wait_for("答一")
        terminal.press("/fork")
        terminal.press(ENTER)
        terminal.wait_for("已恢复会话")
        terminal.wait_quiet()
        terminal.press("问二")
        terminal.press(ENTER)
        terminal.wait_for("答二")
        terminal.press("/resume 2")
        terminal.press(ENTER)
        terminal.wait_for("转到会话")
        terminal.wait_until(lambda text: text.count("已恢复会话") == 2, "the other session")
        terminal.wait_quiet()
        terminal.press("问三")
        terminal.press(ENTER)
        terminal.wait_for("答三")
        assert sent(server.requests[-1]) == [("user", "问一"), ("assistant", "答一"), ("user", "问三")]
        terminal.wait_quiet()
        terminal.press("/exit")
        terminal.press(ENTER)
        assert terminal.wait_end() == 0
    assert len(journals(home)) == 2


def test_a_damaged_record_is_told_once_and_what_is_whole_goes_on(project: Path, home: Path) -> None:  # C72
    with OpenAiServer([say("一"), say("二"), say("三")]) as server:
        run_paicli("-p", "甲", project=project, home=home, server=server)
        (journal,) = journals(home)
        with journal.open("ab") as file:
            file.write(b'{"seq":99,"time":1.0,"message":{"role":"assistant","content":"hal')
        first = run_paicli("-p", "乙", "-c", project=project, home=home, server=server)
        second = run_paicli("-p", "丙", "-c", project=project, home=home, server=server)
        assert sent(server.requests[-1])[::2] == [("user", "甲"), ("user", "乙"), ("user", "丙")]
    assert (first.status, first.stdout, second.status, second.stdout) == (0, "二\n", 0, "三\n")
    kept = journal.with_suffix(".damaged")
    assert str(kept) in first.stderr
    assert "1 行损坏" in first.stderr
    assert "损坏" not in second.stderr
    assert kept.read_bytes().endswith(b"hal\n")


def test_a_model_that_can_not_be_used_any_more_is_told_and_todays_goes_on(project: Path, home: Path) -> None:
    with OpenAiServer([say("一"), say("二")]) as server:
        run_paicli("-p", "甲", project=project, home=home, server=server)
        (journal,) = journals(home)
        raw = journal.read_bytes()
        journal.write_bytes(raw.replace(b'"provider":"custom","model":"test-1"', b'"provider":"glm","model":"glm-5"'))
        done = run_paicli("-p", "乙", "-c", project=project, home=home, server=server)
        assert server.requests[-1].body["model"] == "test-1"
    assert (done.status, done.stdout) == (0, "二\n")
    assert "glm/glm-5" in done.stderr
    assert "GLM_API_KEY" in done.stderr


def test_a_plan_is_exported_as_a_graph_also_after_a_resume(project: Path, home: Path) -> None:
    plan = plan_json(("a", "读取入口", ()), ("b", "汇总情况", ("a",)))
    script = by_actor(plans=[plan], tasks=lambda description, request: say("好了"))
    with OpenAiServer(script) as server:
        none = run_paicli(project=project, home=home, server=server, stdin="/export mermaid\n/exit\n")
        run_paicli("-p", "/plan 了解项目", "-y", project=project, home=home, server=server)
        done = run_paicli("-c", project=project, home=home, server=server, stdin="/export mermaid plan.mmd\n/exit\n")
    assert "没有计划可以导出" in none.stdout
    assert "2 个任务" in done.stdout
    graph = (project / "plan.mmd").read_text()
    assert 't1["task_1: 读取入口"]:::completed\n    t2["task_2: 汇总情况"]:::completed\n    t1 --> t2\n' in graph
