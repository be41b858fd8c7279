import threading
from pathlib import Path
from typing import Any

import pytest
from paicli.policy.rules import RuleDecision

from paicli.core.events import ApprovalDecided, ApprovalRequested, CommandReviewed, ToolFinished
from paicli.core.messages import ToolCall, ToolOutcome, ToolResult
from paicli.core.ops import ApprovalDecision, DecideApproval, Mode
from paicli.tools.tool import ToolContext
from tests.fakes.house import FakeCommand, FakeWriter, House


def run(house: House, name: str, arguments: str) -> ToolResult:
    return house.gate.run(ToolCall("c1", name, arguments), house.actor, False)


def answer_with(house: House, *decisions: DecideApproval) -> threading.Thread:
    """Answers the questions in order, as a person at a terminal would."""

    def answer() -> None:
        for decision in decisions:
            wanted = decision.request_id
            house.listener.wait_for(ApprovalRequested, where=lambda asked, wanted=wanted: asked.request_id == wanted)
            assert house.desk.answer(decision)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    return thread


def test_a_command_that_cannot_be_meant_is_refused_in_every_mode(tmp_path: Path) -> None:
    for mode in Mode:
        for rule in (RuleDecision.ALLOW, RuleDecision.NONE):
            house = House(tmp_path, [], mode=mode, rule=rule)
            result = run(house, "execute_command", '{"command":"rm -rf /"}')
            assert result.outcome is ToolOutcome.DENIED
            (reviewed,) = house.listener.of(CommandReviewed)
            assert (reviewed.allowed, reviewed.by) == (False, "guard")
            assert not any(tool.ran for tool in house.tools)
            assert house.listener.of(ApprovalRequested) == []


def test_ask_mode_asks_before_writes_and_commands_and_not_before_reads(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    assert run(house, "look", "{}").outcome is ToolOutcome.OK
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.ALLOW),
        DecideApproval("request_2", ApprovalDecision.DENY, "not now"),
    )
    assert run(house, "change", '{"path":"a"}').content == "saw a"
    denied = run(house, "execute_command", '{"command":"make"}')
    answering.join(5)
    assert (denied.outcome, denied.content) == (ToolOutcome.DENIED, "用户拒绝了这次操作,原因:not now")
    assert [(a.tool, a.arguments) for a in house.listener.of(ApprovalRequested)] == [
        ("change", '{"path":"a"}'),
        ("execute_command", '{"command":"make"}'),
    ]
    assert house.listener.of(ApprovalDecided) == [
        ApprovalDecided("request_1", ApprovalDecision.ALLOW),
        ApprovalDecided("request_2", ApprovalDecision.DENY, "not now"),
    ]


def test_allowed_for_the_session_means_this_tool_or_this_very_command(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.ALLOW_SESSION),
        DecideApproval("request_2", ApprovalDecision.ALLOW_SESSION),
        DecideApproval("request_3", ApprovalDecision.SKIP),
    )
    run(house, "change", '{"path":"a"}')
    run(house, "change", '{"path":"b"}')
    run(house, "execute_command", '{"command":"make"}')
    run(house, "execute_command", '{"command":"make"}')
    assert run(house, "execute_command", '{"command":"make clean"}').outcome is ToolOutcome.DENIED
    answering.join(5)
    assert len(house.listener.of(ApprovalRequested)) == 3


def test_arguments_the_person_edited_are_checked_again(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.EDIT, arguments='{"command":"make test"}'),
        DecideApproval("request_2", ApprovalDecision.ALLOW),
    )
    run(house, "execute_command", '{"command":"make"}')
    answering.join(5)
    command = house.tools[2]
    assert isinstance(command, FakeCommand)
    assert [arguments.command for arguments in command.ran] == ["make test"]
    answer_with(house, DecideApproval("request_3", ApprovalDecision.EDIT, arguments='{"command":"sudo make"}'))
    assert run(house, "execute_command", '{"command":"make"}').outcome is ToolOutcome.DENIED
    assert len(command.ran) == 1


def test_cancel_at_a_question_ends_the_turn_and_runs_nothing(tmp_path: Path) -> None:  # C56
    house = House(tmp_path, [], mode=Mode.ASK)
    answer_with(house, DecideApproval("request_1", ApprovalDecision.CANCEL))
    assert run(house, "change", "{}").outcome is ToolOutcome.CANCELLED
    assert not any(tool.ran for tool in house.tools)
    house = House(tmp_path, [], mode=Mode.ASK)
    results: list[ToolResult] = []
    worker = threading.Thread(target=lambda: results.append(run(house, "change", "{}")))
    worker.start()
    house.listener.wait_for(ApprovalRequested)
    house.cancel.cancel()
    worker.join(5)
    assert [result.outcome for result in results] == [ToolOutcome.CANCELLED]
    assert house.listener.of(ApprovalDecided) == [ApprovalDecided("request_1", ApprovalDecision.CANCEL, by="cancel")]


def test_nobody_to_ask_is_a_no(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY, by="nobody"))
    assert "没有人可以询问" in run(house, "change", "{}").content


@pytest.mark.parametrize(
    ("rule", "outcome", "asked"),
    [
        (RuleDecision.ALLOW, ToolOutcome.OK, 0),
        (RuleDecision.DENY, ToolOutcome.DENIED, 0),
        (RuleDecision.ASK, ToolOutcome.DENIED, 1),
    ],
)
def test_rules_decide_before_the_mode(tmp_path: Path, rule: RuleDecision, outcome: ToolOutcome, asked: int) -> None:
    mode = Mode.ASK if rule is RuleDecision.ALLOW else Mode.AUTO
    house = House(tmp_path, [], mode=mode, rule=rule)
    answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY))
    assert run(house, "change", "{}").outcome is outcome
    assert len(house.listener.of(ApprovalRequested)) == asked


def test_a_command_that_cannot_be_parsed_is_asked_about_in_auto_mode(tmp_path: Path) -> None:
    house = House(tmp_path, [])
    answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY))
    assert run(house, "execute_command", '{"command":"echo \\"unterminated"}').outcome is ToolOutcome.DENIED
    (asked,) = house.listener.of(ApprovalRequested)
    assert asked.reason


def test_a_cancelled_turn_runs_nothing(tmp_path: Path) -> None:
    house = House(tmp_path, [])
    house.cancel.cancel()
    assert run(house, "change", "{}").outcome is ToolOutcome.CANCELLED
    assert not any(tool.ran for tool in house.tools)


def test_a_command_in_the_result_is_masked_in_its_detail_too(tmp_path: Path) -> None:
    def act(arguments: Any, context: ToolContext) -> ToolResult:
        context.progress("sk-canary-1")
        return ToolResult("x")

    house = House(tmp_path, [], [FakeWriter(act)], secrets=("sk-canary-1",))
    run(house, "change", "{}")
    assert "canary" not in str(house.listener.bodies)
    assert len(house.listener.of(ToolFinished)) == 1
