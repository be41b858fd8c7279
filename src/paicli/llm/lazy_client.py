"""A client that is built when it is first asked: the prompt stands before httpx is imported."""

import threading
from collections.abc import Callable

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities
from paicli.llm.client import LlmClient, OnDelta


class LazyClient:
    """Stands in for the client that `build` makes; what is known without it is known at once."""

    def __init__(
        self, provider: str, model: str, *, capabilities: ModelCapabilities, build: Callable[[], LlmClient]
    ) -> None:
        self.provider = provider
        self.model = model
        self.capabilities = capabilities
        self._build = build
        self._lock = threading.Lock()
        self._client: LlmClient | None = None

    def prepare(self) -> LlmClient:
        """Builds the client now. Raises SettingsError as `build` does."""
        with self._lock:
            if self._client is None:
                self._client = self._build()
            return self._client

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        return self.prepare().chat(request, on_delta, cancel)

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()
