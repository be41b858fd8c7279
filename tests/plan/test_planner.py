"""What the planner asks, word for word, and what it makes of the answer."""

import json
from collections.abc import Sequence

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmUnreachable, PlanInvalid, TurnCancelled
from paicli.core.event_bodies.plans import PlanCause, PlanningStarted
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    DeltaKind,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestFailed,
    ModelRequestStarted,
    Origin,
)
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    ModelCapabilities,
    ResponseFormat,
    SystemMessage,
    UserMessage,
)
from paicli.core.plan_view import SkipReason
from paicli.llm.asking import ModelAsker
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.planner import Planner, PlanningCall
from paicli.plan.reply_schema import PLAN_SCHEMA
from tests.fakes.recording_listener import RecordingListener
from tests.fakes.scripted_client import Answer, ScriptedClient
from tests.plan.bench import plan_of

REPLY = '{"summary": "概要", "tasks": [{"id": "a", "description": "做"}]}'
REQUEST = "请为以下任务制定执行计划:\n"


class Desk:
    def __init__(self, answers: Sequence[Answer], *, json_mode: bool = True) -> None:
        self.client = ScriptedClient({"planner": answers}, capabilities=ModelCapabilities(json_mode=json_mode))
        self.heard = RecordingListener()
        stream = EventStream("session")
        stream.subscribe(self.heard)
        self.planner = Planner(
            ModelAsker(self.client, masker=SecretMasker(), clock=lambda: 0.0), system_prompt=lambda: "规则"
        )
        self.cancel = CancellationToken()
        self.origin = Origin("t", "planner", "p2")
        self.call = PlanningCall("p2", stream.emitter(self.origin), self.cancel)

    @property
    def asked(self) -> list[str]:
        return [request.messages[-1].content for request in self.client.requests]


def test_a_plan_takes_one_request_of_two_messages_without_tools() -> None:
    response = ChatResponse(REPLY, thinking="想")
    desk = Desk([response])
    plan = desk.planner.create("统计行数", desk.call)
    assert (plan.id, plan.goal, plan.summary) == ("p2", "统计行数", "概要")
    assert desk.client.requests == [
        ChatRequest(
            (SystemMessage("规则"), UserMessage("请为以下任务制定执行计划:\n统计行数")),
            response_format=ResponseFormat.JSON_OBJECT,
            actor="planner",
            reply_schema=PLAN_SCHEMA,
        )
    ]
    assert desk.heard.bodies == [
        PlanningStarted("统计行数", PlanCause.GOAL),
        ModelRequestStarted(1, 2, (), "plan"),
        ModelDelta(DeltaKind.THINKING, "想"),  # the JSON does not stream
        ModelReplyReceived(response, 0.0),
    ]
    assert {event.origin for event in desk.heard.events} == {desk.origin}


def test_json_mode_is_asked_for_only_where_the_provider_has_it() -> None:
    desk = Desk([ChatResponse(REPLY)], json_mode=False)
    desk.planner.create("x", desk.call)
    assert desk.client.requests[0].response_format is ResponseFormat.TEXT


def test_attachments_stand_in_the_message_and_not_in_the_goal() -> None:
    desk = Desk([ChatResponse(REPLY)])
    plan = desk.planner.create("看 @a.py", desk.call, attachments="<a.py>\nprint()")
    assert desk.asked == [REQUEST + "看 @a.py\n\n<a.py>\nprint()"]
    assert plan.goal == "看 @a.py"


def test_lone_surrogates_of_the_goal_reach_neither_request_nor_plan() -> None:
    desk = Desk([ChatResponse(REPLY)])
    assert desk.planner.create("a\ud800", desk.call).goal == "a\ufffd"
    assert desk.asked == [REQUEST + "a\ufffd"]


@pytest.mark.parametrize("reply", ["", "  ", "好的,计划如下", '{"tasks": [{"id": "a", "description": "x"},]}'])
def test_a_bad_reply_fails_at_once_and_is_not_asked_for_again(reply: str) -> None:  # C57, C58
    desk = Desk([ChatResponse(reply)])
    with pytest.raises(PlanInvalid):
        desk.planner.create("x", desk.call)
    assert len(desk.client.requests) == 1
    assert desk.heard.bodies[-1] == ModelReplyReceived(ChatResponse(reply), 0.0)  # the raw reply is in the journal


def test_an_unreachable_model_is_told_and_raised() -> None:
    desk = Desk([LlmUnreachable("llm.broken", detail="x")])
    with pytest.raises(LlmUnreachable):
        desk.planner.create("x", desk.call)
    assert desk.heard.bodies[-1] == ModelRequestFailed(Fault("llm.broken", (("detail", "x"),), is_retryable=True))


def test_a_cancel_ends_the_request() -> None:
    desk = Desk([])
    desk.cancel.cancel()
    with pytest.raises(TurnCancelled):
        desk.planner.create("x", desk.call)


def test_a_revision_sends_feedback_and_the_current_plan() -> None:
    desk = Desk([ChatResponse(REPLY)])
    current = plan_of({1: [], 2: [1]})
    plan = desk.planner.revise(current.view(), "不要联网", desk.call)
    assert plan.goal == "目标\n补充要求:不要联网"
    head, _, stated = desk.asked[0].rpartition("\n")
    assert head == (
        "请为以下任务制定执行计划:\n目标\n补充要求:不要联网"
        "\n\n下面是用户刚审阅过的当前计划。请在它的基础上按补充要求修改,不受补充要求影响的任务保持原样,输出修改后的完整计划:"
    )
    assert json.loads(stated) == {
        "summary": "概要",
        "tasks": [
            {"id": "task_1", "description": "做 1", "type": "ANALYSIS", "dependencies": []},
            {"id": "task_2", "description": "做 2", "type": "ANALYSIS", "dependencies": ["task_1"]},
        ],
    }
    assert desk.heard.bodies[0] == PlanningStarted("目标\n补充要求:不要联网", PlanCause.FEEDBACK)


def completed(plan: ExecutionPlan, number: int, result: str) -> None:
    plan.task(f"task_{number}").start(0.0)
    plan.task(f"task_{number}").complete(result, began_at=0, ended_at=1, is_partial=False, was_streamed=False)


def failed(plan: ExecutionPlan, number: int, error: str) -> None:
    plan.task(f"task_{number}").start(0.0)
    plan.task(f"task_{number}").fail(Fault("x"), error=error, began_at=0, ended_at=1)


CLOSING = "已完成的任务不要重新规划,也不要重复执行;只规划剩下的部分,并避开上面的失败原因。"


def test_a_replan_names_what_is_done_with_results_and_what_is_left_with_reasons() -> None:  # C61
    desk = Desk([ChatResponse(REPLY)])
    plan = plan_of({1: [], 2: [], 3: [2], 4: [], 5: []})
    completed(plan, 1, "长" * 2_001)
    completed(plan, 4, "行一\n行二")
    failed(plan, 2, "连接断开")
    failed(plan, 5, "超时")
    new = desk.planner.replan(plan.view(), "连接断开", desk.call)
    assert desk.asked == [
        "请为以下任务制定执行计划:\n原任务: 目标\n失败原因: 连接断开\n已完成的任务:\n"
        f"- task_1: 做 1\n  结果: {'长' * 1_999}…\n"
        "- task_4: 做 4\n  结果: 行一\n行二\n"
        "未完成的任务:\n"
        "- task_2: 做 2 (FAILED: 连接断开)\n"
        "- task_3: 做 3 (未执行)\n"
        "- task_5: 做 5 (FAILED: 超时)\n" + CLOSING
    ]
    assert new.goal == "目标"
    assert desk.heard.bodies[0] == PlanningStarted("目标", PlanCause.REPLAN)


def test_a_replan_with_nothing_done_says_none_and_skipped_counts_as_not_run() -> None:
    desk = Desk([ChatResponse(REPLY)])
    plan = plan_of({1: [], 2: [1]})
    failed(plan, 1, "{goal}")
    plan.task("task_2").skip(SkipReason.DEPENDENCY_FAILED, "task_1")
    desk.planner.replan(plan.view(), "{goal}", desk.call)
    assert desk.asked == [
        "请为以下任务制定执行计划:\n原任务: 目标\n失败原因: {goal}\n已完成的任务:\n无\n"
        "未完成的任务:\n- task_1: 做 1 (FAILED: {goal})\n- task_2: 做 2 (未执行)\n" + CLOSING
    ]


def test_a_second_replan_names_what_the_first_plan_completed_too() -> None:
    desk = Desk([ChatResponse(REPLY)])
    first, second = plan_of({1: [], 2: []}), plan_of({1: [], 2: []})
    completed(first, 1, "alt")
    failed(first, 2, "x")
    completed(second, 2, "neu")
    failed(second, 1, "y")
    desk.planner.replan(second.view(), "y", desk.call, earlier=[first.view()])
    assert "已完成的任务:\n- task_1: 做 1\n  结果: alt\n- task_2: 做 2\n  结果: neu\n未完成" in desk.asked[0]
