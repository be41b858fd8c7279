import asyncio
import signal
import threading
from collections.abc import Iterator

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.input import DummyInput, PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from paicli.core.errors import UserFacingError
from paicli.core.events import DeltaKind, Event, ModelDelta, TurnFinished
from paicli.core.ops import AppendRule, ApprovalDecision, DecideApproval, RunShell, Submit
from paicli.ui.input_sources import EditorEnding, FoundPath, InputSources
from paicli.ui.live.editor_visit import EditorVisit
from paicli.ui.live.event_feed import COALESCE_S, EventFeed
from tests.patience import PATIENCE_S
from tests.ui.fake_engine import FakeEngine, event_of
from tests.ui.test_terminal_keys import FACTS, Harness, answer, paste

ENTER, CTRL_E, CTRL_G, CTRL_V, CTRL_X, BACKSPACE = "\r", "\x05", "\x07", "\x16", "\x18", "\x7f"


class Files:
    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        known = (FoundPath("src", is_folder=True), FoundPath("src/one.py"), FoundPath("src/my two.py"))
        return tuple(found for found in known if typed in found.path)

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        return self.mentioned(typed, limit)


class Editor:
    """Waits until it is told to close; says what it was given."""

    def __init__(self, ending: EditorEnding) -> None:
        self.ending = ending
        self.given = ""
        self.opened, self.may_close = threading.Event(), threading.Event()

    def edit(self, text: str) -> EditorEnding:
        self.given = text
        self.opened.set()
        assert self.may_close.wait(PATIENCE_S)
        return self.ending


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def harness_with(keys: PipeInput, sources: InputSources, play: object = answer) -> Harness:
    assert callable(play)
    harness = Harness(play, keys)
    harness.facts = FACTS._replace(sources=sources)
    return harness


def test_enter_without_a_choice_sends_though_the_menu_is_open(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("@one")
        harness.out.wait_for("src/one.py")
        harness.press(ENTER)
        assert harness.sent() == [Submit("@one")]

    harness_with(keys, InputSources(paths=Files())).run(script)


def test_a_line_behind_a_hash_is_no_turn_and_goes_through_while_one_runs(keys: PipeInput) -> None:
    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.wait_for(AppendRule)
        engine.say("fine")

    def script(harness: Harness) -> None:
        harness.press("work" + ENTER)
        harness.sent()
        harness.press("#use tabs" + ENTER)
        harness.out.wait_for("fine")
        assert harness.engine.ops == [Submit("work"), AppendRule("use tabs")]

    harness_with(keys, InputSources(), play).run(script)


@pytest.mark.parametrize("chord", [[CTRL_G], [CTRL_X, CTRL_E], [CTRL_X + CTRL_E]])
def test_the_editor_gets_the_half_typed_text_and_a_slow_hand_has_two_seconds(keys: PipeInput, chord: list[str]) -> None:
    editor = Editor(EditorEnding("edited\ntext\n", editor="ed"))

    def script(harness: Harness) -> None:
        harness.press("half")
        harness.out.wait_for("> half")
        harness.press(chord[0])
        for key in chord[1:]:
            harness.now += 1.5
            harness.press(key)
        assert editor.opened.wait(PATIENCE_S)
        editor.may_close.set()
        harness.out.wait_for("edited")
        harness.press(ENTER)
        assert (editor.given, harness.sent()) == ("half", [Submit("edited\ntext")])

    harness_with(keys, InputSources(editor=editor)).run(script)


def test_ctrl_x_and_another_key_is_that_key(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("a" + CTRL_X + "b" + CTRL_X + paste("c\nd") + CTRL_X + ENTER)
        assert harness.sent() == [Submit("ab" + "c\nd")]

    harness_with(keys, InputSources()).run(script)


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (EditorEnding(None, "exit 1", "ed"), "ed failed (exit 1)"),
        (EditorEnding(), "No editor was found"),
    ],
)
def test_an_editor_that_failed_leaves_the_text(keys: PipeInput, ending: EditorEnding, told: str) -> None:
    editor = Editor(ending)
    editor.may_close.set()

    def script(harness: Harness) -> None:
        harness.press("kept")
        harness.out.wait_for("> kept")
        harness.press(CTRL_G)
        harness.out.wait_for(told)
        harness.press(ENTER)
        assert harness.sent() == [Submit("kept")]

    harness_with(keys, InputSources(editor=editor)).run(script)


def test_what_the_agent_says_waits_until_the_editor_is_closed(keys: PipeInput) -> None:
    editor = Editor(EditorEnding("after", editor="ed"))
    has_spoken = threading.Event()

    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        assert editor.opened.wait(PATIENCE_S)
        engine.say("the answer")
        has_spoken.set()

    def script(harness: Harness) -> None:
        harness.press("ask" + ENTER)
        harness.sent()
        harness.press(CTRL_G)
        assert has_spoken.wait(PATIENCE_S)
        assert not any("the answer" in line for line in harness.out.lines())
        editor.may_close.set()
        harness.out.wait_for("the answer")
        harness.out.wait_for("after")

    harness_with(keys, InputSources(editor=editor), play).run(script)


def test_an_open_question_is_not_answered_by_the_editors_keys(keys: PipeInput) -> None:
    editor = Editor(EditorEnding())

    def play(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
        engine.ask_approval("write_file", '{"path": "a"}')
        return None

    def script(harness: Harness) -> None:
        harness.press("go" + ENTER)
        harness.out.wait_for("Approval needed")
        harness.press(CTRL_X + CTRL_E + CTRL_G)
        harness.out.wait_for("/5; the fifth counts as no)")
        harness.press("y")
        decided = harness.engine.wait_for(DecideApproval)[0]
        assert (decided.decision, editor.opened.is_set()) == (ApprovalDecision.ALLOW, False)

    harness_with(keys, InputSources(editor=editor), play).run(script)


class Pictures:
    def __init__(self, *found: str | UserFacingError) -> None:
        self.found = list(found)

    def save_pasted(self) -> str:
        found = self.found.pop(0)
        if isinstance(found, UserFacingError):
            raise found
        return found


def test_a_pasted_picture_is_a_placeholder_that_one_backspace_removes(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press("see ")
        harness.out.wait_for("> see")
        harness.press(CTRL_V)
        harness.out.wait_for("> see [Image #1]")
        harness.press(paste(""))
        harness.out.wait_for("> see [Image #1][Image #2]")
        harness.press(BACKSPACE + "!" + BACKSPACE + ENTER)
        assert harness.sent() == [Submit("see @/s/1.png", words="see [Image #1]")]
        harness.out.wait_for("fine")

    harness_with(keys, InputSources(pictures=Pictures("/s/1.png", "/s/2.png"))).run(script)


def test_why_nothing_was_pasted_is_said(keys: PipeInput) -> None:
    def script(harness: Harness) -> None:
        harness.press(CTRL_V)
        harness.out.wait_for("The clipboard holds no image")
        harness.press(CTRL_V)
        harness.out.wait_for("xclip could not read the clipboard (no display)")

    failed = UserFacingError("picture.failed", program="xclip", reason="no display")
    harness_with(keys, InputSources(pictures=Pictures(UserFacingError("picture.none"), failed))).run(script)


def test_a_feed_that_is_held_hands_over_nothing_and_then_everything_in_order() -> None:
    async def play() -> tuple[list[Event], list[Event]]:
        handed: list[Event] = []
        has_come = asyncio.Event()

        def take(batch: list[Event]) -> None:
            handed.extend(batch)
            has_come.set()

        feed = EventFeed(take)
        feed.open()
        feed.hold()
        for number in range(3):
            feed.listen(event_of(ModelDelta(DeltaKind.TEXT, str(number))))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(has_come.wait(), 4 * COALESCE_S)
        held = list(handed)
        feed.release()
        await asyncio.wait_for(has_come.wait(), PATIENCE_S)
        return held, handed

    held, handed = asyncio.run(play())
    assert held == []
    assert [event.body for event in handed] == [ModelDelta(DeltaKind.TEXT, str(number)) for number in range(3)]


def test_an_interrupt_that_ended_the_editor_comes_while_it_still_counts_as_open() -> None:
    async def play() -> bool:
        loop = asyncio.get_running_loop()
        was_open: asyncio.Future[bool] = loop.create_future()
        app: Application[int] = Application(input=DummyInput(), output=DummyOutput())
        visit = EditorVisit(Editor(EditorEnding()), EventFeed(lambda batch: None), say=lambda *code, **fields: None)

        def as_prompt_toolkit_does() -> None:
            loop.call_soon_threadsafe(lambda: was_open.set_result(visit.is_open))

        def until_it_ended() -> None:  # the loop is busy meanwhile
            (editor,) = [thread for thread in threading.enumerate() if thread.name == "paicli-editor"]
            editor.join(PATIENCE_S)

        loop.add_signal_handler(signal.SIGINT, as_prompt_toolkit_does)
        try:
            visit.lend(app, lambda: signal.raise_signal(signal.SIGINT), lambda nothing: None)
            loop.call_soon(until_it_ended)
            return await was_open
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    assert asyncio.run(play())
