import re
from collections.abc import Iterator

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from paicli.core.events import TurnFinished
from paicli.core.ops import RunShell, Submit
from tests.ui.fake_engine import FakeEngine
from tests.ui.test_terminal_keys import CTRL_O, ENTER, Harness

LINES = 4_000


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def numbers(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    engine.say("".join(f"N{number:04}\n" for number in range(LINES)))
    return None


def test_leaving_right_after_a_long_answer_loses_no_line_of_it(keys: PipeInput) -> None:
    harness = Harness(numbers, keys)

    def script(session: Harness) -> None:
        session.press("go" + ENTER)
        session.sent()
        session.out.wait_for("N0000")
        session.press("/exit" + ENTER)

    harness.run(script)
    shown = [text for text in harness.out.lines() if re.fullmatch(r"N\d{4}", text)]
    assert shown == [f"N{number:04}" for number in range(LINES)]


def test_ctrl_o_with_nothing_folded_says_so(keys: PipeInput) -> None:
    def script(session: Harness) -> None:
        session.press(CTRL_O)
        session.out.wait_for("Nothing is folded")

    Harness(numbers, keys).run(script)
