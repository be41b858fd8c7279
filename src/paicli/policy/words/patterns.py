"""Rows of the phrase tables, compiled when a clause first holds one of their words (a whole table costs 90 ms)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from paicli.policy.words.restriction import Restriction

Rows = Sequence[tuple[Restriction, str]]
Triggers = Mapping[Restriction, tuple[str, ...]]
"""What a clause must hold for a row of that restriction to match."""


def patterns_for(text: str, rows: Rows, triggers: Triggers) -> Iterator[tuple[Restriction, re.Pattern[str]]]:
    """The rows that may match."""
    likely = {what for what, words in triggers.items() if any(word in text for word in words)}
    return ((what, compiled(pattern)) for what, pattern in rows if what in likely)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
