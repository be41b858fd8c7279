"""`paicli --version` beside a script that prints one line."""

import sys

from benchmarks.figures import Figure
from benchmarks.measuring import PAICLI, Place, middle, ms

REPEATS = 5
"""A run takes 15 ms: so many times as often as others."""


def measure(repeats: int) -> list[Figure]:
    ratios, direct, bare_ms = [], [], []
    with Place() as place:
        bare, entry = place.home / "bare.py", place.home / "entry.py"
        bare.write_text('import sys\n\nsys.stdout.write("paicli 0.0.0\\n")\n')
        entry.write_text("from paicli.__main__ import run\n\nrun()\n")
        for _ in range(repeats * REPEATS):
            floor = place.run(sys.executable, str(bare)).checked()
            ratios.append(place.run(PAICLI, "--version").checked().wall_s / floor.wall_s)
            direct.append(place.run(sys.executable, str(entry), "--version").checked().wall_s / floor.wall_s)
            bare_ms.append(ms(floor.wall_s))
        loaded = third_party(place)
    note = f"bare: {middle(bare_ms):.1f} ms; by a script without pip's own `import re`: {middle(direct):.2f} ×"
    return [
        Figure("`--version` / bare script", "×", tuple(ratios), 1.5, 1.2, 1.0, note=note),
        Figure("`--version`: third-party modules", "modules", (len(loaded),), 0, 0, note=" ".join(loaded)),
    ]


def third_party(place: Place) -> list[str]:
    """Modules that come neither from the standard library nor from paicli, nor with every start of this Python."""
    bare = imported(place.run(sys.executable, "-X", "importtime", "-c", "").checked().stderr)
    ours = imported(place.run(sys.executable, "-X", "importtime", PAICLI, "--version").checked().stderr)
    known = {*sys.stdlib_module_names, "paicli"}
    return sorted(name for name in ours - bare if name.split(".")[0] not in known)


def imported(report: str) -> set[str]:
    """Names from what `-X importtime` says."""
    lines = [line.split("|")[-1].strip() for line in report.splitlines() if line.startswith("import time:")]
    return set(lines) - {"imported package"}
