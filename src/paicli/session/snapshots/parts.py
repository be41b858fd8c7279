"""What taking snapshots and going back to them is made of, opened when a session first needs it."""

from collections.abc import Callable
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.planning import RestorePlanner
from paicli.session.snapshots.records import NO_GIT, Snapshot, SnapshotFailed, SnapshotPlace
from paicli.session.snapshots.repository import SideRepository
from paicli.session.snapshots.restoring import Restoring
from paicli.session.snapshots.worktree import WorkTree
from paicli.system.programs.git import GitMissing


class SnapshotParts(NamedTuple):
    repository: SideRepository
    tree: WorkTree
    restoring: Restoring
    planner: RestorePlanner


def open_parts(place: SnapshotPlace, *, allows: Callable[[str], bool]) -> SnapshotParts:
    """Raises SnapshotFailed or another OSError."""
    try:
        repository = SideRepository(place.folder, place.root, place.environ, excluded=(place.home,))
    except GitMissing:
        raise SnapshotFailed(NO_GIT) from None
    repository.open()
    tree = WorkTree(repository, place.root)
    restoring = Restoring(repository, place.root, allows=allows)
    return SnapshotParts(repository, tree, restoring, RestorePlanner(repository, tree, restoring))


def expire_snapshots(
    place: SnapshotPlace, *, before: float, keeps: Callable[[Snapshot], bool], cancel: CancellationToken
) -> int:
    """Drops what is older than `before` (seconds since the epoch), but for what `keeps` names; how many.

    Raises as `open_parts`, TurnCancelled.
    """
    if not (place.folder / "HEAD").exists():
        return 0
    return open_parts(place, allows=lambda path: False).repository.expire(before, keeps, cancel)
