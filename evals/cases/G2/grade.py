"""Clocks set right: real time = a machine's own time less what it is ahead."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

AHEAD_S = {"gw": 4, "db": -3, "job": 0}
SEEN = {
    "slow": ("gw", "12:00:09"),
    "pool_exhausted": ("gw", "12:00:12"),
    "lock_wait": ("db", "12:00:01"),
    "reindex_started": ("job", "12:00:03"),
}


def real(event: str) -> str:
    machine, shown = SEEN[event]
    hours, minutes, seconds = map(int, shown.split(":"))
    total = hours * 3600 + minutes * 60 + seconds - AHEAD_S[machine]
    return f"{total // 3600:02d}:{total // 60 % 60:02d}:{total % 60:02d}"


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    yield Check("cause", found.get("cause") == "nightly-reindex", f"cause {found.get('cause')!r}")
    times = (found.get("lock_wait_at"), found.get("first_503_at"))
    yield Check("times", times == (real("lock_wait"), real("pool_exhausted")), f"times {times}")
    order = sorted(SEEN, key=real)
    yield Check("order", found.get("order") == order, f"order {found.get('order')}, not {order}")
    because = found.get("ticket_wrong_because")
    yield Check("ticket", because == "not_holding", f"because {because!r}")
