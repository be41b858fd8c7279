"""Puts the events of a parallel round in reading order: each task's output whole, in topological order, at its end."""

from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    CommandReviewed,
    Event,
    ModelReplyRestarted,
    ModelRequestStarted,
    ModelRetryScheduled,
    Notice,
    PlanFinished,
    QuestionAnswered,
    QuestionAsked,
    RoundCommitted,
    RoundStarted,
    ToolProgressed,
    TurnFinished,
)

PASSING = (
    ApprovalRequested,
    ApprovalDecided,
    QuestionAsked,
    QuestionAnswered,
    CommandReviewed,
    ModelRetryScheduled,
    Notice,
    ToolProgressed,
)
"""Never buffered: a person waits for them, or they are shown live."""
_ENDS = (RoundCommitted, RoundStarted, PlanFinished, TurnFinished)


class TaskOrder:
    """Takes events as they come, gives them as they should be read."""

    def __init__(self) -> None:
        self._tasks: dict[str, list[Event]] = {}
        """Per task of the parallel round, in topological order; empty: no such round runs."""
        self._after: list[Event] = []
        """What the plan said meanwhile (skips, a replan): it follows the tasks it is about."""

    def accept(self, event: Event) -> list[Event]:
        """The events to show now."""
        body = event.body
        if isinstance(body, _ENDS):
            released = [*self._release(), event]
            if isinstance(body, RoundStarted) and len(body.task_ids) > 1:
                self._tasks = {task_id: [] for task_id in body.task_ids}
            return released
        if not self._tasks or isinstance(body, PASSING):
            return [event]
        held = self._tasks.get(event.origin.task_id)
        if held is not None:
            _hold(held, event)
        elif event.origin.plan_id or event.origin.task_id:
            self._after.append(event)
        else:
            return [event]
        return []

    def _release(self) -> list[Event]:
        released = [event for held in self._tasks.values() for event in held] + self._after
        self._tasks, self._after = {}, []
        return released


def _hold(held: list[Event], event: Event) -> None:
    """Keeps an event; what streamed of a reply that starts again is taken back."""
    if not isinstance(event.body, ModelReplyRestarted):
        held.append(event)
        return
    while held and not isinstance(held[-1].body, ModelRequestStarted):
        held.pop()
