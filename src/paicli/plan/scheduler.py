"""Runs an ExecutionPlan round by round. Knows no model: it is given `run_task`, and says how the plan ended."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanStuck,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
)
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, Origin
from paicli.core.plan_report import fault_text
from paicli.core.plan_view import PlanStatus, SkipReason, TaskStatus
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.overlaps import Overlap
from paicli.plan.rounds import FinishedRound, RoundRunner, RunTask, TaskRun
from paicli.plan.task import Task

MAX_REPLANS = 2
REPLAN_BELOW = 0.5
"""A failure below this progress asks for a new plan; from it on, whatever does not depend on the failure goes on."""

FindOverlaps = Callable[[Sequence[str]], Sequence[Overlap]]

_MODEL_READS = Texts(Language.ZH)
"""A task's `error` goes into the replan request; a person gets its fault in their own language."""


class ScheduleStatus(StrEnum):
    COMPLETED = "completed"
    PARTIAL = "partial"
    """A task failed, was skipped, or ended on its budget."""
    REPLAN_NEEDED = "replan_needed"
    LIMIT_REACHED = "limit_reached"
    CANCELLED = "cancelled"
    STUCK = "stuck"


class ScheduleOutcome(NamedTuple):
    """How a plan ended; the plan itself holds the results."""

    status: ScheduleStatus
    rounds: int
    tasks_s: float
    """The time the tasks took, added up."""
    overlaps: tuple[Overlap, ...] = ()
    first_failed: str = ""
    """With REPLAN_NEEDED and LIMIT_REACHED: the failed task that decided."""


class Replans(NamedTuple):
    """How many replans this turn may make, and has made. A limit of 0: none."""

    limit: int = MAX_REPLANS
    used: int = 0


class TaskScheduler:
    """Rounds behind a barrier, results committed in topological order; a failure skips, or asks for a new plan."""

    def __init__(self, stream: EventStream, rounds: RoundRunner) -> None:
        self._stream = stream
        self._rounds = rounds

    def run(
        self,
        plan: ExecutionPlan,
        run_task: RunTask,
        cancel: CancellationToken,
        *,
        turn_id: str,
        replans: Replans,
        find_overlaps: FindOverlaps = lambda task_ids: (),
    ) -> ScheduleOutcome:
        """Runs until nothing is executable, a failure stops the plan, or `cancel` is set.

        After each round of several tasks `find_overlaps` is asked which files two of them touched; it must be quick.
        """
        plan.move(PlanStatus.RUNNING)
        run = _PlanRun(self._stream, plan, replans, origin=Origin(turn_id, plan_id=plan.id))
        while run.status is None:
            ready = plan.ready()
            if cancel.cancelled:
                run.status = ScheduleStatus.CANCELLED
            elif ready:
                finished = self._rounds.run(ready, run_task, origin=run.next_round(), cancel=cancel)
                overlaps = find_overlaps([task.id for task in ready]) if len(ready) > 1 else ()
                run.settle(finished, overlaps)
            else:
                run.end()
        plan.move(_PLAN_STATUS[run.status])
        return run.outcome(run.status)


_PLAN_STATUS = {
    ScheduleStatus.COMPLETED: PlanStatus.COMPLETED,
    ScheduleStatus.PARTIAL: PlanStatus.FAILED,
    ScheduleStatus.REPLAN_NEEDED: PlanStatus.FAILED,
    ScheduleStatus.LIMIT_REACHED: PlanStatus.FAILED,
    ScheduleStatus.CANCELLED: PlanStatus.CANCELLED,
    ScheduleStatus.STUCK: PlanStatus.FAILED,
}


class _PlanRun:
    """What one run has done so far, and the decisions after each round."""

    def __init__(self, stream: EventStream, plan: ExecutionPlan, replans: Replans, *, origin: Origin) -> None:
        self._stream = stream
        self._plan = plan
        self._replans = replans
        self._origin = origin
        self._tasks_s = 0.0
        self._overlaps: list[Overlap] = []
        self._first_failed = ""
        self.status: ScheduleStatus | None = None
        """None while the run goes on."""

    def next_round(self) -> Origin:
        self._origin = self._origin._replace(round=self._origin.round + 1)
        return self._origin

    def settle(self, finished: FinishedRound, overlaps: Sequence[Overlap]) -> None:
        """Commits what came back; after a cancel keeps it and stops, after a failure decides how to go on."""
        failed: list[tuple[Task, float]] = []
        for task, run in finished.runs:
            self._commit(task, run)
            if task.status is TaskStatus.FAILED:
                failed.append((task, self._plan.progress))
        for task in finished.interrupted:
            self._say(TaskInterrupted(), task)
        self._tasks_s += finished.interrupted_s
        for path, first, second in overlaps:
            self._say(FileOverlapped(path, (first, second)))
        self._overlaps += overlaps
        if finished.was_cancelled:
            self.status = ScheduleStatus.CANCELLED
            return
        completed = tuple(task.id for task, run in finished.runs if run.output is not None)
        self._say(RoundCommitted(completed, tuple(task.id for task, _ in failed), self._plan.progress))
        if failed:
            self._decide(failed)

    def end(self) -> None:
        """Nothing is executable any more."""
        views = [task.view for task in self._plan.tasks]
        if self._plan.is_finished:
            is_partial = any(view.is_partial for view in views)
            self.status = ScheduleStatus.PARTIAL if is_partial else ScheduleStatus.COMPLETED
        elif any(view.status is TaskStatus.FAILED for view in views):
            self.status = ScheduleStatus.PARTIAL
        else:
            self._say(PlanStuck())
            self.status = ScheduleStatus.STUCK

    def outcome(self, status: ScheduleStatus) -> ScheduleOutcome:
        return ScheduleOutcome(status, self._origin.round, self._tasks_s, tuple(self._overlaps), self._first_failed)

    def _commit(self, task: Task, run: TaskRun) -> None:
        self._tasks_s += run.duration_s
        if run.output is not None:
            text, is_partial = run.output
            task.complete(
                text, began_at=run.began_at, ended_at=run.ended_at, is_partial=is_partial, was_streamed=run.was_alone
            )
            self._say(TaskCompleted(text, is_partial), task)
        elif run.fault is not None:
            error = fault_text(run.fault, _MODEL_READS)
            task.fail(run.fault, error=error, began_at=run.began_at, ended_at=run.ended_at)
            self._say(TaskFailed(run.fault), task)

    def _decide(self, failed: Sequence[tuple[Task, float]]) -> None:
        # Progress never falls within a plan, so the first failure decides for the round: below the half it asks for a
        # new plan or stops; from the half on, so do all the others find it.
        first, progress = failed[0]
        if progress >= REPLAN_BELOW:
            for task, _ in failed:
                self._skip(self._plan.downstream(task.id), SkipReason.DEPENDENCY_FAILED, task.id)
            return
        self._first_failed = first.id
        limit, used = self._replans
        if used < limit:
            self._say(ReplanTriggered(used + 1, limit, tuple(task.id for task, _ in failed), progress))
            self.status = ScheduleStatus.REPLAN_NEEDED
        else:
            self._say(ReplanLimitReached(limit, progress))
            self._skip(self._plan.with_status(TaskStatus.PENDING), SkipReason.REPLAN_LIMIT)
            self.status = ScheduleStatus.LIMIT_REACHED

    def _skip(self, tasks: Sequence[Task], reason: SkipReason, cause: str = "") -> None:
        for task in tasks:
            if task.status is TaskStatus.PENDING:  # another failure of the round may have skipped it before
                task.skip(reason, cause)
                self._say(TaskSkipped(reason, cause), task)

    def _say(self, body: EventBody, task: Task | None = None) -> None:
        origin = self._origin if task is None else self._origin._replace(actor=task.id, task_id=task.id)
        self._stream.publish(body, origin)
