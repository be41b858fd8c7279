"""Budgets, prices, fallbacks and compaction, as the installed program has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, calls, say, status

PRICED = "[model]\nprice_input = 1000\nprice_output = 2000\n"
SUMMARY_BEGINS = "你把一段编程助手与用户的对话压缩成摘要"


def configured(home: Path, text: str) -> None:
    path = home / ".paicli" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def result_of(stdout: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(stdout.splitlines()[-1])
    return found


def test_a_budget_needs_a_price(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        done = run_paicli("-p", "你好", "--max-budget-usd", "1", project=project, home=home, server=server)
        assert (done.status, server.requests) == (2, [])
    assert "price_input" in done.stderr


@pytest.mark.parametrize("amount", ["0", "-1", "x", "1e9", "0.0"])
def test_a_budget_is_an_amount_above_nothing(project: Path, home: Path, amount: str) -> None:
    done = run_paicli("-p", "你好", f"--max-budget-usd={amount}", project=project, home=home)
    assert done.status == 2


def test_a_spent_budget_ends_the_turn_without_tools(project: Path, home: Path) -> None:
    configured(home, PRICED)
    replies = [call("list_dir", {}), call("list_dir", {"path": "."}), say("到此为止", usage=(10, 5))]
    with OpenAiServer(replies) as server:
        done = run_paicli(
            "-p", "看看", "--max-budget-usd", "0.03", "--output-format", "stream-json",
            project=project, home=home, server=server,
        )  # fmt: skip
        last = server.requests[-1].body
    result = result_of(done.stdout)
    assert done.status == 1
    assert result["subtype"] == "error_max_budget_usd"
    assert result["total_cost_usd"] == pytest.approx(3 * (10 * 1000 + 5 * 2000) / 1e6)
    assert "tools" not in last or not last["tools"]
    assert "达到费用上限" in last["messages"][-1]["content"]


def test_what_a_turn_cost_is_told(project: Path, home: Path) -> None:
    configured(home, PRICED)
    with OpenAiServer([say("好", usage=(100, 50))]) as server:
        done = run_paicli("-p", "你好", "--output-format", "json", project=project, home=home, server=server)
    assert result_of(done.stdout)["total_cost_usd"] == pytest.approx(0.2)


def test_the_next_model_is_asked_when_one_is_down(project: Path, home: Path) -> None:
    def answer(request: RecordedRequest) -> Reply:
        if request.body["model"] == "test-1":
            return status(503, {"error": {"message": "overloaded"}}, headers={"Retry-After": "0"})
        return say(f"von {request.body['model']}")

    with OpenAiServer(answer) as server:
        done = run_paicli("-p", "你好", "--fallback-model", "second", project=project, home=home, server=server)
    assert (done.status, done.stdout.strip()) == (0, "von second")
    assert "custom/second" in done.stderr


class Narrow:
    """A server whose window is so many tokens: one for each CJK character, one for four bytes of the rest."""

    def __init__(self, window: int) -> None:
        self.window, self.refused, self.summaries, self.steps = window, 0, 0, list[str]()
        self._looks = 0

    def __call__(self, request: RecordedRequest) -> Reply:
        text = json.dumps(request.body, ensure_ascii=False)
        wide = sum(character >= "\u2e80" for character in text)
        tokens = wide + (len(text) - wide) // 4
        if tokens > self.window:
            self.refused += 1
            return status(400, {"error": {"code": "context_length_exceeded", "message": "too long"}})
        if request.body["messages"][0]["content"].startswith(SUMMARY_BEGINS):
            self.summaries += 1
            return say("## 目标\n看文件", usage=(tokens, 10))
        self.steps.append(text)
        self._looks += 1
        if self._looks % 4:
            return calls(("read_file", {"path": "长.txt", "offset": 1 + self._looks % 3}), usage=(tokens, 3))
        return say("看完了。" * 200, usage=(tokens, 3))


def test_c69_c70_a_long_chinese_session_stays_in_its_window_and_keeps_its_rules(project: Path, home: Path) -> None:
    configured(home, "[model]\nwindow_tokens = 16000\n")
    (project / "PAI.md").write_text("RULE-7f3a: never touch vendor/\n", "utf-8")
    (project / "长.txt").write_text("中文内容很长很长。\n" * 120, "utf-8")
    narrow = Narrow(16_000)
    words = ["记住 CONSTRAINT-55: Python 3.11 only", *(f"第 {number} 次看一看" for number in range(2, 18))]
    with OpenAiServer(narrow) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="\n".join([*words, "/exit"]) + "\n")
        assert done.status == 0, done.stderr
        resumed = run_paicli("-c", "-p", "接着做", project=project, home=home, server=server)
    assert (resumed.status, narrow.refused) == (0, 0)
    journal = max((home / ".paicli" / "sessions").rglob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    verified = run_paicli("verify", str(journal), project=project, home=home)
    assert verified.status == 0, verified.stdout
    assert narrow.summaries >= 3
    for sent in narrow.steps[-2:]:
        messages = json.loads(sent)["messages"]
        assert messages[0]["role"] == "system"
        assert messages[0]["content"].count("RULE-7f3a") == 1
        assert sum("RULE-7f3a" in str(message["content"]) for message in messages[1:]) == 0
        assert sum("CONSTRAINT-55" in str(message["content"]) for message in messages) == 1
        assert any("接着做" in str(message["content"]) for message in messages)


def test_compact_cost_and_context_in_a_session(project: Path, home: Path) -> None:
    configured(home, PRICED)
    (project / "长.txt").write_text("中文内容很长很长。\n" * 300, "utf-8")
    narrow = Narrow(100_000)
    lines = ["一", "二", "三", "四", "五", "/compact 文件名", "/cost", "/context", "/exit"]
    with OpenAiServer(narrow) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="\n".join(lines) + "\n")
    assert done.status == 0
    assert narrow.summaries == 1
    assert "对话已压缩: 约" in done.stdout
    assert "react/summary" in done.stdout
    assert "整个会话" in done.stdout
    assert "对话: 摘要" in done.stdout
    assert "█" in done.stdout


def test_nothing_is_planned_once_the_budget_is_spent(project: Path, home: Path) -> None:
    configured(home, PRICED + "[limits]\nmax_budget_usd = 0.01\n")
    with OpenAiServer([say("好")]) as server:
        lines = ["你好", "/plan 整理", "/compact", "/cost", "/exit"]
        done = run_paicli(project=project, home=home, server=server, stdin="\n".join(lines) + "\n")
        assert len(server.requests) == 1
    assert done.stdout.count("已达到费用上限") == 2
    assert "上限 $0.0100,本次运行已用 $0.0200" in done.stdout
