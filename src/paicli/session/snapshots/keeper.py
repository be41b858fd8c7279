"""The snapshots of a session: one before each turn that may write, one at its end, and the way back to any of them."""

import errno
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled, UserFacingError, reason_of
from paicli.core.event_bodies.stored import FilesRestored, SnapshotTaken
from paicli.core.event_stream import Emit
from paicli.core.events import Notice, NoticeLevel
from paicli.core.faults import Fault
from paicli.session.snapshots.records import (
    NO_GIT,
    TOO_LARGE,
    RestorePlan,
    Snapshot,
    SnapshotFailed,
    SnapshotKind,
    SnapshotNote,
    SnapshotPlace,
)
from paicli.session.turn_ids import turn_number

if TYPE_CHECKING:
    from paicli.session.snapshots.parts import SnapshotParts

END_WITHIN_S = 0.2
"""How long leaving waits for the last turn's end to be noted."""
_TEXT_CHARACTERS = 500
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})
"""Nothing can be written there: that says nothing against what lies there."""


class _OpenTurn:
    def __init__(self, turn_id: str, text: str) -> None:
        self.id = turn_id
        self.text = text
        self.is_tried = False
        self.begun: Snapshot | None = None


class SnapshotKeeper:
    """Thread-safe. Its methods raise UserFacingError where nothing can be done, TurnCancelled on a cancel."""

    def __init__(
        self,
        place: SnapshotPlace,
        *,
        session_id: str,
        origins: Mapping[str, float] = MappingProxyType({}),
        mask: Callable[[str], str],
        allows: Callable[[str], bool],
        is_enabled: bool,
    ) -> None:
        """`allows`: whether a path relative to the root may be written.

        `origins`: sessions it was forked from, each with the time of that: their turns until then are its own.
        """
        self._place = place
        self._session = session_id
        self._origins = origins
        self._mask = mask
        self._allows = allows
        self._lock = threading.RLock()
        self._off = "" if is_enabled else "snapshots.disabled"
        self._parts: SnapshotParts | None = None
        self._turn: _OpenTurn | None = None
        self._standing: list[int] = []
        self._told: set[str] = set()
        """What was said to be left out, and which faults were said: each once."""
        self.closing = CancellationToken()
        """Set when the session is left."""
        self._ending: threading.Thread | None = None
        self._aside: str | None = None
        """Where a damaged store lies now; None once that was said."""

    def begin_turn(self, turn_id: str, text: str) -> None:
        self._settle()
        with self._lock:
            self._turn = _OpenTurn(turn_id, self._mask(text)[:_TEXT_CHARACTERS])

    def before_change(self, emit: Emit, cancel: CancellationToken) -> None:
        """The files as they are, once a turn, before its first call that may write. A failure is said once, no more."""
        with self._lock:
            turn = self._turn
            if turn is None or turn.is_tried or self._off:
                return
            try:
                started = time.monotonic()
                turn.begun = self._taken(SnapshotNote(SnapshotKind.TURN, turn=turn.id, text=turn.text), cancel)
            except TurnCancelled:
                raise
            except OSError as error:
                self._say_once(emit, _failed(error))
            else:
                if self._aside is not None:
                    emit(Notice(Fault("snapshots.set_aside", (("path", _shown(self._aside)),)), NoticeLevel.WARNING))
                    self._aside = None
                emit(self._event(turn.begun, started))
            turn.is_tried = True

    def end_turn(self) -> None:
        """Notes how the turn left the files, beside the engine's thread; whoever comes next waits for it."""
        with self._lock:
            turn, self._turn = self._turn, None
            if turn is None or turn.begun is None:
                return
            begun = turn.begun
            self._ending = threading.Thread(target=self._end, args=(begun,), name="paicli-snapshot", daemon=True)
            self._ending.start()

    def take(self, cancel: CancellationToken) -> SnapshotTaken:
        """One at the person's word."""
        with self._opened():
            started = time.monotonic()
            return self._event(self._taken(SnapshotNote(SnapshotKind.ASKED), cancel), started)

    def listed(self, cancel: CancellationToken) -> Sequence[Snapshot]:
        """Newest first."""
        with self._opened() as parts:
            return parts.repository.listed(cancel)[::-1]

    def is_own(self, snapshot: Snapshot) -> bool:
        """Of this session."""
        session = snapshot.note.session
        return session == self._session or snapshot.time <= self._origins.get(session, -1)

    def plan_restore(self, snapshot: str, cancel: CancellationToken) -> RestorePlan:
        """Everything as it was then."""
        with self._opened() as parts:
            return parts.planner.to_snapshot(self._numbered(snapshot, cancel), cancel)

    def plan_undo(self, count: int, from_turn: str, cancel: CancellationToken) -> RestorePlan:
        """What the last `count` turns that wrote did, or those since `from_turn`, taken back; other changes stay.

        Where that is nothing any more, since somebody else has taken it back, the turn before them goes along.
        """
        with self._opened() as parts:
            standing, open_number = self._to_undo(cancel)
            if from_turn:
                first = turn_number(from_turn)
                count = sum(turn_number(snapshot.note.turn) >= first > 0 for snapshot in standing)
            if not standing or count <= 0:
                raise UserFacingError("snapshots.nothing_to_undo")
            while True:
                plan = parts.planner.without(standing[-count:], self._standing, cancel, open_number=open_number)
                if plan.is_worth_it or from_turn or count >= len(standing):
                    return plan
                count += 1

    def line_counts(self, plan: RestorePlan, cancel: CancellationToken) -> dict[str, tuple[int, int]]:
        """path → (added, removed) lines of what the plan would change."""
        with self._opened() as parts:
            return parts.repository.line_counts(plan.now.tree, plan.wanted, cancel)

    def plan_diff(self, plan: RestorePlan, cancel: CancellationToken) -> bytes:
        """What the plan would change, as people read it."""
        with self._opened() as parts:
            return parts.repository.diff(plan.now.tree, plan.wanted, cancel)

    def diff(self, snapshot: str, cancel: CancellationToken) -> bytes:
        """From that snapshot to now; "" is the session's first."""
        with self._opened() as parts:
            if snapshot:
                since = self._numbered(snapshot, cancel)
            else:
                own = [each for each in parts.repository.listed(cancel) if self.is_own(each)]
                if not own:
                    raise UserFacingError("snapshots.none_yet")
                since = own[0]
            return parts.repository.diff(since.taken.tree, parts.tree.take(cancel).tree, cancel)

    def restore(self, plan: RestorePlan, cancel: CancellationToken) -> FilesRestored:
        """Carries it out; how the files are now is kept first."""
        with self._opened() as parts:
            note = SnapshotNote(SnapshotKind.RESTORE, self._session, text=str(plan.number))
            number = parts.repository.add(plan.now, note._replace(standing=tuple(self._standing)), cancel)
            done = parts.restoring.carry_out(plan, cancel)
            self._standing = list(plan.standing)
            ended = parts.tree.take(cancel)
            changed = len(done.written) + len(done.removed)
            end_note = note._replace(standing=plan.standing, changed=changed)
            parts.repository.add_end(number, ended, end_note, cancel=cancel)
            return FilesRestored(str(plan.number), *(tuple(map(_shown, paths)) for paths in done))

    def close(self) -> None:
        """Leaves; the store is whole whatever was under way."""
        if self._ending is not None:
            self._ending.join(END_WITHIN_S)
        self.closing.cancel()

    def _taken(self, note: SnapshotNote, cancel: CancellationToken) -> Snapshot:
        try:
            return self._taken_once(note, cancel)
        except OSError as error:
            if error.errno in _NO_ROOM or (isinstance(error, SnapshotFailed) and error.reason in {NO_GIT, TOO_LARGE}):
                raise
            # start-up: 6 ms, and only a store that fails needs it
            from paicli.session.snapshots.damage import make_room

            aside = make_room(self._place, cancel)
            if aside is None:
                raise
            self._aside = str(aside) if aside != self._place.folder else None
            self._parts = None
            return self._taken_once(note, cancel)

    def _taken_once(self, note: SnapshotNote, cancel: CancellationToken) -> Snapshot:
        parts = self._made(cancel)
        taken = parts.tree.take(cancel)
        note = note._replace(session=self._session, standing=tuple(self._standing))
        return Snapshot(parts.repository.add(taken, note, cancel), taken, note, 0.0)

    def _end(self, begun: Snapshot) -> None:
        with self._lock:
            parts = self._parts
            if parts is None:
                return
            try:
                taken = parts.tree.take(self.closing)
                changed = len(parts.repository.changes(begun.taken.tree, taken.tree, self.closing))
                if changed or taken.folders != begun.taken.folders:
                    self._standing.append(begun.number)
                note = begun.note._replace(standing=tuple(self._standing), changed=changed)
                parts.repository.add_end(begun.number, taken, note, cancel=self.closing)
            except (OSError, TurnCancelled):
                self._standing.append(begun.number)  # not known: counts as having written

    def _to_undo(self, cancel: CancellationToken) -> tuple[list[Snapshot], int]:
        """The turns that wrote, oldest first, and the number of the one that runs now, 0: none."""
        parts = self._made(cancel)
        begun = self._turn.begun if self._turn is not None else None
        has_written = begun is not None and parts.tree.take(cancel)[::2] != begun.taken[::2]  # tree and folders
        open_number = begun.number if begun is not None and has_written else 0
        numbers = [*self._standing, *([open_number] if open_number else [])]
        known = {snapshot.number: snapshot for snapshot in parts.repository.listed(cancel)}
        # A store that was begun anew meanwhile has the same numbers for others' snapshots.
        return [known[number] for number in numbers if number in known and self.is_own(known[number])], open_number

    def _numbered(self, snapshot: str, cancel: CancellationToken) -> Snapshot:
        for each in self._made(cancel).repository.listed(cancel):
            if str(each.number) == snapshot:
                return each
        raise UserFacingError("snapshots.unknown", number=snapshot[:40])

    def _made(self, cancel: CancellationToken) -> "SnapshotParts":
        if self._off:
            raise UserFacingError(self._off)
        if self._parts is None:
            # start-up: 6 ms with subprocess, and a session that only reads needs none of it
            from paicli.session.snapshots.parts import open_parts

            parts = open_parts(self._place, allows=self._allows)
            self._standing = self._standing_before(parts.repository.listed(cancel))
            self._parts = parts
        return self._parts

    def _standing_before(self, stored: Sequence[Snapshot]) -> list[int]:
        """Of a session that goes on."""
        own = [snapshot for snapshot in stored if self.is_own(snapshot)]
        if not own:
            return []
        last = own[-1]
        if last.end_note is not None:
            return list(last.end_note.standing)
        is_turn = last.note.kind is SnapshotKind.TURN
        return [*last.note.standing, *([last.number] if is_turn else [])]

    @contextmanager
    def _opened(self) -> "Generator[SnapshotParts]":
        """The parts, for this thread alone; git's faults come out as words for a person."""
        self._settle()
        with self._lock:
            try:
                yield self._made(self.closing)
            except OSError as error:
                raise _as_user_error(error) from None

    def _settle(self) -> None:
        """Waits for the end of the last turn to be noted."""
        ending = self._ending
        if ending is not None and ending is not threading.current_thread():
            ending.join()

    def _say_once(self, emit: Emit, fault: Fault) -> None:
        if fault.code not in self._told:
            self._told.add(fault.code)
            emit(Notice(fault, NoticeLevel.WARNING))
        if fault.code in {NO_GIT, TOO_LARGE}:
            self._off = fault.code  # the next turn would wait as long, for nothing

    def _event(self, snapshot: Snapshot, started: float) -> SnapshotTaken:
        news = tuple(path for path in snapshot.taken.left_out if path not in self._told)
        self._told.update(news)
        return SnapshotTaken(str(snapshot.number), tuple(map(_shown, news)), time.monotonic() - started)


def _as_user_error(error: OSError) -> UserFacingError:
    fault = _failed(error)
    return UserFacingError(fault.code, **dict(fault.fields))


def _failed(error: OSError) -> Fault:
    if isinstance(error, SnapshotFailed) and error.reason in {NO_GIT, TOO_LARGE}:
        return Fault(error.reason)
    reason = error.reason if isinstance(error, SnapshotFailed) else reason_of(error)
    return Fault("snapshots.failed", (("reason", reason),))


def _shown(path: str) -> str:
    """As events carry it: valid UTF-8."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
