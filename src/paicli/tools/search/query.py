"""What a text search is asked for and what it finds, whoever does the searching."""

from pathlib import Path
from typing import NamedTuple

MAX_SHOWN_CHARACTERS = 500
"""Of one line; a longer one is cut around its first match."""
BEFORE_MATCH, AFTER_MATCH = 100, 300
"""Characters kept around the match of a longer line."""


class Query(NamedTuple):
    """One search."""

    pattern: str
    is_literal: bool = False
    ignore_case: bool = False
    context: int = 0
    """Lines before and after each match."""
    files_only: bool = False
    max_results: int = 50


class Scope(NamedTuple):
    """Where it searches."""

    base: Path
    parts: tuple[str, ...]
    """Below `base`: a folder, or a single file."""
    is_file: bool


class Hit(NamedTuple):
    """One line; with `files_only` a file, its number 0."""

    path: str
    """Below the base, "/"-separated, as the system gives it."""
    number: int
    is_match: bool
    text: str


class Found(NamedTuple):
    hits: tuple[Hit, ...]
    """In order of path and line; context lines between."""
    is_cut: bool = False
    """There is more than was asked for."""
    timed_out: bool = False


def first_results(hits: list[Hit], query: Query) -> tuple[tuple[Hit, ...], bool]:
    """As many matches as wanted with their context, in order, and whether some were left out."""
    ordered = sorted(hits, key=lambda hit: (hit.path, hit.number))
    kept: list[Hit] = []
    matches = 0
    for hit in ordered:
        matches += hit.is_match
        if matches > query.max_results:
            return tuple(_without_stray_context(kept, hit, query)), True
        kept.append(hit)
    return tuple(kept), False


def _without_stray_context(kept: list[Hit], left_out: Hit, query: Query) -> list[Hit]:
    """Drops context lines that belong to the first match left out and to none before it."""
    last = next(hit for hit in reversed(kept) if hit.is_match)
    return [hit for hit in kept if hit <= last or (hit.path == last.path and hit.number <= last.number + query.context)]
