from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paicli.core.errors import PolicyDenied, ToolFailed, UserFacingError
from paicli.core.events import ToolFinished
from paicli.core.faults import Fault
from paicli.core.messages import FinishReason, ToolCall, ToolOutcome, ToolResult
from paicli.policy.rules import RuleDecision
from paicli.tools.tool import ToolContext
from tests.fakes.house import FakeTool, House, calls, says

SECRET = "canary-4711-canary"


def raising(error: Exception, cause: Exception | None = None) -> Callable[[Any, ToolContext], ToolResult]:
    def act(arguments: Any, context: ToolContext) -> ToolResult:
        raise error from cause

    return act


@pytest.mark.parametrize(
    ("error", "cause", "outcome", "fault"),
    [
        (
            ToolFailed("files.system_error", path="a", what=f"says {SECRET}"),
            None,
            ToolOutcome.FAILED,
            Fault.of("files.system_error", path="a", what="says ***"),
        ),
        (
            PolicyDenied("policy.rule_denied", tool="x"),
            None,
            ToolOutcome.DENIED,
            Fault.of("policy.rule_denied", tool="x"),
        ),
        (
            ToolFailed("memory.tool_failed", reason="写不了"),
            UserFacingError("memory.full", path="m"),
            ToolOutcome.FAILED,
            Fault.of("memory.full", path="m"),
        ),
        (
            ToolFailed("files.moved", path="a"),
            OSError("deep"),
            ToolOutcome.FAILED,
            Fault.of("files.moved", path="a"),
        ),
        (
            RuntimeError("odd"),
            None,
            ToolOutcome.FAILED,
            Fault.of("tool.broke", tool="look", what="RuntimeError: odd"),
        ),
    ],
)
def test_a_call_that_came_to_nothing_says_why_to_the_person(
    tmp_path: Path, error: Exception, cause: Exception | None, outcome: ToolOutcome, fault: Fault
) -> None:
    house = House(tmp_path, [], tools=[FakeTool(raising(error, cause))], secrets=(SECRET,))
    result = house.gate.run(ToolCall("c1", "look", "{}"), house.actor, False)
    (finished,) = house.listener.of(ToolFinished)
    assert (result.outcome, result.fault) == (outcome, fault)
    assert (finished.outcome, finished.fault, finished.content) == (outcome, fault, result.content)


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("nothing", "{}", "tool.unknown"),
        ("look", '{"path": 5}', "tool.arguments_invalid"),
        ("look", "[", "tool.arguments_no_json"),
        ("execute_command", '{"command": "sudo true"}', "policy.command_privilege"),
        ("change", "{}", "policy.rule_denied"),
    ],
)
def test_what_is_refused_before_a_tool_runs_says_why_to_the_person(
    tmp_path: Path, name: str, arguments: str, code: str
) -> None:
    house = House(tmp_path, [], rule=RuleDecision.DENY)
    house.gate.run(ToolCall("c1", name, arguments), house.actor, False)
    (finished,) = house.listener.of(ToolFinished)
    assert finished.fault is not None
    assert finished.fault.code == code


def test_a_call_the_output_limit_cut_says_so_to_the_person(tmp_path: Path) -> None:
    house = House(tmp_path, [calls(("look", '{"pa'), finish=FinishReason.LENGTH), says("done")])
    house.loop().run()
    (finished,) = house.listener.of(ToolFinished)
    assert finished.fault == Fault("tool.output_cut")


def test_a_call_that_went_well_has_nothing_to_explain(tmp_path: Path) -> None:
    house = House(tmp_path, [])
    house.gate.run(ToolCall("c1", "look", "{}"), house.actor, False)
    (finished,) = house.listener.of(ToolFinished)
    assert finished.fault is None
