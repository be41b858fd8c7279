"""A write in two steps, shared by write_file and edit_file: planned (what a preview shows), then committed."""

from typing import NamedTuple

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, FileWritten, ToolResult
from paicli.system.files import FileContents, replace_file
from paicli.tools.files.access import FoundPath, size_text, translated
from paicli.tools.files.diffs import unified_diff
from paicli.tools.files.encoding import UTF8, TextEncoding, detect_encoding
from paicli.tools.ledger import WRITABLE_BYTES, content_hash
from paicli.tools.tool import ToolContext

ABSENT = ""
"""What the ledger holds for a file that an actor looked for and did not find."""


class PlannedWrite(NamedTuple):
    """A change that has not happened yet."""

    found: FoundPath
    was: FileContents | None
    """What it replaces, None for a new file."""
    raw: bytes
    detail: FileWritten
    knows_all: bool
    """The actor has seen all of the new content, so it may overwrite it later."""


def encoding_of(found: FoundPath, was: FileContents) -> TextEncoding:
    """Raises ToolFailed for a binary file."""
    encoding = detect_encoding(was.raw)
    if encoding is None:
        raise ToolFailed("files.binary_not_writable", kind=ErrorKind.INVALID_ARGUMENT, path=found.shown)
    return encoding


def plan_write(
    found: FoundPath, was: FileContents | None, raw: bytes, *, knows_all: bool, is_corrected: bool
) -> PlannedWrite:
    """Raises ToolFailed when the new content is too large."""
    if len(raw) > WRITABLE_BYTES:
        size = size_text(len(raw))
        raise ToolFailed("files.too_large", kind=ErrorKind.INVALID_ARGUMENT, path=found.shown, size=size)
    diff = unified_diff(None if was is None else _text_of(was.raw), _text_of(raw), found.shown)
    detail = FileWritten(found.shown, diff.text, diff.added, diff.removed, was is None, is_corrected)
    return PlannedWrite(found, was, raw, detail, knows_all)


def commit_write(planned: PlannedWrite, context: ToolContext, *, content: str) -> ToolResult:
    """Writes it; the caller holds the file's lock. `content` is what the model is told.

    Raises TurnCancelled, or ToolFailed when the file is no longer what it was when this was planned.
    """
    guarded = planned.found.guarded
    context.cancel.raise_if_cancelled()
    if planned.was is not None and planned.was.raw == planned.raw:
        return ToolResult(model_text("files.unchanged", path=planned.found.shown), planned.detail)
    with translated(planned.found.shown):
        replace_file(guarded.base, guarded.parts, planned.raw, was=planned.was)
    context.locks.note_writer(guarded.real, context.actor)
    if planned.knows_all:
        context.ledger.note(guarded.real, content_hash(planned.raw))
    return ToolResult(content, planned.detail, files_written=(guarded.real,))


def other_writer(context: ToolContext, real: str) -> str:
    """For a message: who else wrote the file last, as far as this session knows; empty when nobody did."""
    writer = context.locks.last_writer(real)
    return model_text("files.last_writer", writer=writer) if writer not in {None, context.actor} else ""


def _text_of(raw: bytes) -> str:
    return (detect_encoding(raw) or UTF8).decode(raw)
