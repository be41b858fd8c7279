"""Plans as lines: the folded summary of a review, the whole graph, what a revision did, and the lines of a run."""

from typing import assert_never

from paicli.core.catalogue.lookup import Texts, model_text
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanAbandoned,
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanningStarted,
    PlanRejected,
    PlanReviewed,
    PlanReviewRequested,
    PlanStarted,
    PlanStuck,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import Event
from paicli.core.ops import ReviewDecision
from paicli.core.plan_report import report_text
from paicli.core.plan_view import PlanChanges, PlanView, SkipReason, TaskStatus, TaskView
from paicli.core.unicode import clipped
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.markdown.blocks import flattened
from paicli.ui.rendering.styled import Line, Style, as_prose, cut, line, lines, prose
from paicli.ui.sanitize import revealed
from paicli.ui.stored.unfinished_lines import going_on_lines

GOAL_COLUMNS = 48
SHOWN_IDS = 5
RESULT_CHARACTERS = 100
_READ_CHARACTERS = 1_000
"""Of a result, so much is read for its line."""

PlanBody = (
    PlanningStarted
    | PlanAbandoned
    | PlanCreated
    | PlanRejected
    | PlanReviewRequested
    | PlanReviewed
    | PlanStarted
    | PlanFinished
    | PlanStuck
    | ReplanTriggered
    | ReplanLimitReached
)
RunBody = (
    RoundStarted
    | RoundCommitted
    | TaskStarted
    | TaskCompleted
    | TaskFailed
    | TaskInterrupted
    | TaskSkipped
    | FileOverlapped
)

STATUS_ICONS = {
    TaskStatus.PENDING: "⏳",
    TaskStatus.RUNNING: "▶️",
    TaskStatus.COMPLETED: "✅",
    TaskStatus.FAILED: "❌",
    TaskStatus.SKIPPED: "⏭️",
}


def plan_lines(body: PlanBody, texts: Texts) -> list[Line]:
    """What the screen says of a plan as a whole; a review's panel is asked for apart (`folded`, `unfolded`)."""
    match body:
        case PlanningStarted(goal, cause):
            return _planning(goal, cause, texts)
        case PlanRejected(fault, cause):
            if cause is not PlanCause.FEEDBACK:
                return []  # the turn's end says it
            reason = fault_text(fault, texts)
            rejected = lines(texts.screen("plan.review.revision_rejected", reason=reason), Style.BAD)
            return [*rejected, line(texts.screen("plan.review.plan_stands"))]
        case PlanReviewed(decision=decision):
            return _reviewed(decision, texts)
        case PlanStarted():
            return [line(texts.screen("plan.started"), Style.BOLD)]
        case PlanFinished(report):
            return lines(report_text(report, texts, skip_streamed=True))
        case ReplanTriggered():
            return [line(texts.screen("plan.replanning", number=body.number, limit=body.limit), Style.WARNING)]
        case ReplanLimitReached(limit=limit):
            return [line(texts.screen("plan.replan_limit", limit=limit), Style.WARNING)]
        case PlanAbandoned():
            return [line(texts.screen("resume.abandoned"))]
        case PlanCreated(view, PlanCause.RESUME):
            return going_on_lines(view, texts)
        case PlanStuck() | PlanCreated() | PlanReviewRequested():
            return []  # the report says the first; the review shows the others
        case _:
            assert_never(body)


def run_lines(event: Event, body: RunBody, texts: Texts) -> list[Line]:
    """The lines of rounds and tasks."""
    task = event.origin.task_id
    match body:
        case RoundStarted(task_ids):
            if len(task_ids) < 2:
                return []
            shown = texts.screen("plan.round.parallel", count=len(task_ids), tasks=", ".join(task_ids))
            return [line(shown, Style.BOLD)]
        case TaskStarted(description, is_alone):
            code = "plan.task.alone" if is_alone else "plan.task.parallel"
            return lines(texts.screen(code, task=task, description=description), Style.BOLD)
        case TaskCompleted(result, is_partial):
            code = "plan.task.partial" if is_partial else "plan.task.completed"
            style = Style.WARNING if is_partial else Style.GOOD
            shown = clipped(flattened(result[:_READ_CHARACTERS]), RESULT_CHARACTERS)
            return [line(texts.screen(code, task=task, result=shown).rstrip(), style)]
        case TaskFailed(fault):
            return lines(texts.screen("plan.task.failed", task=task, reason=fault_text(fault, texts)), Style.BAD)
        case TaskInterrupted():
            return [line(texts.screen("plan.task.interrupted", task=task), Style.DIM)]
        case TaskSkipped():
            reason = skip_text(body.reason, body.cause_task_id, texts)
            return [line(texts.screen("plan.task.skipped", task=task, reason=reason), Style.DIM)]
        case RoundCommitted() | FileOverlapped():
            return []  # the report names every overlap
        case _:
            assert_never(body)


def skip_text(reason: SkipReason, cause: str, texts: Texts) -> str:
    return texts.screen(f"plan.skip.{reason.value}", cause=cause)


def folded(view: PlanView, changes: PlanChanges | None, texts: Texts) -> list[Line]:
    """The summary a review starts with, without its keys."""
    goal = cut(revealed(" ".join(_goal(view, texts).split())), GOAL_COLUMNS)
    ready = [task for task in view.tasks if is_executable(task, view)]
    shown = [
        texts.screen("plan.review.goal", goal=goal),
        texts.screen("plan.review.task_count", count=len(view.tasks)),
        texts.screen("plan.review.round_count", count=len(view.batches)),
        texts.screen("plan.review.executable", count=len(ready)),
    ]
    if view.batches:
        shown.append(texts.screen("plan.review.first_round", tasks=_some(view.batches[0])))
        shown.append(texts.screen("plan.review.last_round", tasks=_some(view.batches[-1])))
    repeats = [task.id for task in view.tasks if task.repeats_completed]
    if repeats:
        shown.append(f"{texts.screen('plan.review.repeats_completed')}: {', '.join(repeats)}")
    return as_prose([*(line(text) for text in shown), *revision_lines(changes, texts)], hang=2)


def revision_lines(changes: PlanChanges | None, texts: Texts) -> list[Line]:
    """Which tasks a revision kept, changed, added, removed: one line."""
    if changes is None:
        return []
    parts = [
        texts.screen(f"plan.review.{what}", tasks=", ".join(ids)) for what, ids in changes._asdict().items() if ids
    ]
    return [line(" · ".join(parts), Style.ACCENT)] if parts else []


def _goal(view: PlanView, texts: Texts) -> str:
    """With what reviews added to it, in words of the screen: the model's are Chinese."""
    for_model = model_text("plan.revised_goal", goal="", feedback="")
    return view.goal.replace(for_model, "\n" + texts.screen("plan.review.added_to_goal"))


def unfolded(view: PlanView, texts: Texts) -> list[Line]:
    """The whole graph by rounds."""
    shown: list[Line] = [*lines(texts.screen("plan.review.goal", goal=revealed(_goal(view, texts))))]
    if view.summary.strip():
        shown += lines(texts.screen("plan.review.summary", summary=revealed(view.summary.strip())))
    for number, ids in enumerate(view.batches, start=1):
        shown.append(line(texts.screen("plan.review.round", number=number), Style.BOLD))
        for task_id in ids:
            shown += _task(view.task(task_id), texts)
    return shown


def is_executable(task: TaskView, view: PlanView) -> bool:
    """PENDING and every dependency COMPLETED."""
    done = {other.id for other in view.tasks if other.status is TaskStatus.COMPLETED}
    return task.status is TaskStatus.PENDING and done.issuperset(task.dependencies)


def _task(task: TaskView, texts: Texts) -> list[Line]:
    after = (
        texts.screen("plan.review.dependencies", tasks=", ".join(task.dependencies))
        if task.dependencies
        else texts.screen("plan.review.no_dependencies")
    )
    mark = f" · {texts.screen('plan.review.repeats_completed')}" if task.repeats_completed else ""
    head = line(f"  {STATUS_ICONS[task.status]} {task.id} [{task.type.value}] {after}{mark}")
    described = (prose(f"     {text}", hang=5) for text in revealed(task.description).split("\n"))
    return [head, *(row for rows in described for row in rows)]


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:SHOWN_IDS]) + (", …" if len(ids) > SHOWN_IDS else "")


def _planning(goal: str, cause: PlanCause, texts: Texts) -> list[Line]:
    match cause:
        case PlanCause.GOAL:
            scope = line(texts.screen("plan.planning_scope"), Style.DIM)
            return [*lines(texts.screen("plan.planning", goal=goal)), scope]
        case PlanCause.FEEDBACK:
            return [line(texts.screen("plan.review.feedback_received"))]
        case PlanCause.REPLAN | PlanCause.FILE | PlanCause.RESUME:
            return []  # the trigger of a replan has its own line; a stored plan is not planned


def _reviewed(decision: ReviewDecision, texts: Texts) -> list[Line]:
    match decision:
        case ReviewDecision.CANCEL:
            return [line(texts.screen("plan.review.cancelled"))]
        case ReviewDecision.STOP:
            return [line(texts.screen("plan.review.stopped"), Style.WARNING)]
        case ReviewDecision.EXECUTE | ReviewDecision.REVISE:
            return []
