"""The file of a recorded conversation.

JSON lines in UTF-8. The first line says what it is; each other line holds what came of one request. Blank lines, lines
without an `actor`, and fields that are not named here are left aside:

    {"type": "paicli-recording", "version": 1, "model": "name"}
    {"actor": "planner", "request": {"messages": 2, "last": "user …", "digest": "…"},
     "reply": {"content": "…", "thinking": "…", "finish_reason": "stop",
     "tool_calls": [{"id": "call_1", "name": "read_file", "arguments": "{\"path\": \"a\"}"}],
     "usage": {"input_tokens": 9, "cached_tokens": 0, "output_tokens": 4, "reasoning_tokens": 0}}}
    {"actor": "task_2", "error": {"kind": "LlmUnreachable", "code": "llm.status", "fields": {"status": 503}}}

`model`, `request` and all of a reply's fields may be missing; `arguments` may be an object. The first line may have
`window_tokens`: how much the model took, where that is less than a replay allows otherwise.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.core.errors import SettingsError, reason_of
from paicli.core.messages import ChatResponse, FinishReason, ToolCall, Usage
from paicli.llm.recorded.fingerprint import Fingerprint

RECORDING_TYPE = "paicli-recording"
RECORDING_VERSION = 1


class RecordedError(NamedTuple):
    """A request that came to no usable reply, after all retries."""

    kind: str
    """The error's class, of `core.errors`; "TurnCancelled" where the person ended it."""
    code: str
    fields: dict[str, Any]


class RecordedReply(NamedTuple):
    """What came of one request, and who asked."""

    actor: str
    response: ChatResponse | RecordedError
    request: Fingerprint | None = None


class Recording(NamedTuple):
    """What a file holds."""

    model: str
    """"" where the file does not say."""
    replies: list[RecordedReply]
    window_tokens: int = 0
    """0: the file does not say."""


def read_recording(path: Path) -> Recording:
    """Raises SettingsError with file and line."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise SettingsError("llm.recording_unreadable", file=str(path), what=reason_of(error)) from error
    records = _records(path, lines)
    nothing: dict[str, Any] = {}
    _, header = next(records, (1, nothing))
    if header.get("type") != RECORDING_TYPE or header.get("version") != RECORDING_VERSION:
        raise _broken(path, 1, f"not {RECORDING_TYPE} version {RECORDING_VERSION}")
    replies = [_recorded(path, number, record) for number, record in records if "actor" in record]
    window = header.get("window_tokens", 0)
    if not isinstance(window, int) or window < 0:
        raise _broken(path, 1, f"window_tokens {window!r} is no number of tokens")
    return Recording(str(header.get("model") or ""), replies, window)


def recorded_line(reply: RecordedReply) -> str:
    """`reply` as a line of the file, without its line end."""
    record: dict[str, Any] = {"actor": reply.actor}
    if reply.request is not None:
        record["request"] = reply.request._asdict()
    if isinstance(reply.response, RecordedError):
        record["error"] = reply.response._asdict()
    else:
        record["reply"] = _fields_of(reply.response)
    return json.dumps(record, ensure_ascii=False)


def header_line(model: str, window_tokens: int = 0) -> str:
    """The first line of a recording, without its line end; `window_tokens` 0: a replay's own window does."""
    header = {"type": RECORDING_TYPE, "version": RECORDING_VERSION, "model": model}
    header |= {"window_tokens": window_tokens} if window_tokens else {}
    return json.dumps(header, ensure_ascii=False)


def _fields_of(response: ChatResponse) -> dict[str, Any]:
    fields: dict[str, Any] = {"content": response.content}
    if response.thinking:
        fields["thinking"] = response.thinking
    if response.tool_calls:
        fields["tool_calls"] = [call._asdict() for call in response.tool_calls]
    fields["finish_reason"] = response.finish_reason.value
    if response.usage:
        fields["usage"] = response.usage._asdict()
    return fields


def _records(path: Path, lines: list[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError) as error:
            raise _broken(path, number, str(error)) from error
        if not isinstance(record, dict):
            raise _broken(path, number, "no JSON object")
        yield number, cast("dict[str, Any]", record)


def _recorded(path: Path, number: int, record: dict[str, Any]) -> RecordedReply:
    actor, reply, error = record["actor"], record.get("reply"), record.get("error")
    answer = reply if error is None else error
    if not isinstance(actor, str) or not isinstance(answer, dict):
        raise _broken(path, number, '"actor" must be a string and "reply" an object')
    try:
        fields = cast("dict[str, Any]", answer)
        answered = _response(fields) if error is None else _error(fields)
        return RecordedReply(actor, answered, _fingerprint(record.get("request")))
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise _broken(path, number, f"{type(fault).__name__}: {fault}") from fault


def _response(reply: dict[str, Any]) -> ChatResponse:
    calls = tuple(_call(call) for call in reply.get("tool_calls") or ())
    default = FinishReason.TOOL_CALLS if calls else FinishReason.STOP
    usage = reply.get("usage")
    return ChatResponse(
        content=_text(reply.get("content")),
        thinking=_text(reply.get("thinking")),
        tool_calls=calls,
        finish_reason=FinishReason(reply.get("finish_reason") or default),
        usage=Usage(**{name: int(usage[name]) for name in Usage._fields if name in usage}) if usage else None,
    )


def _call(call: dict[str, Any]) -> ToolCall:
    arguments = call["arguments"]
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(_text(call["id"]), _text(call["name"]), _text(arguments))


def _error(error: dict[str, Any]) -> RecordedError:
    return RecordedError(_text(error["kind"]), _text(error["code"]), dict(error.get("fields") or {}))


def _fingerprint(request: Any) -> Fingerprint | None:
    if request is None:
        return None
    return Fingerprint(int(request["messages"]), _text(request["last"]), _text(request["digest"]))


def _text(value: Any) -> str:
    if not isinstance(value, str | None):
        raise TypeError(f"{value!r} is no string")
    return value or ""


def _broken(path: Path, line: int, what: str) -> SettingsError:
    return SettingsError("llm.recording_broken", file=str(path), line=line, what=what)
