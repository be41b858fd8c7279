"""/undo, /restore, /snapshot, `/diff N`, and the way back from the list of turns: shown first, then asked."""

from collections.abc import Iterable, Sequence

from paicli.core.errors import PaiError, UserFacingError
from paicli.core.ops import RestoreFiles, Rewind, RewindScope, TakeSnapshot, UndoTurns
from paicli.ui.command import ArgumentSources, Choice, CommandContext, Confirm, is_number
from paicli.ui.rendering.styled import Line
from paicli.ui.restoring.preview_lines import preview_lines, snapshot_lines
from paicli.ui.restoring.previews import RestorePreview, SnapshotRow

_OFFERED = 20
"""So many numbers are proposed."""
_NOTHING = "snapshots.nothing_to_undo"


def answer_undo(context: CommandContext, argument: str) -> "list[Line] | Confirm":
    if argument and (not is_number(argument, digits=4) or int(argument) == 0):
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


def snapshot_numbers(sources: ArgumentSources, typed: str) -> Iterable[Choice]:
    return [Choice(str(row.number), row.text) for row in _snapshots(sources)[:_OFFERED]]


def undo_counts(sources: ArgumentSources, typed: str) -> Iterable[Choice]:
    """So many turns back, each with the words of the earliest of them."""
    turns = [row.text for row in _snapshots(sources) if row.kind == "turn" and row.changed]
    return [Choice(str(count), text) for count, text in enumerate(turns[:_OFFERED], 1)]


def turn_numbers(sources: ArgumentSources, typed: str) -> Iterable[Choice]:
    """The latest first; behind a number what goes back."""
    number = typed.split(" ")[0] if " " in typed else ""
    if number:
        return [Choice(f"{number} {scope}") for scope in (RewindScope.FILES, RewindScope.BOTH)]
    numbered = list(enumerate((turn.text for turn in sources.turns), 1))
    return [Choice(str(number), text) for number, text in reversed(numbered)][:_OFFERED]


def _snapshots(sources: ArgumentSources) -> Sequence[SnapshotRow]:
    try:
        return sources.queries.snapshots()
    except PaiError:  # off, or no git: nothing to offer
        return ()


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
