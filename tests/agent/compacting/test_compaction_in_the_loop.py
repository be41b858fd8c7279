import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from paicli.agent.budget import Limits
from paicli.agent.compacting.compactor import MAX_REQUESTS, CompactionParts
from paicli.agent.react import ReActAgent
from paicli.agent.tool_loop import LoopParts
from paicli.context.compaction.gauge import Calibration
from paicli.core.errors import ContextTooLong, LlmRejected, LlmUnreachable, TurnCancelled
from paicli.core.events import CompactionFinished, CompactionStarted, Event, MessageAppended, Origin
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ChatResponse, Message, ToolCall, ToolMessage, ToolResult, UserMessage
from paicli.llm.asking import ModelAsker
from paicli.session.stored.conversation import rebuilt
from tests.fakes.house import FakeTool, House
from tests.fakes.strict_window import StrictWindow, tool_texts

RULE = "RULE-7f3a: never touch vendor/"
CONSTRAINT = "CONSTRAINT-55: Python 3.11 only"


class Compacting:
    """A ReAct agent over a strict window, its project's rules in a file."""

    def __init__(self, root: Path, client: StrictWindow, *, result: str = "看") -> None:
        tool = FakeTool(lambda arguments, context: ToolResult(result))
        self.house = House(root, [], tools=[tool])
        self.rules = root / "PAI.md"
        self.rules.write_text(RULE, "utf-8")
        self.client = client
        masker = SecretMasker()
        asker = ModelAsker(client, masker=masker)
        compaction = CompactionParts(asker, lambda: "压缩", self.house.stream, masker, Calibration())
        self.parts: LoopParts = self.house.parts._replace(asker=asker, compaction=compaction)
        self.agent = self.agent_anew()

    def agent_anew(self) -> ReActAgent:
        return ReActAgent(self.parts, system_prompt=lambda: f"你是助手。\n{self.rules.read_text('utf-8')}")

    def turn(self, text: str, number: int = 1) -> str:
        self.agent.begin_turn(f"turn_{number}")
        return self.agent.take_turn(UserMessage(text), self.house.actor, take_queued=tuple).text

    @property
    def finished(self) -> list[CompactionFinished]:
        return [e.body for e in self.house.listener.events if isinstance(e.body, CompactionFinished)]

    @property
    def last(self) -> tuple[Message, ...]:
        return self.client.steps[-1].messages


def looks_then_says(looks: int) -> "Speaker":
    return Speaker(looks)


class Speaker:
    """Calls the tool so often after each message of the person, then answers."""

    def __init__(self, looks: int) -> None:
        self._looks = self._left = looks
        self._number = 0

    def __call__(self, request: ChatRequest) -> ChatResponse:
        if self._left:
            self._left -= 1
            self._number += 1
            return ChatResponse("", "", (ToolCall(f"call_{self._number}", "look", f'{{"path": "{self._number}"}}'),))
        self._left = self._looks
        return ChatResponse("好的,已看完。")


def refusing(*answers: Exception | ChatResponse) -> StrictWindow:
    """Every request beyond these answers is refused."""
    left = list(answers)

    def answer(request: ChatRequest) -> ChatResponse:
        found = left.pop(0) if left else ContextTooLong("llm.context_too_long", said="")
        if isinstance(found, Exception):
            raise found
        return found

    return StrictWindow(1_000_000, answer, sum_up=answer)


def test_c69_c70_a_long_chinese_session_never_passes_the_window_and_forgets_no_rule(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(3))
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    kept.turn(f"先记住 {CONSTRAINT}")
    for number in range(2, 40):
        kept.turn(f"第 {number} 个问题:请看一看这里。", number)
    assert client.refused == []
    assert len([each for each in kept.finished if each.is_summarised]) >= 3
    system, *rest = kept.last
    assert system.content.count("RULE-7f3a") == 1
    assert not any("RULE-7f3a" in message.content for message in rest)
    assert sum(CONSTRAINT in message.content for message in rest) == 1
    assert any("第 39 个问题:请看一看这里。" in message.content for message in rest)
    assert [tool.name for tool in client.steps[-1].tools] == ["look"]


def test_c70_after_a_resume_the_conversation_is_what_the_compaction_left(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(3))
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    kept.turn(f"先记住 {CONSTRAINT}")
    for number in range(2, 20):
        kept.turn(f"第 {number} 个问题", number)
    earlier = rebuilt(kept.house.listener.events)
    went_on = kept.agent_anew()
    went_on.restore(earlier)
    first = len(client.steps)
    kept.agent.take_turn(UserMessage("接着"), kept.house.actor, take_queued=tuple)
    second = len(client.steps)
    went_on.take_turn(UserMessage("接着"), kept.house.actor, take_queued=tuple)
    as_it_was, resumed = client.steps[first].messages, client.steps[second].messages
    assert resumed == as_it_was
    assert sum(CONSTRAINT in message.content for message in resumed) == 1
    assert resumed[0].content.count("RULE-7f3a") == 1


def test_c70_rules_are_read_again_from_disk(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(3))
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    kept.turn("开始")
    kept.rules.write_text("RULE-9: other", "utf-8")
    for number in range(2, 12):
        kept.turn(f"第 {number} 个问题", number)
    assert "RULE-9: other" in kept.last[0].content
    assert RULE not in kept.last[0].content


def test_the_prefix_stays_between_compactions_and_old_results_become_stubs_first(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(12))
    kept = Compacting(tmp_path, client, result="长" * 700)
    kept.turn("看十二次")
    broken = [
        number
        for number, (before, after) in enumerate(zip(client.steps, client.steps[1:], strict=False))
        if after.messages[: len(before.messages)] != before.messages
    ]
    assert len(broken) == len(kept.finished)
    first = kept.finished[0]
    assert not first.is_summarised
    assert client.summaries == []
    stubbed = client.steps[broken[0] + 1]
    are_stubs = [text.startswith("[较早的工具结果已移除:look") for text in tool_texts(stubbed)]
    assert are_stubs[-4:] == [True, False, False, False]


def test_a_result_that_fills_a_small_window_is_shortened(tmp_path: Path) -> None:
    client = StrictWindow(4_000, looks_then_says(1))
    kept = Compacting(tmp_path, client, result="满" * 30_000)
    assert kept.turn("看一次") == "好的,已看完。"
    assert client.refused == []
    assert len(client.steps) == 2


def test_a_rewind_ends_where_the_conversation_was_summed_up(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(3))
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    for number in range(1, 12):
        kept.turn(f"第 {number} 个问题", number)
    assert kept.finished
    assert not kept.agent.rewind("turn_1")
    marks = {mark.turn_id for mark in rebuilt(kept.house.listener.events).marks}
    assert not marks & {"turn_1"}


def test_c71_a_server_that_always_refuses_costs_three_requests_and_says_what_is_too_big(tmp_path: Path) -> None:
    client = refusing(ChatResponse("一"), ChatResponse("二"))
    kept = Compacting(tmp_path, client)
    kept.turn("问" * 500)
    kept.turn("再问" * 500, 2)
    before = len(client.requests)
    history = rebuilt(kept.house.listener.events).messages
    with pytest.raises(ContextTooLong) as refused:
        kept.turn("三", 3)
    assert len(client.requests) - before <= MAX_REQUESTS
    assert refused.value.code == "compaction.too_big_conversation"
    # (iii): the summary was refused too, and the history is what it was
    assert rebuilt(kept.house.listener.events).messages[: len(history)] == history


def test_c71_what_fits_in_4_kb_recovers(tmp_path: Path) -> None:
    def size_of(request: ChatRequest) -> int:
        return sum(len(message.content.encode()) for message in request.messages)

    def answer(request: ChatRequest) -> ChatResponse:
        if narrow and size_of(request) > 4_000:
            raise ContextTooLong("llm.context_too_long", said="")
        return ChatResponse("好")

    narrow: list[bool] = []
    kept = Compacting(tmp_path, StrictWindow(1_000_000, answer, sum_up=answer))
    for number in range(1, 7):
        kept.turn(f"{number} " + "a longer question about the same thing " * 60, number)
    narrow.append(True)
    before = len(kept.client.requests)
    assert kept.turn("短", 7) == "好"
    assert len(kept.client.requests) - before == 3


@pytest.mark.parametrize(
    ("summary", "code"),
    [
        ("", "compaction.summary_empty"),
        (" \n", "compaction.summary_empty"),
        ("长" * 9_000, "compaction.summary_longer"),
    ],
)
def test_c71_a_useless_summary_leaves_the_history_and_is_not_asked_for_again(
    tmp_path: Path, summary: str, code: str
) -> None:
    client = StrictWindow(8_000, looks_then_says(0), sum_up=lambda request: ChatResponse(summary))
    kept = Compacting(tmp_path, client)
    for number in range(1, 5):
        kept.turn("问" * 1_550, number)
    history = rebuilt(kept.house.listener.events).messages
    assert client.summaries == []
    kept.turn("再问" * 100, 5)
    kept.turn("再", 6)
    assert len(client.summaries) == 1
    assert [each.fault for each in kept.finished] == [Fault(code)]
    assert rebuilt(kept.house.listener.events).messages[: len(history)] == history


def test_c71_one_message_above_the_window_is_named_and_the_session_lives(tmp_path: Path) -> None:
    client = StrictWindow(4_000, looks_then_says(0))
    kept = Compacting(tmp_path, client)
    with pytest.raises(ContextTooLong) as refused:
        kept.turn("大" * 6_000)
    assert refused.value.code == "compaction.too_big_message"
    assert len(client.requests) <= MAX_REQUESTS
    assert kept.turn("小", 2) == "好的,已看完。"
    assert kept.turn("更小", 3) == "好的,已看完。"


def test_a_window_smaller_than_declared_is_learnt_from_the_servers_words(tmp_path: Path) -> None:
    said = ": maximum context length is 8000 tokens"
    client = StrictWindow(8_000, looks_then_says(2), declared_tokens=32_000, said=said)
    kept = Compacting(tmp_path, client, result="长" * 900)
    for number in range(1, 12):
        kept.turn(f"第 {number} 个问题", number)
    assert len(client.refused) == 1


def test_a_summary_that_can_not_be_had_says_so_and_the_turn_goes_on(tmp_path: Path) -> None:
    def down(request: ChatRequest) -> ChatResponse:
        raise LlmUnreachable("llm.unreachable", detail="gone")

    client = StrictWindow(8_000, looks_then_says(0), sum_up=down)
    kept = Compacting(tmp_path, client)
    for number in range(1, 5):
        kept.turn("问" * 1_550, number)
    assert kept.turn("再" * 300, 5) == "好的,已看完。"
    assert [each.fault.code if each.fault else "" for each in kept.finished] == ["llm.unreachable"]


def test_by_hand_everything_before_the_last_turns_is_summed_up(tmp_path: Path) -> None:
    client = StrictWindow(100_000, looks_then_says(1), sum_up=lambda request: ChatResponse("## 目标\n看文件"))
    kept = Compacting(tmp_path, client, result="长" * 2_000)
    for number in range(1, 7):
        kept.turn(f"第 {number} 个问题 {CONSTRAINT if number == 1 else ''}", number)
    report = kept.agent.compact("接口", kept.house.actor)
    assert report is not None
    assert report.fault is None
    assert report.after < report.before
    assert "用户要求摘要特别照顾:接口" in client.summaries[0].messages[1].content
    assert client.summaries[0].actor == "react/summary"
    kept.turn("接着", 7)
    told = [message.content for message in kept.last]
    assert "## 目标\n看文件" in told[1]
    assert CONSTRAINT in told[1]
    assert told[2] == "第 4 个问题 "


def test_by_hand_a_short_conversation_stays(tmp_path: Path) -> None:
    client = StrictWindow(100_000, looks_then_says(0))
    kept = Compacting(tmp_path, client)
    assert kept.agent.compact("", kept.house.actor) is None
    kept.turn("你好")
    report = kept.agent.compact("", kept.house.actor)
    assert report is not None
    assert report.fault == Fault("compaction.nothing")
    assert client.summaries == []


def test_what_a_compaction_tells_is_started_finished_then_the_whole_conversation(tmp_path: Path) -> None:
    client = StrictWindow(8_000, looks_then_says(3))
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    for number in range(1, 8):
        kept.turn(f"第 {number} 个问题", number)
    events = [event for event in kept.house.listener.events if event.origin == Origin("turn_1", "react")]
    at = next(at for at, event in enumerate(events) if isinstance(event.body, CompactionFinished))
    finished = events[at].body
    assert isinstance(finished, CompactionFinished)
    told = events[at + 1 : at + 1 + finished.message_count]
    assert all(isinstance(event.body, MessageAppended) for event in told)
    assert _messages(told) == list(_request_after(kept.client, told).messages)
    assert isinstance(events[at - 1].body, CompactionStarted)


def _messages(events: Sequence[Event]) -> list[Message]:
    return [event.body.message for event in events if isinstance(event.body, MessageAppended)]


def _request_after(client: StrictWindow, told: Sequence[Event]) -> ChatRequest:
    wanted = tuple(_messages(told))
    return next(request for request in client.steps if request.messages == wanted)


def test_c68_the_results_of_one_step_together_are_capped(tmp_path: Path) -> None:
    calls = tuple(ToolCall(f"call_{number}", "look", f'{{"path": "{number}"}}') for number in range(100))
    answers = iter([ChatResponse("", "", calls), ChatResponse("完")])
    client = StrictWindow(100_000, lambda request: next(answers))
    kept = Compacting(tmp_path, client, result="é" * 30_000)
    assert kept.turn("看一百个") == "完"
    results = [message for message in kept.last if isinstance(message, ToolMessage)]
    assert len(results) == 100
    assert all("共 30000 个" in message.content for message in results)
    assert sum(len(message.content) for message in results) < 100_000


def test_an_error_that_is_no_overflow_is_not_taken_for_one(tmp_path: Path) -> None:
    client = refusing(LlmRejected("llm.bad_request"))
    kept = Compacting(tmp_path, client)
    with pytest.raises(LlmRejected, match="bad_request"):
        kept.turn("问")
    assert len(client.requests) == 1
    assert kept.finished == []


def test_a_cancel_in_the_middle_of_a_summary_leaves_the_conversation_as_it_was(tmp_path: Path) -> None:
    def cancelled(request: ChatRequest) -> ChatResponse:
        raise TurnCancelled

    client = StrictWindow(100_000, looks_then_says(1), sum_up=cancelled)
    kept = Compacting(tmp_path, client, result="长" * 2_000)
    for number in range(1, 7):
        kept.turn(f"第 {number} 个问题", number)
    history = rebuilt(kept.house.listener.events).messages
    with pytest.raises(TurnCancelled):
        kept.agent.compact("", kept.house.actor)
    assert [each.fault for each in kept.finished] == [Fault("turn.cancelled")]
    assert rebuilt(kept.house.listener.events).messages == history


def test_a_spent_budget_asks_nobody(tmp_path: Path) -> None:
    client = StrictWindow(100_000, looks_then_says(0))
    kept = Compacting(tmp_path, client)
    kept.parts = kept.parts._replace(limits=Limits(max_cost_usd=1.0, spent_usd=lambda: 1.0))
    kept.agent = kept.agent_anew()
    assert kept.turn("问").startswith("⚠️ 部分完成(达到费用上限)")
    assert client.requests == []


def test_a_model_that_sums_up_at_length_is_cut_and_not_asked_again_and_again(tmp_path: Path) -> None:
    def at_length(request: ChatRequest) -> ChatResponse:
        return ChatResponse(f"开头{'摘' * 3_000}结尾")

    client = StrictWindow(8_000, looks_then_says(3), sum_up=at_length)
    kept = Compacting(tmp_path, client, result="工具的输出很长。" * 120)
    for number in range(1, 25):
        kept.turn(f"第 {number} 个问题", number)
    assert len(client.summaries) < 12
    summary = next(message.content for message in kept.last if message.content.startswith("<conversation_summary>"))
    assert re.search("开头摘+\n.*3004.*\n摘+结尾", summary)
    assert len(summary) < 3_000
