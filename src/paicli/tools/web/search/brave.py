"""Brave Search. https://api-dashboard.search.brave.com/app/documentation/web-search: GET /web/search

Titles and descriptions hold HTML: `<strong>` around what was searched for, and character references.
"""

import re
from typing import Any, cast

from paicli.tools.web.search.provider import MAX_HITS, SearchCall, SearchHit, SearchProvider, table, text

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def _call(query: str, count: int, key: str) -> SearchCall:
    return SearchCall(
        "/web/search",
        query=(("q", query), ("count", str(min(count, MAX_HITS)))),
        headers=(("X-Subscription-Token", key),),
    )


def _read(answer: Any) -> list[SearchHit]:
    if not isinstance(answer, dict):
        raise ValueError("no object")
    web = cast(dict[str, Any], answer).get("web")
    return [
        SearchHit(_plain(text(row, "title")), text(row, "url"), _plain(text(row, "description")), text(row, "age"))
        for row in (table(web, "results") if web is not None else [])
    ]


def _plain(markup: str) -> str:
    from html import unescape  # 2 ms at start-up, for its table of names

    return unescape(_TAG.sub("", markup))


def _fault(answer: Any) -> str:
    return text(answer, "error.detail", "error.code", "message")


BRAVE = SearchProvider(
    "brave",
    "https://api.search.brave.com/res/v1",
    "BRAVE_API_KEY",
    _call,
    _read,
    _fault,
)
