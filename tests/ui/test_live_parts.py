import asyncio
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.input import create_pipe_input

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import RoundStarted, TaskCompleted, TaskStarted
from paicli.core.events import (
    DeltaKind,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    Notice,
    Origin,
    TurnStarted,
)
from paicli.core.faults import Fault
from paicli.core.messages import ChatResponse, Usage
from paicli.core.ops import Mode, TurnKind
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.live.drawing.print_above import BEGIN_SYNCHRONIZED, END_SYNCHRONIZED, print_above
from paicli.ui.live.event_feed import EventFeed
from paicli.ui.live.panels import is_silent
from paicli.ui.live.status_bar import SessionStatus, elapsed_text, short_count
from paicli.ui.rendering.answer_stream import TAIL_CHARACTERS, AnswerStream
from paicli.ui.rendering.renderer import StreamEnd, StreamText
from paicli.ui.rendering.styled import (
    Line,
    Painter,
    Span,
    Style,
    cut,
    line,
    padded,
    printed_rows,
    prose,
    width,
    wrapped,
)
from tests.patience import PATIENCE_S
from tests.random_examples import examples
from tests.ui.emulated import EmulatedTerminal
from tests.ui.fake_engine import event_of

EN = Texts(Language.EN)
FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 10_000, Mode.PLAN, "en", git_branch="main")


@pytest.mark.parametrize(
    ("text", "columns"),
    [("你好", 4), ("，", 2), ("👩‍💻", 2), ("🇯🇵", 2), ("ﾊﾛｰ", 3), ("ไทย", 3), ("", 0), ("a\tb", 2)],
)
def test_width_counts_columns(text: str, columns: int) -> None:  # C54
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "hang", "columns", "rows"),
    [
        ("the quick brown fox", 0, 40, ["the quick brown fox"]),
        ("the quick brown fox jumps", 0, 10, ["the quick", "brown fox", "jumps"]),
        ("the quick  ", 0, 9, ["the quick"]),
        ("你好，这里是 English words（括号）。", 0, 8, ["你好，这", "里是", "English", "words", "（括", "号）。"]),
        ("• one two three", 2, 9, ["• one two", "  three"]),
        ("- https://a.b/c/d/e/f/g now", 2, 12, ["- https://a.b/c/d/e/f/g", "  now"]),
        ("see https://a.b/c/d/e/f/g now", 0, 12, ["see", "https://a.b/c/d/e/f/g", "now"]),
        ("aaaa\tbbbb cccc", 0, 8, ["aaaa", "bbbb", "cccc"]),
        ("    ", 0, 2, ["    "]),
        ("wide hang", 30, 8, ["wide", "    hang"]),
    ],
)
def test_prose_breaks_between_words_and_keeps_what_is_longer_than_a_row_whole(
    text: str, hang: int, columns: int, rows: list[str]
) -> None:
    assert [row.text for row in printed_rows(Line((Span(text),), hang, is_prose=True), columns)] == rows


@given(text=st.text(st.sampled_from("ab 你，（）。-/.\t👩‍💻"), max_size=60), columns=st.integers(1, 30))
@examples(150)
def test_wrapped_prose_loses_nothing_but_blanks(text: str, columns: int) -> None:
    middle = len(text) // 2
    parts = Line((Span(text[:middle], Style.BOLD), Span(text[middle:])), 2, is_prose=True)
    rows = printed_rows(parts, columns)
    assert "".join("".join(row.text.split()) for row in rows) == "".join(text.split())
    bold = "".join(span.text for row in rows for span in row.spans if span.style is Style.BOLD)
    assert "".join(bold.split()) == "".join(text[:middle].split())


def test_code_and_output_are_left_to_the_terminal_and_unknown_widths_too() -> None:
    long = "word " * 10
    assert printed_rows(line(long), 10) == [line(long)]
    assert [printed_rows(part, 0) for part in prose(long)] == [prose(long)]


def test_padding_cutting_and_wrapping_keep_to_columns() -> None:
    assert padded("你好", 6) + "|" == "你好  |"
    assert cut("你好世界", 5) == "你好…"
    assert cut("你好", 4) == "你好"
    assert wrapped(Line((Span("ab你", Style.BOLD), Span("好cd"))), 4) == [
        Line((Span("ab你", Style.BOLD),)),
        Line((Span("好cd"),)),
    ]
    assert wrapped(line("你"), 1) == [line("你")]
    assert wrapped(Line(), 10) == [Line()]


def test_no_color_no_escape() -> None:
    styled = Line((Span("a", Style.BAD), Span("b")))
    assert Painter(ColorUse.NEVER).line(styled) == "ab"
    assert Painter(ColorUse.ALLOWED).line(styled) == "\x1b[31ma\x1b[0mb"


def status_text(status: SessionStatus, columns: int) -> str:
    return status.text(columns, EN)


def test_the_status_bar_gives_up_what_matters_least_on_a_narrow_screen() -> None:
    now = [100.0]
    status = SessionStatus(FACTS, clock=lambda: now[0])
    status.accept(event_of(TurnStarted(TurnKind.PLAN, "x", Mode.PLAN)))
    status.accept(event_of(TaskStarted("a", False), Origin("t", "task_1", "p", 1, "task_1")))
    status.accept(event_of(TaskStarted("b", False), Origin("t", "task_2", "p", 1, "task_2")))
    status.accept(event_of(ModelReplyReceived(ChatResponse("", usage=Usage(2_400, 0, 100)), 0.1)))
    now[0] = 165.0
    assert status_text(status, 120) == (
        "PLAN shift+tab to cycle · task_1 1m05s · task_2 1m05s · glm-5 · 1m05s · context 25% · 2.5k tokens · main"
    )
    assert status_text(status, 90) == (
        "PLAN shift+tab to cycle · task_1 1m05s · task_2 1m05s · glm-5 · 1m05s · context 25%"
    )
    assert status_text(status, 60) == "PLAN shift+tab to cycle · task_1 1m05s · task_2 1m05s"
    assert status_text(status, 40) == "PLAN shift+tab to cycle · task_1 1m05s"
    assert status_text(status, 10) == "PLAN shif…"
    status.accept(event_of(TaskCompleted(""), Origin("t", "task_1", "p", 1, "task_1")))
    assert "task_1" not in status_text(status, 120)


def test_the_status_bar_names_the_running_tasks_in_the_order_of_their_round() -> None:
    status = SessionStatus(FACTS, clock=lambda: 0.0)

    def told(body: EventBody, task: str, *, actor: str = "") -> None:
        status.accept(event_of(body, Origin("t", actor or task, "p", 1, task)))

    told(RoundStarted(("task_1", "task_2", "task_3")), "")
    for task in ("task_3", "task_1", "task_2"):
        told(TaskStarted("x", False), task)
    assert status_text(status, 90) == "PLAN shift+tab to cycle · task_1 0s · task_2 0s · task_3 0s · glm-5 · main"
    told(ModelReplyReceived(ChatResponse("fine"), 0.1), "task_2", actor="task_2/review")
    told(ModelReplyReceived(ChatResponse("fine"), 0.1), "task_1")
    assert status_text(status, 90) == "PLAN shift+tab to cycle · task_2 0s · task_3 0s · glm-5 · main"
    told(ModelRequestStarted(2, 3, ()), "task_1")  # its answer was empty
    assert "task_1 0s" in status_text(status, 90)


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0s"), (59.9, "59s"), (65, "1m05s"), (7_380, "2h03m")])
def test_elapsed_time_is_short(seconds: float, text: str) -> None:
    assert elapsed_text(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(950, "950"), (12_345, "12.3k"), (1_234_567, "1.2M")])
def test_counts_are_short(count: int, text: str) -> None:
    assert short_count(count) == text


def test_whole_lines_are_committed_once_and_the_rest_is_the_tail() -> None:
    stream = AnswerStream(EN)
    text = StreamText(DeltaKind.TEXT, "one\ntw")
    assert stream.accept(text) == prose("one")
    assert stream.tail == prose("tw")
    assert stream.accept(StreamText(DeltaKind.TEXT, "o\n")) == prose("two")
    assert stream.tail == []
    stream.accept(StreamText(DeltaKind.TEXT, "x" * 1_000))
    assert stream.tail == prose("…" + "x" * TAIL_CHARACTERS)
    assert stream.accept(StreamEnd()) == prose("x" * 1_000)
    assert stream.accept(StreamEnd()) == []


def test_thinking_stands_dimmed_before_the_answer() -> None:
    stream = AnswerStream(EN)
    assert stream.accept(StreamText(DeltaKind.THINKING, "hm\nso")) == prose("🧠 hm", Style.DIM)
    assert stream.accept(StreamText(DeltaKind.TEXT, "yes")) == prose("so", Style.DIM)


@pytest.mark.parametrize(
    "key", ["up", "c-left", "s-down", "f5", "c-f3", "pageup", "home", "<vt100-mouse-event>", "s-tab"]
)
def test_arrow_and_function_keys_are_silent(key: str) -> None:
    assert is_silent(key)


@pytest.mark.parametrize("key", ["x", "enter", "c-x", "escape", "<bracketed-paste>", "中", "paste"])
def test_other_keys_are_not(key: str) -> None:
    assert not is_silent(key)


def test_events_of_many_threads_arrive_in_the_loop_in_order_and_in_few_batches() -> None:
    batches: list[list[Event]] = []
    threads: set[int] = set()
    total = 2_000
    done = asyncio.Event()

    def take(batch: list[Event]) -> None:
        threads.add(threading.get_ident())
        batches.append(batch)
        if sum(map(len, batches)) == total + 1:
            done.set()

    feed = EventFeed(take)
    feed.listen(event_of(Notice(Fault("before the loop"))))

    def produce(name: str) -> None:
        for number in range(total // 4):
            feed.listen(event_of(ModelDelta(DeltaKind.TEXT, str(number)), Origin("t", name)))

    async def main() -> None:
        feed.open()
        producers = [threading.Thread(target=produce, args=(f"task_{n}",)) for n in range(4)]
        for producer in producers:
            producer.start()
        await asyncio.wait_for(done.wait(), PATIENCE_S)

    asyncio.run(main())
    feed.listen(event_of(Notice(Fault("after the loop"))))
    everything = [event for batch in batches for event in batch]
    assert threads == {threading.get_ident()}
    for name in ("task_0", "task_1", "task_2", "task_3"):
        texts = [e.body.text for e in everything if e.origin.actor == name and isinstance(e.body, ModelDelta)]
        assert texts == [str(number) for number in range(total // 4)]
    assert len(batches) < total / 10
    assert len(feed.close()) == 1


def test_printing_above_the_prompt_is_one_write_and_keeps_the_prompt() -> None:
    terminal = EmulatedTerminal(40, 10)
    writes: list[str] = []
    with create_pipe_input() as keys:
        session: PromptSession[str] = PromptSession("> ", input=keys, output=terminal.output)

        def start() -> None:
            session.default_buffer.insert_text("half")
            asyncio.get_running_loop().call_later(0.05, act, session.app)

        def act(app: Application[Any]) -> None:
            before = len(terminal.raw)
            print_above(app, "above 1\nabove 2\n")
            writes.append(terminal.raw[before:])
            app.exit(result="")

        session.prompt(pre_run=start)
    assert writes[0].startswith(BEGIN_SYNCHRONIZED)
    assert writes[0].endswith(END_SYNCHRONIZED)
    assert [text for text in terminal.lines() if text] == ["above 1", "above 2", "> half"]


@pytest.mark.parametrize("name", ["_running_in_terminal", "_request_absolute_cursor_position", "_redraw"])
def test_the_private_names_that_printing_needs_are_there(name: str) -> None:
    with create_pipe_input() as keys:
        app = PromptSession[str](input=keys, output=EmulatedTerminal().output).app
    assert hasattr(app, name)


def test_a_terminal_that_hung_up_takes_no_session_down() -> None:
    terminal = EmulatedTerminal()

    def broken(text: str, /) -> int:
        raise OSError(5, "gone")

    terminal.output.stdout.write = broken  # type: ignore[method-assign]  # the pty's other end is closed
    terminal.output.write_raw("x")
    terminal.output.flush()
    assert terminal.output.is_gone
