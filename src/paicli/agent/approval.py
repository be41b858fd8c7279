"""Asks the person before a call runs, and remembers what was allowed for the session."""

import threading
from typing import NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.desk import PersonDesk
from paicli.core.errors import PolicyDenied, TurnCancelled
from paicli.core.events import ApprovalDecided, ApprovalRequested
from paicli.core.messages import ToolCall, ToolDetail
from paicli.core.ops import ApprovalDecision, DecideApproval


class ApprovalQuestion(NamedTuple):
    call: ToolCall
    shown_arguments: str
    """JSON text, masked."""
    preview: ToolDetail | None
    session_key: str
    """What "all of this kind" means: the tool's name, for a command the whole command."""
    reason: str = ""
    matched: str = ""
    """As in `ApprovalRequested`."""


class ApprovalDesk:
    """One for all actors of a session."""

    def __init__(self, desk: PersonDesk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._allowed: set[str] = set()

    def approve(self, question: ApprovalQuestion, actor: Actor) -> str:
        """Returns arguments to use in place of the model's, or "" to go on with them.

        Raises PolicyDenied when the answer is no, TurnCancelled when the turn ended first.
        """
        with self._lock:
            if question.session_key in self._allowed:
                return ""

        def publish(request_id: str) -> None:
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
                )
            )
            published.append(request_id)

        published: list[str] = []
        try:
            answer = self._desk.ask(publish, actor.cancel)
        except TurnCancelled:
            for request_id in published:
                actor.emit(ApprovalDecided(request_id, ApprovalDecision.CANCEL, by="cancel"))
            raise
        assert isinstance(answer, DecideApproval)
        actor.emit(ApprovalDecided(answer.request_id, answer.decision, answer.reason, answer.by))
        return self._carry_out(answer, question)

    def _carry_out(self, answer: DecideApproval, question: ApprovalQuestion) -> str:
        match answer.decision:
            case ApprovalDecision.ALLOW:
                return ""
            case ApprovalDecision.ALLOW_SESSION:
                with self._lock:
                    self._allowed.add(question.session_key)
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
