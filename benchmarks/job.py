"""COMPARISON's job: ten shell calls one after the other, each answered, then a text. The whole process."""

import itertools
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, Request, Run, middle, ms

BARE_LOOP = str(Path(__file__).with_name("bare_loop.py"))
REQUESTS = 11


class Job(NamedTuple):
    run: Run
    requests: list[Request]

    @property
    def gap_ms(self) -> float:
        """Median from the last byte of a reply to the next request's last byte, the command `true` included."""
        return middle(self._gaps())

    @property
    def first_gap_ms(self) -> float:
        """The first of them: whatever a session loads for its first command is in it."""
        return self._gaps()[0]

    @property
    def sent_bytes(self) -> int:
        return sum(request.size_bytes for request in self.requests)

    def _gaps(self) -> list[float]:
        return [ms(after.arrived_at - before.sent_at) for before, after in itertools.pairwise(self.requests)]


def paicli_job(endpoint: Endpoint) -> Job:
    with Place() as place:
        run = place.run(PAICLI, "-p", "go", *ALLOWED, base_url=endpoint.base_url).checked()
    return Job(run, endpoint.requests(REQUESTS))


def bare_job(endpoint: Endpoint) -> Job:
    with Place() as place:
        run = place.run(sys.executable, BARE_LOOP, endpoint.base_url).checked()
    return Job(run, endpoint.requests(REQUESTS))


def paired_jobs(repeats: int) -> tuple[list[Job], list[Job]]:
    """(paicli's, the bare loop's), taken in turns against one endpoint; the first of each is thrown away."""
    with Endpoint("job") as endpoint:
        pairs = [(paicli_job(endpoint), bare_job(endpoint)) for _ in range(repeats + 1)][1:]
    return [ours for ours, _ in pairs], [bare for _, bare in pairs]


def measure(repeats: int) -> list[Figure]:
    ours, bare = paired_jobs(repeats)
    note = "floor: the bare loop (benchmarks/bare_loop.py) on the same job"
    return [
        Figure(
            "job: wall", "s", tuple(j.run.wall_s for j in ours), 0.8, 0.6, middle([j.run.wall_s for j in bare]), note
        ),
        Figure("job: CPU", "s", tuple(j.run.cpu_s for j in ours), 0.7, 0.5, middle([j.run.cpu_s for j in bare]), note),
        Figure(
            "job: peak memory", "MB", tuple(j.run.peak_mb for j in ours), 80, 70, middle([j.run.peak_mb for j in bare])
        ),
        Figure(
            "job: all bytes sent",
            "bytes",
            tuple(j.sent_bytes for j in ours),
            130_000,
            115_000,
            middle([j.sent_bytes for j in bare]),
            "the bodies of all requests",
        ),
        Figure("first request: whole body", "bytes", tuple(j.requests[0].size_bytes for j in ours), 8_000, 7_000),
    ]
