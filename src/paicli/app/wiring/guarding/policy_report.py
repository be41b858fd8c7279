"""What /policy shows: the running or last turn's policy, held against the tools there are."""

from typing import NamedTuple

from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.core.errors import PolicyDenied
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolEffect
from paicli.core.ops import Mode
from paicli.policy.command_guard import CommandGuard
from paicli.policy.turn_policy import MEMORY_TOOL, TurnToolPolicy
from paicli.policy.verdict import VerdictKind
from paicli.tools.registry import ToolRegistry
from paicli.ui.queries import OfferedTool, PolicyReport, TrustedUrlRow


class PolicySources(NamedTuple):
    """Whom the report comes from."""

    policies: TurnPolicies
    registry: ToolRegistry
    masker: SecretMasker
    guard: CommandGuard


def policy_report(sources: PolicySources, command: str, *, mode: Mode, rule_count: int) -> PolicyReport:
    """`command`: what the policy and the guard would say to it is the report's `verdict`; empty: to none."""
    policy, registry, mask = sources.policies.current, sources.registry, sources.masker.mask
    return PolicyReport(
        restrictions=tuple(restriction.value for restriction in policy.restrictions),
        tools=tuple(OfferedTool(name, _hidden_by(name, policy, registry)) for name in registry.names),
        urls=tuple(TrustedUrlRow(mask(trusted.url), trusted.source) for trusted in policy.trusted_urls),
        outside_tools=policy.outside_tools,
        closes_memory=_closes_memory(policy),
        mode=mode,
        rule_count=rule_count,
        verdict=_verdict(sources, command) if command else None,
    )


def _hidden_by(name: str, policy: TurnToolPolicy, registry: ToolRegistry) -> str:
    if not registry.is_offered(name):
        return "not_configured"
    return policy.hides(name, registry.effect_of(name)) or ""


def _closes_memory(policy: TurnToolPolicy) -> bool:
    try:
        policy.check(MEMORY_TOOL, ToolEffect.SESSION, {})
    except PolicyDenied as error:
        return error.code == "policy.memory_after_outside"  # that nobody asked to remember is the usual case
    return False


def _verdict(sources: PolicySources, command: str) -> Fault | None:
    mask = sources.masker
    try:
        judged = (sources.policies.current.judge_command(command), sources.guard.check(command))
    except PolicyDenied as error:
        return fault_of(error, mask)
    against = [verdict for verdict in judged if verdict.kind is not VerdictKind.ALLOWED]
    # What the guard refuses is refused for good; what only can't be read goes to the review.
    worst = min(against, key=lambda verdict: verdict.kind is not VerdictKind.REFUSED, default=None)
    return None if worst is None else Fault(worst.reason, (("matched", mask.mask(worst.matched)),))
