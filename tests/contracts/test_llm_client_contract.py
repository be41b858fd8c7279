"""What every LlmClient owes its caller, asked of each kind of client that there is."""

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, TurnCancelled
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    Delta,
    FinishReason,
    ModelCapabilities,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolDeclaration,
    ToolMessage,
    Usage,
    UserMessage,
)
from paicli.llm.client import LlmClient
from paicli.llm.factory import ClientOptions, build_client
from paicli.llm.providers import PROVIDERS
from paicli.llm.recorded.client import RecordedClient
from paicli.llm.recorded.file import RecordedReply
from paicli.llm.retry import RetryPolicy
from tests.fakes.openai_server import OpenAiServer, Reply, calls, drop_mid_stream, say

Maker = Callable[[Sequence[ChatResponse]], LlmClient]
"""From the replies of actor "react", in order, to a client that gives them."""

TEXT = ChatResponse("héllo 世界 🌍", thinking="让我想想", usage=Usage(input_tokens=10, output_tokens=5))
CALLS = ChatResponse(
    "looking",
    tool_calls=(ToolCall("a", "read_file", '{"path": "界"}'), ToolCall("b", "list_dir", "{}")),
    finish_reason=FinishReason.TOOL_CALLS,
    usage=Usage(input_tokens=10, output_tokens=5),
)
EMPTY = ChatResponse("", thinking="only thinking", usage=Usage(input_tokens=10, output_tokens=5))
CUT = CALLS._replace(tool_calls=(ToolCall("a", "write_file", '{"path": "a'),), finish_reason=FinishReason.LENGTH)


def as_wire(response: ChatResponse) -> Reply:
    finish = response.finish_reason.value
    if not response.tool_calls:
        return say(response.content, thinking=response.thinking, finish=finish)
    specs = [(call.name, call.arguments, call.id) for call in response.tool_calls]
    return calls(*specs, text=response.content, thinking=response.thinking, finish=finish)


@pytest.fixture(params=["glm", "deepseek", "llamacpp", "recorded"])
def make(request: pytest.FixtureRequest) -> Iterator[Maker]:
    ends: list[Callable[[], object]] = []

    def recorded(responses: Sequence[ChatResponse]) -> LlmClient:
        return RecordedClient([RecordedReply("react", response) for response in responses])

    def over_http(responses: Sequence[ChatResponse]) -> LlmClient:
        server = OpenAiServer([as_wire(response) for response in responses])
        options = ClientOptions(retry=RetryPolicy(max_attempts=2, first_wait_s=0.01))
        profile = PROVIDERS[request.param]
        client = build_client(profile, base_url=server.base_url, api_key="sk-contract-1234", options=options)
        ends.extend([client.close, server.close])
        return client

    yield recorded if request.param == "recorded" else over_http
    for end in ends:
        end()


def ask(client: LlmClient, *, cancel: CancellationToken | None = None) -> tuple[ChatResponse, list[Delta]]:
    heard: list[Delta] = []
    asked = ChatRequest((UserMessage("hi"),))
    return client.chat(asked, heard.append, cancel or CancellationToken()), heard


@pytest.mark.parametrize("response", [TEXT, CALLS, EMPTY, CUT], ids=["text", "calls", "empty", "cut"])
def test_a_reply_comes_back_whole_with_its_usage(make: Maker, response: ChatResponse) -> None:
    client = make([response])
    got, _ = ask(client)
    assert got == response
    client.close()


def test_the_deltas_are_the_reply(make: Maker) -> None:
    _, heard = ask(make([TEXT]))
    assert "".join(delta.text for delta in heard if isinstance(delta, ThinkingDelta)) == TEXT.thinking
    assert "".join(delta.text for delta in heard if isinstance(delta, TextDelta)) == TEXT.content
    assert all(isinstance(delta, TextDelta | ThinkingDelta) for delta in heard)


def test_deltas_come_on_the_asking_thread(make: Maker) -> None:
    threads: set[int] = set()
    make([TEXT]).chat(
        ChatRequest((UserMessage("hi"),)), lambda delta: threads.add(threading.get_ident()), CancellationToken()
    )
    assert threads == {threading.get_ident()}


def test_replies_follow_one_another(make: Maker) -> None:
    client = make([CALLS, TEXT])
    assert [ask(client)[0] for _ in range(2)] == [CALLS, TEXT]


def test_a_request_on_a_cancelled_token_is_not_begun(make: Maker) -> None:
    cancel = CancellationToken()
    cancel.cancel()
    client = make([TEXT])
    with pytest.raises(TurnCancelled):
        ask(client, cancel=cancel)
    assert ask(client)[0] == TEXT


def test_a_cancel_while_deltas_come_raises_turn_cancelled(make: Maker) -> None:
    cancel = CancellationToken()
    client = make([TEXT])
    with pytest.raises(TurnCancelled):
        client.chat(ChatRequest((UserMessage("hi"),)), lambda delta: cancel.cancel(), cancel)


def test_what_the_listener_raises_comes_through(make: Maker) -> None:
    def broken(delta: Delta) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        make([TEXT]).chat(ChatRequest((UserMessage("hi"),)), broken, CancellationToken())


def test_a_conversation_with_calls_answers_and_odd_characters_is_taken(make: Maker) -> None:  # C51
    messages = (
        UserMessage("\ud83d alone"),
        AssistantMessage("", "R1", (ToolCall("a", "read_file", '{"path": "\udcff"}'),)),
        ToolMessage("a", "read_file", "bad\udcff"),
    )
    asked = ChatRequest(
        messages, (ToolDeclaration("read_file", "读", {"type": "object"}),), thinking=False, max_tokens=9
    )
    assert make([TEXT]).chat(asked, lambda delta: None, CancellationToken()) == TEXT


def test_a_request_nobody_answers_raises_an_llm_error(make: Maker) -> None:
    client = make([])
    with pytest.raises(LlmError):
        ask(client)


def test_a_client_says_what_it_is(make: Maker) -> None:
    client = make([])
    assert client.provider
    assert client.model
    assert isinstance(client.capabilities, ModelCapabilities)
    assert client.capabilities.window_tokens > 0


def test_closing_twice_is_fine(make: Maker) -> None:
    client = make([TEXT])
    ask(client)
    client.close()
    client.close()


@pytest.mark.parametrize("provider", ["glm", "deepseek", "llamacpp"])
def test_a_cut_stream_never_becomes_a_reply(provider: str) -> None:  # R1
    with OpenAiServer([drop_mid_stream()] * 2) as server:
        options = ClientOptions(retry=RetryPolicy(max_attempts=2, first_wait_s=0.01))
        client = build_client(
            PROVIDERS[provider], base_url=server.base_url, api_key="sk-contract-1234", options=options
        )
        with pytest.raises(LlmError):
            ask(client)
        client.close()
        assert len(server.requests) == 2
