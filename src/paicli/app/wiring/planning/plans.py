"""The agent that plans and carries plans out, made from the session's other parts."""

from typing import NamedTuple

from paicli.agent.desk import PersonDesk
from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.agent.large_results import bound_result
from paicli.agent.planning.plan_execute import PlanExecuteAgent, PlanParts
from paicli.agent.planning.review import PlanReviewer
from paicli.agent.turns import TaskConversations
from paicli.app.settings import Settings
from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.core.event_stream import EventStream
from paicli.core.masking import SecretMasker
from paicli.core.plan_view import TaskView
from paicli.llm.asking import ModelAsker
from paicli.plan.planner import Planner
from paicli.plan.rounds import RoundRunner
from paicli.plan.scheduler import TaskScheduler
from paicli.session.results import ResultFiles
from paicli.session.stored.plans import PlanHistory


class PlanningParts(NamedTuple):
    """What the session has already."""

    settings: Settings
    stream: EventStream
    desk: PersonDesk
    masker: SecretMasker
    asker: ModelAsker
    tasks: TaskConversations
    prompts: SystemPrompts
    results: ResultFiles
    policies: TurnPolicies
    history: PlanHistory


def open_plans(parts: PlanningParts) -> PlanExecuteAgent:
    stream, prompts, policies = parts.stream, parts.prompts, parts.policies

    def task_system(task: TaskView) -> str:
        return prompts.assemble(PromptMode.PLAN, type=task.type.value, description=task.description)

    def bound(text: str, name: str) -> str:
        return bound_result(text, name, parts.results)

    rounds = RoundRunner(stream, masker=parts.masker, limit=parts.settings.plan_parallel)
    return PlanExecuteAgent(
        PlanParts(
            stream=stream,
            planner=Planner(parts.asker, system_prompt=lambda: prompts.assemble(PromptMode.PLANNER)),
            scheduler=TaskScheduler(stream, rounds),
            ask_review=PlanReviewer(stream, parts.desk).ask,
            run_conversation=parts.tasks.run,
            task_system=task_system,
            bound=bound,
            masker=parts.masker,
            max_replans=parts.settings.plan_max_replans,
            tighten=policies.tighten,
            hear=policies.hear,
            share_urls=policies.share_urls,
            known_files=parts.tasks,
            unfinished=lambda: parts.history.unfinished,
        )
    )
