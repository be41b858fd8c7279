"""The live rows are no more than what is shown: nothing blank stays between the prompt and the status bar."""

from collections.abc import Iterator

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from paicli.core.ops import DecideApproval, RunShell, Submit
from tests.ui.fake_engine import FakeEngine
from tests.ui.test_terminal_keys import CTRL_J, ENTER, ESC, Harness, answer

BACKSPACE = "\x7f"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


@pytest.mark.parametrize(
    ("typed", "seen", "removed", "left"),
    [
        ("a" + CTRL_J * 3 + "b", "> a\n\n\n  b\nAUTO", BACKSPACE * 4, "> a\nAUTO"),
        ("/hi", "/hitl", BACKSPACE * 3, ">\nAUTO"),  # the menu
    ],
)
def test_what_goes_from_the_input_leaves_no_row(
    keys: PipeInput, typed: str, seen: str, removed: str, left: str
) -> None:
    def script(harness: Harness) -> None:
        harness.press(typed)
        harness.out.wait_for(seen)
        harness.press(removed)
        harness.out.wait_for(left)
        harness.press("next")
        harness.out.wait_for("next\nAUTO")

    Harness(answer, keys).run(script)


def test_a_change_of_arguments_that_was_dropped_leaves_no_row(keys: PipeInput) -> None:
    def asking(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.ask_approval("write_file", '{"path": "a", "content": "b"}')

    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.out.wait_for("Approval needed")
        harness.now += 5
        harness.press("m")
        harness.out.wait_for('"content": "b"\n  }')
        harness.press(ESC)
        harness.out.wait_for(">\nAUTO")
        harness.press("y")
        assert len(harness.engine.wait_for(DecideApproval)) == 1

    Harness(asking, keys).run(script)
