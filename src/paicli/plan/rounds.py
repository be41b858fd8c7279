"""Runs the tasks of one round and brings back what each came to. Workers return values; they change nothing."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from paicli.core.cancellation import CancellationToken
from paicli.core.event_bodies.plans import RoundStarted, TaskStarted
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.plan_view import TaskView
from paicli.plan.side_by_side import run_side_by_side
from paicli.plan.task import Task


class TaskOutput(NamedTuple):
    """What a task came to."""

    text: str
    is_partial: bool = False
    """A budget ended it; the text says what is done and what is open."""


class RunTask(Protocol):
    """Runs one task, on whatever thread it is called."""

    def __call__(self, task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
        """Raises TurnCancelled after a cancel; any other exception fails the task."""
        ...


class TaskRun(NamedTuple):
    """One task's share of a round: its output, or its fault, or neither when a cancel came first."""

    began_at: float
    ended_at: float
    """Seconds since the epoch."""
    duration_s: float
    was_alone: bool
    output: TaskOutput | None = None
    fault: Fault | None = None

    @property
    def came_to_an_end(self) -> bool:
        return self.output is not None or self.fault is not None


class FinishedRound(NamedTuple):
    runs: tuple[tuple[Task, TaskRun], ...]
    """In topological order: the tasks that came back, with an output or a fault."""
    interrupted: tuple[Task, ...]
    """Began, and were cancelled or left behind."""
    was_cancelled: bool
    interrupted_s: float = 0.0
    """The time the interrupted ones took, added up; of one that was left behind, until then."""


class RoundRunner:
    """Hands out ready tasks, at most `limit` at once, and waits for all of them."""

    def __init__(
        self,
        stream: EventStream,
        *,
        masker: SecretMasker,
        limit: int,
        clock: Callable[[], float] = time.time,
        stopwatch: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock`: seconds since the epoch, for the tasks' times. `stopwatch`: seconds, for durations."""
        self._stream = stream
        self._masker = masker
        self._limit = limit
        self._clock = clock
        self._stopwatch = stopwatch

    def run(
        self, tasks: Sequence[Task], run_task: RunTask, *, origin: Origin, cancel: CancellationToken
    ) -> FinishedRound:
        """Says RoundStarted under `origin` (plan and round) and TaskStarted from each worker."""
        self._stream.publish(RoundStarted(tuple(task.id for task in tasks)), origin)
        began: dict[str, float] = {}
        is_alone = len(tasks) == 1

        def run_one(task: Task) -> TaskRun | None:
            if cancel.cancelled:
                return None
            began[task.id] = self._stopwatch()
            task_origin = origin._replace(actor=task.id, task_id=task.id)
            return self._run_one(task.view, run_task, task_origin, cancel=cancel, is_alone=is_alone)

        results = run_side_by_side(
            [partial(run_one, task) for task in tasks],
            limit=self._limit,
            cancel=cancel,
            on_hand_out=lambda position: tasks[position].start(self._clock()),
        )
        came_back = [
            (task, run) for task, run in zip(tasks, results, strict=True) if run is not None and run.came_to_an_end
        ]
        returned = {task.id for task, _ in came_back}
        durations_s = {
            task.id: run.duration_s if run is not None else self._stopwatch() - began[task.id]
            for task, run in zip(tasks, results, strict=True)
            if task.id in began and task.id not in returned
        }
        interrupted = tuple(task for task in tasks if task.id in durations_s)
        return FinishedRound(tuple(came_back), interrupted, cancel.cancelled, sum(durations_s.values()))

    def _run_one(
        self, task: TaskView, run_task: RunTask, origin: Origin, *, cancel: CancellationToken, is_alone: bool
    ) -> TaskRun:
        self._stream.publish(TaskStarted(task.description, is_alone), origin)
        began_at, started = self._clock(), self._stopwatch()
        output: TaskOutput | None = None
        fault: Fault | None = None
        try:
            output = run_task(task, origin=origin, cancel=cancel)
        except Exception as error:  # task boundary: one task's failure disturbs no other and never ends the plan here
            if not cancel.cancelled:  # a cancel is no failure, however it shows
                fault = fault_of(error, self._masker)
        return TaskRun(began_at, self._clock(), self._stopwatch() - started, is_alone, output, fault)
