"""A model client with a window of its own: what passes it is refused, and requests are checked as a server would."""

from collections.abc import Callable, Sequence

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ContextTooLong
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    Message,
    ModelCapabilities,
    Price,
    ToolMessage,
    Usage,
)
from paicli.llm.client import OnDelta
from tests.fakes.checked_messages import checked

Speak = Callable[[ChatRequest], ChatResponse]


def counted_tokens(request: ChatRequest) -> int:
    """One for each CJK character, one for four others."""
    texts = [message.content for message in request.messages]
    texts += [f"{tool.name}{tool.description}{tool.parameters}" for tool in request.tools]
    assistants = [message for message in request.messages if isinstance(message, AssistantMessage)]
    calls = [call for message in assistants for call in message.tool_calls]
    texts += [f"{call.name}{call.arguments}" for call in calls]
    text = "".join(texts)
    wide = sum(character >= "\u2e80" for character in text)
    return wide + (len(text) - wide) // 4 + 4 * len(request.messages)


def is_sendable(messages: Sequence[Message]) -> bool:
    """As rule R2 has it: nothing would have to be added, dropped or renamed."""
    return tuple(checked(messages, lambda call: "missing")) == tuple(messages)


class StrictWindow:
    """`speak` answers what fits; a summary is answered by `sum_up`."""

    provider, model = "strict", "strict-1"

    def __init__(
        self,
        window_tokens: int,
        speak: Speak,
        *,
        sum_up: Speak = lambda request: ChatResponse("摘要"),
        declared_tokens: int = 0,
        said: str = "",
        price: Price | None = None,
    ) -> None:
        """`declared_tokens`: what the client believes; 0: the truth. `said`: its words when it refuses."""
        self.capabilities = ModelCapabilities(declared_tokens or window_tokens, price=price)
        self._window_tokens = window_tokens
        self._speak, self._sum_up = speak, sum_up
        self._said = said
        self.requests: list[ChatRequest] = []
        self.refused: list[ChatRequest] = []

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        cancel.raise_if_cancelled()
        assert is_sendable(request.messages), request.messages
        self.requests.append(request)
        tokens = counted_tokens(request)
        if tokens > self._window_tokens:
            self.refused.append(request)
            raise ContextTooLong("llm.context_too_long", model=self.model, said=self._said)
        response = self._sum_up(request) if request.actor.endswith("/summary") else self._speak(request)
        return response._replace(usage=Usage(tokens, 0, len(response.content)))

    @property
    def summaries(self) -> list[ChatRequest]:
        return [request for request in self.requests if request.actor.endswith("/summary")]

    @property
    def steps(self) -> list[ChatRequest]:
        return [request for request in self.requests if not request.actor.endswith("/summary")]

    def close(self) -> None:
        pass


def tool_texts(request: ChatRequest) -> list[str]:
    return [message.content for message in request.messages if isinstance(message, ToolMessage)]
