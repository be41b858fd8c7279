import itertools
import json
from typing import Any

import pytest

from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    Image,
    Message,
    ResponseFormat,
    SystemMessage,
    ToolCall,
    ToolDeclaration,
    ToolMessage,
    UserMessage,
)
from paicli.llm.openai.request import encode_request
from paicli.llm.providers import PROVIDERS, Quirks, ThinkingSwitch

PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOLS = (ToolDeclaration("write_file", "写文件", PATH), ToolDeclaration("list_dir", "lists", {"type": "object"}))
PLAIN = Quirks()
CALL = ToolCall("x1", "read_file", '{"path":"界"}')
HISTORY: tuple[Message, ...] = (
    SystemMessage("be brief"),
    UserMessage("读"),
    AssistantMessage("", "R1R2", (CALL,)),
    ToolMessage("x1", "read_file", "1: a"),
    AssistantMessage("done", "R3"),
    UserMessage("再来"),
)


def encoded(request: ChatRequest, quirks: Quirks = PLAIN, **options: Any) -> bytes:
    return encode_request(request, model="m", quirks=quirks, **options)


def body(request: ChatRequest, provider: str, **options: Any) -> dict[str, Any]:
    return json.loads(encoded(request, PROVIDERS[provider].quirks, **options))


def test_a_whole_request_is_compact_utf8_in_the_given_order() -> None:
    request = ChatRequest(HISTORY[:4], TOOLS, max_tokens=99)
    assert encoded(request, temperature=0.5).decode() == (
        '{"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"max_tokens":99,"tools":['
        '{"type":"function","function":{"name":"write_file","description":"写文件","parameters":{"type":"object",'
        '"properties":{"path":{"type":"string"}}}}},'
        '{"type":"function","function":{"name":"list_dir","description":"lists","parameters":{"type":"object"}}}],'
        '"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"读"},'
        '{"role":"assistant","content":"","tool_calls":[{"id":"x1","type":"function","function":'
        '{"name":"read_file","arguments":"{\\"path\\":\\"界\\"}"}}]},'
        '{"role":"tool","tool_call_id":"x1","content":"1: a"}]}'
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_request_is_a_prefix_of_the_next_one(provider: str) -> None:
    quirks = PROVIDERS[provider].quirks
    bodies = [encoded(ChatRequest(HISTORY[:length], TOOLS), quirks) for length in range(2, len(HISTORY) + 1)]
    for earlier, later in itertools.pairwise(bodies):
        assert later.startswith(earlier.removesuffix(b"]}"))


def test_thinking_goes_back_only_with_calls_and_only_where_it_is_wanted() -> None:  # C11
    sent = {name: body(ChatRequest(HISTORY), name)["messages"] for name in ("deepseek", "kimi", "glm", "openai")}
    assert sent["deepseek"][2]["reasoning_content"] == "R1R2"
    assert sent["kimi"][2]["reasoning_content"] == "R1R2"
    assert "reasoning_content" not in sent["deepseek"][4]
    assert "R1R2" not in json.dumps([sent["glm"], sent["openai"]])
    assert all("R" not in message["content"] for message in sent["deepseek"])


@pytest.mark.parametrize(
    ("switch", "on", "off"),
    [
        (ThinkingSwitch.NONE, {}, {}),
        (ThinkingSwitch.TYPE, {"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}}),
        (ThinkingSwitch.FLAG, {"enable_thinking": True}, {"enable_thinking": False}),
        (ThinkingSwitch.TEMPLATE, {}, {"chat_template_kwargs": {"enable_thinking": False}}),
        (ThinkingSwitch.REASONING, {"reasoning": {"enabled": True}}, {"reasoning": {"enabled": False}}),
    ],
)
def test_thinking_is_switched_in_the_providers_own_way(
    switch: ThinkingSwitch, on: dict[str, Any], off: dict[str, Any]
) -> None:
    common = {"model", "stream", "stream_options", "messages"}
    for is_on, expected in ((True, on), (False, off)):
        sent = json.loads(encoded(ChatRequest((UserMessage("x"),), thinking=is_on), Quirks(switch)))
        assert {name: value for name, value in sent.items() if name not in common} == expected


def test_json_mode_is_asked_for_only_where_the_provider_has_it() -> None:
    plan = ChatRequest((UserMessage("x"),), response_format=ResponseFormat.JSON_OBJECT)
    assert body(plan, "glm")["response_format"] == {"type": "json_object"}
    assert "response_format" not in body(plan, "lmstudio")
    assert "response_format" not in body(plan, "qwen")
    assert body(plan._replace(thinking=False), "qwen")["response_format"] == {"type": "json_object"}


def test_a_schema_takes_the_place_of_json_mode_where_the_server_holds_replies_to_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    asked = ChatRequest((UserMessage("x"),), response_format=ResponseFormat.JSON_OBJECT, reply_schema=schema)
    described = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    sent = {name: body(asked, name).get("response_format") for name in PROVIDERS}
    local = {"ollama", "lmstudio", "llamacpp", "vllm"}
    assert {name for name, form in sent.items() if form == described} == local
    assert sent["glm"] == {"type": "json_object"}
    assert "response_format" not in body(asked._replace(response_format=ResponseFormat.TEXT), "llamacpp")


def test_the_output_limit_has_the_providers_name() -> None:
    limited = ChatRequest((UserMessage("x"),), max_tokens=7)
    assert body(limited, "openai")["max_completion_tokens"] == 7
    assert body(limited, "deepseek")["max_tokens"] == 7


def test_extra_body_wins_but_never_replaces_the_messages() -> None:
    sent = body(
        ChatRequest((UserMessage("x"),)), "glm", extra_body={"thinking": {"type": "auto"}, "top_p": 1, "messages": []}
    )
    assert sent["thinking"] == {"type": "auto"}
    assert sent["top_p"] == 1
    assert sent["messages"] == [{"role": "user", "content": "x"}]
    assert list(sent)[-1] == "messages"


def test_no_tools_means_no_tools_field() -> None:
    assert "tools" not in body(ChatRequest((UserMessage("x"),)), "custom")


def test_surrogates_never_reach_the_wire() -> None:  # C51
    sent = encoded(
        ChatRequest(
            (
                UserMessage("\ud83d\ude00 \ud83d"),
                AssistantMessage("", "", (ToolCall("x", "read_file", '{"path":"\udcff"}'),)),
                ToolMessage("x", "read_file", "bad\udcff"),
            ),
            (ToolDeclaration("t", "d\ud83d", {"type": "object"}),),
        )
    )
    assert b"\xf0\x9f\x98\x80 \xef\xbf\xbd" in sent
    assert json.loads(sent)["messages"][2]["content"] == "bad\ufffd"


@pytest.mark.parametrize("broken", ['{"path":"a', "[]", "", "nonsense", "[" * 10_000])
@pytest.mark.parametrize("provider", ["custom", "deepseek"])
def test_every_server_gets_an_object_for_earlier_arguments(provider: str, broken: str) -> None:  # C16
    request = ChatRequest((AssistantMessage("", "", (ToolCall("x", "t", broken),)),))
    sent = body(request, provider)["messages"][0]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"malformed_arguments": broken}


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("read_file", "read_file"),
        ("functions.read_file", "functions_read_file"),
        ("read_file ", "read_file_"),
        ("\u8bfb", "_"),
        ("", "unnamed"),
        ("a" * 90, "a" * 64),
    ],
)
def test_names_of_earlier_calls_are_ones_that_every_server_takes(name: str, sent: str) -> None:  # C16, C90
    request = ChatRequest((AssistantMessage("", "", (ToolCall("x", name, "{}"),)),))
    assert body(request, "custom")["messages"][0]["tool_calls"][0]["function"]["name"] == sent


SHOTS = (Image("a.png", "image/png", "iVBORw==", 4), Image("图/b.jpg", "image/jpeg", "/9j/", 3))


def test_images_are_parts_behind_the_text_where_the_model_sees() -> None:
    request = ChatRequest((UserMessage("what?", SHOTS),))
    assert encoded(request, vision=True).decode() == (
        '{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":['
        '{"type":"text","text":"what?\\n\\n[附图 1: a.png]\\n[附图 2: 图/b.jpg]"},'
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}},'
        '{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,/9j/"}}]}]}'
    )


def test_images_are_lines_where_the_model_does_not_see() -> None:
    request = ChatRequest((UserMessage("what?", SHOTS),))
    content = json.loads(encoded(request))["messages"][0]["content"]
    assert content == (
        "what?\n\n[图片 a.png(image/png,4 字节): 当前模型看不到图片,内容没有发送]"
        "\n[图片 图/b.jpg(image/jpeg,3 字节): 当前模型看不到图片,内容没有发送]"
    )


def test_an_image_without_its_bytes_is_a_line_for_every_model() -> None:  # a record keeps none
    of_record = SHOTS[0]._replace(base64="")
    both = json.loads(encoded(ChatRequest((UserMessage("x", (of_record, SHOTS[1])),)), vision=True))
    text, *images = both["messages"][0]["content"]
    assert text["text"] == ("x\n\n[图片 a.png(image/png,4 字节): 当前模型看不到图片,内容没有发送]\n[附图 1: 图/b.jpg]")
    assert [image["image_url"]["url"] for image in images] == ["data:image/jpeg;base64,/9j/"]
    alone = json.loads(encoded(ChatRequest((UserMessage("x", (of_record,)),)), vision=True))
    assert isinstance(alone["messages"][0]["content"], str)


@pytest.mark.parametrize("vision", [True, False])
def test_a_conversation_with_images_keeps_its_prefix(vision: bool) -> None:
    history = (UserMessage("look", SHOTS), AssistantMessage("a cat"), UserMessage("and now"))
    first, second = (encoded(ChatRequest(history[:length]), vision=vision) for length in (1, 3))
    assert second.startswith(first.removesuffix(b"]}"))


def test_no_tag_character_reaches_the_model_from_any_part() -> None:  # C84
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run")
    tool = ToolDeclaration("mcp__a__b", f"reads{hidden}", {"type": "object", "title": hidden})
    messages = (SystemMessage(f"s{hidden}"), UserMessage(f"u{hidden} 👩\u200d💻"), ToolMessage("x1", "t", f"{hidden}r"))
    text = encoded(ChatRequest(messages, (tool,))).decode()
    assert not any(0xE0000 <= ord(character) <= 0xE007F for character in text)
    assert "👩\u200d💻" in text
