"""Keeps one conversation within its model's window: before a request, and when the server refuses one.

First old results become stubs, then what is before the last turns becomes one summary. A summary that fails leaves the
conversation as it was, the stubs aside. At most three requests in a row are spent on it.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.compacting.choice import Smaller, choose_smaller, choose_summed_up, summary_limit, summary_room
from paicli.agent.compacting.state import CompactionState
from paicli.agent.conversation import Conversation
from paicli.context.compaction.gauge import Calibration
from paicli.context.compaction.summary import fitting_summary, summary_message
from paicli.context.compaction.transcript import transcript
from paicli.context.token_estimate import estimated_tokens, message_tokens
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ContextTooLong, LlmError, LlmRejected, TurnCancelled, UserFacingError
from paicli.core.event_stream import EventStream, without_deltas
from paicli.core.events import CompactionFinished, CompactionStarted
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    Message,
    SystemMessage,
    ToolDeclaration,
    UserMessage,
)
from paicli.llm.asking import AskedFor, ModelAsker

THRESHOLD = 0.8
"""Of the window: a request that passes it is preceded by a compaction; the rest is the answer's."""
_TARGET = 0.6
"""Of the window: what a compaction aims at, so that the next one is some way off."""
_REFUSED_SHARE = 1 / 6
"""Of a refused request, where the server does not say how much it takes."""
MAX_REQUESTS = 3
"""Refused requests and summaries, between two that were answered."""
_NUMBER = re.compile(r"\d[\d,_]{2,9}")
_HOPELESS = 2.0
"""Windows: a request of that size is not even tried."""


class CompactionParts(NamedTuple):
    """What every conversation of a session shares."""

    asker: ModelAsker
    """Who sums up: the session's model or a cheaper one."""
    prompt: Callable[[], str]
    stream: EventStream
    masker: SecretMasker
    calibration: Calibration


class CompactionReport(NamedTuple):
    """What came of a compaction by hand; tokens are estimated."""

    before: int
    after: int
    fault: Fault | None = None


class Compactor:
    """For one run of the loop over `conversation`. `client`: whose window counts."""

    def __init__(self, parts: CompactionParts, conversation: Conversation, actor: Actor, *, asker: ModelAsker) -> None:
        self._parts = parts
        self._conversation = conversation
        self._actor = actor
        self._client = asker.client
        self._tools: Sequence[ToolDeclaration] = ()
        self._requests = 0
        """Spent since the last one that was answered."""
        conversation.compaction.share_with(parts.calibration)

    def ask(
        self, tools: Sequence[ToolDeclaration], send: Callable[[tuple[Message, ...]], ChatResponse]
    ) -> ChatResponse:
        """A reply to the conversation, made smaller where it must be. Raises what `send` raises.

        ContextTooLong says what is too big, once nothing more can be done.
        """
        self._tools = tools
        self._make_room()
        while True:
            messages, model = self._conversation.messages, self._client.model
            raw = self._state.gauge.raw(messages, tools)
            try:
                response = send(messages)
            except ContextTooLong as error:
                self._requests += 1
                if not self._recover(error):
                    raise self._too_big() from error
                continue
            self._requests = 0
            self._state.gauge.note(raw, response.usage.input_tokens if response.usage else 0, model)
            return response

    def compact(self, tools: Sequence[ToolDeclaration], focus: str) -> CompactionReport:
        """By hand: everything before the last turns is summed up."""
        self._tools = tools
        before = self._tokens(self._conversation.messages)
        messages = self._conversation.messages
        smaller = choose_summed_up(messages, target=self._target(), weigh=self._weigh)
        if smaller is None:
            return CompactionReport(before, before, Fault("compaction.nothing"))
        self._actor.emit(CompactionStarted(before))
        fault = self._sum_up(smaller, before=before, room=self._target(), focus=focus)
        return CompactionReport(before, self._tokens(self._conversation.messages), fault)

    @property
    def _state(self) -> CompactionState:
        return self._conversation.compaction

    @property
    def _window(self) -> int:
        return self._state.window(self._client.model, self._client.capabilities.window_tokens)

    def _target(self) -> int:
        return round(self._window * _TARGET)

    def _tokens(self, messages: Sequence[Message]) -> int:
        return self._state.gauge.tokens(messages, self._tools, self._client.model)

    def _weigh(self, messages: Sequence[Message]) -> int:
        """Of a list that is not the conversation's own: nothing of it is remembered."""
        raw = sum(map(message_tokens, messages)) + self._state.gauge.of_tools(self._tools)
        return round(raw * self._parts.calibration.factor(self._client.model))

    def _make_room(self) -> None:
        tokens = self._tokens(self._conversation.messages)
        if tokens <= self._window * THRESHOLD:
            return
        if self._compact_to(self._target(), before=tokens, may_sum_up=self._state.may_try(tokens)):
            tokens = self._tokens(self._conversation.messages)
        if tokens > self._window * _HOPELESS:
            raise self._too_big()

    def _recover(self, error: ContextTooLong) -> bool:
        """After a refusal: whether the request is worth sending again."""
        if self._requests >= MAX_REQUESTS:
            return False
        refused = self._weigh(self._conversation.messages)
        limit = _limit_in(error, at_most=self._window)
        if limit > refused:  # the server counts more than we do
            raw = self._state.gauge.raw(self._conversation.messages, self._tools)
            self._parts.calibration.note(self._client.model, raw, round(limit * 1.05))
        self._state.note_refused(self._client.model, limit or round(min(refused, self._window) * 0.9))
        target = round(limit * _TARGET) if limit else round(refused * _REFUSED_SHARE)
        return self._compact_to(target, before=refused, may_sum_up=self._requests < MAX_REQUESTS - 1)

    def _compact_to(self, target: int, *, before: int, may_sum_up: bool) -> bool:
        """Whether the conversation is smaller now."""
        smaller = choose_smaller(self._conversation.messages, target=target, weigh=self._weigh)
        if smaller is None or (smaller.needs_summary and not may_sum_up):
            return False
        self._actor.emit(CompactionStarted(before))
        if not smaller.needs_summary:
            self._take(smaller.staying[1:], is_summarised=False)
            return True
        rewrites = self._conversation.rewrites
        self._sum_up(smaller, before=before, room=target, focus="")
        return self._conversation.rewrites != rewrites

    def _sum_up(self, smaller: Smaller, *, before: int, room: int, focus: str) -> Fault | None:
        """None: the summary stands. Else why there is none; what could be done without one is done."""
        try:
            summary = self._fitted(self._summary(smaller.dropped, room=room, focus=focus), smaller, room=room)
            self._take((summary_message(summary, smaller.kept), *smaller.staying), is_summarised=True)
            self._state.note_success()
            return None
        except TurnCancelled as error:
            self._actor.emit(CompactionFinished(before, is_summarised=False, fault=fault_of(error, self._parts.masker)))
            raise
        except (LlmError, UserFacingError) as error:
            fault = fault_of(error, self._parts.masker)
        self._state.note_failure(before)
        self._actor.emit(CompactionFinished(before, is_summarised=False, fault=fault))
        self._keep_stubs(before)
        return fault

    def _fitted(self, summary: str, smaller: Smaller, *, room: int) -> str:
        """Some models write at length: what has no room would only be summed up again."""
        limit = summary_limit(smaller, self._conversation.messages, target=room, weigh=self._weigh)
        return fitting_summary(summary, tokens=limit, factor=self._parts.calibration.factor(self._client.model))

    def _keep_stubs(self, before: int) -> None:
        stubbed = choose_smaller(self._conversation.messages, target=before, weigh=self._weigh)
        if stubbed is not None and not stubbed.needs_summary and stubbed.staying != self._conversation.messages:
            self._take(stubbed.staying[1:], is_summarised=False)

    def _take(self, behind_system: Sequence[Message], *, is_summarised: bool) -> None:
        messages = self._conversation.rewritten(behind_system)
        self._actor.emit(CompactionFinished(self._weigh(messages), is_summarised, None, len(messages)))
        self._conversation.rewrite(messages, self._actor.emit)

    def _summary(self, dropped: Sequence[Message], *, room: int, focus: str) -> str:
        parts, name = self._parts, f"{self._actor.name}/summary"
        factor = max(1.0, parts.calibration.factor(self._client.model))
        window = min(room, round(parts.asker.client.capabilities.window_tokens * _TARGET))
        prompt = parts.prompt()
        shown = round(window / factor / 2**self._state.failures) - estimated_tokens(prompt) - summary_room(window)
        text = transcript(dropped, max_tokens=max(shown, 200))
        asked = [model_text("compaction.asked", text=text.replace("</conversation>", "&lt;/conversation>"))]
        if focus:
            asked.append(model_text("compaction.focus", focus=focus))
        request = ChatRequest((SystemMessage(prompt), UserMessage("\n\n".join(asked))), thinking=False, actor=name)
        self._requests += 1
        emit = without_deltas(parts.stream.emitter(self._actor.origin._replace(actor=name)))
        asked_for = AskedFor(purpose="summary", shows_text=False)
        summary = parts.asker.ask(request, asked_for, emit=emit, cancel=self._actor.cancel).content.strip()
        if not summary:
            raise LlmRejected("compaction.summary_empty")
        if estimated_tokens(summary) >= sum(map(message_tokens, dropped)):
            raise LlmRejected("compaction.summary_longer")
        return summary

    def _too_big(self) -> ContextTooLong:
        """Names the largest part."""
        messages = self._conversation.messages
        last = next((message for message in reversed(messages) if isinstance(message, UserMessage)), None)
        own = message_tokens(last) if last is not None else 0
        system = sum(message_tokens(message) for message in messages if isinstance(message, SystemMessage))
        sizes = {
            "message": own,
            "system": system,
            "tools": self._state.gauge.of_tools(self._tools),
            "conversation": sum(map(message_tokens, messages)) - own - system,
        }
        self._state.gauge.start_over()
        largest = max(sizes, key=lambda part: sizes[part])
        return ContextTooLong(
            f"compaction.too_big_{largest}", model=self._client.model, window=self._window, tokens=sizes[largest]
        )


def _limit_in(error: ContextTooLong, *, at_most: int) -> int:
    """Tokens that the server says it takes; 0: it does not say."""
    said = str(error.fields.get("said", ""))
    numbers = [int(re.sub(r"[,_]", "", found)) for found in _NUMBER.findall(said)]
    return min((number for number in numbers if at_most / 8 <= number <= at_most), default=0)
