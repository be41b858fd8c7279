"""Puts a plan before the person and waits for the word; every plan passes here, also one of a single task."""

from typing import NamedTuple, Protocol

from paicli.agent.desk import PersonDesk
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.event_bodies.plans import PlanCause, PlanReviewed, PlanReviewRequested
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin
from paicli.core.ops import DecideReview, ReviewDecision
from paicli.core.plan_view import PlanChanges, PlanView


class ReviewQuestion(NamedTuple):
    view: PlanView
    cause: PlanCause
    changes: PlanChanges | None = None
    """What a revision did to the plan that stood before."""


class ReviewAnswer(NamedTuple):
    decision: ReviewDecision
    feedback: str = ""
    """With REVISE."""


class AskReview(Protocol):
    def __call__(self, question: ReviewQuestion, *, origin: Origin, cancel: CancellationToken) -> ReviewAnswer:
        """Emits the request and its answer under `origin`. Raises TurnCancelled."""
        ...


class PlanReviewer:
    """Asks through the desk that approvals stand in line at, too."""

    def __init__(self, stream: EventStream, desk: PersonDesk) -> None:
        self._stream = stream
        self._desk = desk

    def ask(self, question: ReviewQuestion, *, origin: Origin, cancel: CancellationToken) -> ReviewAnswer:
        """As `AskReview`; a cancelled review is told as decided by "cancel"."""
        published: list[str] = []

        def publish(request_id: str) -> None:
            published.append(request_id)
            self._stream.publish(PlanReviewRequested(request_id, *question), origin)

        try:
            answer = self._desk.ask(DecideReview, publish, cancel)
        except TurnCancelled:
            for request_id in published:
                self._stream.publish(PlanReviewed(request_id, ReviewDecision.CANCEL, by="cancel"), origin)
            raise
        self._stream.publish(PlanReviewed(answer.request_id, answer.decision, answer.feedback, answer.by), origin)
        return ReviewAnswer(answer.decision, answer.feedback)
