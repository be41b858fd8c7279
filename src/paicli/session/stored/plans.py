"""The plan of a session as its events leave it: for showing it, and for going on with what was left of it."""

from collections.abc import Iterable
from typing import NamedTuple

from paicli.core.actors import REACT
from paicli.core.event_bodies.person import ConversationRewound
from paicli.core.event_bodies.plans import (
    PlanAbandoned,
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanReviewed,
    PlanStarted,
    ReplanTriggered,
    RoundCommitted,
    TaskCompleted,
    TaskFailed,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import ConversationCleared, Event, MessageAppended, TurnFinished, TurnStarted, UrlTrusted
from paicli.core.messages import AssistantMessage
from paicli.core.ops import ReviewDecision, TurnKind
from paicli.core.plan_view import PlanEnding, PlanReport, PlanStatus, PlanView, TaskStatus, TaskView, UnfinishedPlan

_LEFT_OPEN = frozenset({PlanEnding.CANCELLED, PlanEnding.REPLAN_CANCELLED, PlanEnding.REPLAN_FAILED})
"""Endings that leave something to go on with; after the others the plan has come to its end."""


class PlanHistory:
    """A listener, called from one thread at a time; may be asked from any."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """`events`: what an earlier process had done."""
        self._now = _Standing()
        self._before: dict[str, _Standing] = {}
        """How things stood when a turn began: where a rewind goes back to."""
        for event in events:
            self(event)

    def __call__(self, event: Event) -> None:
        match event.body:
            case TurnStarted(kind):
                self._before[event.origin.turn_id] = self._now
                self._now = self._now._replace(is_only_made=kind is TurnKind.PLAN_ONLY)
            case ConversationCleared():
                self._now, self._before = _Standing(), {}
            case ConversationRewound(before_turn):
                self._go_back(before_turn)
            case _:
                self._now = _after(self._now, event)

    @property
    def plan(self) -> PlanView | None:
        """The one that was made last, its tasks as they stood at the last event."""
        return self._now.plan

    @property
    def unfinished(self) -> UnfinishedPlan | None:
        """What is left of it; None where there is nothing to go on with."""
        now = self._now
        if now.plan is None or now.is_over:
            return None
        done = {task.id for task in now.plan.tasks if task.status is TaskStatus.COMPLETED}
        return UnfinishedPlan(
            now.plan,
            interrupted=tuple(name for name in now.plan.order if name in now.begun),
            earlier=now.earlier,
            replans_used=now.replans_used,
            was_approved=now.is_approved,
            urls=tuple((task, tuple(found)) for task, found in now.urls if task in done),
        )

    def _go_back(self, turn_id: str) -> None:
        turns = list(self._before)
        if turn_id in turns:
            self._now = self._before[turn_id]
            for later in turns[turns.index(turn_id) :]:
                del self._before[later]


class _Standing(NamedTuple):
    plan: PlanView | None = None
    turn_id: str = ""
    """That made or ran it last."""
    earlier: tuple[PlanView, ...] = ()
    replans_used: int = 0
    begun: frozenset[str] = frozenset()
    """Tasks without an end."""
    urls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    is_approved: bool = False
    is_over: bool = False
    has_ended: bool = False
    """Its report is out, but the conversation does not know of it yet."""
    is_only_made: bool = False
    """The running turn makes a plan and runs none."""


def _after(now: _Standing, event: Event) -> _Standing:
    plan, origin = now.plan, event.origin
    match event.body:
        case PlanCreated(view, cause):
            return _created(now, view, cause, turn_id=origin.turn_id)
        case PlanReviewed(decision=decision) if plan is not None and plan.id == origin.plan_id:
            return _reviewed(now, decision)
        case PlanAbandoned(abandoned) if plan is not None and plan.id == abandoned:
            return now._replace(is_over=True)
        case PlanFinished(report):
            return _finished(now, report)
        case TurnFinished() if origin.turn_id == now.turn_id and (now.has_ended or now.is_only_made):
            return now._replace(is_over=True)
        case MessageAppended(AssistantMessage()) if now.has_ended and origin.actor == REACT:
            return now._replace(is_over=now.is_over or origin.turn_id == now.turn_id)
        case _ if plan is not None and plan.id == origin.plan_id:
            return _advanced(now, plan, event)
        case _:
            return now


def _created(now: _Standing, view: PlanView, cause: PlanCause, *, turn_id: str) -> _Standing:
    made = now._replace(plan=view, turn_id=turn_id, begun=frozenset(), is_over=False, has_ended=False)
    interrupted = frozenset(task.id for task in view.tasks if task.was_interrupted)
    match cause:
        case PlanCause.GOAL | PlanCause.FILE:
            return _Standing(view, turn_id, begun=interrupted, is_only_made=now.is_only_made)
        case PlanCause.FEEDBACK:
            return made._replace(is_approved=False, urls=())
        case PlanCause.REPLAN:
            replaced = () if now.plan is None else (now.plan,)
            return made._replace(earlier=(*now.earlier, *replaced), is_approved=False, urls=())
        case PlanCause.RESUME:
            return made._replace(begun=interrupted)


def _reviewed(now: _Standing, decision: ReviewDecision) -> _Standing:
    if decision is ReviewDecision.EXECUTE:
        return now._replace(is_approved=True)
    if decision is not ReviewDecision.CANCEL:
        return now
    if not now.earlier:
        return now._replace(is_over=True)
    return now._replace(plan=now.earlier[-1], earlier=now.earlier[:-1], is_approved=True, urls=())


def _finished(now: _Standing, report: PlanReport) -> _Standing:
    is_open = report.ending in _LEFT_OPEN
    kept = now._replace(plan=report.plan, earlier=report.earlier, has_ended=not is_open)
    return kept._replace(is_approved=True, is_over=False) if is_open else kept


def _advanced(now: _Standing, plan: PlanView, event: Event) -> _Standing:
    task_id = event.origin.task_id
    match event.body:
        case PlanStarted(view):
            return now._replace(plan=view, is_approved=True)
        case RoundCommitted():
            return now._replace(plan=plan._replace(status=PlanStatus.RUNNING))
        case ReplanTriggered(number):
            return now._replace(replans_used=number)
        case UrlTrusted(url, source="web_search") if task_id:
            return now._replace(urls=_with_url(now.urls, task_id, url))
        case TaskStarted() | TaskCompleted() | TaskFailed() | TaskSkipped():
            tasks = tuple(_moved(task, event) if task.id == task_id else task for task in plan.tasks)
            has_begun = isinstance(event.body, TaskStarted)
            begun = now.begun | {task_id} if has_begun else now.begun - {task_id}
            return now._replace(plan=plan._replace(tasks=tasks), begun=begun)
        case _:
            return now


def _moved(task: TaskView, event: Event) -> TaskView:
    match event.body:
        case TaskStarted():
            return task._replace(status=TaskStatus.RUNNING, started_at=event.time)
        case TaskCompleted(result, is_partial):
            done = task._replace(status=TaskStatus.COMPLETED, result=result, is_partial=is_partial)
            return done._replace(ended_at=event.time)
        case TaskFailed(fault):
            return task._replace(status=TaskStatus.FAILED, fault=fault, ended_at=event.time)
        case TaskSkipped(reason, cause):
            return task._replace(status=TaskStatus.SKIPPED, skip_reason=reason, skip_cause=cause)
        case _:
            return task


def _with_url(
    urls: tuple[tuple[str, tuple[str, ...]], ...], task_id: str, url: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found = dict(urls)
    found[task_id] = tuple(dict.fromkeys((*found.get(task_id, ()), url)))
    return tuple(found.items())
