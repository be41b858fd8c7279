"""A SearXNG instance of one's own. https://docs.searxng.org/dev/search_api.html: GET /search?format=json

It has no parameter for the number of results; the searcher takes the first ones.
"""

from typing import Any

from paicli.tools.web.search.provider import SearchCall, SearchHit, SearchProvider, table, text


def _call(query: str, count: int, key: str) -> SearchCall:
    headers = (("Authorization", f"Bearer {key}"),) if key else ()  # for an instance behind a gate
    return SearchCall("/search", query=(("q", query), ("format", "json")), headers=headers)


def _read(answer: Any) -> list[SearchHit]:
    return [
        SearchHit(text(row, "title"), text(row, "url"), text(row, "content"), text(row, "publishedDate"))
        for row in table(answer, "results")
    ]


def _fault(answer: Any) -> str:
    return text(answer, "error")


SEARXNG = SearchProvider("searxng", "", "", _call, _read, _fault)
