"""Reads the one JSON value of a model's reply, strictly: nothing is repaired, and each fault has its position."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from paicli.core.errors import PlanInvalid
from paicli.core.unicode import clipped, well_formed

_BLANK = re.compile(r"[\s\ufeff]*")
_THINK, _THINK_END = "<think>", "</think>"
_FENCE = "```"
_FENCE_START = re.compile(r"```(?:json)?(?=\s|[{\[\"]|$)[\s\ufeff]*", re.IGNORECASE)
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*+")(?P<key>[ \t\n\r]*:)?|(?P<bracket>[{}\[\]])|(?P<constant>NaN|-?Infinity)""",
    re.DOTALL,
)
_LONG_NUMBER = 300
_DEEP = 100
"""Where a nesting that the parser gave up on is pointed at."""


class _Refused(Exception):
    """Ends the decoder from inside one of its hooks."""


def read_json(text: str) -> Any:
    """The value of the reply's JSON, after BOM, white space, a leading think block and one surrounding fence.

    Numbers of over 300 digits come as floats. Raises PlanInvalid: `plan.invalid.empty`, or one of `plan.invalid.json…` with the line and
    column (from 1) in `text`.
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
    decoder = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_constant, parse_int=_number)
    try:
        return decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        # a decoder that begins in the middle reports "nothing here" at its start, as it should
        _refuse("plan.invalid.json", text, error.pos, what=error.msg)
    except _Refused:
        position, code, fields = next(_refusals(text, start))
        _refuse(code, text, position, **fields)
    except RecursionError:
        _refuse("plan.invalid.json_depth", text, _deep_bracket(text, start))


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def _number(digits: str) -> int | float:
    # int() of thousands of digits raises; no field of a plan is a number, so a float is exact enough.
    return int(digits) if len(digits) <= _LONG_NUMBER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise _Refused


def _refusals(text: str, start: int) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Positions of repeated keys and of constants that are no JSON; the text before the first one is well-formed."""
    open_keys: list[set[str]] = []
    for match in _TOKEN.finditer(text, start):
        if match["bracket"] in ("{", "["):
            open_keys.append(set())
        elif match["bracket"] and open_keys:
            open_keys.pop()
        elif match["constant"]:
            yield match.start(), "plan.invalid.json_constant", {"what": match["constant"]}
        elif match["key"] and open_keys:
            key: str = json.loads(match["string"])
            if key in open_keys[-1]:
                shown = clipped(match["string"], 80)
                yield match.start(), "plan.invalid.json_repeated_key", {"key": shown}
            open_keys[-1].add(key)


def _deep_bracket(text: str, start: int) -> int:
    depth = 0
    for match in _TOKEN.finditer(text, start):
        if match["bracket"]:
            depth += 1 if match["bracket"] in "{[" else -1
        if depth > _DEEP:
            return match.start()
    return start


def _refuse(code: str, text: str, position: int, **fields: str) -> NoReturn:
    before = text[:position]
    line = before.count("\n") + 1
    column = position - (before.rfind("\n") + 1) + 1
    raise PlanInvalid(code, line=line, column=column, **fields)
