"""A plan turn with real parser, planner, scheduler and review desk; the model and the tasks' conversations are told."""

import json
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.agent.desk import PersonDesk
from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.agent.planning.plan_execute import KnownFiles, PlanExecuteAgent, PlanParts, PlanTurnOutcome
from paicli.agent.planning.review import PlanReviewer
from paicli.agent.turn import Turn
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmUnreachable
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.event_stream import EventStream
from paicli.core.events import Event, EventBody, Origin
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatResponse, Image, Usage
from paicli.core.ops import DecideReview, ReviewDecision, Submit, TurnKind
from paicli.llm.asking import ModelAsker
from paicli.plan.planner import Planner
from paicli.plan.rounds import RoundRunner
from paicli.plan.scheduler import MAX_REPLANS, TaskScheduler
from paicli.session.stored.plans import PlanHistory
from tests.fakes.recording_listener import RecordingListener
from tests.fakes.scripted_client import Answer, ScriptedClient

EXECUTE = DecideReview("", ReviewDecision.EXECUTE)
CANCEL = DecideReview("", ReviewDecision.CANCEL)
STOP = DecideReview("", ReviewDecision.STOP, by="nobody")


def revise(feedback: str) -> DecideReview:
    return DecideReview("", ReviewDecision.REVISE, feedback)


def plan_reply(*tasks: tuple[str, Sequence[int]], summary: str = "概要") -> ChatResponse:
    """(description, numbers of its dependencies) per task."""
    stated = [
        {"id": str(number), "description": description, "dependencies": [str(needed) for needed in dependencies]}
        for number, (description, dependencies) in enumerate(tasks, start=1)
    ]
    text = json.dumps({"summary": summary, "tasks": stated}, ensure_ascii=False)
    return ChatResponse(text, usage=Usage(100, 0, 10))


class Conversation(NamedTuple):
    """What one task was told."""

    plan_id: str
    task_id: str
    system: str
    user: str


Talk = Callable[[Origin, CancellationToken], LoopOutcome]


def breaks(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
    raise LlmUnreachable("llm.broken", detail="断线")


class PlanBench:
    """`talks`: description of a task → how its conversation goes; else it answers "完成:" and the description."""

    def __init__(
        self,
        answers: Sequence[Answer],
        *,
        reviews: Sequence[DecideReview] = (),
        max_replans: int = MAX_REPLANS,
        known_files: KnownFiles | None = None,
        stopwatch: Callable[[], float] = lambda: 0.0,
        after: Sequence[Event] = (),
    ) -> None:
        """`reviews` answer the plan reviews in order; after them every plan is executed.

        `after`: what an earlier process had said, in turns of its own.
        """
        self.client = ScriptedClient({"planner": answers})
        self.heard = RecordingListener()
        self.stream = EventStream("session", after_seq=after[-1].seq if after else 0)
        self.turn_id = "t2" if after else "t"
        self.plans = PlanHistory(after)
        self.stream.subscribe(self.plans)
        self.stream.subscribe(self.heard)
        self.cancel = CancellationToken()
        self.desk = PersonDesk()
        self.talks: dict[str, Talk] = {}
        self.conversations: list[Conversation] = []
        self.tightened: list[str] = []
        self.shared: list[tuple[str, tuple[str, ...]]] = []
        self.stored: dict[str, str] = {}
        self.answers_reviews = True
        self.reviews_by_plan: dict[str, DecideReview] = {}
        """Answers to the review of a certain plan, before those in order."""
        self._reviews = list(reviews)
        self.stream.subscribe(self._answer_review)
        masker = SecretMasker()
        rounds = RoundRunner(self.stream, masker=masker, limit=4, clock=lambda: 0.0, stopwatch=lambda: 0.0)
        parts = PlanParts(
            self.stream,
            Planner(ModelAsker(self.client, masker=masker, clock=lambda: 0.0), system_prompt=lambda: "规则"),
            TaskScheduler(self.stream, rounds),
            PlanReviewer(self.stream, self.desk).ask,
            self._converse,
            task_system=lambda task: f"{task.type}|{task.description}",
            bound=self._bound,
            masker=masker,
            max_replans=max_replans,
            tighten=self.tightened.append,
            hear=self.tightened.append,
            share_urls=lambda origin, urls: self.shared.append((origin.task_id, tuple(urls))),
            known_files=known_files,
            unfinished=lambda: self.plans.unfinished,
        )
        self.agent = PlanExecuteAgent(parts, stopwatch=stopwatch)

    def run(
        self,
        text: str = "目标",
        kind: TurnKind = TurnKind.PLAN,
        attachments: str = "",
        *,
        images: tuple[Image, ...] = (),
    ) -> PlanTurnOutcome:
        submitted = Submit(text, kind, attachments)
        emit = self.stream.emitter(Origin(self.turn_id))
        return self.agent.take_turn(Turn(self.turn_id, kind, submitted, self.cancel, emit, images))

    def said(self, *kinds: type) -> list[tuple[str, EventBody]]:
        """(plan id, body) of the events of these kinds."""
        return [(event.origin.plan_id, event.body) for event in self.heard.events if isinstance(event.body, kinds)]

    def told(self, task_id: str, plan_id: str = "t_plan_1") -> str:
        return next(each.user for each in self.conversations if (each.plan_id, each.task_id) == (plan_id, task_id))

    def _answer_review(self, event: Event) -> None:
        if isinstance(event.body, PlanReviewRequested) and self.answers_reviews:
            answer = self.reviews_by_plan.pop(event.origin.plan_id, None)
            answer = answer or (self._reviews.pop(0) if self._reviews else EXECUTE)
            decided = answer._replace(request_id=event.body.request_id)
            threading.Thread(target=self.desk.answer, args=(decided,), daemon=True).start()

    def _converse(
        self, system: str, user: str, *, description: str, origin: Origin, cancel: CancellationToken
    ) -> LoopOutcome:
        self.conversations.append(Conversation(origin.plan_id, origin.task_id, system, user))
        description = system.partition("|")[2]
        talk = self.talks.get(description)
        return talk(origin, cancel) if talk else LoopOutcome(LoopStatus.DONE, f"完成:{description}")

    def _bound(self, text: str, name: str) -> str:
        if len(text) <= 32_000:
            return text
        self.stored[name] = text
        return f"[见 {name}]"
