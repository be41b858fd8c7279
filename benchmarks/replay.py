"""A recorded session of 50 requests, replayed without network: the whole process, and whether it answers as before."""

from pathlib import Path
from typing import NamedTuple

from benchmarks.endpoint import SESSION_REQUESTS
from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, Run

GOAL_TEXT = "go through it"
WALL_S = 2.0


class Recorded(NamedTuple):
    file: Path
    answer: str
    requests: int


def measure(repeats: int) -> list[Figure]:
    with Place() as place:
        recorded = record(place)
        runs = [replay(recorded) for _ in range(repeats)]
    note = f"{recorded.requests} requests; its tools really run"
    others = sum(run.stdout != recorded.answer for run in runs)
    return [
        Figure("50 recorded requests replayed: wall", "s", tuple(run.wall_s for run in runs), WALL_S, note=note),
        Figure("50 recorded requests replayed: CPU", "s", tuple(run.cpu_s for run in runs)),
        Figure("replays with another answer", "runs", (others,), 0, 0),
    ]


def record(place: Place) -> Recorded:
    file = place.home / "session.jsonl"
    write_notes(place)
    with Endpoint("session") as endpoint:
        told = ("-p", GOAL_TEXT, *ALLOWED, "--record", str(file))
        run = place.run(PAICLI, *told, base_url=endpoint.base_url).checked()
        requests = endpoint.requests(SESSION_REQUESTS)
    return Recorded(file, run.stdout, len(requests))


def replay(recorded: Recorded) -> Run:
    """In another project and another home."""
    with Place() as place:
        write_notes(place)
        return place.run(PAICLI, "-p", GOAL_TEXT, *ALLOWED, "--model", f"replay:{recorded.file}").checked()


def write_notes(place: Place) -> None:
    (place.project / "notes.txt").write_text("a line\n" * 50, encoding="utf-8")
