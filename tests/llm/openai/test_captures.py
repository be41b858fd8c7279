"""The captures of real servers as a suite: each is read by a test, and each request that they answered is one that
the encoder could have sent."""

import json
from pathlib import Path
from typing import Any

import pytest

from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    Message,
    ResponseFormat,
    SystemMessage,
    ToolCall,
    ToolDeclaration,
    ToolMessage,
    UserMessage,
)
from paicli.llm.openai.request import encode_request
from paicli.llm.providers import PROVIDERS
from tests.llm.asking import CAPTURES

OURS = ("seed", "tool_choice", "grammar", "stream")
"""What a person adds by `extra_body`; `stream` only where it is off, which paicli never asks for itself."""
NO_REQUEST = ("err-badjson", "err-nomessages")
"""No JSON, or no messages: paicli can't send the like."""
SENT = sorted(path for path in CAPTURES.glob("*.request.json") if not any(name in path.name for name in NO_REQUEST))


def message_of(wire: dict[str, Any]) -> Message:
    match wire:
        case {"role": "system", "content": str(content)}:
            return SystemMessage(content)
        case {"role": "user", "content": str(content)}:
            return UserMessage(content)
        case {"role": "tool", "tool_call_id": str(call_id), "content": str(content)}:
            return ToolMessage(call_id, "bash", content)
        case {"role": "assistant"}:
            calls = [(call["id"], call["function"]) for call in wire["tool_calls"]]
            made = [ToolCall(call_id, function["name"], function["arguments"]) for call_id, function in calls]
            return AssistantMessage(wire["content"] or "", tool_calls=tuple(made))
        case _:
            raise AssertionError(wire)


def request_of(wire: dict[str, Any]) -> ChatRequest:
    functions = [tool["function"] for tool in wire.get("tools", [])]
    form = wire.get("response_format", {})
    return ChatRequest(
        tuple(map(message_of, wire["messages"])),
        tuple(ToolDeclaration(each["name"], each["description"], each["parameters"]) for each in functions),
        response_format=ResponseFormat.JSON_OBJECT if form else ResponseFormat.TEXT,
        max_tokens=wire["max_tokens"],
        reply_schema=form.get("json_schema", {}).get("schema"),
    )


def comparable(wire: dict[str, Any]) -> dict[str, Any]:
    """Without what has no meaning: the schema's name, usage on request, an empty text for none."""
    kept = {name: value for name, value in wire.items() if name not in {"stream_options", "messages"}}
    kept["stream"] = wire.get("stream", False)
    if schema := wire.get("response_format", {}).get("json_schema"):
        kept["response_format"] = {"type": "json_schema", "json_schema": {**schema, "name": "reply"}}
    return kept | {"messages": [{**message, "content": message["content"] or ""} for message in wire["messages"]]}


@pytest.mark.parametrize("path", SENT, ids=lambda path: path.name.removesuffix(".request.json"))
def test_what_a_captured_reply_answered_is_what_the_encoder_sends(path: Path) -> None:
    wire = json.loads(path.read_text(encoding="utf-8"))
    added = {name: wire.get(name, False) for name in OURS if name in wire or name == "stream"}
    body = encode_request(
        request_of(wire),
        model=wire["model"],
        quirks=PROVIDERS["llamacpp"].quirks,
        temperature=wire["temperature"],
        extra_body=added,
    )
    assert comparable(json.loads(body)) == comparable(wire)


def test_every_capture_is_read_by_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in CAPTURES.parents[1].joinpath("llm").rglob("test_*.py"))
    names = {path.stem for path in CAPTURES.glob("*.txt")}
    assert len(names) == 29
    assert [name for name in sorted(names) if f'"{name}"' not in tests] == []
    requests = {path.name.removesuffix(".request.json") for path in CAPTURES.glob("*.request.json")}
    assert requests - names == set()
