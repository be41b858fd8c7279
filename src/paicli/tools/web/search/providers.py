"""The search services there are, and which of them a session uses."""

from typing import NamedTuple

from paicli.tools.web.search.brave import BRAVE
from paicli.tools.web.search.provider import SearchProvider
from paicli.tools.web.search.searxng import SEARXNG
from paicli.tools.web.search.serpapi import SERPAPI
from paicli.tools.web.search.tavily import TAVILY
from paicli.tools.web.search.zhipu import ZHIPU

PROVIDERS: dict[str, SearchProvider] = {row.name: row for row in (ZHIPU, SERPAPI, SEARXNG, TAVILY, BRAVE)}


class SearchChoice(NamedTuple):
    """Which service a session searches with."""

    provider: str = ""
    """A name of PROVIDERS; empty: none was chosen."""
    api_key: str = ""
    base_url: str = ""
    """Empty: the service's own. A configured one may be on this machine or in the local network."""

    @property
    def missing(self) -> str:
        """What has to be set before a search: "provider", "key", "url"; empty: nothing."""
        row = PROVIDERS.get(self.provider)
        if row is None:
            return "provider"
        if row.key_variable and not self.api_key:
            return "key"
        return "" if self.base_url or row.base_url else "url"


NOTHING_CHOSEN = SearchChoice()
