"""Asks the person before a call runs, and remembers what was allowed for the session."""

import threading
from typing import Any, NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.desk import PersonDesk
from paicli.core.errors import PolicyDenied, TurnCancelled
from paicli.core.events import ApprovalDecided, ApprovalRequested
from paicli.core.messages import ToolCall, ToolDetail
from paicli.core.ops import ApprovalDecision, DecideApproval
from paicli.policy.rules import COMMAND_TOOL, Rule, RuleDecision, RuleSet, parse_rule


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
    """As in `ApprovalRequested`."""

    @property
    def exact_key(self) -> str:
        """What stands for this very call."""
        return f"{self.call.name} {self.values.get('command', self.call.arguments)}"


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

    def __init__(self, desk: PersonDesk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._allowed: set[str] = set()
        self._rules: tuple[Rule, ...] = ()

    def approve(self, question: ApprovalQuestion, actor: Actor) -> str:
        """Returns arguments to use in place of the model's, or "" to go on with them.

        Raises PolicyDenied when the answer is no, TurnCancelled when the turn ended first.
        """
        if self._is_allowed(question):
            return ""

        def publish(request_id: str) -> None:
            if self._is_allowed(question):  # by the answer to one that stood before it in line
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
                )
            )
            published.append(request_id)

        published: list[str] = []
        try:
            answer = self._desk.ask(publish, actor.cancel)
        except _AllowedMeanwhile:
            return ""
        except TurnCancelled:
            for request_id in published:
                actor.emit(ApprovalDecided(request_id, ApprovalDecision.CANCEL, by="cancel"))
            raise
        assert isinstance(answer, DecideApproval)
        actor.emit(ApprovalDecided(answer.request_id, answer.decision, answer.reason, answer.by))
        return self._carry_out(answer, question)

    def _is_allowed(self, question: ApprovalQuestion) -> bool:
        """By this very call, or by a rule; a rule says nothing of a call that the guard has a doubt about."""
        with self._lock:
            if question.exact_key in self._allowed:
                return True
            rules = RuleSet(allow=self._rules)
        is_ruled = bool(rules.allow) and not question.reason
        return is_ruled and rules.decide(question.call.name, question.values) is RuleDecision.ALLOW

    def _allow(self, question: ApprovalQuestion) -> None:
        with self._lock:
            if question.rule:
                self._rules += (parse_rule(question.rule),)
            else:
                self._allowed.add(question.exact_key)

    def _carry_out(self, answer: DecideApproval, question: ApprovalQuestion) -> str:
        match answer.decision:
            case ApprovalDecision.ALLOW:
                return ""
            case ApprovalDecision.ALLOW_SESSION:
                self._allow(question)
                return ""
            case ApprovalDecision.EDIT:
                return answer.arguments
            case ApprovalDecision.CANCEL:
                raise TurnCancelled  # the engine, which brought the answer, cancels the turn
            case ApprovalDecision.DENY | ApprovalDecision.SKIP:
                if answer.by == "nobody":
                    raise PolicyDenied("approval.nobody")
                reason = answer.reason
                raise PolicyDenied("approval.denied_because" if reason else "approval.denied", reason=reason)
