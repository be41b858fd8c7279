"""grep_code: lines that match a pattern, by ripgrep where there is one, else by a search of our own."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, Listing, ToolDetail, ToolEffect, ToolResult
from paicli.core.unicode import well_formed
from paicli.system.folders import FileKind, NotRegular, open_folder
from paicli.tools.files.access import FoundPath, displayed, find_to_read, translated
from paicli.tools.search.globs import GlobPattern
from paicli.tools.search.walk import SEARCH_S, SearchTime
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import GrepCodeArguments
    from paicli.tools.search.query import Found, Hit, Query, Scope


def _find_ripgrep(root: Path) -> str | None:
    from paicli.tools.search.ripgrep import find_ripgrep  # start-up: 3 ms that only a search needs

    return find_ripgrep(root)


class GrepCode:
    """Both ways give the same results; a pattern that only one of them understands goes to that one."""

    name: ClassVar[str] = "grep_code"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False

    def __init__(
        self, find_program: Callable[[Path], str | None] = _find_ripgrep, *, limit_s: float = SEARCH_S
    ) -> None:
        """`find_program`: project root → ripgrep's path, None where there is none. `limit_s`: of a whole search."""
        self._find_program = find_program
        self._limit_s = limit_s

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import GrepCodeArguments  # start-up: pydantic models cost 50 ms

        return GrepCodeArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        # start-up: 3 ms that only a search needs
        from paicli.tools.search.own_search import search_files
        from paicli.tools.search.ripgrep import Ripgrep

        call = cast("GrepCodeArguments", arguments)
        query = _query(call)
        glob = GlobPattern(call.glob) if call.glob else None
        place = find_to_read(context.paths, call.path)
        scope = _scope(place)
        time = SearchTime(context.cancel, self._limit_s)
        program = self._find_program(context.paths.root)
        found = None
        if program is not None:
            found = Ripgrep(program, query, scope, glob=glob, time=time).run(context.paths)
        if found is None:
            found = search_files(query, scope, glob, paths=context.paths, time=time)
        return _result(found, query, place, limit_s=self._limit_s)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None


def _query(call: "GrepCodeArguments") -> "Query":
    from paicli.tools.search.query import Query  # start-up: as above

    pattern = well_formed(call.pattern)
    if not pattern or "\n" in pattern or "\0" in pattern:
        raise ToolFailed("search.pattern_unusable", kind=ErrorKind.INVALID_ARGUMENT)
    return Query(pattern, call.literal, call.ignore_case, call.context, call.files_only, call.max_results)


def _scope(place: FoundPath) -> "Scope":
    from paicli.tools.search.query import Scope  # start-up: as above

    base, parts = place.guarded.base, place.guarded.parts
    with translated(place.shown), open_folder(base, parts[:-1]) as folder:
        if not parts:  # the root itself, which is there or the folder could not be opened
            return Scope(base, parts, is_file=False)
        kind = folder.kind_of(parts[-1])
        if kind not in {FileKind.FILE, FileKind.FOLDER}:
            raise NotRegular(parts[-1], kind)
    return Scope(base, parts, is_file=kind is FileKind.FILE)


def _result(found: "Found", query: "Query", place: FoundPath, *, limit_s: float) -> ToolResult:
    if found.timed_out and not found.hits:
        raise ToolFailed("search.timed_out", kind=ErrorKind.TIMEOUT, seconds=f"{limit_s:g}")
    lines = [place.note] if place.note else []
    lines += [displayed(_shown(hit, place)) for hit in found.hits] if query.files_only else _lines(found.hits, place)
    if not found.hits:
        lines.append(model_text("search.nothing"))
    if found.is_cut:
        lines.append(model_text("search.cut", count=query.max_results))
    if found.timed_out:
        lines.append(model_text("search.incomplete", seconds=f"{limit_s:g}"))
    matches = sum(hit.is_match for hit in found.hits)
    return ToolResult("\n".join(lines), Listing("grep", matches, found.is_cut or found.timed_out))


def _lines(hits: "Sequence[Hit]", place: FoundPath) -> Iterator[str]:
    """As grep writes them: "path:12:text", "path-11-text" for context, "--" where lines are left out."""
    has_context = any(not hit.is_match for hit in hits)
    before: Hit | None = None
    for hit in hits:
        if has_context and before is not None and (hit.path, hit.number) != (before.path, before.number + 1):
            yield "--"
        sign = ":" if hit.is_match else "-"
        yield f"{displayed(_shown(hit, place))}{sign}{hit.number}{sign}{well_formed(hit.text)}"
        before = hit


def _shown(hit: "Hit", place: FoundPath) -> str:
    """As the model names paths: below the root, or absolute in an added folder."""
    start = "/".join(place.guarded.parts)
    shown = place.guarded.shown
    if shown == (start or "."):
        return hit.path
    return f"{shown}{hit.path[len(start) :]}" if start else f"{shown}/{hit.path}"
