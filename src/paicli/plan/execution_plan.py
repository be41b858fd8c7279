"""A plan: its tasks, their graph, and what can be asked of both. Changed by the scheduling thread only."""

from collections.abc import Collection, Iterable

from paicli.core.plan_view import PlanStatus, PlanView, TaskStatus, TaskView, UnfinishedPlan
from paicli.plan.graph import TaskGraph
from paicli.plan.task import IllegalMove, Task

_MOVES: dict[PlanStatus, frozenset[PlanStatus]] = {
    PlanStatus.CREATED: frozenset({PlanStatus.RUNNING, PlanStatus.CANCELLED}),
    PlanStatus.RUNNING: frozenset({PlanStatus.COMPLETED, PlanStatus.FAILED, PlanStatus.CANCELLED}),
    PlanStatus.COMPLETED: frozenset(),
    PlanStatus.FAILED: frozenset(),
    PlanStatus.CANCELLED: frozenset(),
}


class ExecutionPlan:
    """Tasks in insertion order over an acyclic graph; `parse_plan` makes one from a model's reply."""

    def __init__(self, plan_id: str, *, goal: str, summary: str, tasks: Iterable[TaskView]) -> None:
        """The tasks' ids must be unique, their dependencies declared and free of cycles (`parse_plan` sees to it)."""
        views = tuple(tasks)
        self.id = plan_id
        self.goal = goal
        self.summary = summary
        self.status = PlanStatus.CREATED
        self._graph = TaskGraph({view.id: view.dependencies for view in views})
        self.order = self._graph.order()
        """Topological order: ranks a round's tasks, the display, the lists of skipped and failed."""
        dependents: dict[str, list[str]] = {view.id: [] for view in views}
        for view in views:
            for needed in view.dependencies:
                dependents[needed].append(view.id)
        self._tasks = {view.id: Task(view, dependents=tuple(dependents[view.id])) for view in views}

    @property
    def tasks(self) -> tuple[Task, ...]:
        """In insertion order."""
        return tuple(self._tasks.values())

    def task(self, task_id: str) -> Task:
        return self._tasks[task_id]

    def ready(self) -> tuple[Task, ...]:
        """PENDING tasks whose dependencies are all COMPLETED, in topological order."""
        return tuple(task for task in self._ordered() if self._is_ready(task))

    def with_status(self, status: TaskStatus) -> tuple[Task, ...]:
        """In topological order."""
        return tuple(task for task in self._ordered() if task.status is status)

    @property
    def progress(self) -> float:
        """Completed / all, 0 to 1."""
        return len(self.with_status(TaskStatus.COMPLETED)) / len(self._tasks)

    @property
    def is_finished(self) -> bool:
        """Every task is COMPLETED."""
        return len(self.with_status(TaskStatus.COMPLETED)) == len(self._tasks)

    def downstream(self, task_id: str) -> tuple[Task, ...]:
        """All direct and indirect dependents, in topological order."""
        found = self._graph.downstream(task_id)
        return tuple(task for task in self._ordered() if task.id in found)

    def upstream(self, task_id: str) -> tuple[Task, ...]:
        """All direct and indirect dependencies, in topological order."""
        found = self._graph.upstream(task_id)
        return tuple(task for task in self._ordered() if task.id in found)

    def batches(self) -> tuple[tuple[str, ...], ...]:
        """The rounds that a failure-free run would take, each in topological order."""
        layer: dict[str, int] = {}
        for task in self._ordered():
            layer[task.id] = 1 + max((layer[needed] for needed in task.dependencies), default=-1)
        count = 1 + max(layer.values(), default=-1)
        return tuple(tuple(task_id for task_id in self.order if layer[task_id] == number) for number in range(count))

    def move(self, status: PlanStatus) -> None:
        """Raises IllegalMove for anything but CREATED → RUNNING → an end, and CREATED → CANCELLED."""
        if status not in _MOVES[self.status]:
            raise IllegalMove(f"{self.id}: {self.status} → {status}")
        self.status = status

    def mark_repeating(self, descriptions: Collection[str]) -> None:
        """Marks the tasks whose description equals one that is already completed."""
        for task in self.tasks:
            if task.view.description in descriptions:
                task.mark_repeating()

    def view(self) -> PlanView:
        return PlanView(
            id=self.id,
            goal=self.goal,
            summary=self.summary,
            status=self.status,
            tasks=tuple(task.view for task in self.tasks),
            order=self.order,
            batches=self.batches(),
            leaves=tuple(task.id for task in self._ordered() if not task.dependents),
        )

    def _ordered(self) -> Iterable[Task]:
        return (self._tasks[task_id] for task_id in self.order)

    def _is_ready(self, task: Task) -> bool:
        return task.status is TaskStatus.PENDING and all(
            self._tasks[needed].status is TaskStatus.COMPLETED for needed in task.dependencies
        )


def resumed_plan(left: UnfinishedPlan, plan_id: str) -> ExecutionPlan:
    """A new plan over the same graph: completed tasks stay completed, everything else is PENDING again."""
    return ExecutionPlan(
        plan_id,
        goal=left.view.goal,
        summary=left.view.summary,
        tasks=[_resumed(task, left.interrupted) for task in left.view.tasks],
    )


def _resumed(task: TaskView, interrupted: Collection[str]) -> TaskView:
    if task.status is TaskStatus.COMPLETED:
        return task._replace(was_interrupted=False)
    anew = TaskView(task.id, task.description, task.type, TaskStatus.PENDING, task.dependencies)
    return anew._replace(was_interrupted=task.id in interrupted, repeats_completed=task.repeats_completed)
