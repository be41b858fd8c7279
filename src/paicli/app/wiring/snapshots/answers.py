"""What the session asks about its snapshots."""

from paicli.core.cancellation import CancellationToken
from paicli.core.unicode import decoded, well_formed
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.records import RestorePlan, Snapshot, TreeChange
from paicli.ui.queries import ProjectDiff
from paicli.ui.restoring.previews import ChangeKind, FileChange, RestorePreview, SnapshotRow

_DIFF_BYTES = 400_000


def snapshot_rows(keeper: SnapshotKeeper) -> tuple[SnapshotRow, ...]:
    """Newest first. Raises UserFacingError."""
    return tuple(_row(snapshot) for snapshot in keeper.listed(CancellationToken()))


def restore_preview(keeper: SnapshotKeeper, snapshot: str) -> RestorePreview:
    cancel = CancellationToken()
    return _preview(keeper, keeper.plan_restore(snapshot, cancel), cancel)


def undo_preview(keeper: SnapshotKeeper, turn_count: int, from_turn: str) -> RestorePreview:
    cancel = CancellationToken()
    return _preview(keeper, keeper.plan_undo(turn_count, from_turn, cancel), cancel)


def snapshot_diff(keeper: SnapshotKeeper, snapshot: str) -> ProjectDiff:
    raw = keeper.diff(snapshot, CancellationToken())
    return ProjectDiff(decoded(raw[:_DIFF_BYTES]), is_cut=len(raw) > _DIFF_BYTES)


def _row(snapshot: Snapshot) -> SnapshotRow:
    note, end = snapshot.note, snapshot.end_note
    return SnapshotRow(snapshot.number, snapshot.time, note.kind.value, note.text, end.changed if end else None)


def _preview(keeper: SnapshotKeeper, plan: RestorePlan, cancel: CancellationToken) -> RestorePreview:
    counts = keeper.line_counts(plan, cancel)
    staying = set(plan.in_the_way)
    changes = [_change(change, counts) for change in plan.changes if change.path not in staying]
    folders = [*plan.folders_made, *plan.folders_removed]
    return RestorePreview(
        str(plan.number),
        tuple(changes),
        tuple(map(well_formed, plan.texts)),
        tuple(map(well_formed, plan.by_person)),
        tuple(map(well_formed, plan.in_the_way)),
        tuple(map(well_formed, plan.left_out)),
        has_folders=bool(folders),
        has_unknown_end=plan.has_unknown_end,
    )


def _change(change: TreeChange, counts: dict[str, tuple[int, int]]) -> FileChange:
    kind = ChangeKind.ADD if change.old is None else ChangeKind.REMOVE if change.new is None else ChangeKind.CHANGE
    added, removed = counts.get(change.path, (0, 0))
    return FileChange(well_formed(change.path), kind, added, removed)
