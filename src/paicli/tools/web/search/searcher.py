"""Puts a query to the chosen service and reads what it found."""

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed
from paicli.core.masking import SecretMasker
from paicli.core.messages import ErrorKind
from paicli.core.unicode import clipped, well_formed
from paicli.policy.network.guard import MAX_URL_CHARACTERS, AllowedHost, NetworkGuard, Target
from paicli.tools.web.exchange import Answer, Exchanges, Request
from paicli.tools.web.network import Limits, Resolve, resolve
from paicli.tools.web.search.provider import SearchCall, SearchHit, SearchProvider
from paicli.tools.web.search.providers import PROVIDERS, SearchChoice

SEARCH_S = 20.0
MAX_ANSWER_BYTES = 2_000_000
MAX_SNIPPET_CHARACTERS = 600
_MAX_TITLE_CHARACTERS = 200
_KIND_OF_STATUS = {401: ErrorKind.AUTH, 403: ErrorKind.AUTH, 402: ErrorKind.RATE_LIMIT, 429: ErrorKind.RATE_LIMIT}


class WebSearcher:
    """One for a session; redirects are not followed, so a key goes to nobody else."""

    def __init__(
        self, choice: SearchChoice, guard: NetworkGuard, *, resolve: Resolve = resolve, limit_s: float = SEARCH_S
    ) -> None:
        """`choice` lacks nothing."""
        self._choice = choice
        self._row: SearchProvider = PROVIDERS[choice.provider]
        self._guard = guard
        self._resolve = resolve
        self._limit_s = limit_s
        self._masker = SecretMasker([choice.api_key] if choice.api_key else [])

    def search(self, query: str, count: int, cancel: CancellationToken) -> list[SearchHit]:
        """At most `count` hits with an http or https URL each, none twice.

        Raises ToolFailed, PolicyDenied, TurnCancelled.
        """
        call = self._row.call(query, count, self._choice.api_key)
        target = self._guard.check_url(_url(self._choice.base_url or self._row.base_url, call))
        guard = self._guard
        if self._choice.base_url:
            # The person named this very place: it may be on this machine, as a SearXNG of one's own often is.
            guard = guard.with_allowed(AllowedHost(target.host, port=target.port))
        limits = Limits(self._limit_s, cancel)
        answer = Exchanges(guard, resolve=self._resolve).run(_request(target, call), limits)
        return self._hits(answer, count)

    def _hits(self, answer: Answer, count: int) -> list[SearchHit]:
        name, status = self._row.name, answer.status
        if name == "searxng" and status == 403:
            raise ToolFailed("web.search_no_json", kind=ErrorKind.PERMISSION)
        value = _parsed(answer.body)
        said = self._row.fault(value)
        if status != 200 or said:
            what = self._masker.mask(clipped(said or _first_words(answer.body), 300)) or "-"
            kind = _KIND_OF_STATUS.get(status, ErrorKind.NETWORK)
            raise ToolFailed("web.search_refused", kind=kind, provider=name, status=status, what=what)
        try:
            found = self._row.read(value)
        except ValueError:
            what = self._masker.mask(clipped(_first_words(answer.body), 200)) or "-"
            raise ToolFailed(
                "web.search_odd", kind=ErrorKind.NETWORK, provider=name, status=status, what=what
            ) from None
        kept: dict[str, SearchHit] = {}
        for hit in found:
            if hit.url.lower().startswith(("http://", "https://")) and len(hit.url) <= MAX_URL_CHARACTERS:
                kept.setdefault(hit.url, _tidied(hit))
        return list(kept.values())[:count]


def open_searcher(choice: SearchChoice, allowed_hosts: Iterable[AllowedHost]) -> WebSearcher:
    """`choice` lacks nothing; `allowed_hosts`: configured exceptions from what the network guard refuses."""
    return WebSearcher(choice, NetworkGuard(allowed_hosts))


def _url(base_url: str, call: SearchCall) -> str:
    query = f"?{urlencode(call.query)}" if call.query else ""
    return f"{base_url.rstrip('/')}{call.path}{query}"


def _request(target: Target, call: SearchCall) -> Request:
    headers = (("Accept", "application/json"), *call.headers)
    if call.json_body is None:
        return Request(target, "GET", headers, cap_bytes=MAX_ANSWER_BYTES)
    body = json.dumps(call.json_body, ensure_ascii=False).encode("utf-8", "replace")
    return Request(target, "POST", (*headers, ("Content-Type", "application/json")), body, MAX_ANSWER_BYTES)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _first_words(body: bytes) -> str:
    return " ".join(body[:1_000].decode("utf-8", "replace").split())


def _tidied(hit: SearchHit) -> SearchHit:
    """Each on one line and of a bounded length."""
    title, url, snippet, date = (" ".join(well_formed(part).split()) for part in hit)
    return SearchHit(
        clipped(title, _MAX_TITLE_CHARACTERS), url, clipped(snippet, MAX_SNIPPET_CHARACTERS), clipped(date, 40)
    )
