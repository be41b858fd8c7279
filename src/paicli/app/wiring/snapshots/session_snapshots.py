"""The snapshots of one session: taken around its turns, asked for by ops, put back between turns."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from paicli.agent.actor import Actor
from paicli.agent.turn import RunTurn, Turn, TurnEnding
from paicli.app.settings import Settings
from paicli.app.wiring.snapshots.tool_restore import ToolRestore
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied, TurnCancelled
from paicli.core.event_bodies.stored import FilesRestored
from paicli.core.event_stream import EventStream
from paicli.core.events import Event, EventBody, Notice
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.ops import FileOp, RestoreFiles, TakeSnapshot, UndoTurns
from paicli.policy.path_guard import PathGuard
from paicli.session.folder import project_key
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.records import SnapshotPlace
from paicli.session.turn_words import turn_words

_NAMED = 20
_DAY_S = 86_400
_GIT_NAMES = frozenset({".git", "git~1"})


def snapshot_place(settings: Settings) -> SnapshotPlace:
    """Where the snapshots of the session's project are kept."""
    folder = settings.home / "snapshots" / project_key(settings.project_root)
    return SnapshotPlace(folder, settings.project_root, settings.home, dict(os.environ))


class SessionSnapshots:
    def __init__(
        self,
        settings: Settings,
        session_id: str,
        origins: Mapping[str, float],
        *,
        paths: PathGuard,
        masker: SecretMasker,
        stream: EventStream,
    ) -> None:
        """`origins`: as `SnapshotKeeper` has it."""
        self._place = snapshot_place(settings)
        self._keep_days = settings.keep_days
        self.keeper = SnapshotKeeper(
            self._place,
            session_id=session_id,
            origins=origins,
            mask=masker.mask,
            allows=lambda path: _is_allowed(paths, path),
            is_enabled=settings.snapshots_enabled,
        )
        self.tool = ToolRestore(self.keeper, stream) if settings.snapshots_enabled and _has_git() else None
        """None: there is nothing to restore from, and no model is told of it."""

    def around(self, run: RunTurn) -> RunTurn:
        """`run`, its first change preceded by a snapshot and its end noted."""

        def run_noted(turn: Turn) -> TurnEnding:
            self.keeper.begin_turn(turn.id, turn_words(turn.kind, turn.submitted.text))
            try:
                return run(turn)
            finally:
                self.keeper.end_turn()

        return run_noted

    def expire_old(self) -> None:
        """Drops this project's snapshots that are older than `[storage] keep_days` and not this session's."""
        if self._keep_days:
            # start-up: nobody waits for it
            from paicli.session.snapshots.parts import expire_snapshots

            with suppress(OSError, TurnCancelled):  # the next session tries again
                expire_snapshots(
                    self._place,
                    before=time.time() - self._keep_days * _DAY_S,
                    keeps=self.keeper.is_own,
                    cancel=self.keeper.closing,
                )

    def close(self) -> None:
        self.keeper.close()

    def before_change(self, actor: Actor) -> None:
        self.keeper.before_change(actor.emit, actor.cancel)

    def change(self, op: FileOp) -> Iterator[EventBody]:
        """Carries the op out; raises UserFacingError."""
        cancel = CancellationToken()
        match op:
            case TakeSnapshot():
                taken = self.keeper.take(cancel)
                yield taken
                yield Notice(Fault("snapshots.taken", (("number", taken.snapshot),)))
            case RestoreFiles(snapshot):
                yield self.keeper.restore(self.keeper.plan_restore(snapshot, cancel), cancel)
            case UndoTurns(turn_count, from_turn):
                yield self.keeper.restore(self.keeper.plan_undo(turn_count, from_turn, cancel), cancel)


def restored_note(restored: FilesRestored) -> str:
    """What the model is told with the person's next words."""
    paths = [*restored.written, *restored.removed]
    named = ", ".join(paths[:_NAMED]) + (" …" if len(paths) > _NAMED else "")
    return model_text("snapshots.note", written=len(restored.written), removed=len(restored.removed), paths=named)


def noting_restores(remember: Callable[[str], None]) -> Callable[[Event], None]:
    """A listener: what the person put back between turns is remembered for the model; its own restore it knows of."""

    def note(event: Event) -> None:
        if isinstance(event.body, FilesRestored) and not event.origin.turn_id:
            remember(restored_note(event.body))

    return note


def _is_allowed(paths: PathGuard, path: str) -> bool:
    """Of a path below the root. A link is judged by where it stands: it is replaced, never followed."""
    place = paths.root / path
    try:
        if place.is_symlink():
            paths.for_writing(str(place.parent))
            return place.name.casefold() not in _GIT_NAMES
        paths.for_writing(str(place))
    except PolicyDenied:
        return False
    return True


def _has_git() -> bool:
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return any(os.access(Path(folder) / "git", os.X_OK) for folder in folders if folder)
