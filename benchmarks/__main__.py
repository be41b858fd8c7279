"""`python -m benchmarks [NAME …] [--repeats N]`: measures, prints one table, writes benchmarks/results/TIME.json."""

import argparse
import importlib
import queue
import subprocess
import sys

from benchmarks import figures
from benchmarks.peers import PEERS

NAMES = (
    "version",
    "start",
    "prompt",
    "gap",
    "job",
    "tasks",
    "memory",
    "cancel",
    "typing_keys",
    "paste",
    "prefix",
    "growth",
    "load",
    "replay",
    "tool_call",
    "grep",
    "snapshots",
    "completion",
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; none: all")
    parser.add_argument("--repeats", type=int, default=7, help="samples of each figure (7)")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in NAMES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    measured: list[figures.Figure] = []
    for name in chosen.names or NAMES:
        figures.tell(f"{name} …")
        measured += measure(name, chosen.repeats)
    print(figures.table(measured))
    for figure in measured:
        if figure.note:
            print(f"- {figure.what}: {figure.note}")
    if not chosen.names:
        print(PEERS)
    figures.tell(f"→ {figures.store(measured)}")
    return 0


def measure(name: str, repeats: int) -> list[figures.Figure]:
    """The rows of one script; one row that says why when it can't be measured, so that the others still are."""
    try:
        rows: list[figures.Figure] = importlib.import_module(f"benchmarks.{name}").measure(repeats)
    except (RuntimeError, OSError, queue.Empty, subprocess.SubprocessError) as error:
        return [figures.Figure(name, "", (), note=str(error) or type(error).__name__)]
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
