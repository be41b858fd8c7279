import threading
from pathlib import Path
from typing import Any

import pytest

from paicli.agent.actor import Actor
from paicli.agent.budget import Limits
from paicli.agent.conversation import missing_result
from paicli.agent.mentions.attachments import Attachments
from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.agent.tool_loop import ToolLoop
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import LlmRejected, LlmUnreachable, ToolFailed, TurnCancelled
from paicli.core.events import (
    BudgetExhausted,
    ModelRequestStarted,
    QueueTaken,
    RepetitionNoticed,
    ToolFinished,
    ToolStarted,
)
from paicli.core.messages import (
    AssistantMessage,
    ChatResponse,
    FinishReason,
    Image,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolOutcome,
    ToolResult,
    Usage,
    UserMessage,
)
from paicli.tools.tool import ToolContext
from tests.fakes.checked_messages import checked
from tests.fakes.house import FakeTool, FakeWriter, House, calls, says
from tests.patience import PATIENCE_S


def last_texts(messages: tuple[Message, ...], count: int) -> list[str]:
    return [message.content for message in messages[-count:]]


def test_calls_run_and_their_results_go_back_until_the_model_answers(tmp_path: Path) -> None:
    house = House(tmp_path, [calls(("look", '{"path":"a"}'), content="looking"), says("done")])
    assert house.loop().run() == LoopOutcome(LoopStatus.DONE, "done", 2, Usage(20, 0, 10, 0))
    assert house.client.requests[1].messages == (
        SystemMessage("system"),
        AssistantMessage("looking", "", (ToolCall("call_0", "look", '{"path":"a"}'),)),
        ToolMessage(
            "call_0", "look", '<tool_result tool="look" call_id="call_0" trust="untrusted">\nsaw a\n</tool_result>'
        ),
    )
    assert [tool.name for tool in house.client.requests[0].tools] == ["look", "change", "execute_command"]


def test_reads_run_side_by_side_and_writes_alone_in_the_models_order(tmp_path: Path) -> None:
    together = threading.Barrier(4)
    running: list[str] = []

    def read(arguments: Any, context: ToolContext) -> ToolResult:
        if arguments.path.startswith("early"):
            together.wait(PATIENCE_S)  # breaks unless four are inside at once
        running.append(arguments.path)
        return ToolResult(arguments.path)

    def write(arguments: Any, context: ToolContext) -> ToolResult:
        running.append(arguments.path)
        return ToolResult(arguments.path)

    named = [("look", f'{{"path":"early{n}"}}') for n in range(4)]
    named += [("change", '{"path":"w1"}'), ("look", '{"path":"middle"}'), ("change", '{"path":"w2"}')]
    house = House(tmp_path, [calls(*named), says("done")], tools=[FakeTool(read), FakeWriter(write)])
    house.loop().run()
    assert sorted(running[:4]) == ["early0", "early1", "early2", "early3"]
    assert running[4:] == ["w1", "middle", "w2"]
    answers = [message for message in house.client.requests[1].messages if isinstance(message, ToolMessage)]
    assert [answer.call_id for answer in answers] == [f"call_{n}" for n in range(7)]
    assert [started.is_parallel for started in house.listener.of(ToolStarted)] == [True] * 4 + [False] * 3


def test_no_more_than_four_reads_run_at_once(tmp_path: Path) -> None:
    five, met = threading.Barrier(5), threading.Event()

    def read(arguments: Any, context: ToolContext) -> ToolResult:
        try:
            five.wait(0.3)
        except threading.BrokenBarrierError:
            return ToolResult("the fifth did not come")
        met.set()
        return ToolResult("five at once")

    house = House(tmp_path, [calls(*[("look", f'{{"path":"{n}"}}') for n in range(8)]), says("x")], [FakeTool(read)])
    house.loop().run()
    assert len(house.listener.of(ToolFinished)) == 8
    assert not met.is_set()


@pytest.mark.parametrize(
    ("name", "arguments", "says_what"),
    [  # C16
        ("generic_command", "{}", "look, change, execute_command"),
        ("Look", "{}", "look, change, execute_command"),
        ("look ", "{}", "look, change, execute_command"),
        ("functions.look", "{}", "look, change, execute_command"),
        ("", "{}", "look, change, execute_command"),
        ("look", "{'path': 'a'}", "第 1 行第 2 列"),
        ("look", '{"path":"a"} trailing', "第 1 行第 14 列"),
        ("look", "[]", "必须是 JSON 对象"),
        ("look", '"a"', "必须是 JSON 对象"),
        ("look", '{"path":5}', "path: Input should be a valid string"),
        ("look", '{"path":"a","path":"b"}', 'repeated key "path"'),
        ("look", '{"n":NaN}', "NaN is no JSON number"),
        ("look", "[" * 10_000, "不是合法的 JSON"),
        ("execute_command", "{}", "command: Field required"),  # C14
    ],
)
def test_a_call_that_cannot_run_is_answered_with_what_is_wrong_and_the_loop_goes_on(
    tmp_path: Path, name: str, arguments: str, says_what: str
) -> None:
    house = House(tmp_path, [calls((name, arguments)), says("done")])
    assert house.loop().run().text == "done"
    assert says_what in house.client.requests[1].messages[-1].content
    assert [finished.outcome for finished in house.listener.of(ToolFinished)] == [ToolOutcome.FAILED]
    assert not any(tool.ran for tool in house.tools)


def test_a_tool_without_required_arguments_runs_with_none(tmp_path: Path) -> None:  # C14
    house = House(tmp_path, [calls(("look", ""), ("look", "  ")), says("done")])
    house.loop().run()
    assert [result.content for result in house.listener.of(ToolFinished)] == ["saw .", "saw ."]
    stored = house.client.requests[1].messages[1]
    assert isinstance(stored, AssistantMessage)
    assert stored.tool_calls[0].arguments == "{}"


def test_a_tool_that_breaks_or_fails_becomes_a_result(tmp_path: Path) -> None:
    def act(arguments: Any, context: ToolContext) -> ToolResult:
        if arguments.path == "broken":
            raise ZeroDivisionError("oh")
        raise ToolFailed("tool.cancelled", kind="not_found", tool="x")

    named = [("look", '{"path":"broken"}'), ("look", '{"path":"failing"}')]
    house = House(tmp_path, [calls(*named), says("done")], [FakeTool(act)])
    assert house.loop().run().text == "done"
    finished = sorted(house.listener.of(ToolFinished))
    assert [(f.outcome, f.error_kind) for f in finished] == [
        (ToolOutcome.FAILED, "ZeroDivisionError: oh"),
        (ToolOutcome.FAILED, "not_found"),
    ]


def test_five_equal_steps_end_in_a_finish_without_tools_after_one_reminder(tmp_path: Path) -> None:  # C62
    script = [calls(("change", '{"path":"a"}')) for _ in range(5)]
    house = House(tmp_path, [*script, says("what is done")])
    outcome = house.loop().run()
    assert (outcome.status, outcome.text) == (
        LoopStatus.PARTIAL,
        "⚠️ 部分完成(连续五步完全相同的调用)\nwhat is done",
    )
    final = house.client.requests[-1]
    assert final.tools == ()
    assert final.messages == tuple(checked(final.messages, missing_result))
    assert final.messages[-1] == UserMessage(
        "工具已关闭(连续五步完全相同的调用)。请只根据已有结果收尾:做完了什么,哪些已验证,还有什么没做,下一步该做什么。"
        "没有做完就不要说全部完成。"
    )
    assert len(house.listener.of(RepetitionNoticed)) == 1
    assert house.listener.of(BudgetExhausted) == [BudgetExhausted("repetition")]
    reminders = [m for m in final.messages if isinstance(m, UserMessage) and "换个做法" in m.content]
    assert len(reminders) == 1


def test_the_reminder_stands_after_the_results_of_the_third_step(tmp_path: Path) -> None:
    house = House(tmp_path, [*[calls(("look", '{"path":"a"}'))] * 3, says("x")])
    house.loop().run()
    assert isinstance(house.client.requests[3].messages[-1], UserMessage)
    assert isinstance(house.client.requests[2].messages[-1], ToolMessage)


def test_a_step_limit_ends_in_a_finish_without_tools(tmp_path: Path) -> None:
    script = [calls(("look", f'{{"path":"{n}"}}')) for n in range(2)]
    house = House(tmp_path, [*script, says("so far")], limits=Limits(max_steps=2))
    outcome = house.loop().run()
    assert (outcome.status, outcome.text) == (LoopStatus.PARTIAL, "⚠️ 部分完成(达到步数上限)\nso far")


def test_a_model_that_still_calls_when_the_tools_are_off_is_asked_once_more_and_then_left(tmp_path: Path) -> None:
    looks = calls(("look", "{}"))
    house = House(tmp_path, [looks, looks, says("so far")], limits=Limits(max_steps=1))
    assert house.loop().run().text == "⚠️ 部分完成(达到步数上限)\nso far"
    assert house.conversation.messages[-1] == AssistantMessage("so far")
    house = House(tmp_path, [looks, looks, looks], limits=Limits(max_steps=1))
    outcome = house.loop().run()
    assert (outcome.status, outcome.text) == (LoopStatus.PARTIAL, "⚠️ 部分完成(达到步数上限)\n")
    asked = [(request.step, request.purpose) for request in house.listener.of(ModelRequestStarted)]
    assert asked == [(1, "step"), (2, "finish"), (2, "finish")]
    assert len(house.listener.of(ToolStarted)) == 1


def test_calls_cut_by_the_output_limit_are_answered_and_not_run_and_the_second_time_it_stops(tmp_path: Path) -> None:
    cut = calls(("change", '{"path":"a'), ("change", '{"path":"whole"}'), finish=FinishReason.LENGTH)  # C09
    house = House(tmp_path, [cut, cut])
    outcome = house.loop().run()
    assert (outcome.status, outcome.text.splitlines()[0]) == (
        LoopStatus.PARTIAL,
        "⚠️ 部分完成(模型的输出达到长度上限)",
    )
    assert not any(tool.ran for tool in house.tools)
    answers = [m.content for m in house.client.requests[1].messages if isinstance(m, ToolMessage)]
    assert len(answers) == 2
    assert all("分成几次较小的写入" in answer for answer in answers)
    assert house.conversation.messages == tuple(checked(house.conversation.messages, missing_result))


def test_only_cuts_in_a_row_end_the_loop(tmp_path: Path) -> None:
    cut = calls(("change", '{"path":"a'), finish=FinishReason.LENGTH)
    house = House(tmp_path, [cut, calls(("look", "{}")), cut, says("done")])
    assert house.loop().run().text == "done"


@pytest.mark.parametrize(
    ("finish", "reason", "words"),
    [
        (FinishReason.LENGTH, "output_limit", "模型的输出达到长度上限"),
        (FinishReason.CONTENT_FILTER, "content_filter", "回答被模型服务的内容过滤截断"),
    ],
)
def test_an_answer_that_broke_off_is_no_success(tmp_path: Path, finish: FinishReason, reason: str, words: str) -> None:
    house = House(tmp_path, [says("half an ans", finish)])
    outcome = house.loop().run()
    assert (outcome.status, outcome.text) == (LoopStatus.PARTIAL, f"⚠️ 部分完成({words})\nhalf an ans")
    assert house.listener.of(BudgetExhausted) == [BudgetExhausted(reason)]


def test_an_empty_reply_is_asked_for_once_more_and_never_stored(tmp_path: Path) -> None:  # C17
    empty = ChatResponse("", "only thoughts")
    house = House(tmp_path, [empty, says("here")])
    assert house.loop().run().text == "here"
    assert house.client.requests[0].messages == house.client.requests[1].messages
    house = House(tmp_path, [empty, ChatResponse("  ")])
    with pytest.raises(LlmRejected) as caught:
        house.loop().run()
    assert caught.value.code == "llm.empty_reply"
    assert not any(isinstance(m, AssistantMessage) and not m.content for m in house.conversation.messages)


def test_a_failed_request_leaves_a_conversation_that_can_be_sent(tmp_path: Path) -> None:
    house = House(tmp_path, [calls(("look", "{}")), LlmUnreachable("llm.down"), says("back")])
    with pytest.raises(LlmUnreachable):
        house.loop().run()
    assert house.conversation.messages[-1] == AssistantMessage(model_text("loop.failed"))
    house.conversation.append(UserMessage("go on"), house.actor.emit)
    assert house.loop().run().text == "back"
    sent = house.client.requests[-1].messages
    assert sent == tuple(checked(sent, missing_result))


def test_a_cancel_during_calls_answers_each_and_starts_none_further(tmp_path: Path) -> None:  # C64
    def cancel_then_return(arguments: Any, context: ToolContext) -> ToolResult:
        house.cancel.cancel()
        return ToolResult("was done")

    writer = FakeWriter(cancel_then_return)
    named = [("change", '{"path":"1"}'), ("change", '{"path":"2"}'), ("look", "{}"), ("look", '{"path":"b"}')]
    house = House(tmp_path, [calls(*named)], [FakeTool(), writer])
    assert house.loop().run().status is LoopStatus.CANCELLED
    assert len(writer.ran) == 1
    assert [f.outcome for f in house.listener.of(ToolFinished)] == [ToolOutcome.OK, *[ToolOutcome.CANCELLED] * 3]
    sent = house.conversation.messages
    assert sent == tuple(checked(sent, missing_result))
    assert sent[-1] == AssistantMessage(model_text("loop.interrupted"))


@pytest.mark.parametrize("paths", ["a", "ab"])
def test_reads_that_hang_are_abandoned_after_a_cancel_and_answered_once(tmp_path: Path, paths: str) -> None:
    release = threading.Event()
    inside = threading.Barrier(len(paths) + 1)

    def hang(arguments: Any, context: ToolContext) -> ToolResult:
        inside.wait(PATIENCE_S)
        release.wait(PATIENCE_S)
        return ToolResult("late")

    named = [("look", f'{{"path":"{path}"}}') for path in paths]
    house = House(tmp_path, [calls(*named)], [FakeTool(hang)])
    outcomes = []
    runner = threading.Thread(target=lambda: outcomes.append(house.loop().run()))
    runner.start()
    inside.wait(PATIENCE_S)
    house.cancel.cancel()
    runner.join(PATIENCE_S)
    assert [outcome.status for outcome in outcomes] == [LoopStatus.CANCELLED]
    release.set()
    for worker in [thread for thread in threading.enumerate() if thread.name == "paicli-tool"]:
        worker.join(PATIENCE_S)
    ids = [f"call_{number}" for number in range(len(paths))]
    assert sorted(started.call_id for started in house.listener.of(ToolStarted)) == ids
    finished = [(each.call_id, each.outcome) for each in house.listener.of(ToolFinished)]
    assert finished == [(call_id, ToolOutcome.CANCELLED) for call_id in ids]


def test_text_typed_meanwhile_joins_before_the_next_request(tmp_path: Path) -> None:
    waiting = [(), ("also this", "and that")]
    house = House(tmp_path, [calls(("look", "{}")), says("done")])
    house.loop(lambda: waiting.pop(0)).run()
    assert last_texts(house.client.requests[1].messages, 2) == ["also this", "and that"]
    assert house.listener.of(QueueTaken) == [QueueTaken(("also this", "and that"), "turn")]


def test_words_that_left_the_queue_stay_when_the_turn_is_cancelled_over_their_mentions(tmp_path: Path) -> None:
    house = House(tmp_path, [])

    def cancelled(text: str, actor: Actor) -> Attachments:
        actor.cancel.cancel()
        raise TurnCancelled

    parts = house.parts._replace(attached_to=cancelled)
    queued = ("see @big", "and this")
    outcome = ToolLoop(parts, house.conversation, house.actor, take_queued=lambda: queued).run()
    assert outcome.status is LoopStatus.CANCELLED
    assert last_texts(house.conversation.messages, 3) == [*queued, model_text("loop.interrupted")]


def test_what_a_queued_text_mentions_stands_beside_it(tmp_path: Path) -> None:
    house = House(tmp_path, [says("done")])
    image = Image("a.png", "image/png", "AAAA", 3)
    parts = house.parts._replace(attached_to=lambda text, actor: Attachments("<b>", (image,)))
    waiting = [("see @a.png and @b",)]
    ToolLoop(parts, house.conversation, house.actor, take_queued=lambda: waiting.pop(0)).run()
    assert house.client.requests[0].messages[-1] == UserMessage("see @a.png and @b\n\n<b>", (image,))


def test_secrets_reach_neither_model_nor_events_and_large_results_a_file(tmp_path: Path) -> None:  # C42, C68
    def act(arguments: Any, context: ToolContext) -> ToolResult:
        return ToolResult("sk-canary-1 " * 12_000)

    house = House(
        tmp_path, [calls(("look", '{"path":"sk-canary-1"}')), says("x")], [FakeTool(act)], secrets=("sk-canary-1",)
    )
    house.loop().run()
    (finished,) = house.listener.of(ToolFinished)
    assert "canary" not in finished.content
    assert len(finished.content) < 3_200
    assert house.listener.of(ToolStarted)[0].arguments == '{"path":"***"}'
    (stored,) = (tmp_path / "results").iterdir()
    assert "canary" not in stored.read_text()
