import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent


@pytest.mark.parametrize(("profile", "is_repeatable"), [("repeatable", True), ("explore", False)])
def test_examples_are_bound_to_no_clock_and_to_no_earlier_run(profile: str, is_repeatable: bool) -> None:
    chosen = settings.get_profile(profile)
    assert (chosen.derandomize, chosen.deadline, chosen.database) == (is_repeatable, None, None)


def test_each_test_says_only_how_many_examples_it_takes() -> None:
    found = {name: decorators for path in TESTS.rglob("*.py") for name, decorators in _given(path)}
    assert len(found) > 40
    assert {name for name, decorators in found.items() if sorted(decorators) != ["examples", "given"]} == set()


def _given(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each test over made-up examples, with what chooses them."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            called = [each.func for each in node.decorator_list if isinstance(each, ast.Call)]
            names = [func.id for func in called if isinstance(func, ast.Name) and func.id != "example"]
            if "given" in names:
                yield f"{path.name}::{node.name}", names
