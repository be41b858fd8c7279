"""A figure beside what it must and should be, and how figures are shown and kept."""

import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

RESULTS = Path(__file__).parent / "results"
HEADS = ("what", "must", "goal", "floor", "measured", "verdict")


class Figure(NamedTuple):
    """One row. The measured value is the median of `samples`; less is better. No samples: it could not be measured."""

    what: str
    unit: str
    samples: tuple[float, ...]
    must: float | None = None
    goal: float | None = None
    floor: float | None = None
    """Measured in the same run, in the same unit; what it is stands in `note`."""
    note: str = ""

    @property
    def measured(self) -> float | None:
        return float(median(self.samples)) if self.samples else None

    @property
    def verdict(self) -> str:
        """goal | must | MISSED; empty where no limit is set. A must that hangs on a floor may lie below the goal."""
        if self.measured is None:
            return "not measured"
        if self.must is None and self.goal is None:
            return ""
        if self.must is not None and self.measured > self.must:
            return "MISSED"
        return "goal" if self.goal is not None and self.measured <= self.goal else "must"

    def cells(self) -> tuple[str, ...]:
        limits = [shown(value, self.unit) for value in (self.must, self.goal, self.floor)]
        return (self.what, *limits, shown(self.measured, self.unit), self.verdict)


def shown(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def table(figures: Sequence[Figure]) -> str:
    """Markdown, padded so that it reads as plain text too."""
    rows = [HEADS, *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def record(figures: Sequence[Figure]) -> dict[str, object]:
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cpus": os.cpu_count(),
        "load": os.getloadavg(),
        "figures": [{**figure._asdict(), "measured": figure.measured, "verdict": figure.verdict} for figure in figures],
    }


def store(figures: Sequence[Figure]) -> Path:
    """Writes results/TIME.json."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.json"
    path.write_text(json.dumps(record(figures), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def tell(text: str) -> None:
    """Progress, beside the table."""
    print(text, file=sys.stderr, flush=True)
