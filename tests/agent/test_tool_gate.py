import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paicli.agent.actor import Actor
from paicli.core.cancellation import CancellationToken
from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    CommandReviewed,
    Notice,
    TodoUpdated,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
)
from paicli.core.messages import (
    CommandRun,
    FileWritten,
    TodoItem,
    TodoList,
    ToolCall,
    ToolDetail,
    ToolOutcome,
    ToolResult,
)
from paicli.core.ops import ApprovalDecision, DecideApproval, Mode
from paicli.policy.rules import RuleDecision, parse_rule
from paicli.tools.tool import ToolContext
from tests.fakes.house import FakeCommand, FakeTool, FakeWriter, House
from tests.patience import PATIENCE_S


def run(house: House, name: str, arguments: str) -> ToolResult:
    return house.gate.run(ToolCall("c1", name, arguments), house.actor, False)


def ran(arguments: Any, context: ToolContext) -> ToolResult:
    return ToolResult(f"ran {arguments.command}")


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
    answering.join(PATIENCE_S)
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
    answering.join(PATIENCE_S)
    assert len(house.listener.of(ApprovalRequested)) == 3


@pytest.mark.parametrize(
    ("granted", "rule", "then", "asks_again"),
    [
        ("git status", "execute_command(git status:*)", "git status -s", False),
        ("git status", "execute_command(git status:*)", "git status; id", True),
        ("git status", "execute_command(git status:*)", "git status && id", True),
        ("git status", "execute_command(git status:*)", "git -c core.pager=id status", True),
        ("git status", "execute_command(git status:*)", "git push --force origin topic", True),
        ("git status", "execute_command(git status:*)", "GIT_DIR=x git status", True),
        ("git status", "execute_command(git status:*)", "git status > out", True),
        ("git status && rm -rf ./tmp", "", "rm -rf ./other", True),
        ("git status && rm -rf ./tmp", "", "git status", True),
        ("git status && rm -rf ./tmp", "", "git status && rm -rf ./tmp", False),
        ("pytest tests", "execute_command(pytest:*)", "pytest -q", False),
    ],
)
def test_all_of_this_kind_allows_what_its_shown_rule_says_and_no_more(  # C45
    tmp_path: Path, granted: str, rule: str, then: str, asks_again: bool
) -> None:
    house = House(tmp_path, [], tools=[FakeCommand(ran)], mode=Mode.ASK)
    answers = [DecideApproval("request_1", ApprovalDecision.ALLOW_SESSION)]
    if asks_again:
        answers.append(DecideApproval("request_2", ApprovalDecision.DENY))
    answering = answer_with(house, *answers)
    run(house, "execute_command", json.dumps({"command": granted}))
    outcome = run(house, "execute_command", json.dumps({"command": then})).outcome
    answering.join(PATIENCE_S)
    assert outcome is (ToolOutcome.DENIED if asks_again else ToolOutcome.OK)
    asked = house.listener.of(ApprovalRequested)
    assert (asked[0].rule, len(asked)) == (rule, 1 + asks_again)
    if rule:
        assert parse_rule(rule).text == rule


def test_a_rule_of_the_session_says_nothing_of_a_command_the_guard_doubts(tmp_path: Path) -> None:  # C45
    house = House(tmp_path, [], mode=Mode.ASK)
    doubtful = 'make -C "$(cat where)"'
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.ALLOW_SESSION),
        DecideApproval("request_2", ApprovalDecision.DENY),
    )
    run(house, "execute_command", '{"command":"make -C sub"}')
    assert run(house, "execute_command", json.dumps({"command": doubtful})).outcome is ToolOutcome.DENIED
    answering.join(PATIENCE_S)


def test_a_person_sees_what_a_call_is_about_and_what_was_read_before(tmp_path: Path) -> None:  # C84
    house = House(tmp_path, [], mode=Mode.ASK)
    house.actor.ledger.note(str(tmp_path / "docs" / "page.md"), "1")
    house.actor.ledger.note(str(tmp_path / "a.py"), "2")
    answering = answer_with(house, *(DecideApproval(f"request_{n}", ApprovalDecision.DENY) for n in (1, 2)))
    run(house, "execute_command", '{"command":"rm -r build && curl http://127.0.0.1 >out"}')
    run(house, "change", '{"path":"a.py"}')
    answering.join(PATIENCE_S)
    command, write = house.listener.of(ApprovalRequested)
    assert (command.dangers, command.files_read) == (("deletes", "network", "redirects"), ("a.py", "docs/page.md"))
    assert (write.dangers, write.files_read, write.rule) == (("no_git",), (), "change")


def test_edited_arguments_that_do_not_fit_are_told_and_the_question_comes_again(tmp_path: Path) -> None:
    house = House(tmp_path, [], tools=[FakeCommand(ran)], mode=Mode.ASK, secrets=("hunter2-secret",))
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.EDIT, arguments='{"cmd":"make"}'),
        DecideApproval("request_2", ApprovalDecision.EDIT, arguments='{"command":"make ***"}'),
        DecideApproval("request_3", ApprovalDecision.EDIT, arguments='{"command":"make test"}'),
        DecideApproval("request_4", ApprovalDecision.ALLOW),
    )
    result = run(house, "execute_command", '{"command":"make hunter2-secret"}')
    answering.join(PATIENCE_S)
    assert [asked.arguments for asked in house.listener.of(ApprovalRequested)] == [
        '{"command":"make ***"}',
        '{"command":"make ***"}',
        '{"command":"make ***"}',
        '{"command":"make test"}',
    ]
    assert [notice.fault.code for notice in house.listener.of(Notice)] == [
        "approval.edit_invalid",
        "approval.edit_masked",
    ]
    command = house.tools[0]
    assert isinstance(command, FakeCommand)
    assert [arguments.command for arguments in command.ran] == ["make test"]
    assert result.content == '用户修改了参数,实际执行的是:{"command":"make test"}\nran make test'


def test_arguments_the_person_edited_are_checked_again(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    answering = answer_with(
        house,
        DecideApproval("request_1", ApprovalDecision.EDIT, arguments='{"command":"make test"}'),
        DecideApproval("request_2", ApprovalDecision.ALLOW),
    )
    run(house, "execute_command", '{"command":"make"}')
    answering.join(PATIENCE_S)
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
    worker.join(PATIENCE_S)
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
    if asked:
        answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY))
    assert run(house, "change", "{}").outcome is outcome
    assert len(house.listener.of(ApprovalRequested)) == asked


def test_a_command_that_cannot_be_parsed_is_asked_about_in_ask_mode(tmp_path: Path) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY))
    assert run(house, "execute_command", '{"command":"echo \\"unterminated"}').outcome is ToolOutcome.DENIED
    (asked,) = house.listener.of(ApprovalRequested)
    assert asked.reason == "policy.command_unparsed"


def test_a_cancelled_turn_runs_nothing(tmp_path: Path) -> None:
    house = House(tmp_path, [])
    house.cancel.cancel()
    assert run(house, "change", "{}").outcome is ToolOutcome.CANCELLED
    assert not any(tool.ran for tool in house.tools)


@pytest.mark.parametrize(
    "detail",
    [
        CommandRun("deploy sk-canary-1", 0, 1.0, tail="token sk-canary-1"),
        FileWritten("a", "+key = sk-canary-1\n", 1, 0),
    ],
)
def test_what_a_screen_is_told_of_a_result_is_masked_too(tmp_path: Path, detail: ToolDetail) -> None:
    def act(arguments: Any, context: ToolContext) -> ToolResult:
        context.progress("sk-canary-1")
        return ToolResult("x", detail)

    house = House(tmp_path, [], [FakeWriter(act)], secrets=("sk-canary-1",))
    run(house, "change", "{}")
    assert house.listener.of(ToolProgressed) == [ToolProgressed("c1", "***")]
    (finished,) = house.listener.of(ToolFinished)
    assert "***" in str(finished.detail)
    assert "canary" not in str(house.listener.bodies)


def test_a_preview_is_masked(tmp_path: Path) -> None:
    class Previewing(FakeWriter):
        def preview(self, arguments: Any, context: ToolContext) -> ToolDetail | None:
            return FileWritten("a", "+key = sk-canary-1\n", 1, 0)

    house = House(tmp_path, [], [Previewing()], mode=Mode.ASK, secrets=("sk-canary-1",))
    answer_with(house, DecideApproval("request_1", ApprovalDecision.DENY))
    run(house, "change", "{}")
    (asked,) = house.listener.of(ApprovalRequested)
    assert asked.preview == FileWritten("a", "+key = ***\n", 1, 0)


def test_the_todo_list_is_told_after_the_call_that_wrote_it(tmp_path: Path) -> None:
    items = (TodoItem("one", "pending"),)
    house = House(tmp_path, [], [FakeWriter(lambda arguments, context: ToolResult("x", TodoList(items)))])
    run(house, "change", "{}")
    assert [type(body) for body in house.listener.bodies][1:] == [ToolStarted, ToolFinished, TodoUpdated]
    assert house.listener.of(TodoUpdated) == [TodoUpdated(items)]


def test_a_tool_that_bounds_its_own_results_has_its_errors_bounded(tmp_path: Path) -> None:  # C68
    class Reader(FakeTool):
        name = "read_file"

    def act(arguments: Any, context: ToolContext) -> ToolResult:
        outcome = ToolOutcome.OK if arguments.path == "whole" else ToolOutcome.FAILED
        return ToolResult("x" * 40_000, outcome=outcome)

    house = House(tmp_path, [], [Reader(act)])
    assert len(run(house, "read_file", '{"path":"whole"}').content) == 40_000
    assert len(run(house, "read_file", '{"path":"broken"}').content) < 3_200


def test_the_persons_own_command_is_asked_about_by_nobody_and_the_guards_hold(tmp_path: Path) -> None:
    house = House(tmp_path, [], [FakeCommand(ran)], mode=Mode.ASK, rule=RuleDecision.DENY)
    person = Actor(house.actor.origin, house.actor.emit, house.cancel, is_person=True)
    own = ToolCall("c1", "execute_command", '{"command":"make"}')
    assert house.gate.run(own, person, False).content == "ran make"
    guarded = own._replace(arguments='{"command":"rm -rf /"}')
    assert house.gate.run(guarded, person, False).outcome is ToolOutcome.DENIED
    assert house.listener.of(ApprovalRequested) == []


def test_all_of_this_kind_answers_those_that_already_stand_in_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, [], mode=Mode.ASK)
    in_line = threading.Barrier(3)
    ask = house.desk.ask

    def ask_with_the_others(
        kind: type[DecideApproval], publish: Callable[[str], None], cancel: CancellationToken
    ) -> DecideApproval:
        in_line.wait(PATIENCE_S)
        return ask(kind, publish, cancel)

    monkeypatch.setattr(house.desk, "ask", ask_with_the_others)
    outcomes: list[ToolOutcome] = []
    calls = [ToolCall(f"c{number}", "change", "{}") for number in range(3)]
    workers = [
        threading.Thread(
            target=lambda call=call: outcomes.append(house.gate.run(call, house.actor, True).outcome), daemon=True
        )
        for call in calls
    ]
    for worker in workers:
        worker.start()
    asked = house.listener.wait_for(ApprovalRequested)
    assert house.desk.answer(DecideApproval(asked.request_id, ApprovalDecision.ALLOW_SESSION))
    for worker in workers:
        worker.join(PATIENCE_S)
    assert outcomes == [ToolOutcome.OK] * 3
    assert len(house.listener.of(ApprovalRequested)) == 1
