"""Whole plan turns: plan, review, rounds, replans, and every way they end."""

import json
import threading
from collections.abc import Mapping
from itertools import count

import pytest

from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.agent.planning.plan_execute import STOPPED
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import LlmUnreachable, TurnCancelled
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanningStarted,
    PlanRejected,
    PlanReviewed,
    PlanReviewRequested,
    PlanStarted,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskStarted,
)
from paicli.core.events import (
    Event,
    ModelReplyReceived,
    ModelRequestStarted,
    Origin,
    ToolFinished,
    TurnStatus,
    UrlTrusted,
)
from paicli.core.faults import Fault
from paicli.core.messages import ChatRequest, ChatResponse, CommandRun, Image, ToolOutcome, Usage, UserMessage
from paicli.core.ops import ReviewDecision, TurnKind
from paicli.core.plan_report import fault_text
from paicli.core.plan_view import PlanChanges, PlanEnding, PlanStatus
from paicli.plan.parser import parse_plan
from paicli.plan.stored import stored_plan
from tests.agent.plan_bench import CANCEL, STOP, PlanBench, breaks, plan_reply, revise
from tests.patience import PATIENCE_S

BROKEN = Fault("llm.broken", (("detail", "断线"),), is_retryable=True)
P1, P2, P3 = "t_plan_1", "t_plan_2", "t_plan_3"
ONE = plan_reply(("做", []))


def test_a_plan_turn_tells_its_whole_story() -> None:
    reply = plan_reply(("读", []), ("写", [1]))
    bench = PlanBench([reply])
    outcome = bench.run()
    report = outcome.report
    assert report is not None
    created = parse_plan(reply.content, goal="目标", plan_id=P1).view()
    assert bench.heard.bodies == [
        PlanningStarted("目标", PlanCause.GOAL),
        ModelRequestStarted(1, 2, (), "plan"),
        ModelReplyReceived(reply, 0.0),
        PlanCreated(created, PlanCause.GOAL),
        PlanReviewRequested("request_1", created, PlanCause.GOAL),
        PlanReviewed("request_1", ReviewDecision.EXECUTE),
        PlanStarted(created),
        RoundStarted(("task_1",)),
        TaskStarted("读", True),
        TaskCompleted("完成:读"),
        RoundCommitted(("task_1",), (), 0.5),
        RoundStarted(("task_2",)),
        TaskStarted("写", True),
        TaskCompleted("完成:写"),
        RoundCommitted(("task_2",), (), 1.0),
        PlanFinished(report),
    ]
    assert (outcome.status, report.ending, report.rounds) == (TurnStatus.COMPLETED, PlanEnding.COMPLETED, 2)
    assert (report.model_calls, report.tokens, outcome.usage) == (1, 110, Usage(100, 0, 10))
    assert outcome.plan == report.plan
    assert report.plan.status is PlanStatus.COMPLETED
    assert [each.system for each in bench.conversations] == ["ANALYSIS|读", "ANALYSIS|写"]
    assert bench.told("task_2").split("\n")[2:5] == [
        "依赖任务结果:",
        "- task_1 / 读 / 状态=COMPLETED",
        "完成:读",
    ]


def test_the_engine_gets_the_whole_summary_also_of_what_streamed() -> None:
    ending = PlanBench([ONE]).run().ending(Texts(Language.ZH))
    assert ending.text.split("\n")[:2] == ["✅ 计划执行完成!", "[task_1] 完成:做"]
    assert (ending.status, ending.was_streamed, ending.usage) == (TurnStatus.COMPLETED, False, Usage(100, 0, 10))


def test_attachments_reach_the_planner_and_no_task() -> None:
    bench = PlanBench([ONE])
    image = Image("a.png", "image/png", "AAAA", 3)
    bench.run("看 @a", attachments="<a>内容", images=(image,))
    asked = bench.client.requests[0].messages[1]
    assert asked == UserMessage("请为以下任务制定执行计划:\n看 @a\n\n<a>内容", (image,))
    assert bench.told("task_1").startswith("总目标:看 @a\n当前任务:做\n")


@pytest.mark.parametrize("reply", ["", "{}", "没有计划"])
def test_an_invalid_plan_ends_the_turn_with_one_request_and_no_task(reply: str) -> None:  # C57, C58
    bench = PlanBench([ChatResponse(reply)])
    outcome = bench.run()
    assert outcome.status is TurnStatus.FAILED
    assert outcome.fault is not None
    assert bench.heard.bodies[-1] == PlanRejected(outcome.fault, PlanCause.GOAL)
    assert (len(bench.client.requests), bench.conversations, outcome.report) == (1, [], None)
    assert outcome.ending(Texts(Language.ZH)).text == ""


def test_an_unreachable_model_ends_the_turn_and_may_be_tried_again() -> None:
    bench = PlanBench([LlmUnreachable("llm.broken", detail="断线")])
    outcome = bench.run()
    assert (outcome.status, outcome.fault) == (TurnStatus.FAILED, BROKEN)
    assert bench.heard.of(PlanRejected) == []


def test_a_cancel_while_planning_ends_the_turn() -> None:
    bench = PlanBench([])
    bench.cancel.cancel()
    assert bench.run().status is TurnStatus.CANCELLED


def test_plan_only_makes_a_plan_and_asks_nobody() -> None:
    bench = PlanBench([ONE])
    outcome = bench.run(kind=TurnKind.PLAN_ONLY)
    assert outcome.status is TurnStatus.COMPLETED
    assert outcome.plan == bench.heard.of(PlanCreated)[0].view
    assert bench.said(PlanReviewRequested, PlanStarted) == []


def test_a_plan_refused_in_the_review_runs_nothing() -> None:
    bench = PlanBench([ONE], reviews=[CANCEL])
    outcome = bench.run()
    assert (outcome.status, outcome.report, outcome.fault) == (TurnStatus.CANCELLED, None, None)
    assert outcome.plan is not None
    assert outcome.plan.status is PlanStatus.CANCELLED
    assert bench.said(PlanStarted, PlanFinished) == []


def test_a_plan_that_nobody_can_review_stops_with_its_own_reason() -> None:
    bench = PlanBench([ONE], reviews=[STOP])
    outcome = bench.run()
    assert (outcome.status, outcome.fault, bench.conversations) == (TurnStatus.CANCELLED, Fault(STOPPED), [])
    assert bench.heard.of(PlanReviewed) == [PlanReviewed("request_1", ReviewDecision.STOP, by="nobody")]


def test_a_cancel_during_the_review_is_told_and_runs_nothing() -> None:
    bench = PlanBench([ONE])
    bench.answers_reviews = False
    outcomes: list[TurnStatus] = []
    thread = threading.Thread(target=lambda: outcomes.append(bench.run().status))
    thread.start()
    bench.heard.wait_for(PlanReviewRequested)
    bench.cancel.cancel()
    thread.join(PATIENCE_S)
    assert outcomes == [TurnStatus.CANCELLED]
    assert bench.heard.of(PlanReviewed) == [PlanReviewed("request_1", ReviewDecision.CANCEL, by="cancel")]
    assert bench.conversations == []


def test_a_cancel_just_after_the_yes_still_runs_nothing() -> None:
    bench = PlanBench([ONE])

    def cancel_on_answer(event: Event) -> None:
        if isinstance(event.body, PlanReviewed):
            bench.cancel.cancel()

    bench.stream.subscribe(cancel_on_answer)
    outcome = bench.run()
    assert (outcome.status, outcome.report) == (TurnStatus.CANCELLED, None)
    assert bench.said(PlanStarted) == []


def test_feedback_changes_the_plan_tightens_the_policy_and_joins_the_goal() -> None:
    bench = PlanBench(
        [plan_reply(("读配置", []), ("上网查", [])), plan_reply(("读配置", []), ("看文档", [1]))],
        reviews=[revise("不要联网")],
    )
    outcome = bench.run()
    assert (outcome.status, outcome.feedback, bench.tightened) == (TurnStatus.COMPLETED, ("不要联网",), ["不要联网"])
    changes = PlanChanges(kept=("task_1",), added=("task_2",), removed=("task_2",))
    created = [(plan_id, body.cause, body.changes) for plan_id, body in bench.said(PlanCreated)]
    assert created == [(P1, PlanCause.GOAL, None), (P2, PlanCause.FEEDBACK, changes)]
    asked = [(plan_id, body.cause, body.changes) for plan_id, body in bench.said(PlanReviewRequested)]
    assert asked == created
    assert bench.said(PlanStarted)[0][0] == P2
    assert bench.told("task_1", P2).startswith("总目标:目标\n补充要求:不要联网\n当前任务:读配置\n")
    assert bench.heard.of(ReplanTriggered) == []


def test_feedback_upon_feedback_joins_the_goal_in_order() -> None:
    bench = PlanBench([ONE, ONE, ONE], reviews=[revise("一"), revise("二")])
    assert bench.run().feedback == ("一", "二")
    assert (
        bench.client.requests[2]
        .messages[1]
        .content.startswith(
            "请为以下任务制定执行计划:\n目标\n补充要求:一\n补充要求:二\n\n下面是用户刚审阅过的当前计划。"
        )
    )


def test_blank_feedback_returns_to_the_review() -> None:
    bench = PlanBench([ONE], reviews=[revise(" \n"), revise("")])
    outcome = bench.run()
    assert (outcome.status, outcome.feedback, len(bench.client.requests)) == (TurnStatus.COMPLETED, (), 1)
    assert len(bench.said(PlanReviewRequested)) == 3


@pytest.mark.parametrize("answer", [ChatResponse("不行"), LlmUnreachable("llm.broken", detail="断线")])
def test_a_revision_that_fails_leaves_the_plan_that_stood(answer: ChatResponse | LlmUnreachable) -> None:
    bench = PlanBench([ONE, answer], reviews=[revise("再短一点")])
    outcome = bench.run()
    assert [(plan_id, body.cause) for plan_id, body in bench.said(PlanRejected)] == [(P2, PlanCause.FEEDBACK)]
    assert [(plan_id, body.cause) for plan_id, body in bench.said(PlanReviewRequested)] == [
        (P1, PlanCause.GOAL),
        (P1, PlanCause.GOAL),
    ]
    assert (outcome.status, bench.tightened) == (TurnStatus.COMPLETED, ["再短一点"])
    assert bench.told("task_1").startswith("总目标:目标\n当前任务:做\n")


def test_a_cancel_while_revising_ends_the_turn() -> None:
    def cancelled(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
        bench.cancel.cancel()
        raise TurnCancelled

    bench = PlanBench([ONE, cancelled], reviews=[revise("x")])
    assert bench.run().status is TurnStatus.CANCELLED
    assert bench.conversations == []


def test_a_replan_gets_reasons_and_results_is_reviewed_and_carries_what_is_done() -> None:  # C61
    bench = PlanBench(
        [
            plan_reply(("写日志", []), ("会断", [1]), ("收尾", [2])),
            plan_reply(("换个办法", []), ("写日志", []), ("收尾", [1])),
        ]
    )
    bench.talks["会断"] = breaks
    outcome = bench.run()
    assert outcome.status is TurnStatus.COMPLETED
    assert bench.client.requests[1].messages[1].content == (
        "请为以下任务制定执行计划:\n原任务: 目标\n失败原因: " + failure_text(bench) + "\n已完成的任务:\n"
        "- task_1: 写日志\n  结果: 完成:写日志\n"
        "未完成的任务:\n- task_2: 会断 (FAILED: " + failure_text(bench) + ")\n- task_3: 收尾 (未执行)\n"
        "已完成的任务不要重新规划,也不要重复执行;只规划剩下的部分,并避开上面的失败原因。"
    )
    told = [(plan_id, type(body)) for plan_id, body in bench.said(*STORY)]
    assert told == [
        (P1, PlanCreated),
        (P1, PlanReviewRequested),
        (P1, PlanStarted),
        (P1, ReplanTriggered),
        (P2, PlanCreated),
        (P2, PlanReviewRequested),
        (P2, PlanStarted),
        (P2, PlanFinished),
    ]
    reviewed = bench.heard.of(PlanReviewRequested)[1]
    assert reviewed.cause is PlanCause.REPLAN
    assert [task.repeats_completed for task in reviewed.view.tasks] == [False, True, False]
    assert bench.told("task_1", P2).split("\n")[2:6] == [
        "依赖任务:无",
        "此前计划已完成:",
        "- task_1 / 写日志 / 状态=COMPLETED",
        "完成:写日志",
    ]
    assert "此前计划已完成" not in bench.told("task_3", P2)
    report = outcome.report
    assert report is not None
    assert [plan.id for plan in report.earlier] == [P1]
    assert (report.plan.id, report.rounds, report.model_calls, report.tokens) == (P2, 4, 2, 220)
    assert [each.task_id for each in bench.conversations if each.plan_id == P1] == ["task_1", "task_2"]


STORY = (
    PlanCreated,
    PlanReviewRequested,
    PlanStarted,
    ReplanTriggered,
    PlanFinished,
)


def failure_text(bench: PlanBench) -> str:
    return fault_text(bench.heard.of(TaskFailed)[0].fault, Texts(Language.ZH))


def test_the_times_of_all_plans_of_a_turn_add_up_and_no_review_counts() -> None:
    looks = count()
    bench = PlanBench(
        [plan_reply(("会断", []), ("收尾", [1])), plan_reply(("换个办法", []))], stopwatch=lambda: next(looks) * 10.0
    )
    bench.talks["会断"] = breaks
    report = bench.run().report
    assert report is not None
    assert (report.rounds, report.wall_s) == (2, 20.0)


def test_replans_are_bounded_and_the_last_failure_is_reported() -> None:  # C61
    failing_plan = plan_reply(("会断", []), ("之后", [1]))
    bench = PlanBench([failing_plan, failing_plan, failing_plan])
    bench.talks["会断"] = breaks
    outcome = bench.run()
    assert [body.number for body in bench.heard.of(ReplanTriggered)] == [1, 2]
    assert bench.heard.of(ReplanLimitReached) == [ReplanLimitReached(2, 0.0)]
    assert outcome.status is TurnStatus.PARTIAL
    assert outcome.report is not None
    assert outcome.report.ending is PlanEnding.REPLAN_LIMIT
    assert [plan.id for plan in outcome.report.earlier] == [P1, P2]
    assert outcome.ending(Texts(Language.ZH)).text.split("\n")[-2] == "任务 task_2 已跳过: 已达到重新规划上限"


def test_no_replan_is_made_where_none_is_allowed() -> None:
    bench = PlanBench([plan_reply(("会断", []))], max_replans=0)
    bench.talks["会断"] = breaks
    assert bench.run().status is TurnStatus.PARTIAL
    assert bench.heard.of(ReplanLimitReached) == [ReplanLimitReached(0, 0.0)]


@pytest.mark.parametrize("answer", [ChatResponse("不行"), LlmUnreachable("llm.broken", detail="断线")])
def test_a_replan_without_a_plan_ends_with_what_was_done(answer: ChatResponse | LlmUnreachable) -> None:
    bench = PlanBench([plan_reply(("写", []), ("会断", [1]), ("后", [2])), answer])
    bench.talks["会断"] = breaks
    outcome = bench.run()
    report = outcome.report
    assert report is not None
    assert (outcome.status, report.ending, report.plan.id) == (TurnStatus.FAILED, PlanEnding.REPLAN_FAILED, P1)
    assert report.earlier == ()
    assert outcome.fault == Fault(report.fault_code, report.fault_fields, outcome.fault.is_retryable)
    text = outcome.ending(Texts(Language.ZH)).text.split("\n")
    assert text[:3] == ["⚠️ 计划部分完成,有任务失败。", "已完成的任务结果:", "[task_1] 完成:写"]
    assert text[-2].startswith("❌ 执行失败: ")


def test_a_replan_refused_in_its_review_ends_with_what_was_done() -> None:
    bench = PlanBench([plan_reply(("会断", [])), ONE])
    bench.reviews_by_plan[P2] = CANCEL
    bench.talks["会断"] = breaks
    outcome = bench.run()
    assert outcome.report is not None
    assert (outcome.status, outcome.report.ending) == (TurnStatus.CANCELLED, PlanEnding.REPLAN_CANCELLED)
    assert (outcome.report.plan.id, outcome.report.earlier) == (P1, ())
    assert outcome.ending(Texts(Language.ZH)).text.split("\n")[-2] == "⏹️ 已取消本次计划执行。"


def test_a_revised_replan_marks_what_it_repeats_and_counts_as_one_replan() -> None:
    bench = PlanBench([plan_reply(("写", []), ("会断", [1]), ("后", [])), ONE, plan_reply(("写", []), ("做", []))])
    bench.reviews_by_plan[P2] = revise("加上写")
    bench.talks["会断"] = breaks
    bench.talks["后"] = breaks
    outcome = bench.run()
    assert outcome.status is TurnStatus.COMPLETED
    view = bench.heard.of(PlanReviewRequested)[-1].view
    assert (view.id, [task.repeats_completed for task in view.tasks]) == (P3, [True, False])
    assert [each.number for each in bench.heard.of(ReplanTriggered)] == [1]


def test_a_task_that_ended_on_its_budget_makes_the_turn_partial() -> None:
    bench = PlanBench([ONE])
    bench.talks["做"] = lambda origin, cancel: LoopOutcome(LoopStatus.PARTIAL, "⚠️ 部分完成(x)\n一半")
    outcome = bench.run()
    assert outcome.status is TurnStatus.PARTIAL
    assert bench.heard.of(TaskCompleted) == [TaskCompleted("⚠️ 部分完成(x)\n一半", is_partial=True)]


def test_a_cancelled_conversation_interrupts_its_task_and_ends_the_plan() -> None:  # C64
    bench = PlanBench([plan_reply(("写", []), ("停", [1]), ("后", [2]))])

    def stop(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
        bench.cancel.cancel()
        return LoopOutcome(LoopStatus.CANCELLED, "")

    bench.talks["停"] = stop
    outcome = bench.run()
    assert outcome.report is not None
    assert (outcome.status, outcome.report.ending) == (TurnStatus.CANCELLED, PlanEnding.CANCELLED)
    assert bench.heard.bodies[-2:] == [TaskInterrupted(), PlanFinished(outcome.report)]
    assert [each.task_id for each in bench.conversations] == ["task_1", "task_2"]
    assert outcome.ending(Texts(Language.ZH)).text.split("\n")[:3] == [
        "⏹️ 已取消当前计划执行。",
        "已完成的任务结果:",
        "[task_1] 完成:写",
    ]


STORED = stored_plan(parse_plan(plan_reply(("读", []), ("写", [1])).content, goal="离线目标", plan_id="x").view())


def test_a_stored_plan_is_reviewed_and_run_without_a_planning_request() -> None:
    bench = PlanBench([])
    outcome = bench.run(STORED, TurnKind.PLAN_FILE)
    assert (outcome.status, bench.client.requests) == (TurnStatus.COMPLETED, [])
    assert [body.cause for _, body in bench.said(PlanCreated, PlanReviewRequested)] == [PlanCause.FILE] * 2
    assert bench.tightened == ["离线目标"]
    assert bench.told("task_2").startswith("总目标:离线目标\n当前任务:写\n依赖任务结果:\n")


def test_a_broken_stored_plan_is_refused() -> None:
    bench = PlanBench([])
    outcome = bench.run(json.dumps({"goal": "g", "tasks": []}), TurnKind.PLAN_FILE)
    assert (outcome.status, outcome.fault) == (TurnStatus.FAILED, Fault("plan.invalid.tasks"))
    assert bench.said(PlanRejected) == [(P1, PlanRejected(Fault("plan.invalid.tasks"), PlanCause.FILE))]


def test_a_long_result_goes_to_a_file_before_it_goes_to_a_task() -> None:
    bench = PlanBench([plan_reply(("长", []), ("用", [1]))])
    bench.talks["长"] = lambda origin, cancel: LoopOutcome(LoopStatus.DONE, "x" * 32_001)
    bench.run()
    assert bench.stored == {f"{P1}-task_1": "x" * 32_001}
    assert bench.told("task_2").split("\n")[4] == f"[见 {P1}-task_1]"


def searching(bench: PlanBench, *urls: tuple[str, str]) -> None:
    for description, url in urls:

        def search(origin: Origin, cancel: CancellationToken, url: str = url) -> LoopOutcome:
            bench.stream.publish(UrlTrusted(url, "web_search"), origin)
            bench.stream.publish(UrlTrusted("https://said.example/", "user"), origin)
            return LoopOutcome(LoopStatus.DONE, "gefunden")

        bench.talks[description] = search


def test_urls_found_by_a_search_follow_the_dependencies_and_no_sibling() -> None:
    bench = PlanBench([plan_reply(("搜一", []), ("搜二", []), ("整理", [1]), ("核对", [3]), ("旁边", [2]))])
    searching(bench, ("搜一", "https://one.example/"), ("搜二", "https://two.example/"))
    bench.run()
    assert sorted(bench.shared) == [
        ("task_1", ()),
        ("task_2", ()),
        ("task_3", ("https://one.example/",)),
        ("task_4", ("https://one.example/",)),
        ("task_5", ("https://two.example/",)),
    ]
    assert bench.told("task_4").split("\n")[-3:-1] == [
        "依赖分支经 web_search 验证的 URL:",
        "- https://one.example/",
    ]
    assert "URL" not in bench.told("task_1")


def test_urls_of_a_replaced_plan_are_not_inherited() -> None:
    bench = PlanBench([plan_reply(("搜", []), ("会断", [1]), ("后", [2])), plan_reply(("做", []), ("再", [1]))])
    searching(bench, ("搜", "https://one.example/"))
    bench.talks["会断"] = breaks
    bench.run()
    assert [urls for _, urls in bench.shared] == [(), ("https://one.example/",), (), ()]


def touching(bench: PlanBench, description: str, *, read: str = "", written: str = "", command: bool = False) -> None:
    def touch(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
        detail = CommandRun("x", 0, 0.1) if command else None
        files = {"files_read": tuple(read.split()), "files_written": tuple(written.split())}
        bench.stream.publish(ToolFinished("c", "tool", ToolOutcome.OK, "", detail, 0.0, **files), origin)
        return LoopOutcome(LoopStatus.DONE, "")

    bench.talks[description] = touch


def test_two_tasks_of_a_round_on_one_file_are_journalled_and_stand_in_the_summary() -> None:  # C60
    bench = PlanBench([plan_reply(("甲", []), ("乙", []), ("丙", [1]))])
    touching(bench, "甲", read="/p/f", written="/p/f")
    touching(bench, "乙", written="/p/f")
    touching(bench, "丙", written="/p/f")
    outcome = bench.run()
    assert bench.heard.of(FileOverlapped) == [FileOverlapped("/p/f", ("task_1", "task_2"))]
    assert outcome.report is not None
    assert outcome.report.overlaps == (("/p/f", "task_1", "task_2"),)
    assert "⚠️ 同一轮的任务 task_1 与 task_2 都涉及文件 /p/f" in outcome.ending(Texts(Language.ZH)).text


class Ledgers:
    def known(self, plan_id: str, task_id: str) -> Mapping[str, str]:
        return {"/p/f": "old"} if (plan_id, task_id) == (P1, "task_1") else {}

    def current_digest(self, path: str) -> str | None:
        return "new"


def test_a_file_that_a_sibling_s_command_changed_is_an_overlap_too() -> None:  # C60
    bench = PlanBench([plan_reply(("甲", []), ("乙", []))], known_files=Ledgers())
    touching(bench, "甲", read="/p/f")
    touching(bench, "乙", command=True)
    bench.run()
    assert bench.heard.of(FileOverlapped) == [FileOverlapped("/p/f", ("task_1", "task_2"))]


def test_what_other_turns_say_costs_this_turn_nothing() -> None:
    bench = PlanBench([ONE])

    def chatter(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
        bench.stream.publish(ModelReplyReceived(ChatResponse("", usage=Usage(5, 0, 5)), 0.0), Origin("other"))
        bench.stream.publish(ModelReplyReceived(ChatResponse("", usage=Usage(1, 0, 2)), 0.0), origin)
        return LoopOutcome(LoopStatus.DONE, "")

    bench.talks["做"] = chatter
    assert bench.run().usage == Usage(101, 0, 12)
