"""Sends a request again when that may help: how often, after which wait, and what the listener hears of it."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, TurnCancelled
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    Delta,
    ModelCapabilities,
    ReplyRestarted,
    RetryScheduled,
    TextDelta,
    ThinkingDelta,
)
from paicli.llm.client import LlmClient, OnDelta

_NEVER_AGAIN = {"llm.overlong"}
"""Retryable by kind, but the person has waited long enough."""


class RetryPolicy(NamedTuple):
    """How often and how long."""

    max_attempts: int = 5
    """Tries in all, from 1."""
    first_wait_s: float = 0.5
    """Doubles with each try."""
    max_wait_s: float = 60.0
    """A server that wants a longer wait is not waited for."""


USUAL_POLICY = RetryPolicy()


def _wait(cancel: CancellationToken, seconds: float) -> bool:
    return cancel.wait(seconds)


class RetryingClient:
    """An LlmClient that tries `inner` again after errors that may pass."""

    def __init__(
        self,
        inner: LlmClient,
        policy: RetryPolicy = USUAL_POLICY,
        *,
        wait: Callable[[CancellationToken, float], bool] = _wait,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`wait` returns whether it was cut short by a cancel; `jitter` gives 0..1."""
        self._inner = inner
        self._policy = policy
        self._wait = wait
        self._jitter = jitter

    @property
    def provider(self) -> str:
        return self._inner.provider

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._inner.capabilities

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        for attempt in range(1, self._policy.max_attempts + 1):
            shown = _Shown(on_delta)
            try:
                return self._inner.chat(request, shown, cancel)
            except LlmError as error:
                cancel.raise_if_cancelled()
                if attempt == self._policy.max_attempts or not error.retryable or error.code in _NEVER_AGAIN:
                    raise
                wait_s = self._wait_before(attempt + 1, error)
                if shown.is_something:
                    on_delta(ReplyRestarted())
                code, detail = _in_brief(error)
                on_delta(RetryScheduled(attempt + 1, self._policy.max_attempts, wait_s, code, detail))
                if self._wait(cancel, wait_s):
                    raise TurnCancelled from error
        raise AssertionError("unreachable: the last attempt returns or raises")

    def close(self) -> None:
        self._inner.close()

    def _wait_before(self, attempt: int, error: LlmError) -> float:
        """Seconds until try number `attempt`. Raises `error` in other words when the server wants too long a wait."""
        wish = error.retry_after_s
        if wish is None:
            full = min(self._policy.first_wait_s * 2 ** (attempt - 2), self._policy.max_wait_s)
            return full * (1 - 0.25 * self._jitter())
        if wish > self._policy.max_wait_s:
            fields: dict[str, Any] = {**error.fields, "wait": f"{wish:.0f}", "limit": f"{self._policy.max_wait_s:.0f}"}
            raise type(error)("llm.wait_too_long", retry_after_s=wish, **fields) from error
        return wish


def _in_brief(error: LlmError) -> tuple[str, str]:
    """(the code of the error's one-line text, what that text says beyond itself: status and the server's words)."""
    words = str(error.fields.get("detail") or "")
    parts = [f"HTTP {error.status}"] if error.status is not None else []
    detail = ": ".join([*parts, words] if words else parts) or str(error.fields.get("url", "-"))
    return error.code.replace("llm.", "llm.brief.", 1), detail


class _Shown:
    """Passes deltas on and remembers whether there is something to take back."""

    def __init__(self, on_delta: OnDelta) -> None:
        self._on_delta = on_delta
        self.is_something = False

    def __call__(self, delta: Delta) -> None:
        if isinstance(delta, TextDelta | ThinkingDelta):
            self.is_something = True
        self._on_delta(delta)
