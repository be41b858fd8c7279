"""The bytes of a journal as records: what is whole is found whatever stands around it."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

_BOM = b"\xef\xbb\xbf"
_START = '{"seq":'
"""How every event's line begins. Inside a string its quotes would be escaped."""
_decoder = json.JSONDecoder()


class ReadLine(NamedTuple):
    records: tuple[dict[str, Any], ...]
    """One, but where lines are glued together."""
    raw: bytes
    """The line as it stands, without its end."""
    is_damaged: bool = False
    """Some of it is no record."""


def read_lines(raw: bytes) -> Iterator[ReadLine]:
    """Every line that holds something."""
    for line in raw.removeprefix(_BOM).split(b"\n"):
        if line.strip():
            yield _read(line)


def _read(line: bytes) -> ReadLine:
    record = _whole(line)
    return ReadLine((record,), line) if record is not None else ReadLine(tuple(_salvaged(line)), line, is_damaged=True)


def _whole(line: bytes) -> dict[str, Any] | None:
    try:
        value: Any = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _salvaged(line: bytes) -> Iterator[dict[str, Any]]:
    """Whole events in a line that is none: glued to one another, to the rest of a cut one, to zeros."""
    text = line.decode("utf-8", "surrogateescape")
    at = text.find(_START)
    while at >= 0:
        try:
            value: Any
            value, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + len(_START)
        else:
            if not _has_invalid_bytes(text[at:end]):
                yield cast(dict[str, Any], value)
        at = text.find(_START, end)


def _has_invalid_bytes(text: str) -> bool:
    return not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text)
