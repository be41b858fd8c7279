"""Tavily. https://docs.tavily.com/documentation/api-reference/endpoint/search: POST /search"""

from typing import Any

from paicli.tools.web.search.provider import SearchCall, SearchHit, SearchProvider, table, text


def _call(query: str, count: int, key: str) -> SearchCall:
    return SearchCall(
        "/search",
        headers=(("Authorization", f"Bearer {key}"),),
        json_body={"query": query, "max_results": count, "search_depth": "basic"},
    )


def _read(answer: Any) -> list[SearchHit]:
    return [
        SearchHit(text(row, "title"), text(row, "url"), text(row, "content"), text(row, "published_date"))
        for row in table(answer, "results")
    ]


def _fault(answer: Any) -> str:
    return text(answer, "detail.error", "detail", "error")


TAVILY = SearchProvider(
    "tavily",
    "https://api.tavily.com",
    "TAVILY_API_KEY",
    _call,
    _read,
    _fault,
)
