"""The review of commands as the installed program does it: one model obeys, another reviews."""

import itertools
import json
import threading
from pathlib import Path

import pytest

from tests.e2e.harness import Terminal, by_actor, last_message, plan_json, run_paicli
from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    hang_before_headers,
    hang_mid_stream,
    say,
)
from tests.patience import PATIENCE_S

ESC, ENTER = "\x1b", "\r"
FOUR = plan_json(*((f"t{n}", f"建文件{n}", ()) for n in (1, 2, 3, 4)))
ALLOW = say('{"decision":"allow","reason":"用户要求"}', thinking="想一想")


def denies(reason: str) -> Reply:
    return say(json.dumps({"decision": "ask", "reason": reason}, ensure_ascii=False))


def touch(name: str) -> Reply:
    return call("execute_command", {"command": f"touch {name}"})


def type_line(terminal: Terminal, text: str) -> None:
    terminal.press(text)
    terminal.press(ENTER)


def test_an_obeying_model_gets_no_command_past_the_review_and_nobody_is_waited_for(  # C56 C84
    project: Path, home: Path
) -> None:
    answers = iter([*(touch(f"f{n}") for n in range(4)), say("做不了")])
    reasons = (f"原因{n}" for n in itertools.count(1))
    with OpenAiServer(lambda request: next(answers), reviews=lambda request: denies(next(reasons))) as server:
        done = run_paicli("-p", "看看天气", project=project, home=home, server=server)
        results = [m["content"] for m in server.requests[-1].body["messages"] if m["role"] == "tool"]
        assert len(server.review_requests) == 4
    assert list(project.glob("f*")) == []
    assert done.stdout == "做不了\n"
    assert [f"原因{n}" in result for n, result in enumerate(results, start=1)] == [True] * 4
    assert "ask 模式" in results[0]
    assert "没有人可以询问" in results[2]
    assert "auto 已拦截: 原因1" in done.stderr


def test_the_reviews_request_is_small_and_plain_and_says_the_persons_words(project: Path, home: Path) -> None:
    with OpenAiServer([touch("made"), say("好")], reviews=[ALLOW]) as server:
        done = run_paicli("-p", "建一个文件 made", project=project, home=home, server=server)
        (request,) = server.review_requests
    assert (project / "made").exists()
    assert "auto 已放行: touch made" in done.stderr
    assert "想一想" not in done.stdout + done.stderr
    assert "tools" not in request.body
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]
    assert json.loads(request.body["messages"][1]["content"]) == {
        "user_words": ["建一个文件 made"],
        "folder": str(project),
        "command": "touch made",
    }
    assert len(request.raw_body) < 6_000


def test_a_turns_usage_counts_its_reviews(project: Path, home: Path) -> None:
    with OpenAiServer([touch("made"), say("好")]) as server:
        done = run_paicli("-p", "做", "--output-format", "json", project=project, home=home, server=server)
    assert json.loads(done.stdout)["usage"]["input_tokens"] == 30


def test_plain_reading_and_what_a_rule_allows_need_no_review(project: Path, home: Path) -> None:
    script = [call("execute_command", {"command": "ls -la | head -3"}), touch("made"), say("好")]
    with OpenAiServer(script, reviews=[]) as server:
        rule = ("--allowed-tools", "execute_command(touch:*)")
        done = run_paicli(*rule, "-p", "做", project=project, home=home, server=server)
        assert server.review_requests == []
    assert (project / "made").exists()
    assert "auto 已" not in done.stderr


def test_another_model_reviews_where_the_configuration_names_one(project: Path, home: Path) -> None:
    folder = home / ".paicli"
    folder.mkdir()
    (folder / "config.toml").write_text('[models]\nreview = "small-1"\n')
    with OpenAiServer([touch("made"), say("好")]) as server:
        run_paicli("-p", "做", project=project, home=home, server=server)
        models = [request.body["model"] for request in server.requests]
        assert [request.body["model"] for request in server.review_requests] == ["small-1"]
    assert models == ["test-1", "test-1"]


def test_the_third_denial_is_the_persons_and_their_yes_runs_it(project: Path, home: Path) -> None:
    script = [touch("f1"), touch("f2"), touch("f3"), say("完成")]
    with (
        OpenAiServer(script, reviews=map(denies, ("理由一", "理由二", "理由三"))) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "做")
        terminal.wait_for("auto 已拦截: 理由一", "auto 已拦截: 理由二", "需要批准", "原因: 理由三", "command: touch f3")
        terminal.press("y")
        terminal.wait_for("完成")
        assert [path.name for path in project.glob("f*")] == ["f3"]
        assert last_message(server.requests[3])["role"] == "tool"


def test_what_was_allowed_for_the_session_is_listed_and_taken_back(project: Path, home: Path) -> None:
    script = [*map(touch, ("f1", "f2", "f3", "f3")), say("完成一"), touch("f3"), say("完成二")]
    reviews = map(denies, ("一", "二", "三", "收回之后"))
    with (
        OpenAiServer(script, reviews=reviews) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "做")
        terminal.wait_for("本会话内允许所有 execute_command(touch f3)")
        terminal.press("a")
        terminal.wait_for("完成一")
        assert len(server.review_requests) == 3
        type_line(terminal, "/permissions")
        terminal.wait_for("execute_command(touch f3)  (")
        type_line(terminal, "/permissions remove execute_command(touch f3)")
        terminal.wait_quiet()
        type_line(terminal, "再做")
        terminal.wait_for("auto 已拦截: 收回之后", "完成二")
        assert [path.name for path in project.glob("f*")] == ["f3"]


def test_three_denials_over_parallel_tasks_are_one_question(project: Path, home: Path) -> None:  # C56
    together = threading.Barrier(4)

    def tasks(description: str, request: RecordedRequest) -> Reply:
        if last_message(request)["role"] == "tool":
            return say(f"{description}完")
        return touch(f"f{description[-1]}")

    def review(request: RecordedRequest) -> Reply:
        together.wait(PATIENCE_S)
        return denies("不需要")

    with (
        OpenAiServer(by_actor(plans=[FOUR], tasks=tasks), reviews=review) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "/plan 建四个文件")
        terminal.wait_for("计划已生成")
        terminal.press(ENTER)
        terminal.wait_for("需要批准", "原因: 不需要", "任务 [task_")
        terminal.wait_quiet()
        terminal.press("n")
        text = terminal.wait_for("已拒绝: execute_command", "完成 4")
        assert text.count("需要批准") == 1
        assert text.count("auto 已拦截: 不需要") == 4
        assert list(project.glob("f*")) == []


def test_a_recorded_plan_replays_to_the_same_verdict_for_each_of_its_parallel_tasks(
    project: Path, home: Path, tmp_path: Path
) -> None:
    together = threading.Barrier(4)

    def tasks(description: str, request: RecordedRequest) -> Reply:
        done = last_message(request)["role"] == "tool"
        return say(f"{description}完") if done else touch(f"f{description[-1]}")

    def review(request: RecordedRequest) -> Reply:
        together.wait(PATIENCE_S)
        command = json.loads(request.body["messages"][1]["content"])["command"]
        return ALLOW if command in ("touch f1", "touch f4") else denies("不需要")

    recording, other = tmp_path / "run.jsonl", tmp_path / "elsewhere"
    other.mkdir()
    options = ("-p", "/plan 建四个文件", "-y")
    with OpenAiServer(by_actor(plans=[FOUR], tasks=tasks), reviews=review) as server:
        run_paicli(*options, "--record", str(recording), project=project, home=home, server=server)
    again = run_paicli(*options, "--model", f"replay:{recording}", project=other, home=tmp_path / "home2")
    assert again.status == 0, again.stderr
    assert "不同" not in again.stderr
    assert [sorted(path.name for path in folder.glob("f*")) for folder in (project, other)] == [["f1", "f4"]] * 2


@pytest.mark.parametrize("silence", [hang_before_headers, hang_mid_stream])
def test_esc_ends_a_turn_whose_review_does_not_answer(project: Path, home: Path, silence: type[Reply]) -> None:  # C64
    with (
        OpenAiServer([touch("f1"), say("之后")], reviews=lambda request: silence()) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "做")
        terminal.wait_until(lambda text: len(server.review_requests) == 1, "the review")
        terminal.press(ESC)
        terminal.wait_for("已取消")
        assert server.review_requests[0].client_gone.wait(PATIENCE_S)
        type_line(terminal, "继续")
        terminal.wait_for("之后")
        assert list(project.glob("f*")) == []
