"""Four independent tasks of one second each: from RoundStarted to RoundCommitted, read from the session's journal."""

from typing import Any

from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, middle, ms


def measure(repeats: int) -> list[Figure]:
    held, alone, sleeping = [], [], []
    for _ in range(repeats):
        held.append(excess_ms("four_waits", 4))
        alone.append(excess_ms("one_sleep", 1))
        sleeping.append(excess_ms("four_sleeps", 4))
    alone_ms = middle(alone)
    note = "floor: the same round with one task; its cost includes what a session's first command loads"
    return [
        Figure("four tasks, each a reply held for 1 s: over 1 s", "ms", tuple(held), 50, 20, 0),
        Figure(
            "four tasks, each `sleep 1` and an answer: over 1 s",
            "ms",
            tuple(sleeping),
            alone_ms + 50,
            alone_ms + 20,
            alone_ms,
            note=note,
        ),
    ]


def excess_ms(script: str, tasks: int) -> float:
    with Place() as place, Endpoint(script) as endpoint:
        place.run(PAICLI, "-p", "/plan x", "-y", *ALLOWED, base_url=endpoint.base_url).checked()
        return ms(beyond_a_second(place.journal(), tasks))


def beyond_a_second(records: list[dict[str, Any]], tasks: int) -> float:
    """Seconds the round took more than the one second that each task waits or sleeps."""
    started = next(record["time"] for record in records if record["type"] == "round_started")
    committed = next(record for record in records if record["type"] == "round_committed")
    if len(committed["completed"]) != tasks:
        raise RuntimeError(f"not all tasks completed: {committed}")
    return float(committed["time"] - started - 1.0)
