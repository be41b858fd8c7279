from collections.abc import Iterator
from pathlib import Path

from paicli.agent.compacting.compactor import CompactionParts
from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.agent.turns import TaskConversations
from paicli.context.compaction.gauge import Calibration
from paicli.core.cancellation import CancellationToken
from paicli.core.events import CompactionFinished, Origin
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ChatResponse, ToolCall, ToolResult
from paicli.llm.asking import ModelAsker
from paicli.session.stored.conversation import rebuilt
from tests.fakes.house import FakeTool, House
from tests.fakes.strict_window import StrictWindow

TASK = "总目标:整理\n当前任务:看五十次\n依赖任务:无"


def replies() -> Iterator[ChatResponse]:
    todo = '{"items": [{"text": "看", "status": "in_progress"}]}'
    yield ChatResponse("", "", (ToolCall("t", "todo_write", todo),))
    for number in range(60):
        thought = "还要继续看别的文件,因为线索不在这里。" * 12
        yield ChatResponse(thought, "", (ToolCall(f"c{number}", "look", f'{{"path": "{number}"}}'),))
    yield ChatResponse("任务做完了")


def test_a_long_task_keeps_its_message_and_list_and_leaves_the_main_conversation_alone(tmp_path: Path) -> None:
    left = replies()

    def speak(request: ChatRequest) -> ChatResponse:
        return next(left)

    client = StrictWindow(8_000, speak)
    house = House(tmp_path, [], tools=[FakeTool(lambda arguments, context: ToolResult("线索" * 200))])
    masker = SecretMasker()
    asker = ModelAsker(client, masker=masker)
    compaction = CompactionParts(asker, lambda: "压缩", house.stream, masker, Calibration())
    parts = house.parts._replace(asker=asker, compaction=compaction)
    policies = TurnPolicies(house.stream, root=tmp_path)
    tasks = TaskConversations(parts, house.stream, digest_of=lambda path: None, policies=policies)
    origin = Origin("turn_1", "task_1", "plan_1", 1, "task_1")
    outcome = tasks.run("你在执行任务", TASK, description="看", origin=origin, cancel=CancellationToken())
    assert outcome.text == "任务做完了"
    assert client.refused == []
    events = house.listener.events
    finished = [event for event in events if isinstance(event.body, CompactionFinished)]
    assert {event.origin for event in finished} == {origin}
    assert {request.actor for request in client.summaries} == {"task_1/summary"}
    last = client.steps[-1].messages
    assert last[0].content == "你在执行任务"
    assert TASK in last[1].content
    assert "- [in_progress] 看" in last[1].content
    assert rebuilt(events).messages[1:] == ()
