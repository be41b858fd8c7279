"""From process start to the first request of `-p`, beside the imports that no request does without."""

import sys

from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, middle, ms

IMPORTS = "import time, httpx, pydantic; print(time.monotonic())"
OWN_MS = 150.0


def measure(repeats: int) -> list[Figure]:
    floors, starts = [], []
    with Place() as place, Endpoint("answer") as endpoint:
        place.run(PAICLI, "-p", "go", base_url=endpoint.base_url).checked()  # warms the disk's cache
        endpoint.requests(1)
        for _ in range(repeats):
            floor = place.run(sys.executable, "-c", IMPORTS).checked()
            floors.append(ms(float(floor.stdout) - floor.started))
            run = place.run(PAICLI, "-p", "go", *ALLOWED, base_url=endpoint.base_url).checked()
            starts.append(ms(endpoint.requests(1)[0].arrived_at - run.started))
    floor_ms = middle(floors)
    note = "floor: process start until httpx and pydantic are imported"
    return [Figure("`-p`: start to first request", "ms", tuple(starts), floor_ms + OWN_MS, 300, floor_ms, note=note)]
