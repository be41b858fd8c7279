import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import Notice, SessionFinished, TurnFinished, TurnStatus
from paicli.core.faults import Fault
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    DecideApproval,
    DecideReview,
    Mode,
    Queue,
    RecallQueue,
    ReviewDecision,
    RunShell,
    SetMode,
    Submit,
    TurnKind,
)
from paicli.session.input_history import InputHistory
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.input_sources import InputSources
from paicli.ui.terminal import TerminalSession
from tests.patience import PATIENCE_S
from tests.ui.emulated import EmulatedTerminal
from tests.ui.fake_engine import FakeEngine, event_of, plan_of

ESC, UP, DOWN, SHIFT_TAB, CTRL_C, CTRL_D, CTRL_J, CTRL_O, F5 = (
    "\x1b",
    "\x1b[A",
    "\x1b[B",
    "\x1b[Z",
    "\x03",
    "\x04",
    "\n",
    "\x0f",
    "\x1b[15~",
)
ENTER = "\r"
VIEW = plan_of("x", {"task_1": (), "task_2": ("task_1",)})
FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 100_000, Mode.AUTO, "en", color=ColorUse.NEVER)


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


class Harness:
    """A live session on a pipe: a script presses keys on a thread of its own, the session runs here."""

    def __init__(self, play: Callable[[FakeEngine, Submit | RunShell], TurnFinished | None], keys: PipeInput) -> None:
        self.engine = FakeEngine(play)
        self.keys = keys
        self.out = EmulatedTerminal()
        self.now = 100.0
        self.facts = FACTS

    def run(self, script: Callable[["Harness"], None]) -> TerminalSession:
        session = TerminalSession(
            submit=self.engine.submit,
            texts=Texts(Language.EN),
            facts=self.facts,
            terminal=(self.keys, self.out.output),
            clock=lambda: self.now,
        )
        self.engine.listen = session.listen
        failures: list[BaseException] = []

        def act() -> None:
            try:
                self.out.wait_for("shift+tab")
                script(self)
            except BaseException as error:
                failures.append(error)
            finally:
                session.listen(event_of(SessionFinished()))

        thread = threading.Thread(target=act, daemon=True)
        thread.start()
        try:
            session.run()
        finally:
            thread.join(PATIENCE_S)
            if failures:
                raise failures[0]
        return session

    def press(self, keys: str) -> None:
        self.keys.send_text(keys)

    def sent(self, count: int = 1) -> list[Submit]:
        return self.engine.wait_for(Submit, count=count)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def answer(engine: FakeEngine, op: Submit | RunShell) -> None:
    engine.say("fine")


def until_cancelled(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished:
    was_cancelled = engine.cancelled.wait(PATIENCE_S)
    return TurnFinished(TurnStatus.CANCELLED if was_cancelled else TurnStatus.COMPLETED, "")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("hello" + ENTER, "hello"),
        ("a" + ESC + ENTER + "b" + ENTER, "a\nb"),
        ("a" + CTRL_J + "b" + ENTER, "a\nb"),
        (paste("l1\r\nl2\tx\nl3") + ENTER, "l1\nl2\tx\nl3"),  # C50
        (paste("/exit\n\x1b[31mred") + ENTER, "/exit\n\x1b[31mred"),  # C50
    ],
)
def test_enter_sends_what_stands_there(keys: PipeInput, typed: str, text: str) -> None:
    harness = Harness(answer, keys)

    def script(harness: Harness) -> None:
        harness.press(typed[:-1])
        harness.out.wait_for(text.split("\n")[-1][-1])
        harness.now += 1
        harness.press(ENTER)
        assert harness.sent() == [Submit(text)]

    harness.run(script)


def test_a_trailing_backslash_makes_a_new_line(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("one\\")
        harness.out.wait_for("one\\")
        harness.press(ENTER)
        harness.out.wait_for("> one\n")
        harness.press("two")
        harness.out.wait_for("two")
        harness.press(ENTER)
        assert harness.sent() == [Submit("one\ntwo")]

    Harness(answer, keys).run(script)


def test_fast_lines_without_bracketed_paste_are_one_text_and_wait_for_a_real_enter(keys: PipeInput) -> None:  # C50
    def script(harness: Harness) -> None:
        harness.press("l1\rl2\rl3\r")
        harness.out.wait_for("l3")
        harness.now += 1
        harness.press(ENTER)
        assert harness.sent() == [Submit("l1\nl2\nl3")]

    Harness(answer, keys).run(script)


def test_long_pastes_stand_as_placeholders_and_are_sent_whole_and_in_order(keys: PipeInput) -> None:  # C50
    first, second = "\n".join(f"a{n}" for n in range(30)), "b" * 300_000

    def script(harness: Harness) -> None:
        harness.press(paste(first) + " and " + paste(second))
        harness.out.wait_for("[Paste #2: 300000 characters]")
        harness.press(ENTER)
        one, two = "[Paste #1: 30 lines]", "[Paste #2: 300000 characters]"
        assert harness.sent() == [Submit(f"{one} and {two}", None, f"{one}\n{first}\n\n{two}\n{second}")]

    Harness(answer, keys).run(script)


def test_shift_tab_cycles_the_modes(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press(SHIFT_TAB * 3)
        modes = harness.engine.wait_for(SetMode, count=3)
        assert modes == [SetMode(Mode.PLAN), SetMode(Mode.ASK), SetMode(Mode.AUTO)]

    Harness(answer, keys).run(script)


@pytest.mark.parametrize("key", [ESC, CTRL_C])
def test_esc_and_ctrl_c_cancel_the_turn_and_arrows_and_alt_keys_do_not(keys: PipeInput, key: str) -> None:
    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()
        for harmless in (UP, DOWN, F5, ESC + "b", ESC + ENTER):
            harness.press(harmless)
        harness.press("x")
        harness.out.wait_for("x")
        assert not harness.engine.cancelled.is_set()
        harness.press(key)
        harness.out.wait_for("Cancelled.")
        assert harness.engine.wait_for(Cancel)

    Harness(until_cancelled, keys).run(script)


def test_a_cancel_before_the_turn_has_started_reaches_it(keys: PipeInput) -> None:
    may_start = threading.Event()

    class SlowToStart(FakeEngine):
        def _work(self) -> None:
            may_start.wait(PATIENCE_S)
            super()._work()

    harness = Harness(until_cancelled, keys)
    harness.engine = SlowToStart(until_cancelled)

    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()
        harness.press(ESC)
        harness.engine.wait_for(Cancel)
        may_start.set()
        harness.engine.wait_for(Cancel, count=2)
        harness.out.wait_for("Cancelled.")

    harness.run(script)


def test_ctrl_c_at_an_idle_prompt_clears_then_asks_then_leaves(keys: PipeInput) -> None:
    left = threading.Event()

    def script(harness: Harness) -> None:
        harness.press("half")
        harness.out.wait_for("half")
        harness.press(CTRL_C + CTRL_C)
        harness.out.wait_for("Press Ctrl+C again")
        harness.now += 3
        harness.press(CTRL_C)
        harness.out.wait_for("Press Ctrl+C again", count=2)
        harness.now += 1
        harness.press(CTRL_C)
        assert left.wait(PATIENCE_S)

    session = Harness(answer, keys)
    original = TerminalSession._leave

    def note(self: TerminalSession) -> None:
        left.set()
        original(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TerminalSession, "_leave", note)
        session.run(script)
    assert session.engine.ops == []


def test_ctrl_d_leaves_an_empty_line_and_deletes_in_another(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("ab\x01" + CTRL_D)  # Ctrl+A: to the start
        harness.out.wait_for("b")
        harness.press(ENTER)
        assert harness.sent() == [Submit("b")]
        harness.out.wait_for("fine")
        harness.press(CTRL_D)

    assert Harness(answer, keys).run(script).exit_status == 0


def review(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    while engine.ask_review(VIEW).decision is ReviewDecision.REVISE:
        pass
    return None


@pytest.mark.parametrize(
    ("pressed", "decisions"),
    [
        ([ENTER], [("execute", "")]),
        ([ESC], [("cancel", "")]),
        ([UP, F5, "\x1b[C", ENTER], [("execute", "")]),
        ([CTRL_O, "do task_2", ESC, ESC], [("cancel", "")]),
        (["x", "Keys: Enter runs it", ENTER], [("execute", "")]),
        (
            ["i", "Change>", "add tests", "add tests", ENTER, "again", ENTER],
            [("revise", "add tests"), ("execute", "")],
        ),
        (["I", "Change>", ENTER, "back", ENTER], [("execute", "")]),
        (["i", "Change>", "no", "no", ESC, "back", ENTER], [("execute", "")]),
        ([paste("y\n"), "Keys: Enter runs it", ENTER], [("execute", "")]),
    ],
)
def test_a_review_is_answered_by_keys(keys: PipeInput, pressed: list[str], decisions: list[tuple[str, str]]) -> None:
    def script(harness: Harness) -> None:
        harness.press("/plan x" + ENTER)
        harness.out.wait_for("The plan is ready.")
        press_in_turn(harness, pressed)
        answers = harness.engine.wait_for(DecideReview, count=len(decisions))
        assert [(op.decision.value, op.feedback) for op in answers] == decisions
        assert harness.sent() == [Submit("x", TurnKind.PLAN)]

    Harness(review, keys).run(script)


def press_in_turn(harness: Harness, pressed: list[str]) -> None:
    """Keys are pressed; other texts are what must be drawn before the next key."""
    special = {ENTER, ESC, UP, F5, CTRL_O, "\x1b[C"}
    reviews = 1
    typed: set[str] = set()
    for item in pressed:
        if item == "again":
            reviews += 1
            harness.engine.wait_for(DecideReview, count=reviews - 1)
            harness.out.wait_for("Last round: task_2", count=reviews)
        elif item == "back":
            harness.out.wait_for("> ")
            settle(harness)
        elif item in special or item.startswith("\x1b[200~") or len(item) == 1:
            harness.press(item)
            settle(harness)
            harness.now += 1
        elif item.endswith(">") or item.startswith(("do ", "Keys")) or item in typed:
            harness.out.wait_for(item)
        else:
            typed.add(item)
            harness.press(item)


def settle(harness: Harness) -> None:
    """Long enough for a lone ESC to be told from an Alt chord, and for a key to come alone."""
    threading.Event().wait(0.15)


APPROVED = '{"path": "f1", "content": "x"}'


def approve(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    engine.ask_approval("write_file", APPROVED, task="task_1", description="build")
    return None


@pytest.mark.parametrize(
    ("pressed", "decision"),
    [
        (["y"], ApprovalDecision.ALLOW),
        ([ENTER], ApprovalDecision.ALLOW),
        (["a"], ApprovalDecision.ALLOW_SESSION),
        (["n"], ApprovalDecision.DENY),
        (["N"], ApprovalDecision.DENY),
        (["s"], ApprovalDecision.SKIP),
        ([ESC], ApprovalDecision.CANCEL),
        ([*"xqzvk"], ApprovalDecision.DENY),
        ([*"xqzv", UP, F5, "y"], ApprovalDecision.ALLOW),
        ([paste("y\ny\n"), "n"], ApprovalDecision.DENY),
        (["yes, do it\ry\r", "n"], ApprovalDecision.DENY),  # an unbracketed paste answers nothing
        ([ESC + "y", "n"], ApprovalDecision.DENY),
    ],
)
def test_an_approval_is_answered_by_keys(keys: PipeInput, pressed: list[str], decision: ApprovalDecision) -> None:
    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.out.wait_for("every write_file")
        for key in pressed:
            harness.press(key)
            settle(harness)
            harness.now += 1
        assert harness.engine.wait_for(DecideApproval) == [DecideApproval("request_1", decision)]

    Harness(approve, keys).run(script)


def test_an_approval_leaves_half_typed_text_alone_and_half_a_word_does_not_answer_it(keys: PipeInput) -> None:  # C56
    asked = threading.Event()

    def play(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
        assert asked.wait(PATIENCE_S)
        return approve(engine, op)

    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()
        harness.press("then tr")
        harness.out.wait_for("then tr")
        asked.set()
        harness.out.wait_for("every write_file")
        harness.press("y it")  # the person is still typing: a second has not passed
        harness.out.wait_for("y it")
        assert not [op for op in harness.engine.ops if isinstance(op, DecideApproval)]
        harness.now += 1
        harness.press("y")
        harness.engine.wait_for(DecideApproval)
        harness.press(ENTER)
        typed = harness.engine.wait_for(Queue) if harness.engine.ops[-1] != Submit("then try it") else []
        assert typed in ([Queue("then try it")], [])

    Harness(play, keys).run(script)


def test_a_sentence_begun_as_a_question_comes_answers_nothing_and_enter_sends_it(keys: PipeInput) -> None:  # C56
    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()
        harness.out.wait_for("every write_file")
        harness.press("p")
        harness.out.wait_for("/5;")
        for letters in ("> l", "> la", "> lay"):  # a alone would allow it for the session
            harness.press(letters[-1])
            harness.out.wait_for(letters)
        harness.press(ENTER)  # what is written is sent, and a written line is never a yes
        assert harness.engine.wait_for(Queue) == [Queue("lay")]
        assert not [op for op in harness.engine.ops if isinstance(op, DecideApproval)]
        harness.now += 1
        harness.press("y")
        assert [op.decision for op in harness.engine.wait_for(DecideApproval)] == [ApprovalDecision.ALLOW]

    Harness(approve, keys).run(script)


def test_text_typed_while_a_turn_runs_is_queued_and_up_takes_it_back(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()
        harness.press("and tests")
        harness.out.wait_for("and tests")
        harness.press(ENTER)
        assert harness.engine.wait_for(Queue) == [Queue("and tests")]
        harness.out.wait_for("Queued: and tests")
        harness.press(UP)
        harness.engine.wait_for(RecallQueue)
        harness.out.wait_for("> and tests")
        harness.press(" too" + ENTER)
        assert harness.engine.wait_for(Queue, count=2)[1] == Queue("and tests too")
        harness.press(ESC)

    Harness(until_cancelled, keys).run(script)


def test_an_armed_plan_is_disarmed_by_esc_or_takes_the_next_text(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("/plan" + ENTER)
        harness.out.wait_for("The next task will use Plan-and-Execute mode")
        harness.press(ESC)
        harness.out.wait_for("The pending Plan-and-Execute was cancelled")
        harness.press("/plan" + ENTER)
        harness.out.wait_for("The next task will use Plan-and-Execute mode", count=2)
        harness.press("build" + ENTER)
        assert harness.sent() == [Submit("build", TurnKind.PLAN)]

    Harness(answer, keys).run(script)


def test_an_unknown_command_is_answered_and_not_sent(keys: PipeInput) -> None:
    harness = Harness(answer, keys)

    def script(harness: Harness) -> None:
        harness.press("/hlep" + ENTER)
        harness.out.wait_for("Unknown command: /hlep; did you mean: /help")

    harness.run(script)
    assert harness.engine.ops == []


def test_history_is_private_and_leaves_out_lines_that_begin_with_a_space(keys: PipeInput, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "history"
    harness = Harness(answer, keys)
    harness.facts = FACTS._replace(sources=InputSources(history=InputHistory(path)))

    def script(harness: Harness) -> None:
        for count, text in enumerate(("first", " secret", "third"), start=1):
            harness.press(text)
            harness.out.wait_for(text.strip())
            harness.press(ENTER)
            harness.sent(count)
            harness.out.wait_for("fine", count=count)
        harness.press(UP)
        harness.out.wait_for("> third", count=2)
        harness.press(UP)
        harness.out.wait_for("> first", count=2)
        harness.press(ENTER)
        assert harness.sent(4)[3] == Submit("first")

    harness.run(script)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert InputHistory(path).entries() == ["first", "third", "first"]


def test_a_fault_of_the_ui_ends_the_session_with_its_exception(keys: PipeInput) -> None:  # C55
    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.emit(Notice(Fault("x"), "no level"))  # type: ignore[arg-type]  # a fault is wanted

    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.sent()

    with pytest.raises(KeyError, match="no level"):
        Harness(play, keys).run(script)


def test_one_turn_is_run_and_returned(keys: PipeInput) -> None:
    finished = TurnFinished(TurnStatus.PARTIAL, "text")
    engine = FakeEngine(lambda engine, op: finished)
    session = TerminalSession(
        submit=engine.submit, texts=Texts(Language.EN), facts=FACTS, terminal=(keys, EmulatedTerminal().output)
    )
    engine.listen = session.listen
    assert session.run_once(Submit("x", TurnKind.REACT)) == finished
    assert engine.ops == [Submit("x", TurnKind.REACT)]


def test_once_the_prompt_stands_the_rest_is_put_together_and_what_fails_there_ends_the_session(keys: PipeInput) -> None:
    engine, out = FakeEngine(answer), EmulatedTerminal()
    going: Future[None] = Future()
    seen_at_begin: list[bool] = []

    def settle() -> Future[None]:
        seen_at_begin.append("shift+tab" in "\n".join(out.lines()))
        going.set_exception(KeyError("no engine"))
        return going

    session = TerminalSession(
        submit=engine.submit, texts=Texts(Language.EN), facts=FACTS, settle=settle, terminal=(keys, out.output)
    )
    with pytest.raises(KeyError, match="no engine"):
        session.run()
    assert seen_at_begin == [True]
