import threading

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, UserMessage
from paicli.llm.client import OnDelta
from paicli.llm.switching_client import SwitchingClient
from tests.patience import PATIENCE_S

REQUEST = ChatRequest((UserMessage("hi"),))


class Named:
    """Answers with its name; `gate` holds the answer back."""

    provider = "p"

    def __init__(self, model: str, gate: threading.Event | None = None) -> None:
        self.model = model
        self.capabilities = ModelCapabilities(window_tokens=len(model))
        self.asked = threading.Event()
        self.closed = threading.Event()
        self._gate = gate

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        self.asked.set()
        if self._gate is not None:
            assert self._gate.wait(PATIENCE_S)
        assert not self.closed.is_set()
        return ChatResponse(self.model)

    def close(self) -> None:
        self.closed.set()


def ask(client: SwitchingClient) -> str:
    return client.chat(REQUEST, lambda delta: None, CancellationToken()).content


def test_the_next_request_goes_to_the_new_model_and_the_old_one_is_closed() -> None:
    one, second = Named("one"), Named("second")
    client = SwitchingClient(one)
    assert (ask(client), client.model, client.capabilities.window_tokens) == ("one", "one", 3)
    client.switch(second)
    assert (ask(client), client.model, client.capabilities.window_tokens) == ("second", "second", 6)
    assert one.closed.is_set()
    client.close()
    assert second.closed.is_set()


def test_a_request_under_way_ends_where_it_began() -> None:
    gate = threading.Event()
    old, new = Named("old", gate), Named("new")
    client = SwitchingClient(old)
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(ask(client)))
    asking.start()
    assert old.asked.wait(PATIENCE_S)
    client.switch(new)
    assert ask(client) == "new"
    assert not old.closed.is_set()
    gate.set()
    asking.join(PATIENCE_S)
    assert answers == ["old"]
    assert old.closed.is_set()
    assert not new.closed.is_set()
