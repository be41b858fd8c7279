"""How each kind of turn is run: plain input, plans, the person's own commands."""

import itertools
import json
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from paicli.agent.actor import Actor
from paicli.agent.budget import AgentBudget
from paicli.agent.conversation import Conversation
from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.agent.mentions.attachments import MentionReader, joined_attachments
from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.agent.planning.turn_watch import TurnWatch
from paicli.agent.react import ReActAgent
from paicli.agent.tool_gate import COMMAND_TOOL, ToolGate
from paicli.agent.tool_loop import LoopParts, ToolLoop
from paicli.agent.turn import RunTurn, TextQueue, Turn, TurnEnding
from paicli.core.actors import ENGINE, PERSON, REACT
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts, command_output
from paicli.core.event_stream import EventStream
from paicli.core.events import BudgetExhausted, Notice, Origin, TurnStatus
from paicli.core.faults import Fault
from paicli.core.messages import ToolCall, UserMessage
from paicli.core.ops import TurnKind
from paicli.tools.ledger import ReadLedger

if TYPE_CHECKING:
    from paicli.agent.planning.plan_execute import PlanExecuteAgent

_STATUSES = {
    LoopStatus.DONE: TurnStatus.COMPLETED,
    LoopStatus.PARTIAL: TurnStatus.PARTIAL,
    LoopStatus.CANCELLED: TurnStatus.CANCELLED,
}

_STORED = frozenset({TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME})


class TaskConversations:
    """Runs the loop over a fresh message list for each plan task, and keeps what each task knows of the files."""

    def __init__(
        self,
        parts: LoopParts,
        stream: EventStream,
        *,
        digest_of: Callable[[str], str | None],
        policies: TurnPolicies,
    ) -> None:
        """`digest_of`: real path → content hash now, None when it is gone or can't be read."""
        self._parts = parts
        self.policies = policies
        self._stream = stream
        self._digest_of = digest_of
        self._lock = threading.Lock()
        self._ledgers: dict[tuple[str, str], ReadLedger] = {}

    def run(
        self, system: str, user: str, *, description: str, origin: Origin, cancel: CancellationToken
    ) -> LoopOutcome:
        """As `RunConversation`."""
        emit = self._stream.emitter(origin)
        actor = Actor(origin, emit, cancel, policy=self.policies.of_task(origin), description=description)
        with self._lock:
            self._ledgers[origin.plan_id, origin.task_id] = actor.ledger
        conversation = Conversation(system, emit=emit)
        conversation.append(UserMessage(user), emit)
        return ToolLoop(self._parts, conversation, actor).run()

    @property
    def is_budget_spent(self) -> bool:
        """The session has cost what it may: nothing more is asked."""
        return AgentBudget(self._parts.limits).check() == "cost"

    def known(self, plan_id: str, task_id: str) -> Mapping[str, str]:
        """Real path → digest of the content as this task read or wrote it last."""
        with self._lock:
            ledger = self._ledgers.get((plan_id, task_id))
        return ledger.paths() if ledger else {}

    def current_digest(self, path: str) -> str | None:
        return self._digest_of(path)

    def forget(self) -> None:
        """A turn is over: nobody asks any more."""
        with self._lock:
            self._ledgers.clear()


class SessionTurns:
    """One runner per kind of turn. Only the engine thread uses it."""

    def __init__(
        self,
        react: ReActAgent,
        plans: "Callable[[], PlanExecuteAgent]",
        *,
        tasks: TaskConversations,
        gate: ToolGate,
        queued: TextQueue,
        stream: EventStream,
        texts: Texts,
        mentions: MentionReader,
    ) -> None:
        """`plans`: always the same one, made when the first plan asks for it."""
        self._mentions = mentions
        self._policies = tasks.policies
        self._react = react
        self._plans = plans
        self._tasks = tasks
        self._gate = gate
        self._queued = queued
        # What it forbids holds from the next call on, also in a plan, which reads the text only when it is over.
        queued.hear = self._policies.tighten
        self._stream = stream
        self._texts = texts
        self._command_numbers = itertools.count(1)

    def runners(self) -> dict[TurnKind, RunTurn]:
        run_plan = self._within_budget(self._run_plan)
        return {
            TurnKind.REACT: self._run_react,
            TurnKind.PLAN: run_plan,
            TurnKind.PLAN_ONLY: run_plan,
            TurnKind.PLAN_FILE: run_plan,
            TurnKind.PLAN_RESUME: run_plan,
            TurnKind.SHELL: self._run_shell,
            TurnKind.COMPACT: self._within_budget(self._run_compact),
        }

    def _run_react(self, turn: Turn) -> TurnEnding:
        self._begin(turn, turn.words)
        turn = self._with_mentions(turn, self._react.ledger)
        message = UserMessage(joined_attachments(turn.submitted.text, turn.submitted.attachments), turn.images)
        actor = self._actor(turn, REACT, self._react.ledger)
        watch = TurnWatch(turn.id)  # the reviews of commands cost too
        with self._stream.heard_by(watch):
            outcome = self._react.take_turn(message, actor, take_queued=self._take_queued)
        return TurnEnding(
            _STATUSES[outcome.status], outcome.text, None, watch.usage, outcome.steps, cost_usd=watch.cost_usd
        )

    def _run_compact(self, turn: Turn) -> TurnEnding:
        """By hand; the conversation stays as it is where that fails."""
        self._begin(turn, "")
        watch = TurnWatch(turn.id)
        with self._stream.heard_by(watch):
            report = self._react.compact(turn.submitted.text, self._actor(turn, REACT, self._react.ledger))
        if report is None or report.fault == Fault("compaction.nothing"):
            return TurnEnding(TurnStatus.COMPLETED, self._texts.screen("compaction.nothing"), was_streamed=False)
        if report.fault is not None:
            return TurnEnding(TurnStatus.FAILED, fault=report.fault, usage=watch.usage, cost_usd=watch.cost_usd)
        text = self._texts.screen("compaction.done", before=f"{report.before:,}", after=f"{report.after:,}")
        return TurnEnding(TurnStatus.COMPLETED, text, usage=watch.usage, was_streamed=False, cost_usd=watch.cost_usd)

    def _run_plan(self, turn: Turn) -> TurnEnding:
        is_goal = turn.kind not in _STORED  # a stored plan mentions nothing, and nobody typed it
        self._begin(turn, turn.words if is_goal else "")
        try:
            turn = self._with_mentions(turn, ReadLedger()) if is_goal else turn
            if turn.images:
                turn.emit(Notice(Fault("mention.images_for_planner")))
            outcome = self._plans().take_turn(turn)
        finally:
            self._tasks.forget()
        ending = outcome.ending(self._texts)
        if outcome.report is not None:
            emit = self._actor(turn, REACT, self._react.ledger).emit
            self._react.remember_plan(outcome.report.plan.goal, ending.text, emit)
        return ending

    def _within_budget(self, run: RunTurn) -> RunTurn:
        """A turn that begins when the budget is spent asks nobody; in a plain turn the loop sees to that."""

        def run_within(turn: Turn) -> TurnEnding:
            if not self._tasks.is_budget_spent:
                return run(turn)
            turn.emit(BudgetExhausted("cost"))
            texts = self._texts
            text = texts.screen("loop.partial", reason=texts.screen("loop.reason_cost"), text="")
            return TurnEnding(TurnStatus.PARTIAL, text, was_streamed=False)

        return run_within

    def _run_shell(self, turn: Turn) -> TurnEnding:
        self._begin(turn, "")
        command = turn.submitted.text
        call = ToolCall(f"user_{next(self._command_numbers)}", COMMAND_TOOL, json.dumps({"command": command}))
        actor = self._actor(turn, PERSON, ReadLedger(), is_person=True)
        result = self._gate.run(call, actor, is_parallel=False)
        self._react.remember_command(command, result.content)
        status = TurnStatus.CANCELLED if turn.cancel.cancelled else TurnStatus.COMPLETED
        return TurnEnding(status, command_output(result.content))

    def _begin(self, turn: Turn, words: str) -> None:
        """`words`: the person's own, which decide what the turn may do."""
        self._react.begin_turn(turn.id)
        self._policies.begin_turn(turn.id, words, self._react.outside)

    def _take_queued(self) -> tuple[str, ...]:
        """What joins the turn counts as the person's words of this turn."""
        queued = self._queued.take()
        for each in queued:
            self._policies.hear(each.words)
        return tuple(each.text for each in queued)

    def _with_mentions(self, turn: Turn, ledger: ReadLedger) -> Turn:
        """The turn with what its words mention among the attachments and images."""
        submitted = turn.submitted
        found = self._mentions.attached_to(submitted.text, self._actor(turn, ENGINE, ledger))
        attachments = joined_attachments(submitted.attachments, found.text)
        return turn._replace(submitted=submitted._replace(attachments=attachments), images=found.images)

    def _actor(self, turn: Turn, name: str, ledger: ReadLedger, *, is_person: bool = False) -> Actor:
        origin = turn.origin._replace(actor=name)
        policy = self._policies.current
        return Actor(origin, self._stream.emitter(origin), turn.cancel, ledger, policy, is_person=is_person)
