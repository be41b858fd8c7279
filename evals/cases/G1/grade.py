"""The schedule, worked out step by step, against the answer."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

TASKS, TASK_MIN, CHECK_MIN, STOP_MIN, CHECK_EVERY = 60, 20, 10, 60, 20


def schedule() -> dict[str, object]:
    """Minutes from 22:00."""
    now, done, lost, checks = 0, 0, 0, 0
    while done < TASKS:
        started = min(12 if now < STOP_MIN else 8, TASKS - done)
        stops = max(0, started - 8) if now < STOP_MIN < now + TASK_MIN else 0
        now += TASK_MIN
        before, done, lost = done, done + started - stops, lost + stops
        if done // CHECK_EVERY > before // CHECK_EVERY:
            checks, now = checks + 1, now + CHECK_MIN
    hour, minute = divmod(22 * 60 + now, 60)
    return {"checks": checks, "lost": lost, "done_at": f"{hour % 24:02d}:{minute:02d}"}


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    for name, wanted in schedule().items():
        yield Check(name, found.get(name) == wanted, f"{name} {found.get(name)!r}, not {wanted!r}")
