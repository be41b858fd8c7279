"""Peak memory while a command prints 1 GB, beside the same run whose command prints 1 KB."""

from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, middle


def measure(repeats: int) -> list[Figure]:
    return [
        growth("much", "a command prints 1 GB in lines: memory", repeats),
        growth("one_line", "a command prints 1 GB without a newline: memory", repeats),
    ]


def growth(script: str, what: str, repeats: int) -> Figure:
    grown, walls = [], []
    for _ in range(repeats):
        little, _ = peak_mb("little")
        much, wall_s = peak_mb(script)
        grown.append(much - little)
        walls.append(wall_s)
    return Figure(what, "MB", tuple(grown), 20, 5, 0, note=f"the whole run took {middle(walls):.1f} s")


def peak_mb(script: str) -> tuple[float, float]:
    with Place() as place, Endpoint(script) as endpoint:
        run = place.run(PAICLI, "-p", "x", *ALLOWED, base_url=endpoint.base_url).checked()
        result = endpoint.requests(2)[1].body
    if "退出码" not in result:
        raise RuntimeError(f"the command did not run: {result[-500:]}")
    return run.peak_mb, run.wall_s
