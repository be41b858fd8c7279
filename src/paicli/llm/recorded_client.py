"""A client that answers from a recorded conversation: no network, no key. The demo, the evals and `replay:FILE` use it.

The file is JSON lines in UTF-8. The first line says what it is, each other line holds one reply, and blank lines are
skipped; fields that are not named here are ignored:

    {"type": "paicli-recording", "version": 1, "model": "name"}
    {"actor": "planner", "reply": {"content": "…", "thinking": "…", "finish_reason": "stop",
     "tool_calls": [{"id": "call_1", "name": "read_file", "arguments": "{\"path\": \"a\"}"}],
     "usage": {"input_tokens": 9, "cached_tokens": 0, "output_tokens": 4, "reasoning_tokens": 0}}}

`model` and all of a reply's fields may be missing; `arguments` may be an object. Each reply answers the request of its
actor at the same position, so parallel tasks may come in any order.
"""

import json
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ReplayDiverged, SettingsError
from paicli.core.messages import (
    ChatRequest,
    ChatResponse,
    FinishReason,
    ModelCapabilities,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    Usage,
)
from paicli.llm.client import OnDelta

RECORDING_TYPE = "paicli-recording"
RECORDING_VERSION = 1

_PIECES = 8
"""A reply's text is streamed in about this many deltas."""
_CAPABILITIES = ModelCapabilities(window_tokens=128_000, thinking=True, json_mode=True)


class RecordedReply(NamedTuple):
    """One reply and who asked for it."""

    actor: str
    response: ChatResponse


class RecordedClient:
    """Answers each actor's requests with the replies recorded for it, in order."""

    provider = "replay"

    def __init__(
        self,
        source: Path | Iterable[RecordedReply],
        *,
        model: str = "",
        capabilities: ModelCapabilities = _CAPABILITIES,
    ) -> None:
        """`source`: a file, or the replies themselves. Raises SettingsError with file and line for a broken file."""
        named, replies = read_recording(source) if isinstance(source, Path) else ("", source)
        self.model = model or named or "recorded"
        self.capabilities = capabilities
        self._lock = threading.Lock()
        self._left: defaultdict[str, deque[ChatResponse]] = defaultdict(deque)
        self._given: defaultdict[str, int] = defaultdict(int)
        for actor, response in replies:
            self._left[actor].append(response)

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        """Raises ReplayDiverged when the recording holds no further reply for the request's actor."""
        cancel.raise_if_cancelled()
        with self._lock:
            self._given[request.actor] += 1
            position = self._given[request.actor]
            left = self._left[request.actor]
            if not left:
                raise ReplayDiverged("llm.replay_diverged", actor=request.actor, position=position)
            response = left.popleft()
        for piece in _pieces(response.thinking):
            cancel.raise_if_cancelled()
            on_delta(ThinkingDelta(piece))
        for piece in _pieces(response.content):
            cancel.raise_if_cancelled()
            on_delta(TextDelta(piece))
        cancel.raise_if_cancelled()
        return response

    def replies_left(self) -> dict[str, int]:
        """How many replies each actor has not asked for yet; empty when the recording is used up."""
        with self._lock:
            return {actor: len(left) for actor, left in self._left.items() if left}

    def close(self) -> None:
        """Nothing is open."""


def read_recording(path: Path) -> tuple[str, list[RecordedReply]]:
    """(the model's name or "", the replies). Raises SettingsError with file and line."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise SettingsError("llm.recording_unreadable", file=str(path), what=error.strerror or str(error)) from error
    records = _records(path, lines)
    nothing: dict[str, Any] = {}
    _, header = next(records, (1, nothing))
    if header.get("type") != RECORDING_TYPE or header.get("version") != RECORDING_VERSION:
        raise _broken(path, 1, f"not {RECORDING_TYPE} version {RECORDING_VERSION}")
    return str(header.get("model") or ""), [_reply(path, number, record) for number, record in records]


def recorded_line(reply: RecordedReply) -> str:
    """`reply` as a line of the file, without its line end."""
    response = reply.response
    fields: dict[str, Any] = {"content": response.content}
    if response.thinking:
        fields["thinking"] = response.thinking
    if response.tool_calls:
        fields["tool_calls"] = [call._asdict() for call in response.tool_calls]
    fields["finish_reason"] = response.finish_reason.value
    if response.usage:
        fields["usage"] = response.usage._asdict()
    return json.dumps({"actor": reply.actor, "reply": fields}, ensure_ascii=False)


def header_line(model: str) -> str:
    """The first line of a recording, without its line end."""
    header = {"type": RECORDING_TYPE, "version": RECORDING_VERSION, "model": model}
    return json.dumps(header, ensure_ascii=False)


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


def _reply(path: Path, number: int, record: dict[str, Any]) -> RecordedReply:
    actor, reply = record.get("actor"), record.get("reply")
    if not isinstance(actor, str) or not isinstance(reply, dict):
        raise _broken(path, number, '"actor" must be a string and "reply" an object')
    try:
        return RecordedReply(actor, _response(cast("dict[str, Any]", reply)))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _broken(path, number, f"{type(error).__name__}: {error}") from error


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


def _text(value: Any) -> str:
    if not isinstance(value, str | None):
        raise TypeError(f"{value!r} is no string")
    return value or ""


def _broken(path: Path, line: int, what: str) -> SettingsError:
    return SettingsError("llm.recording_broken", file=str(path), line=line, what=what)


def _pieces(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // _PIECES))
    return (text[start : start + size] for start in range(0, len(text), size))
