"""A plan while it runs: how far it is, and for each task of a parallel round one row that says what it does now."""

from collections.abc import Callable
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.plans import (
    PlanCreated,
    PlanFinished,
    PlanStarted,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskStarted,
)
from paicli.core.events import (
    Event,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    ToolStarted,
    TurnFinished,
    TurnStarted,
)
from paicli.ui.live.status_bar import elapsed_text
from paicli.ui.rendering.styled import Line, line
from paicli.ui.rendering.tool_lines import call_subject
from paicli.ui.sanitize import revealed


class _Doing(NamedTuple):
    """What one task is at."""

    text: str
    since: float | None = None
    """None: it waits for its turn, or has ended."""
    has_answered: bool = False
    """What it said last is its result, unless it is asked again."""


class RoundBoard:
    """Follows a plan by its events; `rows` draws it."""

    def __init__(self, texts: Texts, clock: Callable[[], float]) -> None:
        self._texts = texts
        self._clock = clock
        self._tasks: dict[str, _Doing] = {}
        """Those of the parallel round, in topological order."""
        self._round = self._rounds = self._count = 0
        self._completed: set[str] = set()
        self._is_running = False

    def has(self, actor: str) -> bool:
        """That actor is a task with a row of its own."""
        return actor in self._tasks

    def accept(self, event: Event) -> None:
        body, task = event.body, event.origin.task_id
        match body:
            case PlanStarted(view):
                self._is_running, self._round = True, 0
                self._rounds, self._count = len(view.batches), len(view.tasks)
                self._completed, self._tasks = set(), {}
            case PlanFinished() | PlanCreated() | TurnStarted() | TurnFinished():
                self._is_running, self._tasks = False, {}
            case RoundStarted(task_ids):
                self._round = max(event.origin.round, self._round + 1)
                waiting = _Doing(self._texts.screen("board.waiting"))
                self._tasks = dict.fromkeys(task_ids, waiting) if len(task_ids) > 1 else {}
            case RoundCommitted(completed):
                self._completed |= set(completed)
                self._tasks = {}
            case TaskCompleted():
                self._completed.add(task)
                self._ended(task, "board.completed")
            case TaskFailed():
                self._ended(task, "board.failed")
            case TaskInterrupted():
                self._ended(task, "board.interrupted")
            case TaskStarted() | ModelRequestStarted() | ModelDelta() | ModelReplyReceived() | ToolStarted() if (
                event.origin.actor == task  # a review of its command and a summary are asked for under other names
            ):
                self._follow(task, body)
            case _:
                pass

    def rows(self) -> list[Line]:
        """One for the plan, one for each task of its parallel round; none while no plan runs."""
        if not self._is_running or not self._round:
            return []
        rounds = max(self._rounds, self._round)
        progress = self._texts.screen(
            "board.progress", round=self._round, rounds=rounds, done=len(self._completed), tasks=self._count
        )
        return [line(progress), *(self._row(task, doing) for task, doing in self._tasks.items())]

    def _row(self, task: str, doing: _Doing) -> Line:
        if doing.since is None or doing.has_answered:
            return line(self._texts.screen("board.task_at_rest", task=task, doing=doing.text))
        elapsed = elapsed_text(self._clock() - doing.since)
        return line(self._texts.screen("board.task", task=task, doing=doing.text, elapsed=elapsed))

    def _follow(
        self, task: str, body: TaskStarted | ModelRequestStarted | ModelDelta | ModelReplyReceived | ToolStarted
    ) -> None:
        doing = self._tasks.get(task)
        if doing is None:
            return
        match body:
            case TaskStarted(description):
                self._tasks[task] = _Doing(" ".join(revealed(description).split()), self._clock())
            case ToolStarted(name=name, arguments=arguments):
                text = self._texts.screen("tool.running", name=revealed(name), subject=call_subject(arguments))
                self._tasks[task] = doing._replace(text=text.rstrip())
            case ModelRequestStarted(step) if step > 1:
                self._tasks[task] = doing._replace(text=self._texts.screen("board.thinking"), has_answered=False)
            case ModelReplyReceived(response) if not response.tool_calls:
                self._tasks[task] = doing._replace(text=self._texts.screen("board.answered"), has_answered=True)
            case ModelDelta() if doing.text != self._texts.screen("board.answering"):
                self._tasks[task] = doing._replace(text=self._texts.screen("board.answering"))
            case _:
                pass

    def _ended(self, task: str, code: str) -> None:
        if task in self._tasks:
            self._tasks[task] = _Doing(self._texts.screen(code))
