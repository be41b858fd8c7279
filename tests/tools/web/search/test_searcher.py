"""Each service's adapter over a real HTTP call to a site that answers as its documentation says."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied, ToolFailed
from paicli.core.messages import ErrorKind, WebSearched
from paicli.policy.network.guard import NetworkGuard
from paicli.tools.builtin.web.web_search import WebSearch
from paicli.tools.web.search.provider import SearchHit
from paicli.tools.web.search.providers import PROVIDERS, SearchChoice
from paicli.tools.web.search.searcher import WebSearcher
from tests.fakes.web_site import WebSite, answer, redirect
from tests.tools.web.web_kit import Names, web_context

FIXTURES = Path(__file__).parents[3] / "fixtures" / "web"
KEY = "key-of-the-service-1234"
PATHS = {
    "zhipu": "/web_search",
    "serpapi": "/search.json",
    "searxng": "/search",
    "tavily": "/search",
    "brave": "/web/search",
}
TWO_PAGES = [
    SearchHit("First page", "https://one.example/a", "What the first page says.", "DATE"),
    SearchHit("Second page", "https://two.example/b", "", ""),
]
HITS = {
    "zhipu": [
        SearchHit("第一篇", "https://one.example/a", "第一篇的摘要。 第二行。", "2026-11-01"),
        SearchHit("第二篇", "https://two.example/b", "另一篇", ""),
    ],
    "serpapi": [TWO_PAGES[0]._replace(date="Nov 1, 2026"), TWO_PAGES[1]],
    "searxng": [TWO_PAGES[0]._replace(date="2026-11-01T00:00:00"), TWO_PAGES[1]],
    "tavily": [TWO_PAGES[0]._replace(date="Sun, 01 Nov 2026"), TWO_PAGES[1]._replace(snippet="More.")],
    "brave": [
        SearchHit("First & best page", "https://one.example/a", "What the first page says: 1 < 2.", "November 1, 2026"),
        TWO_PAGES[1],
    ],
}


def recorded(name: str) -> bytes:
    return (FIXTURES / f"{name}.json").read_bytes()


def served(provider: str, page: bytes, status: int = 200) -> WebSite:
    return WebSite({f"/api{PATHS[provider]}": answer(page, "application/json", status=status)})


def searched(provider: str, site: WebSite, query: str = "an example", count: int = 8) -> list[SearchHit]:
    choice = SearchChoice(provider, KEY, site.url("/api/"))
    return WebSearcher(choice, NetworkGuard()).search(query, count, CancellationToken())


def failure(provider: str, page: bytes, status: int) -> ToolFailed:
    with served(provider, page, status) as site, pytest.raises(ToolFailed) as caught:
        searched(provider, site)
    assert model_text(caught.value.code, **caught.value.fields)
    return caught.value


@pytest.mark.parametrize("provider", PROVIDERS)
def test_hits_are_read_from_the_documented_answer(provider: str) -> None:
    with served(provider, recorded(provider)) as site:
        assert searched(provider, site) == HITS[provider]


SENT: dict[str, tuple[str, dict[str, str], dict[str, str], dict[str, Any] | None]] = {
    "zhipu": (
        "POST",
        {},
        {"authorization": f"Bearer {KEY}"},
        {
            "search_query": "例 & x",
            "search_engine": "search_std",
            "search_intent": False,
            "count": 5,
            "content_size": "medium",
        },
    ),
    "serpapi": ("GET", {"engine": "google", "q": "例 & x", "num": "5", "api_key": KEY}, {}, None),
    "searxng": ("GET", {"q": "例 & x", "format": "json"}, {"authorization": f"Bearer {KEY}"}, None),
    "tavily": (
        "POST",
        {},
        {"authorization": f"Bearer {KEY}"},
        {"query": "例 & x", "max_results": 5, "search_depth": "basic"},
    ),
    "brave": ("GET", {"q": "例 & x", "count": "5"}, {"x-subscription-token": KEY}, None),
}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_query_is_put_the_documented_way(provider: str) -> None:
    method, query, headers, body = SENT[provider]
    with served(provider, recorded(provider)) as site:
        searched(provider, site, "例 & x", 5)
        request = site.requests[0]
    assert (request.method, urlsplit(request.path).path) == (method, f"/api{PATHS[provider]}")
    assert dict(parse_qsl(urlsplit(request.path).query)) == query
    assert {name: request.headers.get(name) for name in headers} == headers
    assert (json.loads(request.body) if request.body else None) == body


@pytest.mark.parametrize(
    ("provider", "page", "status", "kind", "what"),
    [
        ("zhipu", "zhipu_error", 401, ErrorKind.AUTH, "Authorization Token非法"),
        ("serpapi", "serpapi_error", 401, ErrorKind.AUTH, "Invalid API key."),
        ("serpapi", "serpapi_error", 200, ErrorKind.NETWORK, "Invalid API key."),
        ("tavily", "tavily_error", 401, ErrorKind.AUTH, "Unauthorized: missing or invalid API key."),
        ("brave", "brave_error", 422, ErrorKind.NETWORK, "The provided subscription token is invalid."),
        ("brave", "brave_error", 429, ErrorKind.RATE_LIMIT, "The provided subscription token is invalid."),
    ],
)
def test_a_refusal_is_told_in_the_services_words(provider: str, page: str, status: int, kind: str, what: str) -> None:
    error = failure(provider, recorded(page), status)
    assert (error.code, error.kind) == ("web.search_refused", kind)
    assert error.fields["what"].startswith(what)


def test_an_empty_search_is_no_failure() -> None:
    with served("serpapi", recorded("serpapi_empty")) as site:
        assert searched("serpapi", site) == []


def test_a_searxng_without_json_says_what_to_set() -> None:
    assert failure("searxng", b"<h1>Forbidden</h1>", 403).code == "web.search_no_json"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("page", [b"<html>login</html>", b"[]", b"[" * 100_000, b"", b"\xff\xfe", b'"text"'])
def test_what_is_no_answer_of_the_service_is_told(provider: str, page: bytes) -> None:
    assert failure(provider, page, 200).code == "web.search_odd"


@pytest.mark.parametrize(
    "page",
    [
        b"{}",
        b'{"search_result":null,"organic_results":null,"results":null,"web":null}',
        b'{"search_result":[1,null,"x",{}],"organic_results":[[]],"results":[{"url":5}],"web":{"results":[null]}}',
    ],
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_rows_that_hold_nothing_are_left_out(provider: str, page: bytes) -> None:
    with served(provider, page) as site:
        assert searched(provider, site) == []


def test_hits_are_counted_bounded_and_none_comes_twice() -> None:
    rows = [{"title": "t" * 500, "url": f"https://{n // 2}.example/", "content": "c" * 5_000} for n in range(40)]
    rows += [{"title": "script", "url": "javascript:alert(1)"}, {"title": "long", "url": "https://x/" + "a" * 5_000}]
    with served("tavily", json.dumps({"results": rows}).encode()) as site:
        hits = searched("tavily", site, count=8)
    assert [hit.url for hit in hits] == [f"https://{n}.example/" for n in range(8)]
    assert {(len(hit.title), len(hit.snippet)) for hit in hits} == {(200, 600)}


def test_a_long_query_is_cut_where_the_service_would_cut_it() -> None:
    with served("zhipu", recorded("zhipu")) as site:
        searched("zhipu", site, "长" * 100)
        assert json.loads(site.requests[0].body)["search_query"] == "长" * 70


def test_a_key_in_the_answer_does_not_come_back() -> None:
    error = failure("serpapi", json.dumps({"error": f"bad key {KEY}"}).encode(), 401)
    assert error.fields["what"] == "bad key ***"


def test_a_redirect_is_not_followed_with_the_key() -> None:
    with WebSite() as other, WebSite({"/api/search": redirect(other.url("/steal"))}) as site:
        with pytest.raises(ToolFailed) as caught:
            searched("tavily", site)
        assert (caught.value.code, caught.value.fields["status"]) == ("web.search_refused", 302)
        assert other.connection_count == 0


def test_only_a_configured_address_may_be_an_inner_one() -> None:
    names = Names({"api.tavily.com": [["127.0.0.1"]]})
    searcher = WebSearcher(SearchChoice("tavily", KEY), NetworkGuard(), resolve=names)
    with pytest.raises(PolicyDenied, match=r"web\.address_refused"):
        searcher.search("x", 8, CancellationToken())


def run_search(tool: WebSearch, arguments: dict[str, Any], root: Path) -> Any:
    return tool.run(tool.arguments_model.model_validate(arguments), web_context(root))


def test_the_tool_lists_hits_and_says_which_urls_it_found(tmp_path: Path) -> None:
    with served("tavily", recorded("tavily")) as site:
        tool = WebSearch(SearchChoice("tavily", KEY, site.url("/api")))
        result = run_search(tool, {"query": " an\nexample "}, tmp_path)
        assert json.loads(site.requests[0].body) == {"query": "an example", "max_results": 8, "search_depth": "basic"}
    assert result.content == (
        "2 个结果 (tavily): an example\n\n"
        "1. First page (Sun, 01 Nov 2026)\n   https://one.example/a\n   What the first page says.\n\n"
        "2. Second page\n   https://two.example/b\n   More."
    )
    assert result.found_urls == ("https://one.example/a", "https://two.example/b")
    assert result.detail == WebSearched("an example", 2, "tavily")


def test_the_tool_says_that_nothing_was_found(tmp_path: Path) -> None:
    with served("tavily", b'{"results":[]}') as site:
        result = run_search(WebSearch(SearchChoice("tavily", KEY, site.url("/api"))), {"query": "x"}, tmp_path)
    assert (result.content, result.found_urls) == ("没有找到结果: x", ())


def test_invisible_letters_of_hits_are_taken_out(tmp_path: Path) -> None:
    # C84
    row = {"title": "a\U000e0041\U000e0042", "url": "https://one.example/", "content": "b\U000e0043\x1b[2J"}
    with served("tavily", json.dumps({"results": [row]}).encode()) as site:
        result = run_search(WebSearch(SearchChoice("tavily", KEY, site.url("/api"))), {"query": "x"}, tmp_path)
    assert "已去除结果中 3 个不可见的标签字符" in result.content
    assert "1. a\n   https://one.example/\n   b[2J" in result.content


@pytest.mark.parametrize(
    ("choice", "code", "hint"),
    [
        (SearchChoice(), "web.search_unset", "TAVILY_API_KEY"),
        (SearchChoice("brave"), "web.search_no_key", "BRAVE_API_KEY"),
        (SearchChoice("searxng"), "web.search_no_url", "web.base_url"),
    ],
)
def test_without_a_service_the_tool_says_how_to_set_one(
    choice: SearchChoice, code: str, hint: str, tmp_path: Path
) -> None:
    with pytest.raises(ToolFailed) as caught:
        run_search(WebSearch(choice), {"query": "x"}, tmp_path)
    assert caught.value.code == code
    assert hint in model_text(code, **caught.value.fields)


def test_an_empty_query_is_no_search(tmp_path: Path) -> None:
    with pytest.raises(ToolFailed, match=r"web\.search_query_empty"):
        run_search(WebSearch(SearchChoice("tavily", KEY)), {"query": " \n "}, tmp_path)
