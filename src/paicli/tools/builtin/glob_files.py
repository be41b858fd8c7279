"""glob_files: files by the pattern of their path, the newest first."""

from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import Listing, ToolDetail, ToolEffect, ToolResult
from paicli.tools.files.access import displayed, find_to_read, open_to_list
from paicli.tools.search.globs import GlobPattern
from paicli.tools.search.ignore import rules_at
from paicli.tools.search.walk import SEARCH_S, SearchTime, Walk, may_read
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import GlobFilesArguments

MAX_FILES = 500


class GlobFiles:
    """Honours .gitignore; links and special files are listed, links are not followed."""

    name: ClassVar[str] = "glob_files"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import GlobFilesArguments  # start-up: pydantic models cost 50 ms

        return GlobFilesArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("GlobFilesArguments", arguments)
        pattern = GlobPattern(call.pattern)
        place = find_to_read(context.paths, call.path)
        open_to_list(place).close()
        base, start = place.guarded.base, place.guarded.parts
        walk = Walk(base, rules=rules_at(base, start).rules, paths=context.paths, time=SearchTime(context.cancel))
        found: list[tuple[int, tuple[str, ...]]] = []
        for file in walk.below(start):
            if pattern.matches("/".join(file.parts[len(start) :])):
                found.append((-file.modified_ns, file.parts))
        newest = [parts for _, parts in sorted(found)[:MAX_FILES]]
        prefix = "" if place.shown == "." else f"{place.shown}/"
        lines = [place.note] if place.note else []
        lines += [
            displayed(prefix + "/".join(parts[len(start) :]))
            for parts in newest
            if may_read(context.paths, base, parts)
        ]
        if not found:
            lines.append(model_text("search.no_files"))
        if len(found) > MAX_FILES:
            lines.append(model_text("search.files_cut", count=len(found), shown=MAX_FILES))
        if walk.timed_out:
            lines.append(model_text("search.incomplete", seconds=int(SEARCH_S)))
        detail = Listing("glob", len(found), len(found) > MAX_FILES or walk.timed_out)
        return ToolResult("\n".join(lines), detail)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
