"""A plan as others may see it: frozen views."""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.faults import Fault


class TaskType(StrEnum):
    FILE_READ = "FILE_READ"
    FILE_WRITE = "FILE_WRITE"
    COMMAND = "COMMAND"
    ANALYSIS = "ANALYSIS"
    VERIFICATION = "VERIFICATION"


class TaskStatus(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class PlanStatus(StrEnum):
    CREATED = "CREATED"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class SkipReason(StrEnum):
    DEPENDENCY_FAILED = "dependency_failed"
    REPLAN_LIMIT = "replan_limit"


class TaskView(NamedTuple):
    id: str
    description: str
    type: TaskType
    status: TaskStatus
    dependencies: tuple[str, ...] = ()
    result: str = ""
    error: str = ""
    """FAILED: the reason. SKIPPED: empty, see skip_reason."""
    is_partial: bool = False
    skip_reason: SkipReason | None = None
    skip_cause: str = ""
    """Id of the failed task that a DEPENDENCY_FAILED skip goes back to."""
    started_at: float | None = None
    ended_at: float | None = None
    """Seconds since the epoch, UTC."""
    was_streamed: bool = False
    """Its result already stands on the screen: it ran alone and streamed."""
    repeats_completed: bool = False
    """Its description equals that of a task which an earlier plan of this turn completed."""
    fault: Fault | None = None
    """FAILED: what `error` says, as data, for a text in the person's language."""
    was_interrupted: bool = False
    """An earlier run began it and never came to its end: what it did is unknown."""


class PlanView(NamedTuple):
    id: str
    goal: str
    summary: str
    status: PlanStatus
    tasks: tuple[TaskView, ...]
    """In insertion order."""
    order: tuple[str, ...]
    """Topological order of the ids."""
    batches: tuple[tuple[str, ...], ...]
    """The rounds of a failure-free run."""
    leaves: tuple[str, ...]
    """Ids that nothing depends on, in topological order."""

    def task(self, task_id: str) -> TaskView:
        return next(task for task in self.tasks if task.id == task_id)


class UnfinishedPlan(NamedTuple):
    """What a crash, a cancel or a failed replan left of a plan, and what the run that goes on must know of it."""

    view: PlanView
    """Its tasks as they stood last."""
    interrupted: tuple[str, ...] = ()
    """Tasks that began and never came to an end, in topological order."""
    earlier: tuple[PlanView, ...] = ()
    """Plans that a replan replaced, oldest first."""
    replans_used: int = 0
    was_approved: bool = True
    """The person said yes to it before; else nothing of it may run without a review."""
    urls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(task, what it found by web_search), of completed tasks."""

    @property
    def completed_count(self) -> int:
        return sum(task.status is TaskStatus.COMPLETED for task in self.view.tasks)


class PlanChanges(NamedTuple):
    """What a revision did to the plan that stood, by description; ids are the new plan's, `removed` the old one's."""

    kept: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class PlanEnding(StrEnum):
    """How a plan turn ended."""

    COMPLETED = "completed"
    PARTIAL = "partial"
    """Some task failed, was skipped, or ended on its budget."""
    REPLAN_LIMIT = "replan_limit"
    REPLAN_FAILED = "replan_failed"
    REPLAN_CANCELLED = "replan_cancelled"
    CANCELLED = "cancelled"
    STUCK = "stuck"


class PlanReport(NamedTuple):
    """Everything the summary of a plan turn is made from."""

    plan: PlanView
    ending: PlanEnding
    earlier: tuple[PlanView, ...] = ()
    """Plans of this turn that a replan replaced, oldest first."""
    fault_code: str = ""
    fault_fields: tuple[tuple[str, str], ...] = ()
    """Why a replan failed: a catalogue code and its fields."""
    replan_limit: int = 2
    overlaps: tuple[tuple[str, str, str], ...] = ()
    """(path, task, task): two tasks of one round touched the same file."""
    rounds: int = 0
    wall_s: float = 0.0
    tasks_s: float = 0.0
    """The time the tasks took, added up."""
    model_calls: int = 0
    tokens: int = 0
