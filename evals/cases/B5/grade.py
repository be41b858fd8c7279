"""Order, parallelism and limits proved by events and barriers; its tests against the pool as it was."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_order.py"
TESTS = (sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", ".")
WAITING = {"sleep", "perf_counter", "monotonic", "time", "Timer"}
"""Calls that bet on time."""
LIMITED = {"wait": 0, "wait_for": 1, "result": 0, "exception": 0, "acquire": 1, "get": 1}
"""Waits for something, and which of their arguments would be a limit of time."""


def grade(run: Evidence) -> Iterator[Check]:
    yield run.own_tests(*TESTS, timeout_s=20)
    verdicts = run.hidden_python(HIDDEN)
    for name in ("order", "streams", "parallel", "limit", "errors"):
        yield verdicts.check(name)
    found = [
        f"{path.relative_to(run.workspace)}:{line} {what}"
        for path in sorted(run.workspace.rglob("*.py"))
        for line, what in waits(path, is_test="tests" in path.parts)
    ]
    yield Check("no_waiting", not found, ", ".join(found))
    bets = [each for each in found if each.startswith("tests/")]
    was, told = (
        (0, "") if bets else run.run(*TESTS, cwd=str(run.as_it_was()), timeout_s=4)
    )  # it hangs on errors, as it was
    yield Check("tests", was != 0 and not bets, f"{bets}, on the pool as it was: {told[-300:]}")


def waits(path: Path, *, is_test: bool) -> Iterator[tuple[int, str]]:
    """Calls that bet on time. A test may give a barrier or an event a limit, after which it fails."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        yield error.lineno or 0, "no python"
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in WAITING:
            yield node.lineno, name
        limits = node.args[LIMITED[name] :] if name in LIMITED else []
        is_limited = any(isinstance(limit, ast.Constant) and isinstance(limit.value, int | float) for limit in limits)
        if not is_test and (is_limited or any(keyword.arg == "timeout" for keyword in node.keywords)):
            yield node.lineno, f"{name} with a timeout"
