import json
import threading
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import ReplayDiverged, SettingsError, TurnCancelled
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    Delta,
    FinishReason,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    Usage,
    UserMessage,
)
from paicli.llm.recorded.client import RecordedClient
from paicli.llm.recorded.file import RecordedReply, Recording, header_line, read_recording, recorded_line
from tests.patience import PATIENCE_S

WHOLE = RecordedReply(
    "task_1",
    ChatResponse("完成 🌍", "hm", (ToolCall("a", "t", '{"x": "界"}'),), FinishReason.TOOL_CALLS, Usage(9, 1, 4, 2)),
)
PLAIN = RecordedReply("planner", ChatResponse("{}"))


def request(actor: str) -> ChatRequest:
    return ChatRequest((UserMessage("x"),), actor=actor)


def reply(client: RecordedClient, actor: str) -> ChatResponse:
    return client.chat(request(actor), lambda delta: None, CancellationToken())


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


HEADER = header_line("demo-1")


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", HEADER, recorded_line(WHOLE), "", recorded_line(PLAIN))
    assert read_recording(file) == Recording("demo-1", [WHOLE, PLAIN])
    client = RecordedClient(file)
    assert (client.provider, client.model) == ("replay", "demo-1")
    assert reply(client, "task_1") == WHOLE.response


def test_a_recording_may_say_how_much_its_model_took(tmp_path: Path) -> None:
    header = '{"type": "paicli-recording", "version": 1, "window_tokens": 6000}'
    client = RecordedClient(written(tmp_path / "r.jsonl", header, recorded_line(PLAIN)))
    assert client.capabilities.window_tokens == 6000
    assert RecordedClient(written(tmp_path / "s.jsonl", HEADER)).capabilities.window_tokens == 128_000
    with pytest.raises(SettingsError) as raised:
        RecordedClient(written(tmp_path / "t.jsonl", header.replace("6000", '"many"')))
    assert (raised.value.code, raised.value.fields["line"]) == ("llm.recording_broken", 1)


def test_short_and_generous_forms_are_read(tmp_path: Path) -> None:
    lines = [
        '{"actor": "react", "reply": {"tool_calls": [{"id": "a", "name": "t", "arguments": {"x": 1}}]}, "more": 1}',
        '{"actor": "react", "reply": {"content": "hi", "usage": {"input_tokens": 3}, "finish_reason": "length"}}',
    ]
    file = written(tmp_path / "r.jsonl", "\ufeff" + HEADER, *lines)
    assert read_recording(file)[1] == [
        RecordedReply(
            "react",
            ChatResponse("", tool_calls=(ToolCall("a", "t", '{"x": 1}'),), finish_reason=FinishReason.TOOL_CALLS),
        ),
        RecordedReply("react", ChatResponse("hi", finish_reason=FinishReason.LENGTH, usage=Usage(3))),
    ]


def test_replies_are_matched_by_actor_and_position_in_any_order() -> None:
    replies = [RecordedReply(actor, ChatResponse(f"{actor}.{n}")) for n in (1, 2) for actor in ("a", "b")]
    client = RecordedClient(replies)
    assert [reply(client, actor).content for actor in ("b", "b", "a", "a")] == ["b.1", "b.2", "a.1", "a.2"]


def test_parallel_tasks_each_get_their_own_replies() -> None:
    actors = [f"task_{number}" for number in range(4)]
    client = RecordedClient([RecordedReply(actor, ChatResponse(f"{actor}.{n}")) for actor in actors for n in range(50)])
    barrier = threading.Barrier(4)
    got: dict[str, list[str]] = {}

    def work(actor: str) -> None:
        barrier.wait(PATIENCE_S)
        got[actor] = [reply(client, actor).content for _ in range(50)]

    threads = [threading.Thread(target=work, args=(actor,)) for actor in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert got == {actor: [f"{actor}.{n}" for n in range(50)] for actor in actors}


def test_a_request_without_a_reply_left_is_an_error_that_names_it() -> None:
    client = RecordedClient([PLAIN])
    reply(client, "planner")
    with pytest.raises(ReplayDiverged) as caught:
        reply(client, "planner")
    assert (caught.value.code, caught.value.fields) == ("llm.replay_diverged", {"actor": "planner", "position": 2})
    assert (
        Texts(Language.ZH).screen(caught.value.code, **caught.value.fields) == "录制的对话里没有 planner 的第 2 个回复"
    )


def test_thinking_and_content_stream_in_several_deltas() -> None:
    text = "一段比较长的回答,分几次显示出来。"
    heard: list[Delta] = []
    client = RecordedClient([RecordedReply("a", ChatResponse(text, thinking="thinking first"))])
    client.chat(request("a"), heard.append, CancellationToken())
    thinking = [delta.text for delta in heard if isinstance(delta, ThinkingDelta)]
    content = [delta.text for delta in heard if isinstance(delta, TextDelta)]
    assert ("".join(thinking), "".join(content)) == ("thinking first", text)
    assert len(content) > 3
    assert isinstance(heard[0], ThinkingDelta)


def test_a_cancel_ends_a_reply_between_two_deltas() -> None:
    cancel = CancellationToken()
    heard: list[Delta] = []

    def hear(delta: Delta) -> None:
        heard.append(delta)
        cancel.cancel()

    client = RecordedClient([RecordedReply("a", ChatResponse("x" * 100))])
    with pytest.raises(TurnCancelled):
        client.chat(request("a"), hear, cancel)
    assert len(heard) == 1


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([], 1),
        (["{}"], 1),
        (['{"type": "paicli-recording", "version": 99}'], 1),
        (["nonsense"], 1),
        ([HEADER, recorded_line(PLAIN), '{"actor": "a", "reply": {'], 3),
        ([HEADER, "", "[1]"], 3),
        ([HEADER, '{"actor": 5, "reply": {}}'], 2),
        ([HEADER, '{"actor": "a"}'], 2),
        ([HEADER, '{"actor": "a", "reply": {"content": 5}}'], 2),
        ([HEADER, '{"actor": "a", "reply": {"finish_reason": "dunno"}}'], 2),
        ([HEADER, '{"actor": "a", "reply": {"tool_calls": [{"id": "x"}]}}'], 2),
        ([HEADER, '{"actor": "a", "reply": {"tool_calls": 7}}'], 2),
        ([HEADER, '{"actor": "a", "reply": {"usage": {"input_tokens": "many"}}}'], 2),
        ([HEADER, "[" * 100_000], 2),
    ],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, lines: list[str], line: int) -> None:
    file = written(tmp_path / "r.jsonl", *lines)
    with pytest.raises(SettingsError) as caught:
        RecordedClient(file)
    assert (caught.value.code, caught.value.fields["line"]) == ("llm.recording_broken", line)
    assert f"{file}" in Texts(Language.EN).screen(caught.value.code, **caught.value.fields)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        RecordedClient(tmp_path / "none.jsonl")
    assert caught.value.code == "llm.recording_unreadable"


def test_a_recording_holds_one_json_object_a_line() -> None:
    assert json.loads(recorded_line(PLAIN)) == {"actor": "planner", "reply": {"content": "{}", "finish_reason": "stop"}}
    assert "\n" not in recorded_line(RecordedReply("a", ChatResponse("two\nlines")))
