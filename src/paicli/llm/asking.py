"""One model request, told as events: started, deltas, retries, and the reply or its fault."""

import time
from collections.abc import Callable
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError
from paicli.core.event_stream import Emit
from paicli.core.events import (
    DeltaKind,
    ModelDelta,
    ModelReplyReceived,
    ModelReplyRestarted,
    ModelRequestFailed,
    ModelRequestStarted,
    ModelRetryScheduled,
)
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    Delta,
    ReplyRestarted,
    RetryScheduled,
    TextDelta,
    ThinkingDelta,
)
from paicli.llm.client import LlmClient


class AskedFor(NamedTuple):
    """What the request's events say about it."""

    step: int = 1
    purpose: str = "step"
    """As in `ModelRequestStarted`."""
    shows_text: bool = True
    """False: the reply's text is not emitted as it comes (a plan's JSON)."""


class ModelAsker:
    """Asks a client and emits what happens. Thread-safe as the client is."""

    def __init__(
        self,
        client: LlmClient,
        *,
        masker: SecretMasker,
        clock: Callable[[], float] = time.monotonic,
        session: LlmClient | None = None,
    ) -> None:
        """`session`: the client of the session's model, where `client` may be that of another."""
        self.client = client
        self._session = session or client
        self._masker = masker
        self._clock = clock

    def ask(self, request: ChatRequest, asked_for: AskedFor, *, emit: Emit, cancel: CancellationToken) -> ChatResponse:
        """Raises what the client raises; an LlmError is emitted first."""
        names = tuple(tool.name for tool in request.tools)
        emit(ModelRequestStarted(asked_for.step, len(request.messages), names, asked_for.purpose))
        started = self._clock()
        model, price = self.client.model, self.client.capabilities.price

        def on_delta(delta: Delta) -> None:
            match delta:
                case TextDelta(text):
                    if asked_for.shows_text:
                        emit(ModelDelta(DeltaKind.TEXT, text))
                case ThinkingDelta(text):
                    emit(ModelDelta(DeltaKind.THINKING, text))
                case ReplyRestarted():
                    emit(ModelReplyRestarted())
                case RetryScheduled(attempt, max_attempts, wait_s, code, detail):
                    fields = (("detail", self._masker.mask(detail)),)
                    emit(ModelRetryScheduled(attempt, max_attempts, wait_s, Fault(code, fields, is_retryable=True)))

        try:
            response = self.client.chat(request, on_delta, cancel)
        except LlmError as error:
            emit(ModelRequestFailed(fault_of(error, self._masker)))
            raise
        if self.client.model != model:  # another one took over
            model, price = self.client.model, self.client.capabilities.price
        cost_usd = price.cost_usd(response.usage) if price is not None and response.usage is not None else None
        side_model = model if model != self._session.model else ""
        emit(ModelReplyReceived(response, self._clock() - started, cost_usd, side_model))
        return response
