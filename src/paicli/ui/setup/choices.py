"""Reads the answer to a numbered list."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

NEAR = 0.75
"""Names at least so alike may be one name, mistyped."""


def chosen_number(typed: str, count: int, *, names: Sequence[str] = ()) -> int | None:
    """The index that `typed` means: a number from 1, or the beginning of exactly one name. None: neither."""
    wanted = typed.strip().lower()
    if wanted.isascii() and wanted.isdigit() and len(wanted) <= 6:
        return int(wanted) - 1 if 1 <= int(wanted) <= count else None
    exact = [index for index, name in enumerate(names) if wanted and name.lower() == wanted]
    begun = [index for index, name in enumerate(names) if wanted and name.lower().startswith(wanted)]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    return None


class NameRead(NamedTuple):
    name: str
    """As it is listed, else as it was typed; empty: a number that stands in no row."""
    nearest: str = ""
    """The listed name that may have been meant; empty: none is near."""


def read_name(typed: str, shown: Sequence[str], *, listed: Sequence[str]) -> NameRead:
    """What `typed` names: a row of `shown` by its number, a name of `listed`, or a name that is not listed at all.

    A name's beginning is no name: servers have `m-5` beside `m-5-air`, and may not list both.
    """
    wanted = typed.strip()
    if wanted.isascii() and wanted.isdigit() and wanted not in listed:
        index = chosen_number(wanted, len(shown))
        return NameRead(shown[index] if index is not None else "")
    for name in listed:
        if name.lower() == wanted.lower():
            return NameRead(name)
    nearest = max(listed, key=lambda name: _likeness(wanted, name), default="")
    return NameRead(wanted, nearest if _likeness(wanted, nearest) >= NEAR else "")


def _likeness(typed: str, name: str) -> float:
    typed, name = typed.lower(), name.lower()
    is_begun = name.startswith(typed) or typed.startswith(name)
    return max(NEAR * is_begun, SequenceMatcher(None, typed, name).ratio())
