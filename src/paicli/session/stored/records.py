"""A line of the journal back into the event it was: the inverse of `core.event_codec.to_record`.

The shapes come from the annotations of the NamedTuples themselves: a new event needs no line here.
"""

import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from math import isfinite
from typing import Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from paicli.core.event_codec import type_name
from paicli.core.events import Event, EventBody, Origin
from paicli.core.messages import Image
from paicli.core.unicode import well_formed

_ABSENT: dict[type, dict[str, Any]] = {Image: {"base64": ""}}
"""Fields that a record leaves out."""

_MOST_SECONDS = 253_402_300_800.0
"""Since the epoch: the year 10000, which no calendar can show."""

Read = Callable[[Any], Any]


class NotOurs(ValueError):
    """The record is no event that this version knows, or not in its shape."""


class UnknownEvent(NotOurs):
    """A type of event that another version of paicli has."""


class ReadEvent(NamedTuple):
    event: Event
    has_unknown_fields: bool


def event_of(record: dict[str, Any]) -> ReadEvent:
    """Raises UnknownEvent for a type that is not known, NotOurs for a shape that does not fit."""
    kind = record.get("type")
    body_type = _bodies().get(kind) if isinstance(kind, str) else None
    if body_type is None:
        raise UnknownEvent(str(kind)[:100])
    seq, time, session_id = (read(record.get(name)) for name, read in _HEADER.items())
    body_fields = _fields(body_type)
    origin = Origin(**{name: read(record[name]) for name, (read, _) in _fields(Origin).items() if name in record})
    body = cast(EventBody, _named(body_type, record))
    known = len(body_fields.keys() & record.keys()) + len(_fields(Origin).keys() & record.keys() - body_fields.keys())
    return ReadEvent(Event(seq, time, session_id, origin, body), len(record) > known + len(_HEADER) + 1)


@cache
def _bodies() -> dict[str, type]:
    return {type_name(kind): kind for kind in get_args(EventBody)}


@cache
def _fields(kind: type) -> dict[str, tuple[Read, bool]]:
    """Each field's reader, and whether it may be absent."""
    defaults = cast(dict[str, Any], getattr(kind, "_field_defaults", {}))
    hints = get_type_hints(kind)
    names = cast(tuple[str, ...], getattr(kind, "_fields", ()))
    return {name: (_reader(hints[name]), name in defaults) for name in names}


def _named(kind: type, record: Any) -> Any:
    if type(record) is not dict:
        raise NotOurs(kind.__name__)
    values = cast(dict[str, Any], record)
    absent = _ABSENT.get(kind, {})
    taken: dict[str, Any] = {}
    for name, (read, is_optional) in _fields(kind).items():
        if name in values:
            taken[name] = read(values[name])
        elif name in absent:
            taken[name] = absent[name]
        elif not is_optional:
            raise NotOurs(f"{kind.__name__}.{name}")
    return kind(**taken)


@cache
def _reader(wanted: Any) -> Read:
    if wanted in _PLAIN:
        return _PLAIN[wanted]
    if isinstance(wanted, types.UnionType) or get_origin(wanted) is Union:
        return _union(get_args(wanted))
    if get_origin(wanted) is tuple:
        return _tuple(get_args(wanted))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _enum(wanted)
    if isinstance(wanted, type) and hasattr(wanted, "_fields"):
        return lambda value: _named(wanted, value)
    raise TypeError(f"events carry no {wanted}")


def _union(kinds: tuple[Any, ...]) -> Read:
    """One of several tagged tuples, or one kind beside None."""
    others = [kind for kind in kinds if kind is not type(None)]
    is_optional = len(others) < len(kinds)
    if len(others) == 1:
        read_one = _reader(others[0])
        return lambda value: None if value is None else read_one(value)
    tagged: dict[str, type] = {type_name(kind): kind for kind in others}

    def read(value: Any) -> Any:
        if value is None and is_optional:
            return None
        tag: Any = cast(dict[str, Any], value).get("type") if type(value) is dict else None
        if not isinstance(tag, str) or tag not in tagged:
            raise NotOurs(f"one of {', '.join(tagged)}")
        return _named(tagged[tag], value)

    return read


def _tuple(kinds: tuple[Any, ...]) -> Read:
    is_open = len(kinds) == 2 and kinds[1] is Ellipsis
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read(value: Any) -> Any:
        if type(value) is not list:
            raise NotOurs("list")
        items = cast(list[Any], value)
        if is_open:
            return tuple(map(readers[0], items))
        if len(items) != len(readers):
            raise NotOurs("list")
        return tuple(read_item(item) for read_item, item in zip(readers, items, strict=True))

    return read


def _enum(kind: type[Enum]) -> Read:
    members: dict[Any, Enum] = {member.value: member for member in kind}

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in members:
            raise NotOurs(kind.__name__)
        return members[value]

    return read


def _text(value: Any) -> str:
    if type(value) is not str:
        raise NotOurs("text")
    return value if value.isascii() else well_formed(value)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise NotOurs("whole number")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise NotOurs("number")
    try:
        number = float(value)
    except OverflowError:
        raise NotOurs("number") from None
    if not isfinite(number):
        raise NotOurs("number")
    return number


def _moment(value: Any) -> float:
    seconds = _number(value)
    if not 0 <= seconds < _MOST_SECONDS:
        raise NotOurs("time")
    return seconds


def _switch(value: Any) -> bool:
    if type(value) is not bool:
        raise NotOurs("switch")
    return value


_PLAIN: dict[Any, Read] = {str: _text, int: _whole, float: _number, bool: _switch, Any: lambda value: value}
_HEADER: dict[str, Read] = {"seq": _whole, "time": _moment, "session_id": _text}
