"""A snapshot of 10,000 files that didn't change, before the first write of a turn, beside `git status` on the same."""

import os
import subprocess
import time

from benchmarks.figures import Figure
from benchmarks.grep import fill
from benchmarks.measuring import Place, middle, ms
from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.records import SnapshotPlace

FILES = 10_000
MUST_MS, GOAL_MS = 150.0, 80.0


def measure(repeats: int) -> list[Figure]:
    with Place() as place:
        fill(place.project, FILES)
        where = SnapshotPlace(place.home / "snapshots", place.project, place.home / ".paicli", dict(os.environ))
        keeper = SnapshotKeeper(
            where, session_id="bench", mask=lambda text: text, allows=lambda path: True, is_enabled=True
        )
        first = taken_once(keeper)
        status = ["git", f"--git-dir={where.folder}", f"--work-tree={place.project}", "status", "--porcelain"]
        floors, ours = [], []
        for _ in range(repeats):
            started = time.perf_counter()
            subprocess.run(status, stdout=subprocess.DEVNULL, check=False)
            floors.append(ms(time.perf_counter() - started))
            ours.append(ms(taken_once(keeper)))
    what = f"snapshot of {FILES:,} files"
    return [
        Figure(f"{what}: nothing changed", "ms", tuple(ours), MUST_MS, GOAL_MS, middle(floors), "floor: `git status`"),
        Figure(f"{what}: the first", "s", (first,), note="once a project, before its first write"),
    ]


def taken_once(keeper: SnapshotKeeper) -> float:
    started = time.perf_counter()
    keeper.take(CancellationToken())
    return time.perf_counter() - started
