import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.messages import ChatResponse, FinishReason, TextDelta, ThinkingDelta, ToolCall, Usage
from paicli.llm.openai.reply import ReplyAssembler
from tests.random_examples import examples


def chunk(delta: Any, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def piece(arguments: Any = None, **fields: Any) -> dict[str, Any]:
    """One entry of `tool_calls`; `name` goes where the wire has it."""
    function = {} if arguments is None else {"arguments": arguments}
    if "name" in fields:
        function["name"] = fields.pop("name")
    return {**fields, "function": function}


def assembled(*chunks: dict[str, Any]) -> ChatResponse:
    assembler = ReplyAssembler()
    for each in chunks:
        assembler.feed(each)
    assembler.close()
    return assembler.response()


def calls_of(*deltas: list[dict[str, Any]]) -> list[ToolCall]:
    chunks = [chunk({"tool_calls": pieces}) for pieces in deltas]
    return list(assembled(*chunks, chunk({}, "tool_calls")).tool_calls)


def test_a_call_without_index_goes_on_without_id() -> None:  # C01 (i)
    calls = calls_of([piece('{"pa', id="x1", name="read_file")], [piece('th":"a"}')])
    assert calls == [ToolCall("x1", "read_file", '{"path":"a"}')]


def test_two_whole_calls_without_index_are_told_apart_by_id() -> None:  # C01 (ii)
    calls = calls_of(
        [piece('{"path":"a"}', id="x1", name="read_file")], [piece('{"path":"b"}', id="x2", name="read_file")]
    )
    assert calls == [ToolCall("x1", "read_file", '{"path":"a"}'), ToolCall("x2", "read_file", '{"path":"b"}')]


def test_a_null_index_is_no_index() -> None:  # C01 (iii)
    calls = calls_of([piece('{"pa', id="x1", name="read_file", index=None)], [piece('th":"a"}', index=None)])
    assert calls == [ToolCall("x1", "read_file", '{"path":"a"}')]


def test_interleaved_fragments_go_to_the_call_of_their_index() -> None:  # C01 (iv)
    calls = calls_of(
        [piece('{"pa', id="x1", name="read_file", index=0)],
        [piece('{"pat', id="x2", name="list_dir", index=1)],
        [piece('th":"a"}', index=0)],
        [piece('h":"b"}', index=1)],
    )
    assert calls == [ToolCall("x1", "read_file", '{"path":"a"}'), ToolCall("x2", "list_dir", '{"path":"b"}')]


def test_every_call_numbered_zero_is_still_a_call_of_its_own() -> None:  # C01
    calls = calls_of(
        [piece('{"path":"a"}', id="x1", name="read_file", index=0)],
        [piece('{"path":"b"}', id="x2", name="read_file", index=0)],
    )
    assert [call.id for call in calls] == ["x1", "x2"]


def test_whole_calls_without_id_and_index_are_told_apart_by_name_and_completeness() -> None:  # C01
    calls = calls_of([piece('{"path":"a"}', name="read_file")], [piece('{"path":"b"}', name="read_file")])
    assert calls == [ToolCall("call_1", "read_file", '{"path":"a"}'), ToolCall("call_2", "read_file", '{"path":"b"}')]


def test_two_calls_in_one_delta_without_id_and_index() -> None:  # C01
    calls = calls_of([piece("{}", name="list_dir"), piece("{}", name="todo_write")])
    assert [call.name for call in calls] == ["list_dir", "todo_write"]


@pytest.mark.parametrize("numbered", [{}, {"index": 0}])
def test_two_whole_calls_under_one_id_are_two_calls(numbered: dict[str, int]) -> None:  # C15
    calls = calls_of(
        [piece('{"path":"a"}', id="call_0", name="read_file", **numbered)],
        [piece('{"path":"b"}', id="call_0", name="read_file", **numbered)],
    )
    assert [call.arguments for call in calls] == ['{"path":"a"}', '{"path":"b"}']


@pytest.mark.parametrize("last", ["", "\n"])
def test_a_repeated_name_after_the_last_argument_begins_no_call(last: str) -> None:  # C13
    calls = calls_of(
        [piece('{"path":"a"}', id="x", name="read_file", index=0)], [piece(last, id="x", name="read_file", index=0)]
    )
    assert calls == [ToolCall("x", "read_file", '{"path":"a"}' + last)]


@pytest.mark.parametrize("call_id", ["", None])
def test_a_call_without_id_gets_one(call_id: str | None) -> None:  # C15
    assert calls_of([piece("{}", id=call_id, name="list_dir", index=0)]) == [ToolCall("call_1", "list_dir", "{}")]


def test_a_refusal_is_the_answer() -> None:
    assert assembled(chunk({"content": None, "refusal": "I can't"}, "stop")).content == "I can't"


def test_id_and_name_in_every_delta_make_one_call() -> None:  # C13 (i), as llama-cpp-python sends it
    calls = calls_of(
        [piece("{", id="x", name="read_file", index=0)],
        [piece('"path":', id="x", name="read_file", index=0)],
        [piece('"a"}', id="x", name="read_file", index=0)],
    )
    assert calls == [ToolCall("x", "read_file", '{"path":"a"}')]


def test_a_name_split_over_deltas_is_joined() -> None:  # C13 (ii)
    calls = calls_of([piece("", id="x", name="read_", index=0)], [piece("{}", name="file", index=0)])
    assert calls == [ToolCall("x", "read_file", "{}")]


@pytest.mark.parametrize("later", ["", None])
def test_an_empty_later_name_changes_nothing(later: str | None) -> None:  # C13 (iii)
    calls = calls_of([piece("", id="x", name="read_file", index=0)], [piece("{}", name=later, index=0)])
    assert calls == [ToolCall("x", "read_file", "{}")]


@pytest.mark.parametrize("arguments", [[""], [None], ["  "], ["", "{}"], [{}], ["{", "}"]])
def test_nothing_as_arguments_is_an_empty_object(arguments: list[Any]) -> None:  # C14
    first = piece(arguments[0], id="x", name="list_dir", index=0)
    assert calls_of([first], *([piece(more, index=0)] for more in arguments[1:])) == [ToolCall("x", "list_dir", "{}")]


def test_arguments_sent_as_null_are_an_empty_object() -> None:  # C14
    call = {"index": 0, "id": "x", "function": {"name": "list_dir", "arguments": None}}
    assert calls_of([call]) == [ToolCall("x", "list_dir", "{}")]


def test_arguments_sent_as_an_object_become_json_text() -> None:
    assert calls_of([piece({"path": "界"}, id="x", name="read_file")]) == [ToolCall("x", "read_file", '{"path":"界"}')]


def test_broken_arguments_are_kept_as_they_came() -> None:  # C09, C16: nothing is repaired
    response = assembled(
        chunk(
            {"tool_calls": [piece('{"path":"big.txt","content":"line1\\nline2', id="x", name="write_file", index=0)]}
        ),
        chunk({}, "length"),
    )
    assert response == ChatResponse(
        content="",
        tool_calls=(ToolCall("x", "write_file", '{"path":"big.txt","content":"line1\\nline2'),),
        finish_reason=FinishReason.LENGTH,
    )


@pytest.mark.parametrize(
    "usage_only",
    [
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": None}}]},
    ],
)
def test_chunks_without_content_add_nothing_and_usage_counts_once(usage_only: dict[str, Any]) -> None:  # C02
    usage = {"prompt_tokens": 8, "completion_tokens": 4}
    response = assembled(
        chunk({"content": "he"}, usage={"prompt_tokens": 8, "completion_tokens": 1}),
        {**usage_only, "usage": None},
        chunk({"content": "llo"}, usage={"prompt_tokens": 8, "completion_tokens": 3}),
        chunk({}, "stop"),
        {**usage_only, "usage": usage},
    )
    assert response == ChatResponse("hello", usage=Usage(input_tokens=8, output_tokens=4))


@pytest.mark.parametrize(
    ("sent", "counted"),
    [
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 7},
                "completion_tokens_details": {"reasoning_tokens": 2},
            },
            Usage(9, 7, 5, 2),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 5, "prompt_cache_hit_tokens": 6}, Usage(9, 6, 5, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 5, "cached_tokens": 4}, Usage(9, 4, 5, 0)),
        ({"prompt_tokens": None, "completion_tokens": "5", "prompt_tokens_details": None}, Usage()),
        ({}, None),
        (None, None),
        ("junk", None),
    ],
)
def test_usage_is_read_under_each_providers_names(sent: Any, counted: Usage | None) -> None:
    assert assembled(chunk({"content": "x"}, "stop", usage=sent)).usage == counted


def test_usage_inside_the_choice_is_read_too() -> None:
    whole = {"choices": [{"delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 3, "completion_tokens": 1}}]}
    assert assembled(whole).usage == Usage(input_tokens=3, output_tokens=1)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thinking_comes_under_two_names(field: str) -> None:
    assembler = ReplyAssembler()
    shown = assembler.feed(chunk({field: "R1"})) + assembler.feed(chunk({field: "R2", "content": "a"}, "stop"))
    assert shown == [ThinkingDelta("R1"), ThinkingDelta("R2"), TextDelta("a")]
    assert assembler.response() == ChatResponse("a", thinking="R1R2")


def test_the_same_thinking_under_both_names_counts_once() -> None:
    assert assembled(chunk({"reasoning_content": "R", "reasoning": "R"}, "stop")).thinking == "R"


def test_content_as_a_list_of_parts_is_read() -> None:
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert assembled(chunk({"content": parts}, "stop")) == ChatResponse("ab", thinking="hm")


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("tool_calls", FinishReason.TOOL_CALLS),
        ("function_call", FinishReason.TOOL_CALLS),
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.CONTENT_FILTER),
        ("eos", FinishReason.OTHER),
    ],
)
def test_finish_reasons_are_told_apart(wire: str, reason: FinishReason) -> None:
    assert assembled(chunk({"content": "x"}, wire)).finish_reason is reason


def test_a_missing_finish_reason_is_never_stop() -> None:  # C07
    assembler = ReplyAssembler()
    assembler.feed(chunk({"content": "x"}))
    assert assembler.finish_reason is None
    assembler.mark_done()
    assert assembler.finish_reason is FinishReason.OTHER


def test_a_surrogate_pair_cut_between_deltas_is_one_character() -> None:  # C51
    assembler = ReplyAssembler()
    shown = assembler.feed(chunk({"content": "a\ud83d"})) + assembler.feed(chunk({"content": "\ude00b"}, "stop"))
    assert shown == [TextDelta("a"), TextDelta("😀b")]


def test_a_lone_surrogate_becomes_one_replacement_character_everywhere() -> None:  # C51
    call = piece('{"path":"\ud83d \\ud83d"}', id="x\udc00", name="n\udc00")
    response = assembled(
        chunk({"content": "a\ud83d", "reasoning_content": "b\ud83d"}), chunk({"tool_calls": [call]}, "stop")
    )
    assert response == ChatResponse(
        "a\ufffd", thinking="b\ufffd", tool_calls=(ToolCall("x\ufffd", "n\ufffd", '{"path":"\ufffd \\ufffd"}'),)
    )


@pytest.mark.parametrize(
    "junk",
    [
        {"choices": "x"},
        {"choices": [None, 5]},
        {"choices": [{"delta": "x", "finish_reason": 7}]},
        {"choices": [{"delta": {"tool_calls": {"a": 1}, "content": 5, "reasoning": []}}]},
        {"choices": [{"delta": {"tool_calls": [None, "x", {}, {"function": "x"}, {"index": 0, "function": None}]}}]},
        {"usage": [1], "choices": [{"delta": {"tool_calls": None}}]},
    ],
)
def test_shapes_nobody_promised_raise_nothing(junk: dict[str, Any]) -> None:
    response = assembled(junk, chunk({"content": "ok"}, "stop"))
    assert response.content == "ok"
    assert all(call.name == "" and call.arguments == "{}" for call in response.tool_calls)


@examples(60)
@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=8), max_size=3), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_arguments_split_anywhere_and_interleaved_come_out_whole(arguments: list[dict[str, str]], random: Any) -> None:
    texts = [json.dumps(each, ensure_ascii=False) for each in arguments]
    waiting = {index: list(text) for index, text in enumerate(texts)}
    deltas = [[piece("", id=f"c{index}", name=f"t{index}", index=index)] for index in waiting]
    while any(waiting.values()):
        index = random.choice([index for index, left in waiting.items() if left])
        size = random.randint(1, 5)
        taken, waiting[index] = waiting[index][:size], waiting[index][size:]
        deltas.append([piece("".join(taken), index=index)])
    assert calls_of(*deltas) == [ToolCall(f"c{index}", f"t{index}", text) for index, text in enumerate(texts)]
