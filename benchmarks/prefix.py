"""Consecutive requests of one conversation: the earlier one's messages must be a byte prefix of the later one's."""

import itertools
import subprocess

from benchmarks.figures import Figure
from benchmarks.job import paicli_job
from benchmarks.measuring import PAICLI, WAIT_S, Endpoint, Place

TURNS = 5


def measure(repeats: int) -> list[Figure]:
    """Once is enough: the bytes don't depend on time."""
    with Endpoint("job") as endpoint:
        one_turn = [request.body for request in paicli_job(endpoint).requests]
    several_turns = conversation()
    broken = [
        f"{name}: {count} of {len(bodies) - 1}"
        for name, bodies in (("the job", one_turn), (f"{TURNS} turns", several_turns))
        if (count := breaks(bodies))
    ]
    counted = breaks(one_turn) + breaks(several_turns)
    pairs = len(one_turn) + len(several_turns) - 2
    note = "; ".join(broken) or f"{pairs} pairs of requests: the job's, and those of {TURNS} turns in line mode"
    return [Figure("requests that don't extend the one before", "requests", (counted,), 0, 0, note=note)]


def conversation() -> list[str]:
    with Place() as place, Endpoint("talk") as endpoint:
        subprocess.run(
            [PAICLI],
            cwd=place.project,
            env=place.environ(endpoint.base_url),
            input="".join(f"看 {number}\n" for number in range(TURNS)) + "/exit\n",
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=WAIT_S,
            check=True,
        )
        return [request.body for request in endpoint.requests(2 * TURNS)]


def breaks(bodies: list[str]) -> int:
    """How many requests don't begin with the bytes of the one before, up to the end of its last message."""
    return sum(not later.startswith(up_to_last_message(earlier)) for earlier, later in itertools.pairwise(bodies))


def up_to_last_message(body: str) -> str:
    """All but what closes the list and the object: messages are the last field, so everything before them counts."""
    end = body.rindex("]")
    if '"messages":[' not in body or not set(body[end:]) <= set("]} \n"):
        raise ValueError(f"messages are not the last field: {body[end - 40 :]}")
    return body[:end]
