"""write_file: a whole file, new or in place of one that this actor has read."""

from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, ToolDetail, ToolEffect, ToolResult
from paicli.core.unicode import well_formed
from paicli.system.files import FileContents
from paicli.tools.files.access import FoundPath, current_contents, find_to_write
from paicli.tools.files.changes import ABSENT, PlannedWrite, commit_write, encoding_of, other_writer, plan_write
from paicli.tools.files.encoding import UTF8
from paicli.tools.files.lines import with_ends
from paicli.tools.ledger import content_hash
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import WriteFileArguments


class WriteFile:
    """Keeps encoding, byte order mark and line ends of what was there."""

    name: ClassVar[str] = "write_file"
    effect: ClassVar[ToolEffect] = ToolEffect.WRITE
    needs_approval: ClassVar[bool] = True

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import WriteFileArguments  # start-up: pydantic models cost 50 ms

        return WriteFileArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("WriteFileArguments", arguments)
        found = find_to_write(context.paths, call.path)
        with context.locks.holding(found.guarded.real):
            planned, note = _plan(found, call.content, context)
            code = "files.created" if planned.was is None else "files.written"
            added, removed = planned.detail.added, planned.detail.removed
            content = model_text(code, path=found.shown, added=added, removed=removed) + note
            return commit_write(planned, context, content=content)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        """Raises ToolFailed where `run` would."""
        call = cast("WriteFileArguments", arguments)
        return _plan(find_to_write(context.paths, call.path), call.content, context)[0].detail


def _plan(found: FoundPath, content: str, context: ToolContext) -> tuple[PlannedWrite, str]:
    """With a note for the model."""
    was = current_contents(found)
    _check_known(found, was, context)
    raw, note = _bytes_like(found, was, well_formed(content))
    return plan_write(found, was, raw, knows_all=True, is_corrected=False), note


def _check_known(found: FoundPath, was: FileContents | None, context: ToolContext) -> None:
    real = found.guarded.real
    seen = context.ledger.seen(real)
    if was is None:
        if seen not in {None, ABSENT}:
            raise ToolFailed("files.gone", path=found.shown)
        return
    writer = other_writer(context, real)
    if seen is None or seen == ABSENT:
        raise ToolFailed("files.unread", kind=ErrorKind.INVALID_ARGUMENT, path=found.shown, writer=writer)
    if seen != content_hash(was.raw):
        raise ToolFailed("files.stale", path=found.shown, writer=writer)


def _bytes_like(found: FoundPath, was: FileContents | None, content: str) -> tuple[bytes, str]:
    """The new bytes in the old ones' encoding and line ends, and a note where that can't be."""
    if was is None or not was.raw:
        return UTF8.encode(content), ""
    encoding = encoding_of(found, was)
    if encoding.bom:
        content = content.removeprefix("\ufeff")
    content = with_ends(content.replace("\r\n", "\n"), _usual_end(encoding.decode(was.raw)))
    try:
        return encoding.encode(content), ""
    except UnicodeEncodeError:
        return UTF8.encode(content), model_text("files.encoding_changed", encoding=encoding.codec)


def _usual_end(text: str) -> str:
    breaks, with_return = text.count("\n"), text.count("\r\n")
    if not breaks and "\r" in text:
        return "\r"
    return "\r\n" if with_return * 2 > breaks else "\n"
