"""The chunks of an OpenAI-compatible stream put together to one reply, whatever shape real servers give them.

Pure: `ReplyAssembler.feed` takes one parsed chunk and returns what may be shown; nothing is guessed or repaired.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from paicli.core.messages import ChatResponse, FinishReason, TextDelta, ThinkingDelta, ToolCall, Usage
from paicli.core.unicode import well_formed, well_formed_json
from paicli.llm.openai.think_text import ThinkSplitter

Json = dict[str, Any]

_FINISHES = {
    "stop": FinishReason.STOP,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "sensitive": FinishReason.CONTENT_FILTER,
}


class ReplyAssembler:
    """One reply in the making."""

    def __init__(self) -> None:
        self.finish_reason: FinishReason | None = None
        """Set by the stream's own terminal signal, never by default."""
        self._content: list[str] = []
        self._thinking: list[str] = []
        self._calls: list[_CallInMaking] = []
        self._by_index: dict[int, _CallInMaking] = {}
        self._usage: Usage | None = None
        self._splitter = ThinkSplitter()
        self._content_joiner = _SurrogateJoiner()
        self._thinking_joiner = _SurrogateJoiner()

    def feed(self, chunk: Json) -> list[TextDelta | ThinkingDelta]:
        """What this chunk adds to the screen, in order."""
        choice = _first_choice(chunk)
        # Some servers send the running count with every chunk, some inside the choice: the last one stands.
        self._usage = _usage_of(chunk.get("usage")) or _usage_of(choice.get("usage")) or self._usage
        delta = _object(choice.get("delta")) or _object(choice.get("message"))
        thinking = self._thinking_joiner.push(_thinking_of(delta))
        text = _text_of(delta.get("content")) or _text_of(delta.get("refusal"))
        tagged, answer = self._splitter.push(self._content_joiner.push(text))
        for position, piece in enumerate(_objects(delta.get("tool_calls"))):
            self._call_of(piece, is_first=position == 0).add(piece)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.finish_reason = _FINISHES.get(reason, FinishReason.OTHER)
        return self._kept(thinking + tagged, answer)

    def mark_done(self) -> None:
        """`[DONE]` came: the reply is complete even where no chunk said why it ended."""
        if self.finish_reason is None:
            self.finish_reason = FinishReason.OTHER

    def close(self) -> list[TextDelta | ThinkingDelta]:
        """What was held back because it could have become a tag or half a character."""
        thinking = self._thinking_joiner.finish()
        tagged, answer = self._splitter.push(self._content_joiner.finish())
        last_tagged, last_answer = self._splitter.finish()
        return self._kept(thinking + tagged + last_tagged, answer + last_answer)

    def response(self) -> ChatResponse:
        """The whole reply; call it after `close`, and only when `finish_reason` is set."""
        assert self.finish_reason is not None
        return ChatResponse(
            content="".join(self._content),
            thinking="".join(self._thinking),
            tool_calls=tuple(call.finished(number) for number, call in enumerate(self._calls, 1)),
            finish_reason=self.finish_reason,
            usage=self._usage,
        )

    def _kept(self, thinking: str, answer: str) -> list[TextDelta | ThinkingDelta]:
        shown: list[TextDelta | ThinkingDelta] = []
        if thinking:
            self._thinking.append(thinking)
            shown.append(ThinkingDelta(thinking))
        if answer:
            self._content.append(answer)
            shown.append(TextDelta(answer))
        return shown

    def _call_of(self, piece: Json, *, is_first: bool) -> "_CallInMaking":
        call_id, name = _string(piece.get("id")), _string(_object(piece.get("function")).get("name"))
        index = piece.get("index")
        if isinstance(index, int):
            known = self._by_index.get(index)
            # Some servers number every call 0: another id with a name of its own is another call.
            is_other = known is not None and call_id and name and known.id and known.id != call_id
            if known is None or is_other or known.is_followed_by(piece):
                known = self._by_index[index] = self._new_call()
            return known
        last = self._calls[-1] if self._calls else None
        if call_id:
            last = next((call for call in reversed(self._calls) if call.id == call_id), None)
            return self._new_call() if last is None or last.is_followed_by(piece) else last
        if last is None or (name and (not is_first or last.is_whole)):
            return self._new_call()
        return last

    def _new_call(self) -> "_CallInMaking":
        call = _CallInMaking()
        self._calls.append(call)
        return call


class _CallInMaking:
    """One tool call, arriving in pieces."""

    def __init__(self) -> None:
        self.id = ""
        self._name = ""
        self._pieces: list[str] = []
        self._sent_object: str | None = None
        """Arguments that came as an object instead of text."""

    @property
    def is_whole(self) -> bool:
        """The arguments are a complete JSON object: what comes without id and index belongs to another call."""
        if self._sent_object is not None:
            return True
        text = "".join(self._pieces)
        return text.rstrip().endswith("}") and _is_json(text)

    def is_followed_by(self, piece: Json) -> bool:
        """This call is complete and `piece` begins another one under the same id or index."""
        function = _object(piece.get("function"))
        arguments: Any = function.get("arguments")
        begins_anew = isinstance(arguments, dict) or _string(arguments).lstrip().startswith("{")
        return begins_anew and bool(_string(function.get("name"))) and self.is_whole

    def add(self, piece: Json) -> None:
        function = _object(piece.get("function"))
        self.id = self.id or _string(piece.get("id"))
        name = _string(function.get("name"))
        if name != self._name:  # a repeat of the whole name adds nothing
            self._name += name
        arguments: Any = function.get("arguments")
        if isinstance(arguments, str):
            self._pieces.append(arguments)
        elif isinstance(arguments, dict | list):
            self._sent_object = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))

    def finished(self, number: int) -> ToolCall:
        text = "".join(self._pieces)
        if not text.strip():
            text = self._sent_object or "{}"
        return ToolCall(well_formed(self.id) or f"call_{number}", well_formed(self._name), well_formed_json(text))


class _SurrogateJoiner:
    """Joins a surrogate pair that was cut between two deltas; a lone surrogate becomes U+FFFD."""

    def __init__(self) -> None:
        self._high = ""

    def push(self, text: str) -> str:
        text, self._high = self._high + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._high = text[:-1], text[-1]
        return well_formed(text)

    def finish(self) -> str:
        held, self._high = self._high, ""
        return well_formed(held)


def _first_choice(chunk: Json) -> Json:
    nothing: Json = {}
    return next(_objects(chunk.get("choices")), nothing)


def _thinking_of(delta: Json) -> str:
    # Some servers send the same text under both names.
    return (
        _text_of(delta.get("reasoning_content"))
        or _text_of(delta.get("reasoning"))
        or "".join(_text_of(part.get("thinking")) for part in _parts(delta.get("content"), "thinking"))
    )


def _text_of(value: Any) -> str:
    """Text as it is, or the text parts of a list of content parts."""
    if isinstance(value, list):
        return "".join(_string(part.get("text")) for part in _parts(cast("Any", value), "text"))
    return _string(value)


def _parts(value: Any, kind: str) -> Iterator[Json]:
    return (part for part in _objects(value) if part.get("type") == kind)


def _usage_of(value: Any) -> Usage | None:
    usage = _object(value)
    if not usage:
        return None
    cached = (
        _object(usage.get("prompt_tokens_details")).get("cached_tokens")
        or usage.get("prompt_cache_hit_tokens")
        or usage.get("cached_tokens")
    )
    return Usage(
        input_tokens=_count(usage.get("prompt_tokens")),
        cached_tokens=_count(cached),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(_object(usage.get("completion_tokens_details")).get("reasoning_tokens")),
    )


def _count(value: Any) -> int:
    return max(int(value), 0) if isinstance(value, int | float) and value == value and abs(value) < 1e15 else 0


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _object(value: Any) -> Json:
    return cast(Json, value) if isinstance(value, Mapping) else {}


def _objects(value: Any) -> Iterator[Json]:
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            if isinstance(item, Mapping):
                yield cast(Json, item)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
