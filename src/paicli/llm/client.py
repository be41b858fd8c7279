"""What every model client offers."""

from collections.abc import Callable
from typing import Protocol

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, Delta, ModelCapabilities

OnDelta = Callable[[Delta], None]


class LlmClient(Protocol):
    """Talks to one model. Callable from several threads at once."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def capabilities(self) -> ModelCapabilities: ...

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        """Blocks until the reply is complete, calling `on_delta` on this thread as it comes.

        Raises an LlmError when no usable reply came after all retries, TurnCancelled within 300 ms of a cancel.
        """
        ...

    def close(self) -> None:
        """Ends all connections."""
        ...
