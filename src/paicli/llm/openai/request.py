"""A chat request as the bytes an OpenAI-compatible server reads. Pure functions: what differs between providers comes
from the profile's quirks.

The same conversation always gives the same bytes, and the messages stand last, so that each request's body but its
closing brackets is a prefix of the next one's: the provider's prompt cache hits.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from paicli.core.catalogue.lookup import model_text
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
from paicli.core.unicode import well_formed, without_tags
from paicli.llm.providers import Quirks, ThinkingSwitch

Json = dict[str, Any]

_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
_NAME_LIMIT = 64


def encode_request(
    request: ChatRequest,
    *,
    model: str,
    quirks: Quirks,
    vision: bool = False,
    temperature: float | None = None,
    extra_body: Mapping[str, Any] | None = None,
) -> bytes:
    """The body, UTF-8 JSON. `extra_body` wins over what is set here, the messages aside.

    Without `vision` an image is a line that names it.
    """
    body: Json = {"model": model, "stream": True}
    if quirks.stream_usage:
        body["stream_options"] = {"include_usage": True}
    if temperature is not None:
        body["temperature"] = temperature
    if request.max_tokens is not None:
        body[quirks.max_tokens_field] = request.max_tokens
    body |= _thinking(quirks.thinking_switch, is_on=request.thinking)
    body |= _response_format(request, quirks)
    if request.tools:
        body["tools"] = [_declaration(tool) for tool in request.tools]
    body |= extra_body or {}
    body.pop("messages", None)
    body["messages"] = [_message(message, quirks, vision=vision) for message in request.messages]
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return without_tags(well_formed(text))[0].encode()


def _response_format(request: ChatRequest, quirks: Quirks) -> Json:
    if request.response_format is not ResponseFormat.JSON_OBJECT:
        return {}
    if request.reply_schema is not None and quirks.json_schema:
        described = {"name": "reply", "strict": True, "schema": request.reply_schema}
        return {"response_format": {"type": "json_schema", "json_schema": described}}
    if quirks.may_ask_for_json(is_thinking=request.thinking):
        return {"response_format": {"type": "json_object"}}
    return {}


def _thinking(switch: ThinkingSwitch, *, is_on: bool) -> Json:
    match switch:
        case ThinkingSwitch.NONE:
            return {}
        case ThinkingSwitch.TYPE:
            return {"thinking": {"type": "enabled" if is_on else "disabled"}}
        case ThinkingSwitch.FLAG:
            return {"enable_thinking": is_on}
        case ThinkingSwitch.TEMPLATE:
            return {} if is_on else {"chat_template_kwargs": {"enable_thinking": False}}
        case ThinkingSwitch.REASONING:
            return {"reasoning": {"enabled": is_on}}


def _declaration(tool: ToolDeclaration) -> Json:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _message(message: Message, quirks: Quirks, *, vision: bool) -> Json:
    match message:
        case SystemMessage(content):
            return {"role": "system", "content": content}
        case UserMessage(content, images):
            return {"role": "user", "content": _with_images(content, images, vision=vision) if images else content}
        case ToolMessage(call_id, _, content):
            return {"role": "tool", "tool_call_id": call_id, "content": content}
        case AssistantMessage(content, thinking, calls):
            wire: Json = {"role": "assistant", "content": content}
            if calls:
                if quirks.echoes_thinking:
                    wire["reasoning_content"] = thinking
                wire["tool_calls"] = [_call(call) for call in calls]
            return wire


def _with_images(content: str, images: Sequence[Image], *, vision: bool) -> str | list[Json]:
    """Parts, or the text alone where there is nothing that the model could see."""
    seen = [image for image in images if vision and image.base64]
    lines = [
        model_text("mention.image_unseen", path=image.path, media_type=image.media_type, size_bytes=image.size_bytes)
        for image in images
        if image not in seen
    ]
    lines += [model_text("mention.image", number=number, path=image.path) for number, image in enumerate(seen, 1)]
    text = "\n".join((f"{content}\n", *lines))
    if not seen:
        return text
    urls = [f"data:{image.media_type};base64,{image.base64}" for image in seen]
    return [{"type": "text", "text": text}, *({"type": "image_url", "image_url": {"url": url}} for url in urls)]


def _call(call: ToolCall) -> Json:
    """A call as any server takes it back: many parse earlier arguments, or hold names to a pattern, and one that
    fits neither would fail every later request. What was wrong with it stands in its result."""
    name, arguments = _NOT_IN_NAMES.sub("_", call.name)[:_NAME_LIMIT] or "unnamed", call.arguments
    if not _is_object(arguments):
        arguments = json.dumps({"malformed_arguments": arguments}, ensure_ascii=False, separators=(",", ":"))
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
