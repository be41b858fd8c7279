"""list_dir: what is in a folder, folders first, as an indented list."""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import Listing, ToolDetail, ToolEffect, ToolResult
from paicli.system.folders import FileKind, FolderEntry, OpenFolder, open_folder
from paicli.tools.files.access import FoundPath, displayed, find_to_read, open_to_list, size_text
from paicli.tools.search.ignore import IgnoreRules, rules_at
from paicli.tools.search.walk import may_read, sorted_for_people
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import ListDirArguments

MAX_ENTRIES = 500

_SUFFIXES = {FileKind.FOLDER: "/", FileKind.FIFO: " |", FileKind.SOCKET: " =", FileKind.DEVICE: " %"}
"""The marks of `ls -F`."""


class _Listed(NamedTuple):
    parts: tuple[str, ...]
    line: str


class ListDir:
    """One line per entry; what .gitignore leaves out is counted, not named."""

    name: ClassVar[str] = "list_dir"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import ListDirArguments  # start-up: pydantic models cost 50 ms

        return ListDirArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("ListDirArguments", arguments)
        place = find_to_read(context.paths, call.path)
        open_to_list(place).close()
        listing = _FolderListing(place, call.depth, context)
        listing.collect()
        lines = [place.note] if place.note else []
        lines += listing.lines() or [model_text("files.empty_folder")]
        if listing.left_out:
            lines.append(model_text("files.entries_cut", shown=MAX_ENTRIES, count=listing.left_out))
        if listing.ignored:
            lines.append(model_text("files.ignored", count=listing.ignored))
        return ToolResult("\n".join(lines), Listing("list", listing.found, bool(listing.left_out)))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None


class _FolderListing:
    """Level by level, so that a cut takes the deepest entries and not the last folders."""

    def __init__(self, place: FoundPath, depth: int, context: ToolContext) -> None:
        self._base, self._start = place.guarded.base, place.guarded.parts
        self._depth = depth
        self._context = context
        self._children: dict[tuple[str, ...], list[_Listed]] = {}
        self.found = self.ignored = self.left_out = 0

    def collect(self) -> None:
        rules = rules_at(self._base, self._start).rules
        pending = deque([(self._start, rules)])
        while pending and not self.left_out:
            self._context.cancel.raise_if_cancelled()
            here, rules = pending.popleft()
            rules = rules.entering(self._base, here)
            try:
                folder = open_folder(self._base, here)
            except OSError:  # no right to it, or gone meanwhile
                continue
            with folder:
                subfolders = self._take(folder, here, rules)
            pending += [(parts, rules) for parts in subfolders if len(parts) - len(self._start) < self._depth]

    def lines(self) -> list[str]:
        return list(self._lines_below(self._start, ""))

    def _take(self, folder: OpenFolder, here: tuple[str, ...], rules: IgnoreRules) -> list[tuple[str, ...]]:
        """Notes the folder's entries; returns its subfolders that may be entered."""
        subfolders: list[tuple[str, ...]] = []
        listed = self._children.setdefault(here, [])
        for entry in sorted_for_people(folder.entries()):
            parts = (*here, entry.name)
            if rules.ignores(parts, entry.kind):
                self.ignored += 1
                continue
            if self.found == MAX_ENTRIES:
                self.left_out += 1
                continue
            self.found += 1
            listed.append(_Listed(parts, _line(folder, entry)))
            if entry.kind is FileKind.FOLDER and may_read(self._context.paths, self._base, parts):
                subfolders.append(parts)
        return subfolders

    def _lines_below(self, parts: tuple[str, ...], indent: str) -> Iterator[str]:
        for listed in self._children.get(parts, []):
            yield indent + listed.line
            yield from self._lines_below(listed.parts, indent + "  ")


def _line(folder: OpenFolder, entry: FolderEntry) -> str:
    name = displayed(entry.name) + _SUFFIXES.get(entry.kind, "")
    try:
        if entry.kind is FileKind.FILE:
            return f"{name}  {size_text(folder.stat(entry.name).st_size)}"
        if entry.kind is FileKind.LINK:
            return f"{name} -> {displayed(folder.link_target(entry.name))}"
    except OSError:  # gone meanwhile
        pass
    return name
