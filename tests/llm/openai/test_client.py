import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import (
    ContextTooLong,
    LlmError,
    LlmRateLimited,
    LlmRejected,
    LlmTimeout,
    LlmUnreachable,
)
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    FinishReason,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolMessage,
    Usage,
    UserMessage,
)
from tests.fakes.openai_server import (
    DONE,
    STARTED,
    Ending,
    Framing,
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    calls,
    chunk,
    delta_event,
    drop_mid_stream,
    event,
    finish_event,
    hang_before_headers,
    hang_mid_stream,
    json_reply,
    raw_sse,
    reset,
    say,
    status,
    usage_event,
)
from tests.llm.asking import KEY, ask, capture, client_for
from tests.patience import PATIENCE_S

PAR = delta_event(content="par")
HALF_CALL = delta_event(
    tool_calls=[{"index": 0, "id": "x", "function": {"name": "write_file", "arguments": '{"path":"a","content":"12'}}]
)


def failure(reply: Reply, **options: Any) -> LlmError:
    with OpenAiServer([reply]) as server:
        client = client_for(server, **options)
        with pytest.raises(LlmError) as caught:
            ask(client)
        client.close()
    return caught.value


def message(error: LlmError, language: Language = Language.EN) -> str:
    fault = fault_of(error, SecretMasker())
    return Texts(language).screen(fault.code, **dict(fault.fields))


def test_an_answer_streams_and_comes_back_whole() -> None:
    with OpenAiServer([say("Hello, 世界! 🌍", thinking="let me think", usage=(12, 7))]) as server:
        answer = ask(client_for(server))
    assert answer.response == ChatResponse(
        "Hello, 世界! 🌍", thinking="let me think", usage=Usage(input_tokens=12, output_tokens=7)
    )
    assert answer.deltas == [
        ThinkingDelta("let me t"),
        ThinkingDelta("hink"),
        TextDelta("Hello, 世"),
        TextDelta("界! 🌍"),
    ]


def test_calls_come_back_in_order_and_the_key_goes_in_the_header_only() -> None:
    with OpenAiServer([calls(("read_file", {"path": "a"}, "c1"), ("list_dir", {}, "c2"), text="looking")]) as server:
        response = ask(client_for(server, headers=(("X-Team", "blue"),))).response
        [request] = server.requests
    assert response == ChatResponse(
        "looking",
        tool_calls=(ToolCall("c1", "read_file", '{"path": "a"}'), ToolCall("c2", "list_dir", "{}")),
        finish_reason=FinishReason.TOOL_CALLS,
        usage=Usage(input_tokens=10, output_tokens=5),
    )
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["x-team"] == "blue"
    assert KEY.encode() not in request.raw_body


def test_usage_beside_empty_choices_is_recorded() -> None:  # C02
    stream = raw_sse(delta_event(content="he"), event({"choices": [], "usage": None}), delta_event(content="llo"))
    stream = stream._replace(chunks=(*stream.chunks, finish_event(), usage_event(8, 4, 3), DONE))
    with OpenAiServer([stream]) as server:
        assert ask(client_for(server)).response == ChatResponse("hello", usage=Usage(8, 3, 4))


def test_a_wrong_charset_in_the_header_changes_nothing() -> None:  # C05
    reply = say("修复方法")._replace(headers=(("Content-Type", "text/event-stream; charset=iso-8859-1"),))
    with OpenAiServer([reply]) as server:
        assert ask(client_for(server)).response.content == "修复方法"


def test_a_byte_at_a_time_is_read_like_any_stream() -> None:  # C05
    whole = b"".join(part for part in say("修 🌍").chunks if isinstance(part, bytes))
    with OpenAiServer([raw_sse(*(whole[i : i + 1] for i in range(len(whole))))]) as server:
        assert ask(client_for(server)).response.content == "修 🌍"


FULL = {"choices": [], "error": {"code": 502, "message": "upstream full"}}
BUSY = b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
DOWN = {"choices": [{"delta": {}, "finish_reason": "error", "error": {"code": 503, "message": "down"}}]}
BAD = {"object": "error", "message": "nope", "type": "BadRequestError", "code": 400}


@pytest.mark.parametrize(
    ("chunks", "kind", "words"),
    [
        ([PAR, event(FULL), DONE], LlmUnreachable, "full"),
        ([BUSY], LlmRateLimited, "busy"),
        ([PAR, b"event: error\n\n"], LlmUnreachable, ""),
        ([event({"error": {"type": "invalid_request_error", "message": "bad tools"}})], LlmRejected, "bad tools"),
        ([event({"error": "just text"})], LlmUnreachable, "just text"),
        ([event(BAD)], LlmRejected, "nope"),
        ([event({"error": {"code": "context_length_exceeded", "message": "m"}})], ContextTooLong, "m"),
        ([PAR, event(DOWN)], LlmUnreachable, "down"),
    ],
)
def test_an_error_inside_a_good_stream_fails_with_its_words(
    chunks: list[bytes], kind: type[LlmError], words: str
) -> None:  # C06
    error = failure(raw_sse(*chunks))
    assert type(error) is kind
    assert words in message(error)


def test_an_error_as_plain_json_with_status_200_fails_with_its_words() -> None:  # C06
    error = failure(json_reply({"error": {"code": 400, "message": "no such tool"}}))
    assert type(error) is LlmRejected
    assert "no such tool" in message(error)


@pytest.mark.parametrize("framing", [Framing.CHUNKED, Framing.UNTIL_CLOSE])
@pytest.mark.parametrize("chunks", [(STARTED, PAR), (STARTED, HALF_CALL)])
def test_a_stream_without_terminal_signal_is_a_transport_failure(
    chunks: tuple[bytes, ...], framing: Framing
) -> None:  # C07 (i), (ii)
    error = failure(drop_mid_stream(*chunks, framing=framing))
    assert (type(error), error.code, error.retryable) == (LlmUnreachable, "llm.stream_cut", True)


def test_a_stream_cut_inside_a_character_is_a_transport_failure() -> None:  # C05, C07
    cut = delta_event(content="修复")[:-20]
    assert failure(drop_mid_stream(STARTED, PAR, cut, framing=Framing.UNTIL_CLOSE)).code == "llm.stream_cut"


def test_a_reply_cut_inside_its_first_event_is_a_transport_failure() -> None:  # C05, C07
    half = event(chunk({"content": "\u4fee"}))[:-40]
    for reply in (
        drop_mid_stream(half, framing=Framing.UNTIL_CLOSE),
        raw_sse(half),
        raw_sse(half.removeprefix(b"data: ")),
    ):
        error = failure(reply)
        assert (error.code, error.retryable) == ("llm.stream_cut", True)


@pytest.mark.parametrize("ending", [Ending.COMPLETE, Ending.DROP, Ending.RESET, Ending.COMPLETE_AND_CLOSE])
def test_once_the_model_has_finished_no_end_takes_the_reply_away(ending: Ending) -> None:  # C07 (iii), (iv)
    with OpenAiServer([raw_sse(STARTED, PAR, finish_event(), ending=ending)]) as server:
        assert ask(client_for(server)).response == ChatResponse("par")


def test_done_without_finish_reason_is_a_terminal_signal_but_never_stop() -> None:  # C07
    with OpenAiServer([raw_sse(STARTED, PAR, DONE)]) as server:
        assert ask(client_for(server)).response == ChatResponse("par", finish_reason=FinishReason.OTHER)


@pytest.mark.parametrize("framing", [Framing.CHUNKED, Framing.UNTIL_CLOSE])
def test_a_socket_left_open_after_done_does_not_hold_the_turn(framing: Framing) -> None:  # C08
    whole = tuple(say("full answer").chunks)
    with OpenAiServer([hang_mid_stream(*whole, framing=framing)]) as server:
        client = client_for(server, read_timeout_s=600)
        assert ask(client).response.content == "full answer"
        assert server.requests[0].client_gone.wait(PATIENCE_S)


def test_a_server_that_never_stops_sending_after_done_is_left() -> None:  # C08
    was_left = threading.Event()

    def endless() -> Iterator[bytes | Callable[[], object]]:
        yield from say("full answer").chunks
        while not was_left.is_set():
            yield b": more\n\n"

    with OpenAiServer([Reply(endless())]) as server:
        assert ask(client_for(server)).response.content == "full answer"
        was_left.set()


def test_a_cut_call_comes_back_as_it_is_with_length() -> None:  # C09
    cut = '{"path":"big.txt","content":"line1\\nline2'
    reply = calls(("list_dir", "{}", "a"), ("write_file", cut, "b"), finish="length")
    with OpenAiServer([reply]) as server:
        response = ask(client_for(server)).response
    assert response.finish_reason is FinishReason.LENGTH
    assert response.tool_calls == (ToolCall("a", "list_dir", "{}"), ToolCall("b", "write_file", cut))


@pytest.mark.parametrize(
    "reply",
    [say("", thinking="only thinking"), raw_sse(delta_event(content=""), finish_event(), DONE), raw_sse(DONE)],
)
def test_an_empty_reply_with_its_terminal_signal_is_returned(reply: Reply) -> None:  # C17
    with OpenAiServer([reply]) as server:
        response = ask(client_for(server)).response
    assert (response.content, response.tool_calls) == ("", ())


PAGE = "<!DOCTYPE html><html>" + "<p>gateway</p>\n" * 1_500 + "</html>"
SSE = {"Content-Type": "text/event-stream"}


@pytest.mark.parametrize(
    ("reply", "kind", "number"),
    [
        (status(502, PAGE), LlmUnreachable, "502"),
        (status(200, PAGE), LlmRejected, "200"),
        (status(200, "oh no", SSE), LlmRejected, "200"),
        (status(200, "", SSE), LlmRejected, "200"),
        (status(200, ": one\n\n: two\n\n", SSE), LlmRejected, "200"),
        (status(200, "data: oh no\n\n", SSE), LlmRejected, "200"),
        (status(200, "data: 5\n\n", SSE), LlmRejected, "200"),
        (status(200, {"detail": "odd"}), LlmRejected, "200"),
        (status(404, {"detail": "Not Found"}), LlmRejected, "404"),
        (status(400, PAGE), LlmRejected, "400"),
        (status(204, ""), LlmRejected, "204"),
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_junk_is_told_in_three_lines_with_status_type_and_address(
    reply: Reply, kind: type[LlmError], number: str, language: Language
) -> None:  # C20
    error = failure(reply)
    text = message(error, language)
    assert type(error) is kind
    assert len(text.splitlines()) <= 3
    assert len(text) < 700
    assert number in text
    assert error.fields["content_type"] in text
    assert "http://127.0.0.1:" in text
    assert "base URL" in text
    assert "<" not in text
    assert KEY not in text


def test_a_redirect_is_not_followed_and_the_key_stays_here() -> None:  # C20
    with OpenAiServer([]) as other, OpenAiServer([status(307, "", {"Location": f"{other.base_url}/x"})]) as server:
        with pytest.raises(LlmRejected) as caught:
            ask(client_for(server))
        assert other.connection_count == 0
    assert (caught.value.code, caught.value.status) == ("llm.redirected", 307)


def test_credentials_and_query_of_the_address_are_never_shown() -> None:  # C20
    with OpenAiServer([status(404, {"detail": "Not Found"})]) as server:
        address = server.base_url.replace("http://", "http://user:pass@") + "?token=canary"
        with pytest.raises(LlmRejected) as caught:
            ask(client_for(address))
        assert server.requests[0].path == "/v1/chat/completions?token=canary"
    text = message(caught.value)
    assert server.base_url in text
    assert not {word for word in ("user", "pass@", "canary") if word in text}


def test_the_servers_words_are_masked_and_without_control_sequences() -> None:
    words = f"Incorrect API key: {KEY}\r\n\x1b]0;title\x07\x1b[31mred"
    error = failure(status(401, {"error": {"message": words}}))
    text = message(error)
    assert KEY not in text
    assert "\x1b" not in text
    assert len(text.splitlines()) == 3


@pytest.mark.parametrize(
    ("code", "body", "kind", "error_code", "hint"),
    [
        (401, {"error": {"message": "no"}}, LlmRejected, "llm.key_refused", "GLM_API_KEY"),
        (403, {"error": {"message": "no"}}, LlmRejected, "llm.forbidden", "GLM_API_KEY"),
        (404, {"error": {"message": "no"}}, LlmRejected, "llm.not_found", "m-1"),
        (400, {"error": {"message": "no"}}, LlmRejected, "llm.bad_request", "m-1"),
        (402, {"error": {"message": "no"}}, LlmRejected, "llm.quota_spent", "Top it up"),
        (429, {"error": {"code": "insufficient_quota", "message": "no"}}, LlmRejected, "llm.quota_spent", "Top it up"),
        (429, {"error": {"code": "1113", "message": "您的账户已欠费"}}, LlmRejected, "llm.quota_spent", "欠费"),
        (429, {"error": {"message": "slow down, see /billing"}}, LlmRateLimited, "llm.rate_limited", "slow down"),
        (529, {"error": {"message": "full"}}, LlmRateLimited, "llm.rate_limited", "full"),
        (408, "", LlmUnreachable, "llm.server_failed", "408"),
        (409, "", LlmUnreachable, "llm.server_failed", "409"),
        (500, "Internal Server Error", LlmUnreachable, "llm.server_failed", "Internal Server Error"),
        (503, "", LlmUnreachable, "llm.server_failed", "503"),
        (400, {"error": {"type": "exceed_context_size_error"}}, ContextTooLong, "llm.context_too_long", "/compact"),
        (400, {"error": {"message": "maximum context length is 9"}}, ContextTooLong, "llm.context_too_long", "is 9"),
        (413, "<html>Request Entity Too Large</html>", ContextTooLong, "llm.context_too_long", "/compact"),
    ],
)
def test_each_status_says_what_to_do(code: int, body: Any, kind: type[LlmError], error_code: str, hint: str) -> None:
    error = failure(status(code, body, {"Content-Type": "text/plain"} if isinstance(body, str) else {}), provider="glm")
    assert (type(error), error.code) == (kind, error_code)
    for language in Language:
        assert len(message(error, language).splitlines()) <= 3
    assert hint in message(error)


def test_an_errors_body_that_never_ends_does_not_hold_the_turn() -> None:
    slow = Reply((b'{"error"',), status=503, headers=(("Content-Type", "application/json"),), ending=Ending.HANG)
    assert failure(slow, read_timeout_s=0.2).status == 503


def test_silence_before_and_within_the_stream_times_out() -> None:
    for reply in (hang_before_headers(), hang_mid_stream()):
        error = failure(reply, read_timeout_s=0.15)
        assert (type(error), error.code) == (LlmTimeout, "llm.silent")
        assert "0.15" in message(error)


def test_a_request_that_drips_on_ends_at_its_whole_limit() -> None:
    with OpenAiServer([hang_mid_stream()]) as server:
        client = client_for(server, request_timeout_s=0.3, read_timeout_s=5, attempts=3)
        with pytest.raises(LlmTimeout) as caught:
            ask(client)
        assert len(server.requests) == 1
    assert caught.value.code == "llm.overlong"


@pytest.mark.parametrize("reply", [reset(), reset(STARTED, PAR)])
def test_a_reset_is_a_transport_failure(reply: Reply) -> None:
    assert failure(reply).code == "llm.stream_cut"


def test_nobody_listening_is_told_with_the_address() -> None:
    server = OpenAiServer([])
    server.close()
    with pytest.raises(LlmUnreachable) as caught:
        ask(client_for(server))
    assert caught.value.code == "llm.unreachable"
    assert server.base_url in message(caught.value)


def test_a_reply_without_end_is_cut_at_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:  # R10
    monkeypatch.setattr("paicli.llm.openai.client._REPLY_LIMIT_BYTES", 10_000)
    error = failure(raw_sse(STARTED, b"data: " + b"x" * 20_000))
    assert (type(error), error.code) == (LlmRejected, "llm.reply_too_large")


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream", "text/plain"])
def test_a_json_body_although_a_stream_was_asked_for_is_the_reply(kind: str) -> None:
    whole = {
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "hi",
                    "reasoning_content": "hm",
                    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "t", "arguments": {"x": 1}}}],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    }
    with OpenAiServer([json_reply(whole)._replace(headers=(("Content-Type", kind),))]) as server:
        answer = ask(client_for(server))
    assert answer.response == ChatResponse(
        "hi", "hm", (ToolCall("a", "t", '{"x":1}'),), FinishReason.TOOL_CALLS, Usage(input_tokens=3, output_tokens=2)
    )
    assert answer.deltas == [ThinkingDelta("hm"), TextDelta("hi")]


@pytest.mark.parametrize(
    ("name", "finish", "call_count"),
    [
        ("gemma270m-fewshot-tools-followup-stream", FinishReason.LENGTH, 2),
        ("lcp-smollm2-err-nomessages", FinishReason.STOP, 0),  # it answers a request without messages
        ("lcp-smollm2-grammar", FinishReason.STOP, 0),
        ("lcp-smollm2-json-object", FinishReason.STOP, 0),
        ("lcp-smollm2-length-stream", FinishReason.LENGTH, 0),
        ("lcp-smollm2-text-nostream", FinishReason.STOP, 0),
        ("lcp-smollm2-text-stream", FinishReason.STOP, 0),
        ("lcp-smollm2-tools-auto-stream", FinishReason.STOP, 0),
        ("lcp-smollm2-tools-named-stream", FinishReason.TOOL_CALLS, 1),
        ("smollm2-fewshot-grammar", FinishReason.STOP, 0),
        ("smollm2-fewshot-json-object", FinishReason.STOP, 0),
        ("smollm2-fewshot-json-schema-stream", FinishReason.STOP, 0),
        ("smollm2-fewshot-length-stream", FinishReason.LENGTH, 0),
        ("smollm2-fewshot-text-nostream", FinishReason.STOP, 0),
        ("smollm2-fewshot-text-stream", FinishReason.STOP, 0),
        ("smollm2-fewshot-tools-auto-stream", FinishReason.TOOL_CALLS, 1),
        ("smollm2-fewshot-tools-cut-stream", FinishReason.LENGTH, 1),
        ("smollm2-fewshot-tools-followup-stream", FinishReason.STOP, 0),
        ("smollm2-fewshot-tools-named-stream", FinishReason.TOOL_CALLS, 1),
        ("smollm2-fewshot-tools-required-nostream", FinishReason.TOOL_CALLS, 1),
        ("smollm2-fewshot-tools-required-stream", FinishReason.TOOL_CALLS, 1),
        ("smollm2-tools-required-stream", FinishReason.STOP, 0),
    ],
)
def test_replies_captured_from_real_servers_are_read(name: str, finish: FinishReason, call_count: int) -> None:
    sent = capture(name)
    reply = Reply((sent.body,), status=sent.status, headers=(("Content-Type", sent.content_type),))
    with OpenAiServer([reply]) as server:
        response = ask(client_for(server)).response
    assert response.finish_reason is finish
    assert len(response.tool_calls) == call_count
    assert response.content or response.tool_calls
    for made in response.tool_calls:
        assert made.name == "bash"
        assert made.id
        if finish is not FinishReason.LENGTH:
            assert "command" in json.loads(made.arguments)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("lcp-smollm2-err-badjson", "llm.server_failed", "Internal Server Error"),
        ("lcp-smollm2-err-ctx", "llm.not_a_reply", "200"),
        ("lcp-smollm2-tools-required-nostream", "llm.server_failed", "500"),
        ("lcp-smollm2-tools-required-stream", "llm.not_a_reply", "200"),
        ("smollm2-fewshot-err-badjson", "llm.server_failed", "parse"),
        ("smollm2-fewshot-err-ctx", "llm.context_too_long", "8192 tokens"),
        ("smollm2-fewshot-err-nomessages", "llm.bad_request", "'messages' is required"),
    ],
)
def test_failures_captured_from_real_servers_are_told(name: str, code: str, words: str) -> None:
    sent = capture(name)
    error = failure(Reply((sent.body,), status=sent.status, headers=(("Content-Type", sent.content_type),)))
    assert error.code == code
    assert words in message(error)


def test_a_tool_call_reply_and_its_answer_go_over_one_connection() -> None:
    with OpenAiServer([call("read_file", {"path": "a"}), say("done")]) as server:
        client = client_for(server)
        ask(client)
        ask(client)
        client.close()
        assert [request.connection for request in server.requests] == [0, 0]


def test_thinking_goes_back_exactly_with_its_tool_round() -> None:  # C11
    def strict(request: RecordedRequest) -> Reply:
        rounds = [message for message in request.body["messages"] if message.get("tool_calls")]
        if any(message.get("reasoning_content") != "R1R2" for message in rounds):
            return status(400, {"error": {"message": "reasoning_content is missing"}})
        if rounds:
            return say("done")
        thinking = [delta_event(reasoning_content=part) for part in ("R1", "R2")]
        return Reply((*thinking, *call("read_file", {"path": "a"}, "x").chunks))

    with OpenAiServer(strict) as server:
        client = client_for(server, provider="deepseek")
        first = ask(client).response
        messages = (
            UserMessage("hi"),
            AssistantMessage(first.content, first.thinking, first.tool_calls),
            ToolMessage("x", "read_file", "1: a"),
        )
        second = client.chat(ChatRequest(messages), lambda delta: None, CancellationToken())
    assert (first.content, first.thinking) == ("", "R1R2")
    assert second.content == "done"
