"""A model client that answers from a script, by actor, and keeps what it was asked."""

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, TextDelta, ThinkingDelta
from paicli.llm.client import OnDelta

Answer = ChatResponse | LlmError | Callable[[ChatRequest, CancellationToken], ChatResponse]


ALLOWED_REVIEW = '{"decision":"allow","reason":"asked for"}'


class ScriptedClient:
    """`script`: actor → its answers in order; a function as an answer may wait, look at the request, or raise.

    The reviews of all actors' commands share the script "review"; without one each is answered by allow.
    """

    provider = "scripted"
    model = "scripted-1"

    def __init__(self, script: dict[str, Sequence[Answer]], *, capabilities: ModelCapabilities | None = None) -> None:
        self.capabilities = capabilities or ModelCapabilities(json_mode=True, thinking=True)
        self.requests: list[ChatRequest] = []
        self._lock = threading.Lock()
        self._left = defaultdict(list, {actor: list(answers) for actor, answers in script.items()})

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        cancel.raise_if_cancelled()
        with self._lock:
            self.requests.append(request)
            script = _script_of(request.actor)
            if script == "review" and "review" not in self._left:
                return ChatResponse(ALLOWED_REVIEW)
            if not self._left[script]:
                raise AssertionError(f"no answer left for {request.actor}: {request.messages[-1]}")
            answer = self._left[script].pop(0)
        if isinstance(answer, LlmError):
            raise answer
        response = answer if isinstance(answer, ChatResponse) else answer(request, cancel)
        if response.thinking:
            on_delta(ThinkingDelta(response.thinking))
        if response.content:
            on_delta(TextDelta(response.content))
        return response

    def requests_of(self, actor: str) -> list[ChatRequest]:
        return [request for request in self.requests if _script_of(request.actor) == actor]

    def close(self) -> None:
        pass


def _script_of(actor: str) -> str:
    return "review" if actor.endswith("/review") else actor
