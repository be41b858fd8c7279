"""Decides whether a call may run: guard, the turn's policy, rules and grants, then the review or the person."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from paicli.agent.actor import Actor
from paicli.agent.approval import ApprovalDesk, ApprovalQuestion, session_rule
from paicli.agent.asking.dangers import dangers_of, files_read_before
from paicli.agent.gating.decision import DecidedBy, Decision, Permitted
from paicli.agent.gating.masked import masked_detail
from paicli.agent.reviewing.command_review import CommandReview
from paicli.agent.reviewing.verdict import CODE_PREFIX
from paicli.core.catalogue.lookup import MODEL, model_text
from paicli.core.errors import PolicyDenied, ToolInputInvalid
from paicli.core.events import CommandReviewed, Notice, NoticeLevel
from paicli.core.faults import Fault
from paicli.core.masking import MASK, SecretMasker
from paicli.core.messages import ToolCall, ToolEffect
from paicli.core.ops import Mode
from paicli.policy.command_guard import CommandGuard
from paicli.policy.path_guard import PathGuard
from paicli.policy.rules import COMMAND_TOOL, SERVER_TOOLS, RuleDecision
from paicli.policy.verdict import CommandVerdict, VerdictKind
from paicli.tools.arguments import parse_arguments
from paicli.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

_ASKED_IN_EVERY_MODE = frozenset({"restore"})
_ALLOWED = CommandVerdict(VerdictKind.ALLOWED)


class DecideByRule(Protocol):
    """What the configured rules say about a call."""

    def __call__(self, tool: str, arguments: dict[str, Any]) -> RuleDecision: ...


@dataclass(frozen=True, slots=True)
class GateRules:
    """What decides whether a call may run."""

    mode: Callable[[], Mode]
    """The mode that holds for the running turn, asked anew before each call."""
    command_guard: CommandGuard
    decide_by_rule: DecideByRule
    approvals: ApprovalDesk
    review: CommandReview
    before_change: Callable[[Actor], None] = lambda actor: None
    """Called before a permitted call that may write runs."""


class _Asked(NamedTuple):
    """A call that is being decided on."""

    tool: Tool
    arguments: "BaseModel"
    values: dict[str, Any]
    call: ToolCall
    actor: Actor
    outside: tuple[str, ...]
    """Tools that had brought content from outside before."""
    doubt: CommandVerdict = _ALLOWED
    """Of the guard or the policy: what the text does not tell."""
    reviewed_as: str = ""
    """Why the reviewer did not let it pass, where that is why the person is asked."""
    is_edited: bool = False


class CallPermission:
    """One for all actors of a session."""

    def __init__(
        self,
        rules: GateRules,
        *,
        paths: PathGuard,
        masker: SecretMasker,
        context_of: Callable[[ToolCall, Actor], ToolContext],
    ) -> None:
        """`context_of`: for the preview of a change, as the tool would get it."""
        self._rules = rules
        self._paths = paths
        self._masker = masker
        self._context_of = context_of

    def permit(
        self, tool: Tool, arguments: "BaseModel", *, call: ToolCall, actor: Actor, decision: Decision
    ) -> Permitted:
        """Raises PolicyDenied or TurnCancelled; `decision` then says whose word it was."""
        is_edited = False
        while True:
            values = arguments.model_dump()
            outside = actor.policy.outside_tools
            decision.by = DecidedBy.GUARD
            doubt = self._guarded(tool, values, call=call, actor=actor)
            if actor.is_person:
                decision.by = DecidedBy.USER
                return Permitted(arguments)
            decision.by = DecidedBy.POLICY
            doubt = self._doubt(actor.policy.check(tool.name, tool.effect, values), doubt)
            decision.by = ""
            asked = _Asked(tool, arguments, values, call, actor, outside, doubt, is_edited=is_edited)
            asked = self._to_be_asked(asked, decision)
            if asked is None:
                return Permitted(arguments, is_edited)
            edited = self._ask(asked, decision)
            if not edited:
                return Permitted(arguments, is_edited)
            new_arguments = self._edited(tool, edited, call=call, actor=actor)
            if new_arguments is not None:
                arguments, call, is_edited = new_arguments, call._replace(arguments=edited), True

    def _guarded(self, tool: Tool, values: dict[str, Any], *, call: ToolCall, actor: Actor) -> CommandVerdict:
        """A verdict with a reason when someone has to look. Raises PolicyDenied for what can't be meant."""
        if tool.name != COMMAND_TOOL:
            return _ALLOWED
        verdict = self._rules.command_guard.check(values["command"])
        if verdict.kind is VerdictKind.ALLOWED:
            return verdict
        command, matched = self._masker.mask(values["command"]), self._masker.mask(verdict.matched)
        is_refused = verdict.kind is VerdictKind.REFUSED
        actor.emit(CommandReviewed(call.id, command, not is_refused, verdict.reason, "guard", matched))
        if is_refused:
            raise PolicyDenied(verdict.reason, matched=verdict.matched)
        return verdict

    def _doubt(self, *verdicts: CommandVerdict) -> CommandVerdict:
        """The last that has one, as it may be shown."""
        found = next((verdict for verdict in reversed(verdicts) if verdict.reason), _ALLOWED)
        return found._replace(matched=self._masker.mask(found.matched))

    def _to_be_asked(self, asked: _Asked, decision: Decision) -> _Asked | None:
        """None: it may run. Raises PolicyDenied for what a rule or the reviewer keeps from running."""
        tool, values = asked.tool, asked.values
        rule = self._rules.decide_by_rule(tool.name, values)
        if rule is RuleDecision.DENY:
            decision.by = DecidedBy.RULE
            raise PolicyDenied("policy.rule_denied", tool=tool.name)
        if rule is RuleDecision.ALLOW:
            decision.by = DecidedBy.RULE
            return None
        if self._rules.approvals.has_granted(asked.call, values, is_doubtful=bool(asked.doubt.reason)):
            decision.by = DecidedBy.GRANT
            return None
        if rule is RuleDecision.ASK or self._mode_asks(tool) or asked.is_edited:
            return asked
        if tool.name == COMMAND_TOOL:
            return self._reviewed(asked, decision)
        decision.by = DecidedBy.MODE
        return None

    def _mode_asks(self, tool: Tool) -> bool:
        if tool.name in _ASKED_IN_EVERY_MODE or tool.name.startswith(SERVER_TOOLS):
            return True
        return tool.needs_approval and self._rules.mode() is Mode.ASK

    def _reviewed(self, asked: _Asked, decision: Decision) -> _Asked | None:
        outcome = self._rules.review.decide(asked.call, asked.values, actor=asked.actor, doubt=asked.doubt)
        if outcome.is_persons:
            return asked._replace(reviewed_as=outcome.reason)
        decision.by = outcome.by
        if outcome.is_allowed:
            return None
        raise PolicyDenied("review.denied", reason=_words_of(outcome.reason))

    def _ask(self, asked: _Asked, decision: Decision) -> str:
        """The arguments to use in place of the model's, or "" to go on with them."""
        answer = self._rules.approvals.approve(self._question(asked), asked.actor)
        decision.by = answer.by
        if answer.is_allowed:
            return answer.arguments
        if answer.by == DecidedBy.NOBODY:
            if asked.reviewed_as:
                raise PolicyDenied("review.nobody", reason=_words_of(asked.reviewed_as))
            raise PolicyDenied("approval.nobody")
        raise PolicyDenied("approval.denied_because" if answer.reason else "approval.denied", reason=answer.reason)

    def _question(self, asked: _Asked) -> ApprovalQuestion:
        root, tool, doubt = self._paths.root, asked.tool, asked.doubt
        preview = tool.preview(asked.arguments, self._context_of(asked.call, asked.actor))
        rule = "" if doubt.reason else session_rule(tool.name, asked.values)
        return ApprovalQuestion(
            asked.call,
            asked.values,
            self._masker.mask(asked.call.arguments),
            masked_detail(preview, self._masker),
            rule if self._masker.mask(rule) == rule else "",  # a rule that can't be shown is none
            asked.reviewed_as or doubt.reason,
            "" if asked.reviewed_as else doubt.matched,
            dangers_of(tool, asked.values, preview, root=root),
            () if tool.effect is ToolEffect.WRITE else files_read_before(asked.actor, root),
            asked.outside,
            is_doubtful=bool(doubt.reason),
            shown_call=self._masker.mask(f"{tool.name}({asked.values.get('command', asked.call.arguments)})"),
        )

    def _edited(self, tool: Tool, edited: str, *, call: ToolCall, actor: Actor) -> "BaseModel | None":
        """The person's arguments, checked like the model's; None: they are told why not, and asked again."""
        if MASK in edited and MASK not in call.arguments:
            actor.emit(Notice(Fault("approval.edit_masked", (("mask", MASK),)), NoticeLevel.WARNING))
            return None
        try:
            return parse_arguments(tool, edited)
        except ToolInputInvalid as error:
            what = str(error.fields.get("what", error.code))
            actor.emit(Notice(Fault("approval.edit_invalid", (("what", what),)), NoticeLevel.WARNING))
            return None


def _words_of(reason: str) -> str:
    """A reviewer's words stay as they are; what the house says by code becomes what the model reads."""
    return model_text(reason) if reason.startswith(CODE_PREFIX) and reason in MODEL else reason
