import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.tools.terminal_text import last_lines, plain_text
from tests.random_examples import examples


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("10%\r20%\r100%\n", "100%\n"),
        ("abcdef\rXY", "XYcdef"),
        ("long line\r\x1b[Kshort\n", "short\n"),
        ("aaa\x1b[2K\rb", "b"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("b\bbo\bol\bld", "bold"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07hi \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "hi link"),
        ("\x1b(B\x1b=\x1b[?25lx\x9b31my", "xy"),
        ("\x1b]never closed\nnext", "never closed\nnext"),
        ("A=1\0B=2\0", "A=1␀B=2␀"),
        ("bell\x07 \x0e\x7f", "bell "),
        ("中文\r英", "英文"),
        ("\x1b", ""),
    ],
)
def test_a_text_reads_as_the_terminal_shows_it_in_the_end(written: str, shown: str) -> None:
    assert plain_text(written) == shown


@examples(100)
@given(st.text(alphabet="ab\r\n\b\x1b[]0;mK\x07\0\x9b\t中", max_size=60))
def test_no_control_character_is_left_and_nothing_more_changes_on_a_second_pass(text: str) -> None:
    shown = plain_text(text)
    assert not [sign for sign in shown if ord(sign) < 32 and sign not in "\n\t"]
    assert plain_text(shown) == shown


def test_the_last_lines_are_those_that_hold_something_each_cut_to_the_width() -> None:
    assert last_lines("a\nb\n\n" + "c" * 10 + "\n\n", 2, 5) == "b\ncccc…"
