"""A client that goes on with the next model when one can't be reached for good. Imports no HTTP library."""

import threading
from collections.abc import Callable, Sequence

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, ReplyRestarted
from paicli.llm.client import LlmClient, OnDelta

OnFallback = Callable[[LlmClient, LlmClient, LlmError], None]
"""Hears which one failed, which one is asked from now on, and why."""


class FallbackClient:
    """The first of `clients` until its retries are used up, then the next, and so on to the last. Thread-safe."""

    def __init__(self, clients: Sequence[LlmClient], *, on_fallback: OnFallback) -> None:
        self._clients = tuple(clients)
        self._on_fallback = on_fallback
        self._lock = threading.Lock()
        self._at = 0

    @property
    def provider(self) -> str:
        return self._current.provider

    @property
    def model(self) -> str:
        return self._current.model

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._current.capabilities

    @property
    def _current(self) -> LlmClient:
        with self._lock:
            return self._clients[self._at]

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        while True:
            client = self._current
            try:
                return client.chat(request, on_delta, cancel)
            except LlmError as error:
                if not error.retryable or not self._moved_on(client, error):
                    raise
            on_delta(ReplyRestarted())

    def _moved_on(self, failed: LlmClient, error: LlmError) -> bool:
        """Whether there is another one to ask; whoever comes second finds it chosen."""
        with self._lock:
            current = self._clients[self._at]
            if current is not failed:
                return True
            if self._at + 1 == len(self._clients):
                return False
            self._at += 1
            following = self._clients[self._at]
        self._on_fallback(failed, following, error)
        return True

    def close(self) -> None:
        for client in self._clients:
            client.close()
