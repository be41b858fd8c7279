"""Area a of the cases: what providers really send, seen from outside the installed program."""

import itertools
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import run_paicli
from tests.e2e.strict import (
    StrictScript,
    ask,
    assert_said_briefly,
    at_once,
    sent_calls,
    started,
    talk,
    tool_results,
    type_into,
)
from tests.fakes.openai_server import (
    DONE,
    STARTED,
    Ending,
    Framing,
    OpenAiServer,
    Reply,
    call,
    calls,
    chunk,
    close_before_headers,
    delta_event,
    drop_mid_stream,
    event,
    finish_event,
    hang_before_headers,
    json_reply,
    raw_sse,
    reset,
    say,
    status,
    usage_event,
)
from tests.patience import PATIENCE_S


def piece(arguments: Any = None, *, name: Any = None, **head: Any) -> dict[str, Any]:
    """One element of a delta's `tool_calls`; `head` has id and index."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {**head, "function": function}


def streamed(*deltas: dict[str, Any], finish: str = "tool_calls") -> Reply:
    """A complete stream of one chunk for each delta."""
    return raw_sse(*(delta_event(**delta) for delta in deltas), finish_event(finish), DONE)


def with_calls(*pieces: dict[str, Any]) -> Reply:
    """A chunk for each piece."""
    return streamed(*({"tool_calls": [one]} for one in pieces))


def make_files(project: Path, *names: str) -> None:
    for name in names:
        (project / name).write_text(f"content of {name}\n")


def shows(result: str, *names: str) -> bool:
    return all(f"content of {name}" in result for name in names)


def test_c01_calls_without_index_or_id_are_put_together_and_none_is_lost(project: Path, home: Path) -> None:
    make_files(project, "a", "b")
    whole = '{"path":"a"}'
    replies = [
        with_calls(piece('{"pa', name="read_file", id="x1"), piece('th":"a"}')),
        say("一"),
        with_calls(piece(whole, name="read_file", id="x1"), piece('{"path":"b"}', name="read_file", id="x2")),
        say("二"),
        with_calls(piece('{"pa', name="read_file", id="x1", index=None), piece('th":"a"}', index=None)),
        say("三"),
        with_calls(
            piece("", name="read_file", id="y0", index=0),
            piece("", name="read_file", id="y1", index=1),
            *(piece(part, index=number % 2) for number, part in enumerate(['{"path"'] * 2 + [':"a"}', ':"b"}'])),
        ),
        say("四"),
    ]
    ran = talk(project, home, replies, "1", "2", "3", "4")
    results = tool_results(ran.requests[-1])
    read = ["a" if shows(result, "a") else "b" if shows(result, "b") else result for result in results]
    assert read == ["a", "a", "b", "a", "a", "b"]
    assert [json.loads(arguments) for _, arguments in sent_calls(ran.requests[-1])] == [{"path": name} for name in read]


def test_c02_chunks_without_choices_are_passed_over_and_usage_counts_once(project: Path, home: Path) -> None:
    hello = (delta_event(content="he"), event({**chunk(), "choices": []}), delta_event(content="llo"))
    odd = [
        raw_sse(*hello, finish_event(), usage_event(8, 4), DONE),
        raw_sse(delta_event(content="hello"), event({"choices": None}), event({}), finish_event(), DONE),
        raw_sse(
            event(chunk(None)),
            event({"choices": [{"index": 0, "delta": None, "finish_reason": None}]}),
            event(chunk({"content": "hello"}, usage={"prompt_tokens": 8, "completion_tokens": 2})),
            event(chunk({"content": None}, finish="stop", usage={"prompt_tokens": 8, "completion_tokens": 4})),
            DONE,
        ),
    ]
    for reply, usage in zip(odd, [(8, 4), (0, 0), (8, 4)], strict=True):
        done = ask(project, home, [reply], "--output-format", "json").done
        result = json.loads(done.stdout)
        assert (done.status, result["result"]) == (0, "hello")
        assert (result["usage"]["input_tokens"], result["usage"]["output_tokens"]) == usage


def test_c03_c05_legal_sse_and_any_cut_of_its_bytes_give_the_plain_text_and_files(project: Path, home: Path) -> None:
    text = "修复方法 🌍"
    spread = b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"!"}}]}\n\n'
    odd = b": OPENROUTER PROCESSING\n\n:\nevent: ping\nid: 7\nretry: 10\n\ndata:\n\n" + spread
    odd += delta_event(content=text).replace(b"data: ", b"data:").replace(b"\n", b"\r\n")
    in_bytes = [bytes([byte]) for byte in odd + finish_event("tool_calls") + DONE]
    arguments = json.dumps({"path": "t.txt", "content": text}, ensure_ascii=False)
    write = event(chunk({"tool_calls": [piece(arguments, name="write_file", id="w", index=0)]}))
    cuts = [write.index(b"\xe4\xbf\xae") + 1, write.index(b"\xf0\x9f") + 2]
    cut = [write[start:end] for start, end in itertools.pairwise([0, *cuts, len(write)])]
    ran = ask(project, home, [raw_sse(*cut, *in_bytes), raw_sse(*in_bytes)])
    assert (ran.done.status, ran.done.stdout) == (0, f"!{text}\n")
    assert (project / "t.txt").read_text(encoding="utf-8") == text
    assert "警告" not in ran.done.stderr
    assert "\ufffd" not in ran.done.stderr + ran.requests[1].raw_body.decode()


def in_stream(error: object, *before: bytes) -> Reply:
    return raw_sse(STARTED, *before, event({"choices": [], "error": error}), DONE)


def test_c06_an_error_inside_a_good_stream_is_told_and_only_what_may_pass_is_tried_again(
    project: Path, home: Path
) -> None:
    par = delta_event(content="par")
    passing = {"code": 502, "message": "upstream full"}
    refused = {"type": "invalid_request_error", "message": "no such field"}
    for_good = raw_sse(b"event: error\n" + event({"type": "error", "error": refused}))
    replies = [in_stream(passing, par), raw_sse(STARTED, par, b"event: error\n\n"), say("whole")]
    replies += [for_good, json_reply({"error": {"message": "plain no", "code": 400}}), say("on")]
    ran = talk(project, home, replies, "1", "2", "3", "4")
    assert "upstream full" in ran.done.stdout
    assert "no such field" in ran.done.stdout
    assert "plain no" in ran.done.stdout
    assert all(message["content"] != "par" for message in ran.requests[-1].body["messages"])


def test_c07_a_stream_without_terminal_signal_is_asked_for_again_and_nothing_of_it_stays(
    project: Path, home: Path
) -> None:
    half = json.dumps({"path": "a", "content": "12"})[:-3]
    half_call = event(chunk({"tool_calls": [piece(half, name="write_file", id="w", index=0)]}))

    def retried() -> None:
        replies = [
            drop_mid_stream(STARTED, delta_event(content="half ")),
            drop_mid_stream(STARTED, half_call, framing=Framing.UNTIL_CLOSE),
            say("whole"),
        ]
        ran = ask(project, home, replies)
        assert (ran.done.status, ran.done.stdout) == (0, "whole\n")
        bodies = [request.raw_body for request in ran.requests]
        assert bodies[0] == bodies[1] == bodies[2]
        assert not (project / "a").exists()

    def ended_well() -> None:
        ends = [Ending.DROP, Ending.RESET]
        replies = [raw_sse(delta_event(content="好"), finish_event(), ending=ending) for ending in ends]
        assert talk(project, home, replies, "1", "2").done.stdout.count("好") == 2

    at_once(retried, ended_well)


def test_c08_a_socket_left_open_after_done_holds_nothing_up(project: Path, home: Path) -> None:
    left_open = raw_sse(delta_event(content="一"), finish_event(), DONE, ending=Ending.HANG)
    first, _ = talk(project, home, [left_open, say("二")], "1", "2").requests
    assert first.client_gone.wait(PATIENCE_S)


def test_c09_a_call_cut_by_the_output_limit_is_not_run_and_its_model_is_told(project: Path, home: Path) -> None:
    cut = ("write_file", '{"path":"big.txt","content":"line1\\nline2')
    whole = ("write_file", {"path": "big.txt", "content": "x"})
    replies = [calls(cut, finish="length"), say("改小"), calls(whole, finish="length"), say("改小")]
    replies += [calls(("list_dir", {}), cut, finish="length"), calls(cut, finish="length")]
    ran = talk(project, home, replies, "1", "2", "3")
    assert not (project / "big.txt").exists()
    assert ["上限" in result for result in tool_results(ran.requests[5])] == [True] * 4
    assert "⚠️ 模型的输出达到长度上限,到此为止" in ran.done.stdout


def test_c11_thinking_goes_back_with_its_calls_and_is_never_answer_text(project: Path, home: Path) -> None:
    make_files(project, "a")
    thinking = [delta_event(reasoning_content=part) for part in ("R1", "R2")]
    reading = event(chunk({"tool_calls": [piece('{"path":"a"}', name="read_file", id="r", index=0)]}))
    script = StrictScript(
        [raw_sse(STARTED, *thinking, reading, finish_event("tool_calls"), DONE), say("答", thinking="T"), say("再答")],
        echoes_thinking="R1R2",
    )
    with OpenAiServer(script) as server:
        deepseek = {"PAICLI_PROVIDER": "deepseek", "PAICLI_MODEL": "deepseek-v4-flash"}
        done = run_paicli(project=project, home=home, server=server, stdin="1\n2\n/exit\n", **deepseek)
        assert (done.status, script.faults, len(server.requests)) == (0, [], 3)
        last = server.requests[2].body["messages"]
    assert [message["content"] for message in last if message["role"] == "assistant"] == ["", "答"]


def test_c13_c14_names_in_pieces_and_arguments_that_are_nothing(project: Path, home: Path) -> None:
    make_files(project, "a")
    name = "read_file"
    nothing = [piece(value, name="list_dir", id=f"n{place}", index=place) for place, value in enumerate(["", None])]
    nothing += [
        {"id": "n2", "index": 2, "function": {"name": "list_dir", "arguments": None}},
        piece("  ", name="list_dir", id="n3", index=3),
        piece("", name="list_dir", id="n4", index=4),
        piece("{}", index=4),
        piece("", name=name, id="n5", index=5),
    ]
    replies = [
        with_calls(
            piece('{"pa', name=name, id="r0", index=0),
            piece('th":', name=name, index=0),
            piece('"a"}', name=name, index=0),
            piece("", name="read_", id="r1", index=1),
            piece('{"path":"a"}', name="file", index=1),
            piece('{"path"', name=name, id="r2", index=2),
            {"index": 2, "function": {"name": "", "arguments": ':"a'}},
            {"index": 2, "function": {"name": None, "arguments": '"}'}},
        ),
        with_calls(*nothing),
        say("好"),
    ]
    ran = ask(project, home, replies)
    results = tool_results(ran.requests[2])
    assert [shows(result, "a") for result in results[:3]] == [True] * 3
    assert ["a" in result and "错" not in result for result in results[3:8]] == [True] * 5
    assert [arguments for _, arguments in sent_calls(ran.requests[2])[3:]] == ["{}"] * 6
    assert "path" in results[8]
    assert ran.done.stdout == "好\n"


def test_c15_repeated_and_empty_call_ids_are_made_unique_and_each_call_runs_once(project: Path, home: Path) -> None:
    make_files(project, "a", "b", "c")

    def read(name: str) -> tuple[str, dict[str, str], str]:
        return ("read_file", {"path": name}, "call_0")

    nameless = with_calls(
        piece('{"path":"a"}', name="read_file", id="", index=0),
        piece('{"path":"b"}', name="read_file", index=1),
    )
    replies = [calls(read("a")), calls(read("b")), calls(read("c")), calls(read("a"), read("b")), nameless, say("好")]
    ran = ask(project, home, replies)
    results = tool_results(ran.requests[-1])
    wanted = ["a", "b", "c", "a", "b", "a", "b"]
    assert [shows(result, name) for result, name in zip(results, wanted, strict=True)] == [True] * 7
    for earlier, later in itertools.pairwise(ran.requests):
        assert later.raw_body.startswith(earlier.raw_body.removesuffix(b"]}"))


ODD_NAMES = ["generic_command", "Read_File", "read_file ", "functions.read_file", ""]
ODD_ARGUMENTS = [
    "{'path': 'a'}",
    '{"path":"a"} trailing',
    "[]",
    '"a"',
    '{"path":5}',
    '{"path":"a","path":"b"}',
    '{"offset":NaN}',
    "[" * 10_000,
]


def test_c16_unknown_tools_and_broken_arguments_are_each_answered_with_what_is_wrong(project: Path, home: Path) -> None:
    make_files(project, "a", "b")
    replies = [
        calls(*((name, {"path": "a"}) for name in ODD_NAMES)),
        calls(*(("read_file", arguments) for arguments in ODD_ARGUMENTS)),
        say("好"),
    ]
    ran = ask(project, home, replies)
    results = tool_results(ran.requests[2])
    assert ran.done.stdout == "好\n"
    assert ["read_file" in result and "list_dir" in result for result in results[:5]] == [True] * 5
    assert ["path" in result and "offset" in result for result in results[5:]] == [True] * 8
    assert not any(shows(result, "a") or shows(result, "b") for result in results)
    assert "列" in results[5]
    assert "path" in results[10]


def test_c17_an_empty_answer_is_asked_for_once_more_and_never_stored(project: Path, home: Path) -> None:
    only_thinking = raw_sse(STARTED, delta_event(reasoning_content="嗯"), finish_event(), DONE)
    only_empty = raw_sse(STARTED, delta_event(content=""), finish_event(), DONE)
    replies = [only_thinking, only_empty, say("答"), only_thinking, say("接着")]
    ran = talk(project, home, replies, "1", "2", "3")
    assert "模型两次都没有给出内容" in ran.done.stdout
    assert all(
        message["content"] or message.get("tool_calls")
        for request in ran.requests
        for message in request.body["messages"]
    )


def test_c17_a_cancel_while_only_thinking_came_leaves_a_conversation_that_goes_on(project: Path, home: Path) -> None:
    thinking = raw_sse(STARTED, delta_event(reasoning_content="嗯"), ending=Ending.HANG)
    script = StrictScript([thinking, say("接着")])
    with OpenAiServer(script) as server, started(project=project, home=home, server=server) as process:
        type_into(process, "想一想\n")
        server.wait_for_requests(1)
        os.kill(process.pid, signal.SIGINT)
        said, errors = process.communicate("接着说\n/exit\n".encode(), timeout=PATIENCE_S)
        assert (process.returncode, errors) == (0, b"")
        assert (script.faults, len(server.requests)) == ([], 2)
    assert "接着" in said.decode()


def test_c18_retry_after_is_kept_to_and_what_cannot_be_read_is_a_usual_wait(tmp_path: Path) -> None:
    least_s = {"2": 2.0, "0": 0.0, "Mon, 01 Jan 2024 00:00:00 GMT": 0.0, "-5": 0.35, "soon": 0.35}

    def wait(number: int, wish: str) -> None:
        project, home = tmp_path / f"project{number}", tmp_path / f"home{number}"
        project.mkdir()
        home.mkdir()
        slow = status(429, {"error": {"message": "slow"}}, {"Retry-After": wish})
        ran = ask(project, home, [slow, say("好")])
        assert (ran.done.status, ran.done.stdout) == (0, "好\n")
        first, second = ran.requests
        assert least_s[wish] <= second.arrived_at - first.arrived_at < least_s[wish] + PATIENCE_S
        assert "slow" in ran.done.stderr

    at_once(*(lambda number=number, wish=wish: wait(number, wish) for number, wish in enumerate(least_s)))


def test_c18_too_long_a_wait_a_spent_quota_and_a_refused_key_end_at_once(project: Path, home: Path) -> None:
    replies = [
        status(429, {"error": {"message": "slow"}}, {"Retry-After": "86400"}),
        status(429, {"error": {"message": "no money", "code": "insufficient_quota"}}),
        status(401, {"error": {"message": "bad key sk-canary-1234567890"}}),
    ]
    ran = talk(project, home, replies, "1", "2", "3")
    for words in ("86400", "no money", "HTTP 429", "HTTP 401", "bad key"):
        assert words in ran.done.stdout


def test_c18_a_signal_ends_the_wait_for_another_try(project: Path, home: Path) -> None:
    with (
        OpenAiServer([status(503, "", {"Retry-After": "59"})]) as server,
        started("-p", "x", project=project, home=home, server=server) as process,
    ):
        assert process.stderr is not None
        told = process.stderr.readline().decode()
        assert "重试" in told
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE_S / 2) == 130
        assert process.stdout is not None
        assert process.stdout.read() == b""


PAGE = "<html>" + "<p>bad gateway</p>\n" * 1_000 + "</html>"
JUNK = {
    "a page with status 200": raw_sse(PAGE.encode())._replace(headers=(("Content-Type", "text/html"),)),
    "no event in the stream": raw_sse(b"oh no"),
    "an empty body": raw_sse(),
    "comments alone": raw_sse(b": one\n\n: two\n\n"),
    "another path": status(404, {"detail": "Not Found"}),
    "a redirect": status(307, "", {"Location": "http://127.0.0.2:9/v1/chat/completions"}),
}


@pytest.mark.parametrize("reply", JUNK.values(), ids=JUNK)
def test_c20_junk_is_one_short_message_with_status_address_and_a_hint(project: Path, home: Path, reply: Reply) -> None:
    ran = ask(project, home, [reply])
    assert (ran.done.status, ran.done.stdout) == (1, "")
    assert_said_briefly(ran.done)
    assert ran.requests[0].path in ran.done.stderr
    assert "base URL" in ran.done.stderr
    assert "<p>" not in ran.done.stderr


def test_c20_a_failing_gateway_is_tried_again_and_its_page_never_shown(project: Path, home: Path) -> None:
    ran = ask(project, home, [status(502, PAGE, {"Retry-After": "0"})] * 5)
    assert (ran.done.status, ran.done.stdout) == (75, "")
    assert "HTTP 502" in ran.done.stderr
    assert "<p>" not in ran.done.stderr


def test_a_connection_that_dies_in_every_way_before_the_answer_is_tried_again(project: Path, home: Path) -> None:
    replies = [close_before_headers(), reset(), say("一"), close_before_headers(), say("二")]
    ran = talk(project, home, replies, "1", "2")
    assert "二" in ran.done.stdout


def test_a_silent_server_is_left_after_the_configured_time(project: Path, home: Path) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text("[model]\nread_timeout_s = 0.2\n")
    ran = ask(project, home, [hang_before_headers(), say("好")])
    assert (ran.done.status, ran.done.stdout) == (0, "好\n")


def test_calls_beside_text_in_one_reply_are_both_kept(project: Path, home: Path) -> None:
    make_files(project, "a")
    ran = ask(project, home, [call("read_file", {"path": "a"}, text="先看"), say("好")])
    roles = [(message["role"], message["content"]) for message in ran.requests[1].body["messages"]]
    assert roles[2] == ("assistant", "先看")
