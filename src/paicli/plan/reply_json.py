"""Takes the one JSON value out of a model's reply: what may stand around it comes off, nothing is repaired."""

import re
from typing import Any, NoReturn

from paicli.core.errors import PlanInvalid
from paicli.core.strict_json import JsonFault, JsonFaultKind, decode_strict, place_of
from paicli.core.unicode import well_formed

_BLANK = re.compile(r"[\s\ufeff]*")
_THINK, _THINK_END = "<think>", "</think>"
_FENCE = "```"
_FENCE_START = re.compile(r"```(?:json)?(?=\s|[{\[\"]|$)[\s\ufeff]*", re.IGNORECASE)


def read_json(text: str) -> Any:
    """The value of the reply's JSON, after BOM, white space, a leading think block and one surrounding fence.

    Raises PlanInvalid: `plan.invalid.empty`, or one of `plan.invalid.json…` with line and column (from 1) in `text`.
    """
    text = well_formed(text).lstrip("\ufeff")
    start = _content_start(text)
    if start == len(text):
        raise PlanInvalid("plan.invalid.empty")
    fence = _FENCE_START.match(text, start)
    if fence is None:
        value, end = _decoded(text, start)
        _check_end(text, _skip_blank(text, end))
        return value
    start = fence.end()
    if text.startswith(_FENCE, start) and _skip_blank(text, start + len(_FENCE)) == len(text):
        raise PlanInvalid("plan.invalid.empty")
    value, end = _decoded(text, start)
    end = _skip_blank(text, end)
    if end == len(text):
        _refuse("plan.invalid.json_fence", text, end)
    if text.startswith(_FENCE, end):
        end = _skip_blank(text, end + len(_FENCE))
    _check_end(text, end)
    return value


def _content_start(text: str) -> int:
    start = _skip_blank(text, 0)
    if not text.startswith(_THINK, start):
        return start
    end = text.find(_THINK_END, start)
    return start if end < 0 else _skip_blank(text, end + len(_THINK_END))


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _check_end(text: str, position: int) -> None:
    if position < len(text):
        _refuse("plan.invalid.json_trailing", text, position)


def _decoded(text: str, start: int) -> tuple[Any, int]:
    try:
        return decode_strict(text, start)
    except JsonFault as fault:
        match fault.kind:
            case JsonFaultKind.REPEATED_KEY:
                _refuse("plan.invalid.json_repeated_key", text, fault.position, key=fault.what)
            case JsonFaultKind.CONSTANT:
                _refuse("plan.invalid.json_constant", text, fault.position, what=fault.what)
            case JsonFaultKind.DEPTH:
                _refuse("plan.invalid.json_depth", text, fault.position)
            case JsonFaultKind.SYNTAX | JsonFaultKind.TRAILING:
                _refuse("plan.invalid.json", text, fault.position, what=fault.what)


def _refuse(code: str, text: str, position: int, **fields: str) -> NoReturn:
    line, column = place_of(text, position)
    raise PlanInvalid(code, line=line, column=column, **fields)
