"""paicli's own time between the last byte of a reply and the next request, with one `true` run in between."""

from benchmarks.figures import Figure
from benchmarks.job import paired_jobs
from benchmarks.measuring import middle

FIRST = "no limit of its own: what it loads is paid once, and is in the job's wall and CPU"


def measure(repeats: int) -> list[Figure]:
    ours, bare = paired_jobs(repeats)
    note = "floor: the bare loop; both run bash for `true`, which the figure contains"
    floor_ms, first_floor_ms = middle([job.gap_ms for job in bare]), middle([job.first_gap_ms for job in bare])
    first = tuple(job.first_gap_ms for job in ours)
    return [
        Figure("reply to next request, one `true`", "ms", tuple(job.gap_ms for job in ours), 10, 5, floor_ms, note),
        Figure("the same for a session's first command", "ms", first, floor=first_floor_ms, note=FIRST),
    ]
