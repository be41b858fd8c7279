from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import (
    ContextTooLong,
    LlmError,
    LlmRejected,
    LlmTimeout,
    LlmUnreachable,
    ReplayDiverged,
    TurnCancelled,
)
from paicli.core.masking import SecretMasker
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    Message,
    ModelCapabilities,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from paicli.llm.client import OnDelta
from paicli.llm.recorded.client import Divergence, RecordedClient
from paicli.llm.recorded.file import read_recording
from paicli.llm.recorded.fingerprint import fingerprint
from paicli.llm.recorded.recorder import Recorder, RecordingClient

Answers = Callable[[ChatRequest], ChatResponse]


class FakeClient:
    provider, model, capabilities = "fake", "fake-1", ModelCapabilities()

    def __init__(self, answer: Answers) -> None:
        self._answer = answer

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        return self._answer(request)

    def close(self) -> None:
        pass


def raising(error: Exception) -> Answers:
    def answer(request: ChatRequest) -> ChatResponse:
        raise error

    return answer


def asked(*messages: Message, actor: str = "react") -> ChatRequest:
    return ChatRequest(messages, actor=actor)


def ask(client: RecordedClient | RecordingClient, request: ChatRequest) -> ChatResponse:
    return client.chat(request, lambda delta: None, CancellationToken())


HELLO = asked(SystemMessage("rules"), UserMessage("hello"))


def recorded(tmp_path: Path, answers: Answers, *requests: ChatRequest) -> Path:
    lines: list[str] = []
    recorder = Recorder(lines.append, model="fake-1", mask=SecretMasker(["topsecret"]).mask, folders=("/w/proj",))
    client = RecordingClient(FakeClient(answers), recorder)
    for request in requests:
        with suppress(LlmError, TurnCancelled):
            ask(client, request)
    path = tmp_path / "r.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_what_was_recorded_answers_again(tmp_path: Path) -> None:
    reply = ChatResponse("hi", tool_calls=(ToolCall("a", "read_file", "{}"),))
    path = recorded(tmp_path, lambda request: reply, HELLO)
    assert read_recording(path)[0] == "fake-1"
    assert ask(RecordedClient(path), HELLO) == reply


def test_no_secret_stands_in_a_recording(tmp_path: Path) -> None:
    request = asked(UserMessage("my key is topsecret"))
    path = recorded(tmp_path, lambda request: ChatResponse("topsecret it is"), request)
    assert "topsecret" not in path.read_text()


@pytest.mark.parametrize(
    "error",
    [
        LlmUnreachable("llm.status", status=503, detail="down"),
        LlmTimeout("llm.silent"),
        ContextTooLong("llm.context"),
        LlmRejected("llm.auth", status=401),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_raised_again_as_it_was(tmp_path: Path, error: LlmError) -> None:
    client = RecordedClient(recorded(tmp_path, raising(error), HELLO))
    with pytest.raises(type(error)) as raised:
        ask(client, HELLO)
    assert (type(raised.value), raised.value.code, raised.value.fields) == (type(error), error.code, error.fields)


def test_a_request_that_was_cancelled_has_no_answer(tmp_path: Path) -> None:
    client = RecordedClient(recorded(tmp_path, raising(TurnCancelled()), HELLO))
    with pytest.raises(ReplayDiverged) as raised:
        ask(client, HELLO)
    assert (raised.value.code, raised.value.fields) == ("llm.replay_cancelled", {"actor": "react", "position": 1})


def test_the_first_divergence_is_named_with_both_sides_and_only_it(tmp_path: Path) -> None:
    path = recorded(tmp_path, lambda request: ChatResponse("ok"), HELLO, HELLO, HELLO)
    heard: list[Divergence] = []
    client = RecordedClient(path, on_divergence=heard.append)
    for text in ("hello", "good bye", "something else"):
        ask(client, asked(SystemMessage("rules"), UserMessage(text)))
    (only,) = heard
    assert (only.actor, only.position) == ("react", 2)
    assert (only.recorded.last, only.now.last) == ("user hello", "user good bye")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([SystemMessage("zh rules"), UserMessage("x")], [SystemMessage("PAI.md differs"), UserMessage("x")]),
        ([UserMessage("see /w/proj/a.py")], [UserMessage("see /tmp/elsewhere/proj/a.py")]),
        ([UserMessage("took 1.5 s")], [UserMessage("took 27 s")]),
        (
            [UserMessage("whole: /home/20261130-230956-da7bdc.results/001-x.txt")],
            [UserMessage("whole: /home/20270101-000000-0000ff.results/002-x.txt")],
        ),
        (
            [AssistantMessage("", "", (ToolCall("a", "t", '{"x": 1, "y": "b"}'),)), ToolMessage("a", "t", "10 lines")],
            [AssistantMessage("", "", (ToolCall("a", "t", '{"y":"b","x":1}'),)), ToolMessage("a", "t", "else")],
        ),
    ],
    ids=["system prompt", "folder", "number", "session", "key order and result"],
)
def test_what_makes_no_difference(one: list[Message], other: list[Message]) -> None:
    folders = ("/tmp/elsewhere/proj", "/w/proj")
    assert fingerprint(one, folders=folders).digest == fingerprint(other, folders=folders).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([UserMessage("x")], [UserMessage("y")]),
        ([UserMessage("x")], [UserMessage("x"), UserMessage("x")]),
        (
            [AssistantMessage("", "", (ToolCall("a", "read_file", "{}"),))],
            [AssistantMessage("", "", (ToolCall("a", "list_dir", "{}"),))],
        ),
        (
            [AssistantMessage("", "", (ToolCall("a", "t", '{"path": "a"}'),))],
            [AssistantMessage("", "", (ToolCall("a", "t", '{"path": "b"}'),))],
        ),
    ],
    ids=["words", "count", "tool", "arguments"],
)
def test_what_makes_a_difference(one: list[Message], other: list[Message]) -> None:
    assert fingerprint(one).digest != fingerprint(other).digest


def test_a_replay_has_the_window_of_its_recording(tmp_path: Path) -> None:
    lines: list[str] = []
    Recorder(lines.append, model="m", window_tokens=8_000, mask=str)
    path = tmp_path / "r.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert RecordedClient(path).capabilities.window_tokens == 8_000
