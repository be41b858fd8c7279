"""What is being worked on, at a key (Ctrl+T): the running plan round by round, else the model's to-do list."""

from collections.abc import Callable

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.plans import (
    PlanFinished,
    PlanReviewRequested,
    PlanStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import (
    ConversationCleared,
    ConversationRewound,
    Event,
    ModelReplyReceived,
    ModelRequestStarted,
    TodoUpdated,
    TurnStarted,
)
from paicli.core.messages import TodoItem
from paicli.core.plan_view import PlanView, TaskStatus
from paicli.ui.live.panels import Closed, Outcome, Scroll, StillOpen, framed
from paicli.ui.live.status_bar import elapsed_text
from paicli.ui.rendering.plan_lines import STATUS_ICONS
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.styled import Line, Style, cut, line
from paicli.ui.rendering.tool_lines import todo_lines

_STYLES = {
    TaskStatus.PENDING: Style.PLAIN,
    TaskStatus.RUNNING: Style.ACCENT,
    TaskStatus.COMPLETED: Style.DIM,
    TaskStatus.FAILED: Style.BAD,
    TaskStatus.SKIPPED: Style.DIM,
}
_DESCRIPTION_COLUMNS = 300


class WorkView:
    """Follows the work by its events. A panel that takes no key from the input but its own."""

    request_id = ""
    starts_typing = False

    def __init__(self, texts: Texts, clock: Callable[[], float]) -> None:
        self.is_open = False
        self._texts = texts
        self._clock = clock
        self._plan: PlanView | None = None
        self._statuses: dict[str, TaskStatus] = {}
        self._since: dict[str, float] = {}
        self._todos: tuple[TodoItem, ...] = ()
        self._scroll = Scroll(texts)

    @property
    def is_empty(self) -> bool:
        return self._plan is None and not self._todos

    def stop_plan(self) -> None:
        """Its process has ended: nothing of it runs."""
        self._plan, self._statuses, self._since = None, {}, {}

    def accept(self, event: Event) -> None:
        task = event.origin.task_id
        is_own = event.origin.actor == task
        """False: a review of its command, or a summary, is asked for in its name."""
        match event.body:
            case PlanReviewRequested(view=view) | PlanStarted(view):
                self._plan = view
                self._statuses = {each.id: each.status for each in view.tasks}
                self._since = {}
            case TaskStarted():
                self._statuses[task], self._since[task] = TaskStatus.RUNNING, self._clock()
            case ModelReplyReceived(response) if task and is_own and not response.tool_calls:
                self._end(task, TaskStatus.COMPLETED)  # the scheduler says so when the round ends
            case ModelRequestStarted() if task and is_own and self._statuses.get(task) is TaskStatus.COMPLETED:
                self._statuses[task] = TaskStatus.RUNNING  # an empty reply is asked for once more
            case TaskCompleted():
                self._end(task, TaskStatus.COMPLETED)
            case TaskFailed():
                self._end(task, TaskStatus.FAILED)
            case TaskInterrupted():
                self._end(task, TaskStatus.PENDING)
            case TaskSkipped():
                self._end(task, TaskStatus.SKIPPED)
            case TodoUpdated(items) if not task:
                self._todos = items
            case PlanFinished() | TurnStarted():
                self._plan = None
            case ConversationCleared() | ConversationRewound():
                self._plan, self._todos = None, ()
            case _:
                pass
        self.is_open = self.is_open and not self.is_empty

    def record(self) -> list[Line]:
        return []

    def rows(self, columns: int, height: int) -> list[Line]:
        keys = [line(self._texts.screen("work.keys"), Style.ACCENT)]
        whole = self._plan_rows(self._plan, columns) if self._plan is not None else self._todo_rows(columns)
        return framed(whole, keys, self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        if key in ("c-t", "escape"):
            self.is_open = False
            return Closed()
        self._scroll.press(key)
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return

    def _end(self, task: str, status: TaskStatus) -> None:
        self._statuses[task] = status
        self._since.pop(task, None)

    def _todo_rows(self, columns: int) -> list[Line]:
        return [line(cut(row.text, columns), row.spans[0].style) for row in todo_lines(self._todos, self._texts)]

    def _plan_rows(self, plan: PlanView, columns: int) -> list[Line]:
        done = sum(status is TaskStatus.COMPLETED for status in self._statuses.values())
        goal = one_line(plan.goal, columns)
        title = self._texts.screen("work.plan", done=done, count=len(plan.tasks), goal=goal)
        shown = [line(cut(title, columns), Style.BOLD)]
        for number, ids in enumerate(plan.batches, 1):
            shown.append(line(self._texts.screen("work.round", number=number), Style.BOLD))
            shown += [self._task_row(plan, task_id, columns) for task_id in ids]
        return shown

    def _task_row(self, plan: PlanView, task_id: str, columns: int) -> Line:
        status = self._statuses.get(task_id, TaskStatus.PENDING)
        text = one_line(plan.task(task_id).description, _DESCRIPTION_COLUMNS)
        since = self._since.get(task_id)
        if since is not None:
            text = f"{elapsed_text(self._clock() - since)} {text}"
        row = self._texts.screen("work.task", icon=STATUS_ICONS[status], task=task_id, text=text)
        return line(cut(row, columns), _STYLES[status])
