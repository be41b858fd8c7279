"""Runs a plan turn: plan → review → schedule, and again after a failure that asks for a new plan."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from paicli.agent.outcome import LoopStatus, RunConversation
from paicli.agent.planning.review import AskReview, ReviewQuestion
from paicli.agent.planning.task_context import BoundText, completed_tasks, task_message
from paicli.agent.planning.turn_watch import TurnWatch
from paicli.agent.turn import Turn, TurnEnding
from paicli.core.actors import PLANNER
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import LlmError, PlanInvalid, TurnCancelled
from paicli.core.event_bodies.plans import PlanCause, PlanCreated, PlanFinished, PlanRejected, PlanReviewed, PlanStarted
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, Origin, TurnStatus
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import Usage
from paicli.core.ops import ReviewDecision, TurnKind
from paicli.core.plan_report import report_text
from paicli.core.plan_view import PlanChanges, PlanEnding, PlanReport, PlanStatus, PlanView, TaskView, UnfinishedPlan
from paicli.core.unicode import well_formed
from paicli.plan.changes import plan_changes
from paicli.plan.execution_plan import ExecutionPlan, resumed_plan
from paicli.plan.overlaps import Overlap, overlapping_files, overwritten_by_commands
from paicli.plan.parser import parse_stored_plan
from paicli.plan.planner import Planner, PlanningCall
from paicli.plan.rounds import TaskOutput
from paicli.plan.scheduler import MAX_REPLANS, Replans, ScheduleOutcome, ScheduleStatus, TaskScheduler

STOPPED = "plan.review.stopped"
"""Code of the fault of a turn that nobody was there to review."""
NOTHING_LEFT = "resume.nothing"
"""Code of the fault of a turn that was to go on with a plan where none is left."""


class KnownFiles(Protocol):
    """What tasks know of files, for finding what commands changed."""

    def known(self, plan_id: str, task_id: str) -> Mapping[str, str]:
        """Real path → digest of the content as this task read or wrote it last."""
        ...

    def current_digest(self, path: str) -> str | None:
        """None when the file is gone or can't be read."""
        ...


class PlanParts(NamedTuple):
    """What every plan turn of a session shares."""

    stream: EventStream
    planner: Planner
    scheduler: TaskScheduler
    ask_review: AskReview
    run_conversation: RunConversation
    task_system: Callable[[TaskView], str]
    """The system prompt of a task."""
    bound: BoundText
    """Keeps a result over 32,000 characters out of a task's message."""
    masker: SecretMasker
    max_replans: int = MAX_REPLANS
    tighten: Callable[[str], None] = lambda words: None
    """Hears a stored plan's goal: it may only tighten the turn's policy."""
    hear: Callable[[str], None] = lambda words: None
    """Hears the person's feedback: words of this turn, which tighten its policy and whose URLs count."""
    share_urls: Callable[[Origin, Sequence[str]], None] = lambda origin, urls: None
    """Hears, before a task begins, which URLs its dependencies found by web_search."""
    known_files: KnownFiles | None = None
    unfinished: Callable[[], UnfinishedPlan | None] = lambda: None
    """What is left of the session's last plan."""


class PlanTurnOutcome(NamedTuple):
    """What a plan turn came to."""

    status: TurnStatus
    plan: PlanView | None = None
    """The plan that ran last; the one that was made, when none ran; None when there was none."""
    report: PlanReport | None = None
    """None when no plan was started."""
    fault: Fault | None = None
    feedback: tuple[str, ...] = ()
    """The person's words in reviews, in order."""
    usage: Usage = Usage()
    steps: int = 0
    """Model requests."""
    cost_usd: float | None = None
    """As in `TurnEnding`."""

    def ending(self, texts: Texts) -> TurnEnding:
        """For the engine; its text is the whole summary."""
        text = report_text(self.report, texts, skip_streamed=False) if self.report else ""
        return TurnEnding(
            self.status, text, self.fault, self.usage, self.steps, was_streamed=False, cost_usd=self.cost_usd
        )


class PlanExecuteAgent:
    """Takes the turns of kind PLAN, PLAN_ONLY, PLAN_FILE and PLAN_RESUME."""

    def __init__(self, parts: PlanParts, *, stopwatch: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._stopwatch = stopwatch

    def take_turn(self, turn: Turn) -> PlanTurnOutcome:
        """Cancels, refused plans and an unreachable model come as outcomes, not as exceptions."""
        watch = TurnWatch(turn.id)
        with self._parts.stream.heard_by(watch):
            outcome = _PlanTurn(self._parts, turn, watch, stopwatch=self._stopwatch).run()
        return outcome._replace(usage=watch.usage, steps=watch.model_calls, cost_usd=watch.cost_usd)


_ENDINGS = {
    ScheduleStatus.COMPLETED: PlanEnding.COMPLETED,
    ScheduleStatus.PARTIAL: PlanEnding.PARTIAL,
    ScheduleStatus.LIMIT_REACHED: PlanEnding.REPLAN_LIMIT,
    ScheduleStatus.CANCELLED: PlanEnding.CANCELLED,
    ScheduleStatus.STUCK: PlanEnding.STUCK,
}

_STATUSES = {
    PlanEnding.COMPLETED: TurnStatus.COMPLETED,
    PlanEnding.PARTIAL: TurnStatus.PARTIAL,
    PlanEnding.REPLAN_LIMIT: TurnStatus.PARTIAL,
    PlanEnding.REPLAN_FAILED: TurnStatus.FAILED,
    PlanEnding.REPLAN_CANCELLED: TurnStatus.CANCELLED,
    PlanEnding.CANCELLED: TurnStatus.CANCELLED,
    PlanEnding.STUCK: TurnStatus.FAILED,
}


class _Reviewed(NamedTuple):
    plan: ExecutionPlan
    decision: ReviewDecision
    """EXECUTE, CANCEL or STOP."""


class _PlanTurn:
    """One turn; lives on the engine thread."""

    def __init__(self, parts: PlanParts, turn: Turn, watch: TurnWatch, *, stopwatch: Callable[[], float]) -> None:
        self._parts = parts
        self._turn = turn
        self._watch = watch
        self._stopwatch = stopwatch
        self._plan_count = 0
        self._feedback: list[str] = []
        self._earlier: list[PlanView] = []
        """Plans that a replan replaced, oldest first."""
        self._replans_used = 0
        self._runs: list[ScheduleOutcome] = []
        self._wall_s = 0.0

    def run(self) -> PlanTurnOutcome:
        if self._turn.kind is TurnKind.PLAN_RESUME:
            left = self._parts.unfinished()
            return PlanTurnOutcome(TurnStatus.FAILED, fault=Fault(NOTHING_LEFT)) if left is None else self._resume(left)
        cause = PlanCause.FILE if self._turn.kind is TurnKind.PLAN_FILE else PlanCause.GOAL
        try:
            plan = self._first_plan(cause)
        except TurnCancelled:
            return PlanTurnOutcome(TurnStatus.CANCELLED)
        except (LlmError, PlanInvalid) as error:
            return PlanTurnOutcome(TurnStatus.FAILED, fault=self._refused(error, cause))
        self._say(PlanCreated(plan.view(), cause), plan.id)
        if self._turn.kind is TurnKind.PLAN_ONLY:
            return PlanTurnOutcome(TurnStatus.COMPLETED, plan.view())
        return self._run_reviewed(plan, cause)

    def _resume(self, left: UnfinishedPlan) -> PlanTurnOutcome:
        """A plan that was approved is not put to the person again: that they go on with it is their word."""
        plan = resumed_plan(left, self._next_plan_id())
        self._earlier, self._replans_used = list(left.earlier), left.replans_used
        self._watch.inherit_urls(plan.id, left.urls)
        self._parts.tighten(plan.goal)
        self._say(PlanCreated(plan.view(), PlanCause.RESUME), plan.id)
        if not left.was_approved:
            return self._run_reviewed(plan, PlanCause.RESUME)
        self._say(PlanReviewed("", ReviewDecision.EXECUTE), plan.id)
        return self._execute(plan)

    def _run_reviewed(self, plan: ExecutionPlan, cause: PlanCause) -> PlanTurnOutcome:
        plan, decision = self._review(plan, cause)
        if decision is ReviewDecision.EXECUTE:
            return self._execute(plan)
        fault = Fault(STOPPED) if decision is ReviewDecision.STOP else None
        return PlanTurnOutcome(TurnStatus.CANCELLED, plan.view(), fault=fault, feedback=tuple(self._feedback))

    def _first_plan(self, cause: PlanCause) -> ExecutionPlan:
        submitted = self._turn.submitted
        if cause is PlanCause.GOAL:
            call = self._next_call()
            attachments, images = submitted.attachments, self._turn.images
            return self._parts.planner.create(submitted.text, call, attachments=attachments, images=images)
        self._turn.cancel.raise_if_cancelled()
        plan = parse_stored_plan(submitted.text, plan_id=self._next_plan_id())
        self._parts.tighten(plan.goal)
        return plan

    def _review(self, plan: ExecutionPlan, cause: PlanCause) -> _Reviewed:
        """Asks until the plan that stands is taken or dropped; each feedback may put another in its place."""
        changes: PlanChanges | None = None
        while True:
            try:
                answer = self._parts.ask_review(
                    ReviewQuestion(plan.view(), cause, changes), origin=self._origin(plan.id), cancel=self._turn.cancel
                )
                self._turn.cancel.raise_if_cancelled()
                if answer.decision is not ReviewDecision.REVISE:
                    break
                revised = self._revised(plan, answer.feedback) if answer.feedback.strip() else None
            except TurnCancelled:
                plan.move(PlanStatus.CANCELLED)
                return _Reviewed(plan, ReviewDecision.CANCEL)
            if revised is not None:
                changes = plan_changes(plan.view(), revised.view())
                plan, cause = revised, PlanCause.FEEDBACK
                self._say(PlanCreated(plan.view(), cause, changes), plan.id)
        if answer.decision is not ReviewDecision.EXECUTE:
            plan.move(PlanStatus.CANCELLED)
        return _Reviewed(plan, answer.decision)

    def _revised(self, plan: ExecutionPlan, feedback: str) -> ExecutionPlan | None:
        """None when no valid plan came: the one that stood stands."""
        words = well_formed(feedback)
        self._feedback.append(words)
        self._parts.hear(words)
        try:
            revised = self._parts.planner.revise(plan.view(), words, self._next_call())
        except (LlmError, PlanInvalid) as error:
            self._refused(error, PlanCause.FEEDBACK)
            return None
        revised.mark_repeating(self._completed_descriptions())
        return revised

    def _execute(self, plan: ExecutionPlan) -> PlanTurnOutcome:
        while True:
            outcome = self._schedule(plan)
            if outcome.status is not ScheduleStatus.REPLAN_NEEDED:
                return self._finished(plan, _ENDINGS[outcome.status])
            failed = plan.view()
            self._earlier.append(failed)
            self._replans_used += 1
            try:
                replanned = self._replanned(failed, outcome.first_failed)
            except (LlmError, PlanInvalid) as error:
                self._earlier.pop()
                return self._finished(plan, PlanEnding.REPLAN_FAILED, self._refused(error, PlanCause.REPLAN))
            if replanned is None:
                self._earlier.pop()
                return self._finished(plan, PlanEnding.REPLAN_CANCELLED)
            plan = replanned

    def _schedule(self, plan: ExecutionPlan) -> ScheduleOutcome:
        self._say(PlanStarted(plan.view()), plan.id)
        started = self._stopwatch()

        def run_task(task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
            return self._run_task(plan, task, origin, cancel=cancel)

        outcome = self._parts.scheduler.run(
            plan,
            run_task,
            self._turn.cancel,
            turn_id=self._turn.id,
            replans=Replans(self._parts.max_replans, self._replans_used),
            find_overlaps=lambda task_ids: self._overlaps(plan.id, task_ids),
        )
        self._wall_s += self._stopwatch() - started
        self._runs.append(outcome)
        return outcome

    def _run_task(
        self, plan: ExecutionPlan, task: TaskView, origin: Origin, *, cancel: CancellationToken
    ) -> TaskOutput:
        """On a worker's thread: reads only what is committed."""
        upstream = [needed.id for needed in plan.upstream(task.id)]
        urls = self._watch.urls(plan.id, upstream)
        self._parts.share_urls(origin, urls)
        user = task_message(plan, task, earlier=self._earlier, urls=urls, bound=self._parts.bound)
        outcome = self._parts.run_conversation(
            self._parts.task_system(task), user, description=task.description, origin=origin, cancel=cancel
        )
        if outcome.status is LoopStatus.CANCELLED:
            raise TurnCancelled
        return TaskOutput(outcome.text, outcome.status is LoopStatus.PARTIAL)

    def _replanned(self, failed: PlanView, first_failed: str) -> ExecutionPlan | None:
        """A reviewed plan for what is left; None when it was cancelled. Raises LlmError and PlanInvalid."""
        reason = failed.task(first_failed).error
        try:
            plan = self._parts.planner.replan(failed, reason, self._next_call(), earlier=self._earlier[:-1])
        except TurnCancelled:
            return None
        plan.mark_repeating(self._completed_descriptions())
        self._say(PlanCreated(plan.view(), PlanCause.REPLAN), plan.id)
        plan, decision = self._review(plan, PlanCause.REPLAN)
        return plan if decision is ReviewDecision.EXECUTE else None

    def _finished(self, plan: ExecutionPlan, ending: PlanEnding, fault: Fault | None = None) -> PlanTurnOutcome:
        usage = self._watch.usage
        report = PlanReport(
            plan=plan.view(),
            ending=ending,
            earlier=tuple(self._earlier),
            fault_code=fault.code if fault else "",
            fault_fields=fault.fields if fault else (),
            replan_limit=self._parts.max_replans,
            overlaps=tuple(overlap for run in self._runs for overlap in run.overlaps),
            rounds=sum(run.rounds for run in self._runs),
            wall_s=self._wall_s,
            tasks_s=sum(run.tasks_s for run in self._runs),
            model_calls=self._watch.model_calls,
            tokens=usage.input_tokens + usage.output_tokens,
        )
        self._say(PlanFinished(report), plan.id)
        if ending is PlanEnding.STUCK:
            fault = Fault("plan.stuck")
        return PlanTurnOutcome(_STATUSES[ending], report.plan, report, fault, tuple(self._feedback))

    def _overlaps(self, plan_id: str, task_ids: Sequence[str]) -> Sequence[Overlap]:
        touched = self._watch.touched(plan_id, task_ids)
        found = overlapping_files(touched)
        files = self._parts.known_files
        if files is not None:
            known = {task_id: files.known(plan_id, task_id) for task_id in task_ids}
            found += overwritten_by_commands(touched, known, files.current_digest)
        return tuple(dict.fromkeys(found))

    def _completed_descriptions(self) -> frozenset[str]:
        return frozenset(task.description for plan in self._earlier for task in completed_tasks(plan))

    def _refused(self, error: LlmError | PlanInvalid, cause: PlanCause) -> Fault:
        fault = fault_of(error, self._parts.masker)
        # Without any reply the request's own event has said it; only a review has to hear that its plan still stands.
        if isinstance(error, PlanInvalid) or cause is PlanCause.FEEDBACK:
            self._say(PlanRejected(fault, cause), self._plan_id())
        return fault

    def _next_call(self) -> PlanningCall:
        plan_id = self._next_plan_id()
        origin = self._origin(plan_id)._replace(actor=PLANNER)
        return PlanningCall(plan_id, self._parts.stream.emitter(origin), self._turn.cancel)

    def _next_plan_id(self) -> str:
        self._plan_count += 1
        return self._plan_id()

    def _plan_id(self) -> str:
        return f"{self._turn.id}_plan_{self._plan_count}"

    def _origin(self, plan_id: str) -> Origin:
        return Origin(self._turn.id, plan_id=plan_id)

    def _say(self, body: EventBody, plan_id: str) -> None:
        self._parts.stream.publish(body, self._origin(plan_id))
