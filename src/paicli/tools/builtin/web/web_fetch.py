"""web_fetch: a page that the person or a search named, as Markdown."""

from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.errors import PolicyDenied
from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.policy.network.guard import AllowedHost
    from paicli.tools.builtin.web.arguments import WebFetchArguments
    from paicli.tools.web.pages import PageReader


class WebFetch:
    """Asks before anything else whether the URL is trusted."""

    name: ClassVar[str] = "web_fetch"
    effect: ClassVar[ToolEffect] = ToolEffect.NETWORK
    needs_approval: ClassVar[bool] = False

    def __init__(self, allowed_hosts: "tuple[AllowedHost, ...]" = (), *, reader: "PageReader | None" = None) -> None:
        """`allowed_hosts`: configured exceptions from what the network guard refuses."""
        self._allowed_hosts = allowed_hosts
        self._reader = reader

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.web.arguments import WebFetchArguments  # start-up: pydantic models cost 50 ms

        return WebFetchArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        url = cast("WebFetchArguments", arguments).url.strip()
        reader = self._opened()
        reader.check(url)
        if not context.trusts_url(url):
            raise PolicyDenied("web.untrusted", url=url[:500])
        return reader.read(url, context.trusts_url, context.cancel)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None

    def _opened(self) -> "PageReader":
        if self._reader is None:
            from paicli.tools.web.pages import open_page_reader  # start-up: httpcore and the guard cost 70 ms

            self._reader = open_page_reader(self._allowed_hosts)
        return self._reader
