"""A node of an ExecutionPlan and the few moves its status may make."""

from paicli.core.faults import Fault
from paicli.core.plan_view import SkipReason, TaskStatus, TaskView

_MOVES: dict[TaskStatus, frozenset[TaskStatus]] = {
    TaskStatus.PENDING: frozenset({TaskStatus.RUNNING, TaskStatus.SKIPPED}),
    TaskStatus.RUNNING: frozenset({TaskStatus.COMPLETED, TaskStatus.FAILED}),
    TaskStatus.COMPLETED: frozenset(),
    TaskStatus.FAILED: frozenset(),
    TaskStatus.SKIPPED: frozenset(),
}


class IllegalMove(RuntimeError):
    """A status change that a task never makes: a bug in the caller, never the model's or the person's fault."""


class Task:
    """One task: what it is (an immutable view) and the legal ways to its next view.

    Only the scheduling thread moves it; any thread may read `view`, which is replaced as a whole.
    """

    def __init__(self, view: TaskView, *, dependents: tuple[str, ...] = ()) -> None:
        self._view = view
        self.dependents = dependents
        """Ids of the tasks that name this one as a dependency, in insertion order."""

    @property
    def view(self) -> TaskView:
        return self._view

    @property
    def id(self) -> str:
        return self._view.id

    @property
    def status(self) -> TaskStatus:
        return self._view.status

    @property
    def dependencies(self) -> tuple[str, ...]:
        return self._view.dependencies

    def start(self, at: float) -> None:
        """PENDING → RUNNING: handed out at `at`, seconds since the epoch."""
        self._move(TaskStatus.RUNNING)
        self._view = self._view._replace(started_at=at)

    def complete(self, result: str, *, began_at: float, ended_at: float, is_partial: bool, was_streamed: bool) -> None:
        """RUNNING → COMPLETED. The worker's times replace the time of handing out."""
        self._move(TaskStatus.COMPLETED)
        self._view = self._view._replace(
            result=result, started_at=began_at, ended_at=ended_at, is_partial=is_partial, was_streamed=was_streamed
        )

    def fail(self, fault: Fault, *, error: str, began_at: float, ended_at: float) -> None:
        """RUNNING → FAILED; `error` is the fault in words."""
        self._move(TaskStatus.FAILED)
        self._view = self._view._replace(error=error, fault=fault, started_at=began_at, ended_at=ended_at)

    def skip(self, reason: SkipReason, cause: str = "") -> None:
        """PENDING → SKIPPED; `cause` is the failed task that a DEPENDENCY_FAILED skip goes back to."""
        self._move(TaskStatus.SKIPPED)
        self._view = self._view._replace(skip_reason=reason, skip_cause=cause)

    def mark_repeating(self) -> None:
        """Says in the review that an earlier plan of this turn completed a task of the same description."""
        self._view = self._view._replace(repeats_completed=True)

    def _move(self, status: TaskStatus) -> None:
        if status not in _MOVES[self.status]:
            raise IllegalMove(f"{self.id}: {self.status} → {status}")
        self._view = self._view._replace(status=status)
