# The dialogue by keys: what is typed, what is pasted, what shows, and the ways out.
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.ui.setup.choices import NameRead, chosen_number, read_name
from paicli.ui.setup.dialogue import TerminalDialogue
from tests.patience import PATIENCE_S
from tests.ui.emulated import EmulatedTerminal

Answer = TypeVar("Answer")
LEFT, RIGHT = "\x1b[D", "\x1b[C"


class Screen:
    """A dialogue that is asked on this thread, with keys typed beforehand."""

    def __init__(self, keys: PipeInput) -> None:
        self.terminal = EmulatedTerminal()
        self.keys = keys
        self.dialogue = TerminalDialogue(Texts(Language.EN), terminal=(keys, self.terminal.output))

    def press_when(self, shown: str, keys: str, count: int = 1) -> threading.Thread:
        """Types `keys` once `shown` stands on the screen."""

        def press() -> None:
            self.terminal.wait_for(shown, count=count)
            self.keys.send_text(keys)

        thread = threading.Thread(target=press, daemon=True)
        thread.start()
        return thread


@pytest.fixture
def screen() -> Iterator[Screen]:
    with create_pipe_input() as keys:
        yield Screen(keys)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("2\r", 1),
        ("\r", 2),
        (" 3 \r", 2),
        ("Beta\r", 1),
        ("gam\r", 2),
        ("0\r9\rx\r-1\r1\r", 0),
        ("1\x7f2\r", 1),
        (f"13{LEFT}\x7f\r", 2),
        ("\x1b[200~2\x1b[201~\r", 1),
        ("\x1b", None),
    ],
)
def test_a_list_is_answered_by_number_or_name(screen: Screen, keys: str, expected: int | None) -> None:
    screen.keys.send_text(keys)

    names = ["alpha", "beta", "gamma"]
    assert screen.dialogue.choose("Which?", ["A a", "B b", "C c"], names=names, preset=2) == expected

    assert screen.terminal.lines()[:4] == ["Which?", "  1. A a", "  2. B b", "  3. C c"]


@pytest.mark.parametrize(
    ("keys", "preset", "expected"),
    [("  word \r", "", "word"), ("\r", "usual", "usual"), ("\r\r late\r", "", "late"), ("half\x1b", "usual", None)],
)
def test_a_line_is_asked_until_there_is_one(screen: Screen, keys: str, preset: str, expected: str | None) -> None:
    screen.keys.send_text(keys)

    assert screen.dialogue.ask("Name: ", preset=preset) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("sk-secret-1\r", "sk-secret-1"),
        ("\x1b[200~sk-secret-2\n\x1b[201~\r", "sk-secret-2"),
        ("\x1b[200~sk-sec\nret-3\x1b[201~\r", "sk-sec\nret-3"),
        (f"sk-secrt-4{LEFT * 3}e{RIGHT}\r", "sk-secret-4"),
        ("sk-secret-5\x15other\r", "other"),
        ("\r", ""),
        ("sk-secret\x1b", None),
    ],
)
def test_nothing_of_a_key_is_shown_not_even_its_length(screen: Screen, keys: str, expected: str | None) -> None:  # C42
    screen.keys.send_text(keys)

    assert screen.dialogue.ask_hidden("Key: ") == expected

    assert "".join(screen.terminal.lines()).strip() == "Key:"
    assert "sec" not in screen.terminal.raw
    assert "*" not in screen.terminal.raw


def test_a_key_is_in_no_history(screen: Screen) -> None:
    screen.keys.send_text("sk-secret\r")
    assert screen.dialogue.ask_hidden("Key: ") == "sk-secret"

    screen.keys.send_text("\x1b[A\r\x10\rdone\r")
    assert screen.dialogue.ask("Name: ") == "done"
    assert "secret" not in screen.terminal.raw


@pytest.mark.parametrize(("keys", "error"), [("half\x03", KeyboardInterrupt), ("\x04", EOFError)])
@pytest.mark.parametrize("asked", ["choose", "ask", "ask_hidden"])
def test_ctrl_c_and_ctrl_d_leave_every_question(
    screen: Screen, asked: str, keys: str, error: type[BaseException]
) -> None:
    questions: dict[str, Callable[[], object]] = {
        "choose": lambda: screen.dialogue.choose("Which?", ["a"]),
        "ask": lambda: screen.dialogue.ask("Name: "),
        "ask_hidden": lambda: screen.dialogue.ask_hidden("Key: "),
    }
    screen.keys.send_text(keys)

    with pytest.raises(error):
        questions[asked]()


def test_work_is_waited_for_and_its_answer_comes_back(screen: Screen) -> None:
    assert screen.dialogue.wait_for("Working…", lambda cancel: "done") == "done"

    assert "".join(screen.terminal.lines()).strip() == ""  # the message goes when its work is done


@pytest.mark.parametrize("key", ["\x1b", "\x03"])
def test_escape_and_ctrl_c_end_work_that_heeds_it(screen: Screen, key: str) -> None:
    ended = threading.Event()

    def work(cancel: CancellationToken) -> str:
        cancel.wait(PATIENCE_S)
        ended.set()
        return "late"

    pressing = screen.press_when("Working", key)

    assert screen.dialogue.wait_for("Working…", work) is None

    pressing.join(PATIENCE_S)
    assert ended.wait(PATIENCE_S)


def test_escape_does_not_wait_for_work_that_does_not_heed_it(screen: Screen) -> None:
    release = threading.Event()
    screen.press_when("Working", "\x1b")

    assert screen.dialogue.wait_for("Working…", lambda cancel: release.wait(PATIENCE_S)) is None

    release.set()


def test_ctrl_d_ends_work_and_leaves(screen: Screen) -> None:
    screen.keys.send_text("\x04")

    with pytest.raises(EOFError):
        screen.dialogue.wait_for("Working…", lambda cancel: cancel.wait(PATIENCE_S))


def test_keys_while_work_runs_answer_nothing(screen: Screen) -> None:
    can_end = threading.Event()

    def press() -> None:
        screen.terminal.wait_for("Working")
        screen.keys.send_text("abc\r\x1b[A")
        can_end.set()

    threading.Thread(target=press, daemon=True).start()

    assert screen.dialogue.wait_for("Working…", lambda cancel: can_end.wait(PATIENCE_S)) is True


def test_what_is_said_steers_no_terminal(screen: Screen) -> None:
    screen.dialogue.say("plain\x1b]0;title\x07 text\nsecond")

    assert screen.terminal.lines()[:2] == ["plain text", "second"]
    assert "\x1b]" not in screen.terminal.raw


@pytest.mark.parametrize(
    ("typed", "names", "expected"),
    [
        ("1", (), 0),
        ("3", (), 2),
        ("4", (), None),
        ("", (), None),
        ("²", (), None),
        ("1" * 5_000, (), None),
        ("qwen", ("qwen", "qwen-long"), 0),
        ("q", ("qwen", "quit"), None),
        ("qu", ("qwen", "quit"), 1),
    ],
)
def test_an_answer_means_one_choice_or_none(typed: str, names: tuple[str, ...], expected: int | None) -> None:
    assert chosen_number(typed, 3, names=names) == expected


LISTED = ("glm-5.2", "glm-5.2-air", "qwen3:8b", "42")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1", NameRead("glm-5.2")),
        ("3", NameRead("qwen3:8b")),
        ("4", NameRead("")),  # the fourth has no row
        ("0", NameRead("")),
        ("42", NameRead("42")),
        ("GLM-5.2-Air", NameRead("glm-5.2-air")),
        ("glm-5", NameRead("glm-5", "glm-5.2")),
        ("qwen3-8b", NameRead("qwen3-8b", "qwen3:8b")),
        ("llama3", NameRead("llama3")),
    ],
)
def test_a_model_is_named_by_its_row_its_name_or_any_other_text(typed: str, expected: NameRead) -> None:
    assert read_name(typed, LISTED[:3], listed=LISTED) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("\r", "glm-5.2"),
        ("9\r2\r", "glm-5.2-air"),
        ("llama3\r", "llama3"),
        ("qwen3-8b\r\r", "qwen3:8b"),
        ("qwen3-8b\rqwen3-8b\r", "qwen3-8b"),
        ("qwen3-8b\r1\r", "glm-5.2"),
        ("\x1b", None),
    ],
)
def test_any_model_may_be_named_and_a_near_miss_is_asked_about_once(
    screen: Screen, keys: str, expected: str | None
) -> None:
    for key in keys.splitlines(keepends=True):
        screen.keys.send_text(key)

    assert screen.dialogue.choose_name("Which model?", LISTED, shown=3) == expected

    assert screen.terminal.lines()[:5] == [
        "Which model?", "  1. glm-5.2", "  2. glm-5.2-air", "  3. qwen3:8b", "1 more: type the name"
    ]  # fmt: skip


def test_on_a_narrow_screen_rows_are_broken_between_words_behind_their_numbers() -> None:
    with create_pipe_input() as keys:
        terminal = EmulatedTerminal(columns=30)
        keys.send_text("1\r")
        choices = ["custom  any endpoint that speaks OpenAI", "任何 OpenAI 兼容接口: 填地址和模型"]
        dialogue = TerminalDialogue(Texts(Language.EN), terminal=(keys, terminal.output))
        assert dialogue.choose("Which provider shall be asked first?", choices) == 0
    assert terminal.lines()[:6] == [
        "Which provider shall be asked",
        "first?",
        "  1. custom  any endpoint that",
        "     speaks OpenAI",
        "  2. 任何 OpenAI 兼容接口: 填",
        "     地址和模型",
    ]
