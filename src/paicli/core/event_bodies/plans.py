"""The bodies of events about plans; members of the union in `events`."""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.faults import Fault
from paicli.core.ops import ReviewDecision
from paicli.core.plan_view import PlanChanges, PlanReport, PlanView, SkipReason


class PlanCause(StrEnum):
    GOAL = "goal"
    FEEDBACK = "feedback"
    REPLAN = "replan"
    FILE = "file"
    RESUME = "resume"
    """What an earlier process left unfinished: its completed tasks are completed."""


class PlanningStarted(NamedTuple):
    goal: str
    cause: PlanCause


class PlanCreated(NamedTuple):
    view: PlanView
    cause: PlanCause
    changes: PlanChanges | None = None


class PlanRejected(NamedTuple):
    """The reply was no valid plan. With cause FEEDBACK the plan that stood stands again."""

    fault: Fault
    cause: PlanCause


class PlanReviewRequested(NamedTuple):
    request_id: str
    view: PlanView
    cause: PlanCause
    changes: PlanChanges | None = None


class PlanReviewed(NamedTuple):
    request_id: str
    decision: ReviewDecision
    feedback: str = ""
    by: str = "user"
    """user | option (-y) | nobody (no person there) | cancel"""


class PlanAbandoned(NamedTuple):
    """The person gave up what was left of it: nobody offers it again."""

    plan: str
    """Its id."""


class PlanStarted(NamedTuple):
    view: PlanView


class PlanFinished(NamedTuple):
    report: PlanReport


class RoundStarted(NamedTuple):
    task_ids: tuple[str, ...]
    """In topological order. Its number is in the header."""


class RoundCommitted(NamedTuple):
    completed: tuple[str, ...]
    failed: tuple[str, ...]
    progress: float
    """Completed / all, after this round."""


class TaskStarted(NamedTuple):
    description: str
    is_alone: bool
    """True: it streams. False: its output is kept until the round ends."""


class TaskCompleted(NamedTuple):
    result: str
    is_partial: bool = False


class TaskFailed(NamedTuple):
    fault: Fault


class TaskInterrupted(NamedTuple):
    """The turn was cancelled while it ran."""


class TaskSkipped(NamedTuple):
    reason: SkipReason
    cause_task_id: str = ""


class FileOverlapped(NamedTuple):
    """Two tasks of one round touched one file."""

    path: str
    task_ids: tuple[str, str]


class ReplanTriggered(NamedTuple):
    number: int
    limit: int
    failed_task_ids: tuple[str, ...]
    progress: float


class ReplanLimitReached(NamedTuple):
    limit: int
    progress: float


class PlanStuck(NamedTuple):
    pass
