import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.messages import ChatResponse, Delta, TextDelta, ThinkingDelta
from paicli.llm.openai.reply import ReplyAssembler
from paicli.llm.sse import read_events
from tests.llm.asking import capture
from tests.random_examples import examples

TEXT = "修复方法 🌍"


def datas(*chunks: bytes) -> list[str]:
    return [event.data for event in read_events(chunks)]


def reply_of(chunks: list[bytes]) -> tuple[ChatResponse, list[Delta]]:
    assembler = ReplyAssembler()
    shown: list[Delta] = []
    for event in read_events(chunks):
        if event.data != "[DONE]":
            shown += assembler.feed(json.loads(event.data))
    shown += assembler.close()
    return assembler.response(), shown


def test_everything_the_standard_allows_is_read_or_passed_over() -> None:  # C03
    stream = (
        b": OPENROUTER PROCESSING\n\n:\nevent: ping\nid: 7\nretry: 10\n\ndata:\n\n"
        b'data:{"a":1}\r\n\r\ndata: {"b":\ndata: 2}\n\n: bye\n\n\ndata: [DONE]\n\n'
    )
    assert datas(stream) == ['{"a":1}', '{"b":\n2}', "[DONE]"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_each_line_end_works_at_each_cut(end: bytes) -> None:  # C03
    stream = end.join([b'data: {"a":1}', b"", b"event: x", b"data: two", b"", b""])
    for cut in range(len(stream) + 1):
        assert datas(stream[:cut], stream[cut:]) == ['{"a":1}', "two"], cut


def test_a_byte_order_mark_costs_no_event_however_it_is_cut() -> None:
    stream = b"\xef\xbb\xbfdata: one\n\ndata: two\n\n"
    for cut in range(8):
        assert datas(stream[:cut], stream[cut:]) == ["one", "two"], cut


def test_unicode_line_ends_are_no_line_ends() -> None:  # R3
    odd = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    assert datas(f"data: {odd}\n\n".encode()) == [odd]


def test_a_last_event_without_its_blank_line_is_read() -> None:
    assert datas(b"data: one\n\ndata: two") == ["one", "two"]
    assert datas(b"data: one\n\ndata: two\n") == ["one", "two"]


def test_an_error_event_without_data_is_told() -> None:  # C06
    assert [(event.event, event.data) for event in read_events([b"event: error\n\nevent: ping\n\n"])] == [("error", "")]


@pytest.mark.parametrize("cut_before", [b"\xbf\xae", b"\x8c\x8d"])
def test_characters_cut_between_chunks_stay_whole(cut_before: bytes) -> None:  # C05
    stream = f"data: {TEXT}\n\n".encode()
    cut = stream.index(cut_before)
    assert datas(stream[:cut], stream[cut:]) == [TEXT]
    assert datas(*(stream[i : i + 1] for i in range(len(stream)))) == [TEXT]


def test_a_character_cut_off_by_the_end_is_one_replacement_character() -> None:  # C05
    assert datas(b"data: ab\xe4\xbf") == ["ab\ufffd"]


def test_a_gigantic_line_in_small_chunks_is_read_in_linear_time() -> None:
    line = b"data: " + b"x" * 3_000_000 + b"\n\n"
    assert [len(data) for data in datas(*(line[i : i + 512] for i in range(0, len(line), 512)))] == [3_000_000]


CAPTURED = ["smollm2-fewshot-tools-required-stream", "lcp-smollm2-tools-named-stream", "smollm2-fewshot-text-stream"]


@pytest.mark.parametrize("name", CAPTURED)
@examples(25)
@given(data=st.data())
def test_a_captured_stream_gives_the_same_reply_however_it_is_cut(name: str, data: st.DataObject) -> None:
    body = capture(name).body
    sizes = data.draw(st.lists(st.integers(1, 900), min_size=1, max_size=12))
    chunks, position, turn = [], 0, 0
    while position < len(body):
        size = sizes[turn % len(sizes)]
        chunks.append(body[position : position + size])
        position, turn = position + size, turn + 1
    assert reply_of(chunks) == reply_of([body])


SAID = st.text(max_size=30).filter(lambda text: "<think" not in text)
"""What opens a block of thinking is no text."""


@examples(60)
@given(content=SAID, thinking=st.text(max_size=20), sizes=st.lists(st.integers(1, 40), min_size=1))
def test_any_text_survives_any_cut(content: str, thinking: str, sizes: list[int]) -> None:  # C05
    deltas = [{"reasoning_content": thinking}, *({"content": character} for character in content), {}]
    chunks = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks[-1]["choices"][0]["finish_reason"] = "stop"
    stream = b"".join(f"data: {json.dumps(each, ensure_ascii=False)}\n\n".encode() for each in chunks)
    cut, position = [], 0
    while position < len(stream):
        size = sizes[len(cut) % len(sizes)]
        cut.append(stream[position : position + size])
        position += size
    response, shown = reply_of(cut)
    assert response == ChatResponse(content, thinking=thinking)
    assert "".join(delta.text for delta in shown if isinstance(delta, TextDelta)) == content
    assert "".join(delta.text for delta in shown if isinstance(delta, ThinkingDelta)) == thinking
