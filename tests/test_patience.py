import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

TESTS = Path(__file__).parent
FILES = sorted(path for path in TESTS.rglob("*.py") if not {"fixtures", "fakes"} & set(path.parts))
WAITS = frozenset({"wait", "wait_for", "wait_until", "join", "acquire", "communicate", "run_paicli"})
LONGEST_IN_VAIN_S = 0.5
"""Of a wait that shows that something does not come."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_no_test_gives_a_time_of_its_own_to_what_has_to_come(path: Path) -> None:
    waits = [node.lineno for node, seconds in _waits(path) if seconds > LONGEST_IN_VAIN_S]
    assert waits == [], "tests.patience says how long"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_no_test_asserts_how_long_something_took(path: Path) -> None:
    asserts = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Assert)]
    timed = [node.lineno for node in asserts if any(map(_reads_a_clock, ast.walk(node)))]
    assert timed == [], "figures are the benchmarks'"


def test_a_hang_is_ended_later_than_a_wait(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("timeout")) >= 2 * PATIENCE_S


def _waits(path: Path) -> Iterator[tuple[ast.Call, float]]:
    """Calls that wait for so many seconds, by a number that stands there; not those of a command with its time-out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", "")) not in WAITS:
            continue
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        seconds = [] if "cancel" in named else [*node.args, named.get("timeout"), named.get("timeout_s")]
        for value in seconds:
            if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                yield node, value.value


def _reads_a_clock(node: ast.AST) -> bool:
    clocks = {"monotonic", "perf_counter", "process_time", "thread_time"}
    return isinstance(node, ast.Attribute) and node.attr in clocks
