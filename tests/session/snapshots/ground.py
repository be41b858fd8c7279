"""A project, its snapshots, and a picture of every byte in it."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.core.events import EventBody
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.records import RestorePlan, SnapshotPlace

CANCEL = CancellationToken()
Picture = dict[str, tuple[str, bytes, bool]]


class Ground:
    def __init__(self, base: Path, *, session_id: str = "s1") -> None:
        self.base = base
        self.root = base / "project"
        self.root.mkdir(exist_ok=True)
        self.store = base / "home" / "snapshots" / "p"
        self.said: list[EventBody] = []
        self.keeper = self.another(session_id)
        self._numbers = 0

    def another(
        self, session_id: str, *, environ: dict[str, str] | None = None, origins: Mapping[str, float] | None = None
    ) -> SnapshotKeeper:
        place = SnapshotPlace(self.store, self.root, self.base / "home", environ or dict(os.environ))
        return SnapshotKeeper(
            place,
            session_id=session_id,
            origins=origins or {},
            mask=lambda text: text,
            allows=lambda path: True,
            is_enabled=True,
        )

    def write(self, name: str, content: bytes = b"x") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def begin(self, text: str = "do it") -> str:
        """A turn up to its first change."""
        self._numbers += 1
        turn = f"turn_{self._numbers}"
        self.keeper.begin_turn(turn, text)
        self.keeper.before_change(self.said.append, CANCEL)
        return turn

    def end(self) -> None:
        self.keeper.end_turn()
        if self.store.is_dir():
            self.keeper.listed(CANCEL)  # waits until it is noted

    def undo(self, turn_count: int = 1, from_turn: str = "") -> RestorePlan:
        plan = self.keeper.plan_undo(turn_count, from_turn, CANCEL)
        self.keeper.restore(plan, CANCEL)
        return plan

    def restore(self, snapshot: str) -> RestorePlan:
        plan = self.keeper.plan_restore(snapshot, CANCEL)
        self.keeper.restore(plan, CANCEL)
        return plan

    def picture(self) -> Picture:
        """path → (kind, content, executable), empty folders included."""
        found: Picture = {}
        for folder, folders, files in os.walk(self.root):
            if ".git" in folders:
                folders.remove(".git")
            for name in [*files, *(name for name in folders if os.path.islink(os.path.join(folder, name)))]:
                path = Path(folder, name)
                shown = str(path.relative_to(self.root))
                if path.is_symlink():
                    found[shown] = ("link", os.fsencode(os.readlink(path)), False)
                else:
                    found[shown] = ("file", path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))
            if not folders and not files:
                found[str(Path(folder).relative_to(self.root))] = ("folder", b"", False)
        return found
