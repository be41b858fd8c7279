"""SerpApi's Google search. https://serpapi.com/search-api: GET /search.json; its key stands in the query."""

from typing import Any

from paicli.tools.web.search.provider import SearchCall, SearchHit, SearchProvider, table, text

_NO_RESULTS = "hasn't returned any results"


def _call(query: str, count: int, key: str) -> SearchCall:
    return SearchCall("/search.json", query=(("engine", "google"), ("q", query), ("num", str(count)), ("api_key", key)))


def _read(answer: Any) -> list[SearchHit]:
    return [
        SearchHit(text(row, "title"), text(row, "link"), text(row, "snippet"), text(row, "date"))
        for row in table(answer, "organic_results")
    ]


def _fault(answer: Any) -> str:
    said = text(answer, "error")
    return "" if _NO_RESULTS in said else said  # an empty search is told as an error, in an answer that is fine


SERPAPI = SearchProvider("serpapi", "https://serpapi.com", "SERPAPI_API_KEY", _call, _read, _fault)
