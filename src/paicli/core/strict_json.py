"""JSON as it is written or not at all: no repeated keys, no NaN, nothing after the value; faults carry their place."""

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NoReturn

from paicli.core.unicode import clipped

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*+")(?P<key>[ \t\n\r]*:)?|(?P<bracket>[{}\[\]])|(?P<constant>NaN|-?Infinity)""",
    re.DOTALL,
)
_BLANK = re.compile(r"[ \t\n\r]*")
_LONG_NUMBER = 300
_DEEP = 100
"""Where a nesting that the parser gave up on is pointed at."""


class JsonFaultKind(StrEnum):
    SYNTAX = "syntax"
    TRAILING = "trailing"
    """Something stands after the value."""
    REPEATED_KEY = "repeated_key"
    CONSTANT = "constant"
    """NaN or Infinity."""
    DEPTH = "depth"


class JsonFault(ValueError):
    """The text is no strict JSON. `position` counts characters from 0, `line` and `column` from 1."""

    def __init__(self, kind: JsonFaultKind, text: str, *, position: int, what: str = "") -> None:
        self.kind = kind
        self.position = position
        self.line, self.column = place_of(text, position)
        self.what = what
        """The parser's words, the key, or the constant."""
        super().__init__(f"line {self.line}, column {self.column}: {self.reason}")

    @property
    def reason(self) -> str:
        """What is wrong, in the words of JSON parsers everywhere."""
        match self.kind:
            case JsonFaultKind.REPEATED_KEY:
                return f"repeated key {self.what}"
            case JsonFaultKind.CONSTANT:
                return f"{self.what} is no JSON number"
            case JsonFaultKind.SYNTAX | JsonFaultKind.TRAILING | JsonFaultKind.DEPTH:
                return self.what


class _Refused(Exception):
    """Ends the decoder from inside one of its hooks, which know no position."""


def place_of(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position, both from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def parse_strict(text: str) -> Any:
    """The value that is the whole text, white space aside. Raises JsonFault, never a RecursionError."""
    start = _skip_blank(text, 0)
    value, end = decode_strict(text, start)
    end = _skip_blank(text, end)
    if end < len(text):
        raise JsonFault(JsonFaultKind.TRAILING, text, position=end, what="extra data")
    return value


def decode_strict(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at `start`, and where it ends. Numbers of over 300 digits come as floats.

    Raises JsonFault.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_no_constant, parse_int=_number)
    try:
        return decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonFault(JsonFaultKind.SYNTAX, text, position=error.pos, what=error.msg) from None
    except _Refused:
        raise next(_refusals(text, start)) from None
    except RecursionError:
        position = _deep_bracket(text, start)
        raise JsonFault(JsonFaultKind.DEPTH, text, position=position, what="nested too deep") from None


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def _number(digits: str) -> int | float:
    # int() of thousands of digits raises, and nobody means such a number exactly.
    return int(digits) if len(digits) <= _LONG_NUMBER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise _Refused


def _refusals(text: str, start: int) -> Iterator[JsonFault]:
    """Repeated keys and constants, in order; the text before the first one is well-formed."""
    open_keys: list[set[str]] = []
    for match in _TOKEN.finditer(text, start):
        if match["bracket"] in ("{", "["):
            open_keys.append(set())
        elif match["bracket"] and open_keys:
            open_keys.pop()
        elif match["constant"]:
            yield JsonFault(JsonFaultKind.CONSTANT, text, position=match.start(), what=match["constant"])
        elif match["key"] and open_keys:
            key: str = json.loads(match["string"])
            if key in open_keys[-1]:
                shown = clipped(match["string"], 80)
                yield JsonFault(JsonFaultKind.REPEATED_KEY, text, position=match.start(), what=shown)
            open_keys[-1].add(key)


def _deep_bracket(text: str, start: int) -> int:
    depth = 0
    for match in _TOKEN.finditer(text, start):
        if match["bracket"]:
            depth += 1 if match["bracket"] in "{[" else -1
        if depth > _DEEP:
            return match.start()
    return start
