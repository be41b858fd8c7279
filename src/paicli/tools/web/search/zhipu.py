"""Zhipu's web search. https://docs.bigmodel.cn/api-reference (网络搜索): POST /paas/v4/web_search"""

from typing import Any

from paicli.tools.web.search.provider import SearchCall, SearchHit, SearchProvider, table, text

_MAX_QUERY_CHARACTERS = 70
"""What its documentation advises; longer ones are cut there."""


def _call(query: str, count: int, key: str) -> SearchCall:
    return SearchCall(
        "/web_search",
        headers=(("Authorization", f"Bearer {key}"),),
        json_body={
            "search_query": query[:_MAX_QUERY_CHARACTERS],
            "search_engine": "search_std",
            "search_intent": False,
            "count": count,
            "content_size": "medium",
        },
    )


def _read(answer: Any) -> list[SearchHit]:
    return [
        SearchHit(text(row, "title"), text(row, "link"), text(row, "content"), text(row, "publish_date"))
        for row in table(answer, "search_result")
    ]


def _fault(answer: Any) -> str:
    return text(answer, "error.message", "message", "msg")


ZHIPU = SearchProvider(
    "zhipu",
    "https://open.bigmodel.cn/api/paas/v4",
    "GLM_API_KEY",
    _call,
    _read,
    _fault,
)
