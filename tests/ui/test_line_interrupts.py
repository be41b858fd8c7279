import io
import os
import signal

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import TurnFinished, TurnStatus
from paicli.core.ops import Cancel, Mode, RunShell, Submit
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.line_mode import LineSession
from tests.fakes.canned_queries import CannedQueries
from tests.ui.fake_engine import FakeEngine

FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 100_000, Mode.AUTO, "zh", color=ColorUse.NEVER)


class PressesCtrlC(io.StringIO):
    """An output whose reader presses Ctrl+C the moment `shown` stands there."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self._shown = shown

    def write(self, text: str, /) -> int:
        size = super().write(text)
        if self._shown and self._shown in text:
            self._shown = ""
            os.kill(os.getpid(), signal.SIGINT)
        return size


@pytest.mark.parametrize("shown", ["需要批准", "允许? "])
def test_ctrl_c_cancels_a_question_however_early_it_comes_and_the_next_line_is_input(shown: str) -> None:  # C64
    def play(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
        if isinstance(op, Submit) and op.text == "go":
            engine.ask_approval("execute_command", '{"command": "make"}')
            return TurnFinished(TurnStatus.CANCELLED, "")
        return None

    engine = FakeEngine(play)
    session = LineSession(
        submit=engine.submit,
        texts=Texts(Language.ZH),
        facts=FACTS,
        queries=CannedQueries(),
        reader=io.StringIO("go\nnext\n"),
        writer=PressesCtrlC(shown),
    )
    engine.listen = session.listen
    assert session.run() == 0
    assert Cancel() in engine.ops
    assert [op for op in engine.ops if isinstance(op, Submit)] == [Submit("go"), Submit("next")]
