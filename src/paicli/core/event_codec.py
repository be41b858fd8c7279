"""Events as JSON-ready records: one flat object a line, for the journal and every machine-readable output."""

import re
from enum import Enum
from functools import cache
from typing import Any, cast, get_args

from paicli.core.events import Event
from paicli.core.messages import Image, Message, ToolDetail

_TAGGED: frozenset[type] = frozenset((*get_args(Message), *get_args(ToolDetail)))
_LEFT_OUT: dict[type, frozenset[str]] = {Image: frozenset({"base64"})}
"""A journal tells what was attached; the bytes, megabytes of them, are in the file."""


@cache
def type_name(kind: type) -> str:
    """`PlanCreated` → "plan_created"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


def to_record(event: Event) -> dict[str, Any]:
    """The header's fields, `type`, and the body's fields; empty parts of the origin are left out.

    A message or tool detail inside carries a `type` of its own.
    """
    record: dict[str, Any] = {"seq": event.seq, "time": event.time, "session_id": event.session_id}
    record |= {name: value for name, value in event.origin._asdict().items() if value}
    record["type"] = type_name(type(event.body))
    for name, value in zip(event.body._fields, event.body, strict=True):
        record[name] = plain(value)
    return record


def plain(value: Any) -> Any:
    """NamedTuples as objects, other tuples as arrays, enums as their values; an image without its bytes."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        items = cast(tuple[Any, ...], value)
        kind = cast(type, type(items))
        names: tuple[str, ...] | None = getattr(items, "_fields", None)
        if names is None:
            return [plain(item) for item in items]
        tag = {"type": type_name(kind)} if kind in _TAGGED else {}
        left_out = _LEFT_OUT.get(kind, frozenset())
        return tag | {name: plain(item) for name, item in zip(names, items, strict=True) if name not in left_out}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in cast(dict[Any, Any], value).items()}
    return value
