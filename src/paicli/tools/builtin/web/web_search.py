"""web_search: what a search service finds, and URLs that may be fetched from the next step on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, ToolDetail, ToolEffect, ToolResult, WebSearched
from paicli.core.unicode import well_formed, without_tags
from paicli.tools.tool import ToolContext
from paicli.tools.web.search.provider import SearchHit
from paicli.tools.web.search.providers import NOTHING_CHOSEN, PROVIDERS, SearchChoice

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.policy.network.guard import AllowedHost
    from paicli.tools.builtin.web.arguments import WebSearchArguments
    from paicli.tools.web.search.searcher import WebSearcher

_MAX_QUERY_CHARACTERS = 400


class WebSearch:
    """Without a service it answers with how to set one."""

    name: ClassVar[str] = "web_search"
    effect: ClassVar[ToolEffect] = ToolEffect.NETWORK
    needs_approval: ClassVar[bool] = False

    def __init__(
        self,
        choice: SearchChoice = NOTHING_CHOSEN,
        allowed_hosts: "tuple[AllowedHost, ...]" = (),
        *,
        searcher: "WebSearcher | None" = None,
    ) -> None:
        self._choice = choice
        self._allowed_hosts = allowed_hosts
        self._searcher = searcher

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.web.arguments import WebSearchArguments  # start-up: pydantic models cost 50 ms

        return WebSearchArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("WebSearchArguments", arguments)
        query = " ".join(well_formed(call.query).split())[:_MAX_QUERY_CHARACTERS]
        if not query:
            raise ToolFailed("web.search_query_empty", kind=ErrorKind.INVALID_ARGUMENT)
        self._check_choice()
        hits = self._opened().search(query, call.max, context.cancel)
        return _result(hits, query, self._choice.provider)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None

    def _check_choice(self) -> None:
        """Raises ToolFailed that says what to set."""
        match self._choice.missing:
            case "":
                return
            case "key":
                row = PROVIDERS[self._choice.provider]
                raise ToolFailed("web.search_no_key", kind=ErrorKind.AUTH, provider=row.name, variable=row.key_variable)
            case "url":
                raise ToolFailed("web.search_no_url", kind=ErrorKind.NOT_FOUND)
            case _:
                raise ToolFailed("web.search_unset", kind=ErrorKind.NOT_FOUND)

    def _opened(self) -> "WebSearcher":
        if self._searcher is None:
            from paicli.tools.web.search.searcher import open_searcher  # start-up: httpcore and the guard cost 70 ms

            self._searcher = open_searcher(self._choice, self._allowed_hosts)
        return self._searcher


def _result(hits: Sequence[SearchHit], query: str, provider: str) -> ToolResult:
    from paicli.tools.web.hidden import without_controls  # start-up: 2 ms of patterns

    detail = WebSearched(query, len(hits), provider)
    if not hits:
        return ToolResult(model_text("web.search_nothing", query=query), detail)
    listed = "\n\n".join(_shown(number, hit) for number, hit in enumerate(hits, 1))
    listed, tag_count = without_tags(without_controls(listed))
    head = [model_text("web.search_found", count=len(hits), provider=provider, query=query)]
    if tag_count:
        head.append(model_text("web.search_tags_removed", count=tag_count))
    content = "\n".join((*head, "", listed))
    return ToolResult(content, detail, found_urls=tuple(hit.url for hit in hits))


def _shown(number: int, hit: SearchHit) -> str:
    date = f" ({hit.date})" if hit.date else ""
    lines = [f"{number}. {hit.title or hit.url}{date}", f"   {hit.url}"]
    return "\n".join([*lines, *([f"   {hit.snippet}"] if hit.snippet else [])])
