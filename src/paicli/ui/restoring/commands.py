"""/undo, /restore, /snapshot, `/diff N`, and the way back from the list of turns: shown first, then asked."""

from collections.abc import Iterable

from paicli.core.errors import PaiError, UserFacingError
from paicli.core.ops import RestoreFiles, Rewind, RewindScope, TakeSnapshot, UndoTurns
from paicli.ui.command import CommandContext, Confirm
from paicli.ui.queries import SessionQueries
from paicli.ui.rendering.styled import Line
from paicli.ui.restoring.preview_lines import preview_lines, snapshot_lines
from paicli.ui.restoring.previews import RestorePreview

_NOTHING = "snapshots.nothing_to_undo"


def answer_undo(context: CommandContext, argument: str) -> "list[Line] | Confirm":
    if argument and (not _is_number(argument) or int(argument) == 0):
        return context.wrong("snapshots.undo_usage")
    turn_count = int(argument or 1)
    return _asked(context.queries.undo_preview(turn_count, ""), UndoTurns(turn_count), context)


def answer_restore(context: CommandContext, argument: str) -> "list[Line] | Confirm":
    if argument:
        return _asked(context.queries.restore_preview(argument), RestoreFiles(argument), context)
    rows = context.queries.snapshots()
    return snapshot_lines(rows, context.texts) if rows else context.said("snapshots.none_yet")


def answer_snapshot(context: CommandContext, argument: str) -> list[Line]:
    context.submit(TakeSnapshot())
    return []


def snapshot_numbers(queries: SessionQueries) -> Iterable[str]:
    try:
        return [str(row.number) for row in queries.snapshots()[:20]]
    except PaiError:  # off, or no git: nothing to offer
        return []


def rewind_asked(context: CommandContext, op: Rewind) -> "list[Line] | Confirm | Rewind":
    """What going back with files would change. An op: there is nothing to ask about."""
    try:
        preview = context.queries.undo_preview(0, op.turn_id)
    except UserFacingError as error:
        if error.code == _NOTHING and op.scope is RewindScope.BOTH:
            return Rewind(op.turn_id)
        raise
    if op.scope is RewindScope.BOTH and not preview.changes and not preview.has_folders:
        return Rewind(op.turn_id)
    return _asked(preview, op, context)


def _asked(
    preview: RestorePreview, op: UndoTurns | RestoreFiles | Rewind, context: CommandContext
) -> "list[Line] | Confirm":
    shown = preview_lines(preview, context.texts)
    if not preview.changes and not preview.has_folders:
        return [*shown[1:-1], *context.said("snapshots.nothing_to_change")]
    return Confirm(tuple(shown), op)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 5
