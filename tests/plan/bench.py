"""What the plan tests share: plans from a word list of edges, scripted tasks, and a scheduler that records."""

import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmUnreachable
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, Origin
from paicli.core.masking import SecretMasker
from paicli.core.plan_view import TaskStatus, TaskType, TaskView
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.overlaps import Overlap
from paicli.plan.rounds import RoundRunner, TaskOutput
from paicli.plan.scheduler import Replans, ScheduleOutcome, TaskScheduler
from tests.fakes.recording_listener import RecordingListener

Behaviour = Callable[[CancellationToken], TaskOutput]


def plan_of(edges: Mapping[int, Sequence[int]], plan_id: str = "p") -> ExecutionPlan:
    """`{2: [1]}`: task_2 depends on task_1. In the order given."""
    return ExecutionPlan(
        plan_id,
        goal="目标",
        summary="概要",
        tasks=[
            TaskView(
                f"task_{number}",
                f"做 {number}",
                TaskType.ANALYSIS,
                TaskStatus.PENDING,
                tuple(f"task_{needed}" for needed in dependencies),
            )
            for number, dependencies in edges.items()
        ],
    )


def failing(cancel: CancellationToken) -> TaskOutput:
    raise LlmUnreachable("llm.broken", detail="断线")


def partial_result(cancel: CancellationToken) -> TaskOutput:
    return TaskOutput("一半", is_partial=True)


class SchedulerBench:
    """Runs plans with tasks that do as told; a task that is told nothing returns "结果 N"."""

    def __init__(self, *, max_parallel: int = 4) -> None:
        self.heard = RecordingListener()
        self.stream = EventStream("session")
        self.stream.subscribe(self.heard)
        ticks = count(1)
        rounds = RoundRunner(
            self.stream, masker=SecretMasker(), limit=max_parallel, clock=lambda: next(ticks), stopwatch=lambda: 0.0
        )
        self.scheduler = TaskScheduler(self.stream, rounds)
        self.cancel = CancellationToken()
        self.ran: list[str] = []
        self.threads: dict[str, threading.Thread] = {}
        self._behaviours: dict[str, Behaviour] = {}

    def tell(self, number: int, behaviour: Behaviour) -> None:
        self._behaviours[f"task_{number}"] = behaviour

    def run(
        self,
        plan: ExecutionPlan,
        *,
        replans: Replans | None = None,
        find_overlaps: Callable[[Sequence[str]], Sequence[Overlap]] = lambda task_ids: (),
    ) -> ScheduleOutcome:
        return self.scheduler.run(
            plan,
            self._run_task,
            self.cancel,
            turn_id="t",
            replans=replans or Replans(),
            find_overlaps=find_overlaps,
        )

    @property
    def told(self) -> list[tuple[int, str, EventBody]]:
        """(round, task, body) of each event."""
        return [(event.origin.round, event.origin.task_id, event.body) for event in self.heard.events]

    def _run_task(self, task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
        assert (origin.turn_id, origin.plan_id, origin.actor) == ("t", "p", task.id)
        self.ran.append(task.id)
        self.threads[task.id] = threading.current_thread()
        behaviour = self._behaviours.get(task.id)
        return behaviour(cancel) if behaviour else TaskOutput(f"结果 {task.id.removeprefix('task_')}")


def statuses(plan: ExecutionPlan) -> str:
    """One letter a task, in insertion order: Pending, Running, Completed, Failed, Skipped."""
    return "".join(task.status.value[0] for task in plan.tasks)
