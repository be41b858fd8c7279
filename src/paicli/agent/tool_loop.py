"""The one tool loop: ask the model, run its calls, hand back the results, until it answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.boundary import wrap_untrusted
from paicli.agent.budget import AgentBudget, Limits
from paicli.agent.compacting.compactor import CompactionParts, Compactor
from paicli.agent.compacting.step_results import bound_step
from paicli.agent.conversation import Conversation
from paicli.agent.mentions.attachments import Attachments, joined_attachments
from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.agent.repetition import RepetitionGuard
from paicli.agent.tool_gate import ToolGate, cancelled_result
from paicli.core.catalogue.lookup import Texts, model_text
from paicli.core.errors import LlmError, LlmRejected, TurnCancelled
from paicli.core.events import BudgetExhausted, QueueTaken, RepetitionNoticed
from paicli.core.faults import Fault
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    FinishReason,
    Message,
    ToolCall,
    ToolMessage,
    ToolOutcome,
    ToolResult,
    UserMessage,
)
from paicli.llm.asking import AskedFor, ModelAsker
from paicli.tools.executor import ToolExecutor
from paicli.tools.results import ResultStore

MAX_CUT_STEPS = 2
"""Replies in a row that the output limit cut in the middle of a call."""


_CUT_ANSWERS = {FinishReason.LENGTH: "output_limit", FinishReason.CONTENT_FILTER: "content_filter"}
"""An answer that broke off is no success, whatever of it came."""


class LoopParts(NamedTuple):
    """What every run of the loop shares."""

    asker: ModelAsker
    gate: ToolGate
    executor: ToolExecutor
    texts: Texts
    limits: Limits = Limits()
    attached_to: Callable[[str, Actor], Attachments] = lambda text, actor: Attachments()
    """What a queued text mentions, to stand beside it."""
    compaction: CompactionParts | None = None
    """None: a conversation grows until its model refuses it."""
    results: ResultStore | None = None
    """Keeps what the results of one step have no room for."""


class ToolLoop:
    """One run: `conversation` grows until the model answers, a limit is reached, or the turn is cancelled."""

    def __init__(
        self,
        parts: LoopParts,
        conversation: Conversation,
        actor: Actor,
        *,
        take_queued: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """`take_queued` hands over what the person typed meanwhile."""
        self._parts = parts
        self._conversation = conversation
        self._actor = actor
        self._take_queued = take_queued
        self._budget = AgentBudget(parts.limits)
        self._repetition = RepetitionGuard()
        compaction = parts.compaction
        self._compactor = Compactor(compaction, conversation, actor, asker=parts.asker) if compaction else None

    def run(self) -> LoopOutcome:
        """Raises LlmError when no usable reply comes; the conversation stays sendable in every case."""
        cut_steps = 0
        try:
            while True:
                self._actor.cancel.raise_if_cancelled()
                reason = self._budget.check() or self._repetition.exhausted
                if reason:
                    return self._finish_without_tools(reason)
                self._inject_queued()
                # pending diagnostics (7.5) belong here
                response = self._ask(AskedFor(self._budget.steps + 1))
                cut_steps = cut_steps + 1 if response.finish_reason is FinishReason.LENGTH else 0
                calls = self._append_reply(response)
                if not calls:
                    return self._answered(response)
                if cut_steps:
                    self._hand_back(calls, [self._cut(call) for call in calls])
                    if cut_steps == MAX_CUT_STEPS:
                        return self._ended_early("output_limit", response)
                    continue
                self._run_calls(calls)
        except TurnCancelled:
            self._append(AssistantMessage(model_text("loop.interrupted")))
            return self._outcome(LoopStatus.CANCELLED, "")
        except LlmError:
            self._append(AssistantMessage(model_text("loop.failed")))
            raise

    def _ask(self, asked_for: AskedFor, *, with_tools: bool = True) -> ChatResponse:
        """One reply with text or calls; an empty one is asked for once more."""
        registry, policy = self._parts.gate.registry, self._actor.policy
        policy.begin_step()
        tools = policy.expose(registry.declarations, registry.effect_of) if with_tools else ()

        def send(messages: tuple[Message, ...]) -> ChatResponse:
            request = ChatRequest(messages, tools, actor=self._actor.name)
            return self._parts.asker.ask(request, asked_for, emit=self._actor.emit, cancel=self._actor.cancel)

        for _ in range(2):
            response = self._compactor.ask(tools, send) if self._compactor else send(self._conversation.messages)
            self._budget.note(response.usage)
            if response.content.strip() or (response.tool_calls and with_tools):
                return response
        if with_tools:
            raise LlmRejected("llm.empty_reply")
        return ChatResponse("")  # the result then says only why it is partial

    def _run_calls(self, calls: Sequence[ToolCall]) -> None:
        gate, actor = self._parts.gate, self._actor
        results = self._parts.executor.run(
            gate.planned(calls),
            lambda call, is_parallel: gate.run(call, actor, is_parallel),
            cancel=actor.cancel,
            cancelled_result=lambda call: gate.answer_unrun(call, actor, cancelled_result(call)),
            give_up=lambda call: gate.give_up(call, actor),
        )
        self._hand_back(calls, results)
        actor.skills.join(self._conversation, actor.emit)
        repeated = self._repetition.note(calls, results)
        if repeated is not None:
            actor.emit(RepetitionNoticed(repeated.what, repeated.key))
            self._append(UserMessage(model_text(f"loop.repeated_{repeated.what}")))

    def _hand_back(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> None:
        window = self._parts.asker.client.capabilities.window_tokens
        results = bound_step(results, calls, window_tokens=window, store=self._parts.results)
        for call, result in zip(calls, results, strict=True):
            self._append(ToolMessage(call.id, call.name, wrap_untrusted(call, result.content)))

    def _cut(self, call: ToolCall) -> ToolResult:
        cut = ToolResult(model_text("loop.output_cut"), outcome=ToolOutcome.FAILED, error_kind="output_limit")
        return self._parts.gate.answer_unrun(call, self._actor, cut._replace(fault=Fault("tool.output_cut")))

    def _inject_queued(self) -> None:
        texts = self._take_queued()
        if texts:
            self._actor.emit(QueueTaken(texts, "turn"))
        for text in texts:
            self._append(self._with_attachments(text))

    def _with_attachments(self, text: str) -> UserMessage:
        try:
            attached = self._parts.attached_to(text, self._actor)
        except TurnCancelled:
            return UserMessage(text)  # it left the queue: the words stay, whatever becomes of the turn
        return UserMessage(joined_attachments(text, attached.text), attached.images)

    def _answered(self, response: ChatResponse) -> LoopOutcome:
        reason = _CUT_ANSWERS.get(response.finish_reason)
        return self._ended_early(reason, response) if reason else self._outcome(LoopStatus.DONE, response.content)

    def _ended_early(self, reason: str, response: ChatResponse) -> LoopOutcome:
        self._actor.emit(BudgetExhausted(reason))
        return self._partial(reason, response.content)

    def _finish_without_tools(self, reason: str) -> LoopOutcome:
        self._actor.emit(BudgetExhausted(reason))
        if not self._budget.steps:  # spent before it began: even the last words would cost
            return self._partial(reason, "")
        self._append(UserMessage(model_text("loop.finish", reason=model_text(f"loop.reason_{reason}"))))
        response = self._ask(AskedFor(self._budget.steps + 1, "finish"), with_tools=False)
        self._append(AssistantMessage(response.content, response.thinking))
        return self._partial(reason, response.content)

    def _partial(self, reason: str, content: str) -> LoopOutcome:
        texts = self._parts.texts
        text = texts.screen("loop.partial", reason=texts.screen(f"loop.reason_{reason}"), text=content)
        return self._outcome(LoopStatus.PARTIAL, text)

    def _outcome(self, status: LoopStatus, text: str) -> LoopOutcome:
        return LoopOutcome(status, text, self._budget.steps, self._budget.usage)

    def _append_reply(self, response: ChatResponse) -> tuple[ToolCall, ...]:
        """Returns the calls as stored: their ids are unique in the conversation."""
        stored = self._append(AssistantMessage(response.content, response.thinking, response.tool_calls))
        return stored.tool_calls if isinstance(stored, AssistantMessage) else ()

    def _append(self, message: AssistantMessage | ToolMessage | UserMessage) -> Message | None:
        return self._conversation.append(message, self._actor.emit)
