"""edit_file: replaces text in a file; every byte outside the replaced span stays what it was."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, ToolDetail, ToolEffect, ToolResult
from paicli.core.unicode import well_formed
from paicli.system.files import FileContents
from paicli.tools.files.access import FoundPath, current_contents, find_to_write, similar_name
from paicli.tools.files.changes import PlannedWrite, commit_write, encoding_of, other_writer, plan_write
from paicli.tools.files.edit_matching import Edit, Edited, apply_edits
from paicli.tools.ledger import content_hash
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import EditFileArguments

_MAX_LINES_NAMED = 10
_ANCHOR_GONE = frozenset({"edit.not_found", "edit.not_found_for_all"})


class EditFile:
    """Needs no earlier read: text that stands there exactly once is proof enough of what the model means."""

    name: ClassVar[str] = "edit_file"
    effect: ClassVar[ToolEffect] = ToolEffect.WRITE
    needs_approval: ClassVar[bool] = True

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import EditFileArguments  # start-up: pydantic models cost 50 ms

        return EditFileArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("EditFileArguments", arguments)
        found = find_to_write(context.paths, call.path)
        with context.locks.holding(found.guarded.real):
            planned, edited = _plan(found, call, context)
            return commit_write(planned, context, content=_told(found, planned, edited))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        """Raises ToolFailed where `run` would."""
        call = cast("EditFileArguments", arguments)
        return _plan(find_to_write(context.paths, call.path), call, context)[0].detail


def _plan(found: FoundPath, call: "EditFileArguments", context: ToolContext) -> tuple[PlannedWrite, Edited]:
    edits = _edits(call)
    was = current_contents(found)
    if was is None:
        raise _missing(found, call.path, context)
    encoding = encoding_of(found, was)
    knows_all = context.ledger.seen(found.guarded.real) == content_hash(was.raw)
    where = [""] if len(edits) == 1 else [model_text("edit.where", number=n + 1) for n in range(len(edits))]
    try:
        edited = apply_edits(was.raw, encoding, edits, where=where)
    except ToolFailed as error:
        raise _with_reason(error, found, was, context=context) from None
    is_corrected = edited.is_corrected
    return plan_write(found, was, edited.raw, knows_all=knows_all, is_corrected=is_corrected), edited


def _edits(call: "EditFileArguments") -> list[Edit]:
    single = call.old_text is not None or call.new_text is not None
    if single and not call.edits and call.old_text is not None and call.new_text is not None:
        return [Edit(well_formed(call.old_text), well_formed(call.new_text), call.replace_all)]
    if single or not call.edits:
        raise ToolFailed("edit.arguments", kind=ErrorKind.INVALID_ARGUMENT)
    return [
        Edit(well_formed(edit.old_text), well_formed(edit.new_text), edit.replace_all or call.replace_all)
        for edit in call.edits
    ]


def _missing(found: FoundPath, path: str, context: ToolContext) -> ToolFailed:
    similar = similar_name(context.paths, path)
    if similar and similar != found.shown:
        return ToolFailed("files.not_found_similar", kind=ErrorKind.NOT_FOUND, path=found.shown, similar=similar)
    return ToolFailed("files.not_found", kind=ErrorKind.NOT_FOUND, path=found.shown)


def _with_reason(error: ToolFailed, found: FoundPath, was: FileContents, *, context: ToolContext) -> ToolFailed:
    """Where the text is gone because the file changed since this actor read it: says so, and who changed it."""
    real = found.guarded.real
    seen = context.ledger.seen(real)
    if error.code not in _ANCHOR_GONE or seen is None or seen == content_hash(was.raw):
        return ToolFailed(error.code, kind=error.kind, **{"path": found.shown, **error.fields})
    fields = {"path": found.shown, "writer": other_writer(context, real), **error.fields}
    return ToolFailed("edit.stale", kind=ErrorKind.NOT_FOUND, **fields)


def _told(found: FoundPath, planned: PlannedWrite, edited: Edited) -> str:
    detail = planned.detail
    lines = model_text(
        "files.edited", path=found.shown, lines=_listed(edited.lines), added=detail.added, removed=detail.removed
    )
    return lines + (model_text("edit.corrected") if edited.is_corrected else "")


def _listed(lines: Sequence[int]) -> str:
    named = ", ".join(str(line) for line in lines[:_MAX_LINES_NAMED])
    return named + (", …" if len(lines) > _MAX_LINES_NAMED else "")
