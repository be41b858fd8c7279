import threading

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, LlmRateLimited, LlmRejected, LlmUnreachable
from paicli.core.messages import ChatRequest, ChatResponse, Delta, ReplyRestarted, TextDelta, UserMessage
from paicli.llm.client import LlmClient
from paicli.llm.fallback_client import FallbackClient
from tests.fakes.scripted_client import Answer, ScriptedClient
from tests.patience import PATIENCE_S

REQUEST = ChatRequest((UserMessage("hi"),))


def client(name: str, *answers: Answer) -> ScriptedClient:
    made = ScriptedClient({"react": answers})
    made.model = name
    return made


def falling(*clients: ScriptedClient) -> tuple[FallbackClient, list[tuple[str, str, str]]]:
    told: list[tuple[str, str, str]] = []

    def tell(failed: LlmClient, following: LlmClient, error: LlmError) -> None:
        told.append((failed.model, following.model, error.code))

    return FallbackClient(clients, on_fallback=tell), told


@pytest.mark.parametrize("error", [LlmUnreachable("llm.gone"), LlmRateLimited("llm.gone")])
def test_the_next_model_answers_when_one_can_not_be_reached_and_stays(error: LlmError) -> None:
    second = client("b", ChatResponse("from b"), ChatResponse("again"))
    fallback, told = falling(client("a", error), second)
    deltas: list[Delta] = []
    assert fallback.chat(REQUEST, deltas.append, CancellationToken()).content == "from b"
    assert fallback.chat(REQUEST, deltas.append, CancellationToken()).content == "again"
    assert deltas == [ReplyRestarted(), TextDelta("from b"), TextDelta("again")]
    assert told == [("a", "b", "llm.gone")]
    assert (fallback.model, fallback.provider) == ("b", "scripted")
    assert fallback.capabilities is second.capabilities


def test_a_refusal_is_no_reason_to_ask_another() -> None:
    fallback, told = falling(client("a", LlmRejected("llm.bad")), client("b"))
    with pytest.raises(LlmRejected):
        fallback.chat(REQUEST, lambda delta: None, CancellationToken())
    assert told == []
    assert fallback.model == "a"


def test_the_last_one_has_the_last_word() -> None:
    fallback, told = falling(client("a", LlmUnreachable("llm.one")), client("b", LlmUnreachable("llm.two")))
    with pytest.raises(LlmUnreachable, match="two"):
        fallback.chat(REQUEST, lambda delta: None, CancellationToken())
    assert told == [("a", "b", "llm.one")]


def test_two_that_fail_at_once_move_on_once() -> None:
    both = threading.Barrier(2)

    def fail(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
        both.wait(PATIENCE_S)
        raise LlmUnreachable("llm.gone")

    fallback, told = falling(client("a", fail, fail), client("b", ChatResponse("1"), ChatResponse("2")), client("c"))
    answers: list[str] = []

    def ask() -> None:
        answers.append(fallback.chat(REQUEST, lambda delta: None, CancellationToken()).content)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answers) == ["1", "2"]
    assert told == [("a", "b", "llm.gone")]
