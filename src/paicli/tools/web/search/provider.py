"""What a search service is to the searcher: how a query is put to it, and how its answer is read."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

MAX_HITS = 20


class SearchHit(NamedTuple):
    title: str
    url: str
    snippet: str = ""
    date: str = ""
    """As the service writes it; empty where it says none."""


class SearchCall(NamedTuple):
    """One HTTP request, apart from the base URL."""

    path: str
    """Below the base URL, from "/"."""
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    json_body: Mapping[str, Any] | None = None
    """None: a GET; else a POST."""


class SearchProvider(NamedTuple):
    """A row of the table: data and two pure functions."""

    name: str
    base_url: str
    """Empty: the person has to say where it is."""
    key_variable: str
    """The environment variable of its key; empty: it wants none."""
    call: Callable[[str, int, str], SearchCall]
    """query, how many hits, key → the request"""
    read: Callable[[Any], list[SearchHit]]
    """The answer's JSON → its hits. Raises ValueError for what is no answer of this service."""
    fault: Callable[[Any], str]
    """The words of an error in the answer's JSON; empty where it says none."""


def table(value: Any, name: str) -> list[Mapping[str, Any]]:
    """The list of objects at `name`; empty where it is absent or null. Raises ValueError where it is something else."""
    if not isinstance(value, dict):
        raise ValueError("no object")
    rows = cast(dict[str, Any], value).get(name)
    if rows is None:
        return []
    if not isinstance(rows, list):
        raise ValueError(f"{name} is no list")
    return [cast(Mapping[str, Any], row) for row in cast(list[Any], rows) if isinstance(row, dict)]


def text(row: Any, *names: str) -> str:
    """The first of these fields that is a text and not blank; a path of keys is written "a.b"."""
    for name in names:
        value: Any = row
        for key in name.split("."):
            value = cast(dict[str, Any], value).get(key) if isinstance(value, dict) else None
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""
