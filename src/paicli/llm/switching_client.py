"""A client that becomes another one in mid-conversation: requests under way end where they began."""

import threading
from dataclasses import dataclass

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities
from paicli.llm.client import LlmClient, OnDelta


@dataclass(slots=True)
class _Held:
    client: LlmClient
    request_count: int = 0
    """Under way."""


class SwitchingClient:
    """Stands for the client of the moment. Thread-safe."""

    def __init__(self, client: LlmClient) -> None:
        self._lock = threading.Lock()
        self._current = _Held(client)
        self._retired: list[_Held] = []
        """Replaced, with requests still under way."""

    @property
    def provider(self) -> str:
        return self._current.client.provider

    @property
    def model(self) -> str:
        return self._current.client.model

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._current.client.capabilities

    def switch(self, client: LlmClient) -> None:
        """From the next request on. The one before is closed when its last request has ended."""
        with self._lock:
            before, self._current = self._current, _Held(client)
            is_idle = not before.request_count
            if not is_idle:
                self._retired.append(before)
        if is_idle:
            before.client.close()

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        with self._lock:
            held = self._current
            held.request_count += 1
        try:
            return held.client.chat(request, on_delta, cancel)
        finally:
            with self._lock:
                held.request_count -= 1
                is_over = held in self._retired and not held.request_count
                if is_over:
                    self._retired.remove(held)
            if is_over:
                held.client.close()

    def close(self) -> None:
        with self._lock:
            clients = [self._current.client, *(held.client for held in self._retired)]
            self._retired.clear()
        for client in clients:
            client.close()
