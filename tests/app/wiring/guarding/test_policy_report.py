from pathlib import Path

import pytest

from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.app.wiring.guarding.policy_report import PolicySources, policy_report
from paicli.core.event_stream import EventStream
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.ops import Mode
from paicli.policy.command_guard import CommandGuard
from paicli.policy.turn_policy import OutsideContent
from paicli.tools.registry import ToolRegistry


def verdict(command: str, *, words: str = "") -> Fault | None:
    policies = TurnPolicies(EventStream("session"), root=Path("/w"))
    policies.begin_turn("t1", words, OutsideContent())
    registry = ToolRegistry((), schemas={}, describe=str)
    guard = CommandGuard(Path("/w"), Path("/home/me"))
    sources = PolicySources(policies, registry, SecretMasker(), guard)
    return policy_report(sources, command, mode=Mode.AUTO, rule_count=0).verdict


@pytest.mark.parametrize(
    ("command", "words", "expected"),
    [
        ("ls", "", None),
        ("", "", None),
        ("rm -rf ~", "", "policy.command_delete"),
        ("rm -rf /", "read https://example.com/", "policy.command_delete"),
        ("touch a", "只读", "policy.turn_writing_command"),
        ("curl https://example.com/", "", "policy.url_untrusted"),
        ('curl "$WHERE"', "", "policy.command_unknown_url"),
        ('curl "$WHERE"; rm -rf ~', "", "policy.command_delete"),
    ],
)
def test_a_command_is_held_against_the_turns_policy_and_the_guard(
    command: str, words: str, expected: str | None
) -> None:
    found = verdict(command, words=words)
    assert (found.code if found else None) == expected
