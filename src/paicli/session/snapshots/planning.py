"""From where to go back to, to what that would change."""

from collections.abc import Sequence

from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.ignoring import is_ignore_file
from paicli.session.snapshots.records import RestorePlan, Snapshot, SnapshotKind, TakenTree, TreeChange, TreeEntry
from paicli.session.snapshots.repository import SideRepository
from paicli.session.snapshots.restoring import Restoring
from paicli.session.snapshots.worktree import WorkTree


class RestorePlanner:
    """Looks at the files as they are now; changes nothing."""

    def __init__(self, repository: SideRepository, tree: WorkTree, restoring: Restoring) -> None:
        self._repository = repository
        self._tree = tree
        self._restoring = restoring

    def to_snapshot(self, snapshot: Snapshot, cancel: CancellationToken) -> RestorePlan:
        """Every file as it was then."""
        now = self._tree.take(cancel)
        unheld = self._unheld(snapshot.taken, self._repository.changes(snapshot.taken.tree, now.tree, cancel), cancel)
        plan = self._planned(now, snapshot.taken.tree, snapshot, unheld=unheld, cancel=cancel)
        since = self._last_end(cancel)
        others = self._repository.changes(since.tree, now.tree, cancel) if since is not None else []
        touched = {change.path for change in others}
        return plan._replace(
            standing=snapshot.note.standing,
            by_person=tuple(change.path for change in plan.changes if change.path in touched),
            folders_made=tuple(sorted(set(snapshot.taken.folders) - set(now.folders))),
            folders_removed=tuple(sorted(set(now.folders) - set(snapshot.taken.folders))),
        )

    def without(
        self, chosen: Sequence[Snapshot], standing: Sequence[int], cancel: CancellationToken, *, open_number: int
    ) -> RestorePlan:
        """The files without what the `chosen` turns (oldest first) did to them; what others did stays.

        A file goes back to how it was before the first of these turns that changed it.
        """
        now = self._tree.take(cancel)
        wanted: dict[str, TreeEntry | None] = {}
        left: dict[str, TreeEntry | None] = {}
        unheld: set[str] = set()
        folders_made: set[str] = set()
        folders_removed: set[str] = set()
        for snapshot in reversed(chosen):
            end = now if snapshot.number == open_number else self._end_of(snapshot, now, cancel)
            changes = self._repository.changes(snapshot.taken.tree, end.tree, cancel)
            unheld = (unheld - {change.path for change in changes}) | self._unheld(snapshot.taken, changes, cancel)
            for change in changes:
                wanted[change.path] = change.old
                left.setdefault(change.path, change.new)
            folders_made |= set(snapshot.taken.folders)
            folders_removed |= set(end.folders)
        present = self._repository.entries(now.tree, cancel)
        tree = self._repository.changed_tree(now.tree, wanted, cancel=cancel)
        numbers = {snapshot.number for snapshot in chosen}
        plan = self._planned(now, tree, chosen[0], unheld=unheld, cancel=cancel)
        return plan._replace(
            standing=tuple(number for number in standing if number not in numbers),
            texts=tuple(snapshot.note.text for snapshot in chosen),
            by_person=tuple(
                change.path
                for change in plan.changes
                if change.path in left and present.get(change.path) != left[change.path]
            ),
            folders_made=tuple(sorted(folders_made - set(now.folders))),
            folders_removed=tuple(sorted(folders_removed - folders_made)),
            has_unknown_end=any(each.end is None and each.number != open_number for each in chosen),
        )

    def _unheld(self, taken: TakenTree, since: Sequence[TreeChange], cancel: CancellationToken) -> set[str]:
        """What came since, to the snapshots at least: left out or ignored, it may have been there all the time."""
        came = [change.path for change in since if change.old is None]
        above = tuple(path for path in taken.left_out if path.endswith("/"))
        unheld = {path for path in came if path in taken.left_out or (above and path.startswith(above))}
        if came and any(is_ignore_file(change.path) for change in since):
            unheld |= self._repository.ignored_by(taken.tree, came, cancel)
        return unheld

    def _planned(
        self, now: TakenTree, wanted: str, snapshot: Snapshot, *, unheld: set[str], cancel: CancellationToken
    ) -> RestorePlan:
        changes = tuple(self._repository.changes(now.tree, wanted, cancel))
        staying = {change.path for change in changes if change.new is None and change.path in unheld}
        return RestorePlan(
            now,
            wanted,
            changes,
            (),
            snapshot.number,
            in_the_way=tuple(sorted({*self._restoring.in_the_way(changes), *staying})),
            left_out=tuple(sorted({*snapshot.taken.left_out, *now.left_out})),
        )

    def _end_of(self, snapshot: Snapshot, now: TakenTree, cancel: CancellationToken) -> TakenTree:
        """How the turn left the files; where that was not noted, how the next snapshot found them."""
        if snapshot.end is not None:
            return snapshot.end
        later = [each for each in self._repository.listed(cancel) if each.number > snapshot.number]
        return later[0].taken if later else now

    def _last_end(self, cancel: CancellationToken) -> TakenTree | None:
        ended = [each for each in self._repository.listed(cancel) if each.end is not None]
        asked = [each for each in self._repository.listed(cancel) if each.note.kind is SnapshotKind.TURN]
        if asked and (not ended or asked[-1].number > ended[-1].number):
            return None  # a turn that runs, or whose end is not known: nothing can be told apart
        return ended[-1].end if ended else None
