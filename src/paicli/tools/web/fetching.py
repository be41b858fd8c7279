"""Fetches a page: from URL to URL as far as redirects may be followed, the whole way within one deadline."""

import time
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import PolicyDenied, ToolFailed
from paicli.core.messages import ErrorKind
from paicli.policy.network.guard import NetworkGuard, Target
from paicli.policy.urls.sites import same_site
from paicli.tools.web.exchange import Answer, Exchanges, Request
from paicli.tools.web.network import Limits, Resolve, resolve

FETCH_S = 30.0
MAX_PAGE_BYTES = 5_000_000
MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPT = "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.5"


class Fetched(NamedTuple):
    target: Target
    """Where the answer came from, after redirects."""
    answer: Answer


class PageFetcher:
    """Follows redirects by its own rules; no library does it for us."""

    def __init__(
        self,
        guard: NetworkGuard,
        *,
        resolve: Resolve = resolve,
        limit_s: float = FETCH_S,
        cap_bytes: int = MAX_PAGE_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._guard = guard
        self._exchanges = Exchanges(guard, resolve=resolve)
        self._limit_s = limit_s
        self._cap_bytes = cap_bytes
        self._clock = clock

    def check(self, url: str) -> Target:
        """The trusted URL taken apart. Raises PolicyDenied for what is no plain http or https URL."""
        return self._guard.check_url(urldefrag(url.strip()).url)

    def fetch(self, url: str, trusts_url: Callable[[str], bool], cancel: CancellationToken) -> Fetched:
        """`url` is trusted; `trusts_url` says of a redirect's target whether it is too.

        Raises PolicyDenied for a place that is none to go to, ToolFailed when no answer came, TurnCancelled.
        """
        target = trusted = self.check(url)
        limits = Limits(self._limit_s, cancel, self._clock)
        for _ in range(MAX_REDIRECTS + 1):
            request = Request(target, headers=(("Accept", _ACCEPT),), cap_bytes=self._cap_bytes)
            answer = self._exchanges.run(request, limits)
            location = answer.header("location").strip()
            if answer.status not in _REDIRECTS or not location:
                return Fetched(target, answer)
            url = _joined(target, location)
            target = self._guard.check_url(url)
            if trusts_url(url):
                trusted = target
            else:
                self._check_hop(target, trusted)
        raise ToolFailed("web.redirects_many", kind=ErrorKind.NETWORK, limit=MAX_REDIRECTS, url=trusted.url)

    def _check_hop(self, target: Target, trusted: Target) -> None:
        """Raises PolicyDenied unless a redirect may go on to `target` from the site of the last trusted URL."""
        if not same_site(trusted.host, target.host):
            raise PolicyDenied("web.redirect_refused", host=trusted.host, url=target.url[:500])
        self._guard.check_port(target, trusted.port)


def _joined(here: Target, location: str) -> str:
    """Where the redirect leads, without its fragment. Raises PolicyDenied for what is no URL."""
    try:
        return urldefrag(urljoin(here.url, location)).url
    except ValueError:
        raise PolicyDenied("web.url_unusable", url=location[:200]) from None
