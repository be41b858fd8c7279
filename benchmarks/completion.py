"""Completion of `@` over 100,000 files: each key of a path as it is typed, and building the index it draws on."""

import itertools
import time
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.measuring import Place, ms
from paicli.policy.path_guard import PathGuard
from paicli.tools.search.index import FileIndex

FILES, PER_FOLDER, FOLDERS_PER_AREA = 100_000, 100, 50
TYPED = ("handler_77341", "area7/order_4", "rep/inv_99", "svcpay", "zzz")
"""A name, parts of a path, letters of parts, letters of a name, and nothing at all."""
ANSWER_MS = 50.0
AGED_S = 3_600.0
"""After so long an index looks for changes."""
LIMIT = 50


class Clock:
    """Stands still."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def measure(repeats: int) -> list[Figure]:
    what = f"{FILES:,} files"
    builds: list[float] = []
    again: list[float] = []
    keys: list[float] = []
    with Place() as place:
        fill(place.project, FILES)
        for _ in range(repeats):
            clock = Clock()
            index = FileIndex(PathGuard(place.project), clock=clock)
            builds.append(ms(built(index)))
            for typed in TYPED:
                keys += [ms(asked(index, part)) for part in itertools.accumulate(typed)]
            clock.now += AGED_S
            again.append(ms(built(index)))
    slowest = sorted(keys)[int(len(keys) * 0.95)]
    return [
        Figure(f"a key of a path over {what}, p50", "ms", tuple(keys), ANSWER_MS),
        Figure(f"a key of a path over {what}, p95", "ms", (slowest,), ANSWER_MS),
        Figure(f"index of {what}, in the background", "ms", tuple(builds)),
        Figure(f"index of {what} when nothing changed", "ms", tuple(again)),
    ]


def fill(root: Path, count: int) -> None:
    kinds = ("handler", "order", "invoice", "service_pay", "report", "model", "view", "test_case")
    for start in range(0, count, PER_FOLDER):
        place = start // PER_FOLDER
        folder = root / f"area{place // FOLDERS_PER_AREA}" / f"{kinds[place % 8]}s{place}"
        folder.mkdir(parents=True)
        for number in range(start, start + PER_FOLDER):
            (folder / f"{kinds[number % 8]}_{number}.py").touch()
    (root / ".gitignore").write_text("*.log\nbuild/\n")


def built(index: FileIndex) -> float:
    started = time.perf_counter()
    thread = index.prepare()
    if thread is None:
        raise RuntimeError("the index was not built")
    thread.join()
    return time.perf_counter() - started


def asked(index: FileIndex, typed: str) -> float:
    started = time.perf_counter()
    index.find(typed, LIMIT)
    return time.perf_counter() - started
