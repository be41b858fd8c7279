"""Asks the person before a call runs, and remembers what was allowed for the session."""

from typing import Any, NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.desk import PersonDesk
from paicli.core.errors import TurnCancelled
from paicli.core.events import ApprovalDecided, ApprovalRequested
from paicli.core.messages import ToolCall, ToolDetail
from paicli.core.ops import ApprovalDecision, DecideApproval
from paicli.policy.rules import COMMAND_TOOL
from paicli.policy.session_grants import SessionGrants


class ApprovalQuestion(NamedTuple):
    call: ToolCall
    values: dict[str, Any]
    """The arguments by name, as the tool gets them."""
    shown_arguments: str
    """JSON text, masked."""
    preview: ToolDetail | None
    rule: str = ""
    reason: str = ""
    matched: str = ""
    dangers: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    outside_read: tuple[str, ...] = ()
    """As in `ApprovalRequested`."""
    is_doubtful: bool = False
    """The text does not tell what the call would do: no rule speaks for it."""
    shown_call: str = ""
    """The call as a list of grants names it, masked."""


class ApprovalAnswer(NamedTuple):
    is_allowed: bool
    by: str
    """user | nobody (no person there) | grant (given for the session), or who answers in the person's place."""
    reason: str = ""
    """Of a no; may be empty."""
    arguments: str = ""
    """JSON text: allowed in place of the model's; empty: the model's."""


def _exact_key(call: ToolCall, values: dict[str, Any]) -> str:
    """What stands for this very call."""
    return f"{call.name} {values.get('command', call.arguments)}"


def session_rule(tool: str, values: dict[str, Any]) -> str:
    """The permission rule that "all of this kind" means; empty for a command that no safe rule covers."""
    if tool != COMMAND_TOOL:
        return tool
    from paicli.policy.command_rules import pattern_for  # start-up: the shell reading is 8 ms of modules

    pattern = pattern_for(str(values.get("command", "")))
    return f"{tool}({pattern})" if pattern else ""


class _AllowedMeanwhile(Exception):
    """Ends the wait in line."""


class ApprovalDesk:
    """One for all actors of a session."""

    def __init__(self, desk: PersonDesk, grants: SessionGrants | None = None) -> None:
        """`grants`: where "all of this kind" is kept."""
        self._desk = desk
        self._grants = grants if grants is not None else SessionGrants()

    def has_granted(self, call: ToolCall, values: dict[str, Any], *, is_doubtful: bool) -> bool:
        """Whether the person allowed this very call, or all of its kind, before."""
        key = _exact_key(call, values)
        return self._grants.allow(call.name, values, exact_key=key, is_doubtful=is_doubtful)

    def approve(self, question: ApprovalQuestion, actor: Actor) -> ApprovalAnswer:
        """Asks, one at a time with whoever else asks. Raises TurnCancelled when the turn ended first."""
        published: list[str] = []

        def publish(request_id: str) -> None:
            if self._is_granted(question):  # by the answer to one that stood before it in line
                raise _AllowedMeanwhile
            actor.emit(
                ApprovalRequested(
                    request_id,
                    question.call.id,
                    question.call.name,
                    question.shown_arguments,
                    question.preview,
                    question.reason,
                    actor.description,
                    question.matched,
                    question.rule,
                    question.dangers,
                    question.files_read,
                    question.outside_read,
                )
            )
            published.append(request_id)

        try:
            answer = self._desk.ask(DecideApproval, publish, actor.cancel)
        except _AllowedMeanwhile:
            return ApprovalAnswer(is_allowed=True, by="grant")
        except TurnCancelled:
            for request_id in published:
                actor.emit(ApprovalDecided(request_id, ApprovalDecision.CANCEL, by="cancel"))
            raise
        actor.emit(ApprovalDecided(answer.request_id, answer.decision, answer.reason, answer.by))
        return self._carry_out(answer, question)

    def _is_granted(self, question: ApprovalQuestion) -> bool:
        return self.has_granted(question.call, question.values, is_doubtful=question.is_doubtful)

    def _carry_out(self, answer: DecideApproval, question: ApprovalQuestion) -> ApprovalAnswer:
        match answer.decision:
            case ApprovalDecision.ALLOW:
                return ApprovalAnswer(is_allowed=True, by=answer.by)
            case ApprovalDecision.ALLOW_SESSION:
                if question.rule:
                    self._grants.add_rule(question.rule)
                else:
                    self._grants.add_call(_exact_key(question.call, question.values), question.shown_call)
                return ApprovalAnswer(is_allowed=True, by=answer.by)
            case ApprovalDecision.EDIT:
                return ApprovalAnswer(is_allowed=True, by=answer.by, arguments=answer.arguments)
            case ApprovalDecision.CANCEL:
                raise TurnCancelled  # the engine, which brought the answer, cancels the turn
            case ApprovalDecision.DENY | ApprovalDecision.SKIP:
                return ApprovalAnswer(is_allowed=False, by=answer.by, reason=answer.reason)
