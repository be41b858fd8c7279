"""Asks the model for a plan: one request, two messages, no tools, and no second try."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.core.actors import PLANNER
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_bodies.plans import PlanCause, PlanningStarted
from paicli.core.event_stream import Emit
from paicli.core.messages import ChatRequest, Image, ResponseFormat, SystemMessage, UserMessage
from paicli.core.plan_view import PlanView, TaskStatus, TaskView
from paicli.core.unicode import clipped, well_formed
from paicli.llm.asking import AskedFor, ModelAsker
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.parser import parse_plan
from paicli.plan.reply_schema import PLAN_SCHEMA
from paicli.plan.stored import plan_for_model

_RESULT_LIMIT = 2_000
"""Characters of a completed task's result in a replan request."""


class PlanningCall(NamedTuple):
    """What belongs to one planning request."""

    plan_id: str
    """Of the plan that shall come of it."""
    emit: Emit
    """Publishes as the planner under that plan."""
    cancel: CancellationToken


class Planner:
    """Each method raises LlmError (already emitted), PlanInvalid (no event yet), or TurnCancelled."""

    def __init__(self, asker: ModelAsker, *, system_prompt: Callable[[], str]) -> None:
        self._asker = asker
        self._system_prompt = system_prompt

    def create(
        self, goal: str, call: PlanningCall, *, attachments: str = "", images: tuple[Image, ...] = ()
    ) -> ExecutionPlan:
        """A plan for `goal`; `attachments` and `images` stand in this one message and in no task's."""
        if attachments:
            request = model_text("plan.request_with_attachments", goal=goal, attachments=attachments)
        else:
            request = model_text("plan.request", goal=goal)
        return self._plan(UserMessage(well_formed(request), images), goal, call, cause=PlanCause.GOAL)

    def revise(self, plan: PlanView, feedback: str, call: PlanningCall) -> ExecutionPlan:
        """A plan in the place of one that was reviewed; the feedback joins its goal."""
        goal = model_text("plan.revised_goal", goal=plan.goal, feedback=feedback)
        request = model_text("plan.request_revision", goal=goal, plan=plan_for_model(plan))
        return self._plan(UserMessage(well_formed(request)), goal, call, cause=PlanCause.FEEDBACK)

    def replan(
        self, plan: PlanView, reason: str, call: PlanningCall, *, earlier: Sequence[PlanView] = ()
    ) -> ExecutionPlan:
        """A plan for what `plan` and the `earlier` plans it replaced left open; the goal stays.

        `reason`: why the task that decided failed.
        """
        done = [task for view in (*earlier, plan) for task in _in_order(view) if task.status is TaskStatus.COMPLETED]
        request = model_text(
            "plan.request_replan",
            goal=plan.goal,
            reason=reason,
            completed="".join(map(_completed_line, done)) or model_text("plan.replan_none"),
            open="".join(_open_line(task) for task in _in_order(plan) if task.status is not TaskStatus.COMPLETED),
        )
        return self._plan(UserMessage(well_formed(request)), plan.goal, call, cause=PlanCause.REPLAN)

    def _plan(self, request: UserMessage, goal: str, call: PlanningCall, *, cause: PlanCause) -> ExecutionPlan:
        call.emit(PlanningStarted(well_formed(goal), cause))
        has_json_mode = self._asker.client.capabilities.json_mode
        reply = self._asker.ask(
            ChatRequest(
                (SystemMessage(self._system_prompt()), request),
                response_format=ResponseFormat.JSON_OBJECT if has_json_mode else ResponseFormat.TEXT,
                actor=PLANNER,
                reply_schema=PLAN_SCHEMA if has_json_mode else None,
            ),
            AskedFor(purpose="plan", shows_text=False),
            emit=call.emit,
            cancel=call.cancel,
        )
        return parse_plan(reply.content, goal=goal, plan_id=call.plan_id)


def _in_order(view: PlanView) -> list[TaskView]:
    return [view.task(task_id) for task_id in view.order]


def _completed_line(task: TaskView) -> str:
    result = clipped(task.result, _RESULT_LIMIT)
    return model_text("plan.replan_completed", task=task.id, description=task.description, result=result)


def _open_line(task: TaskView) -> str:
    if task.status is TaskStatus.FAILED:
        return model_text("plan.replan_failed", task=task.id, description=task.description, reason=task.error)
    return model_text("plan.replan_not_run", task=task.id, description=task.description)
