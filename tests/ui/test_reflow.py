import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input

from paicli.app.config.environment import folds_rows
from paicli.ui.live.drawing.reflow import ReflowedRenderer, folded_rows, follow_reflow
from tests.ui.emulated import EmulatedTerminal

UP, ERASE_ROW, ERASE_DOWN = "\x1b[A", "\x1b[K", "\x1b[J"


@pytest.mark.parametrize(
    ("widths", "columns", "rows"),
    [
        ([], 10, 1),
        ([1] * 10, 10, 1),
        ([1] * 11, 10, 2),
        ([1] * 30, 10, 3),
        ([2] * 5, 10, 1),
        ([1, *[2] * 5], 10, 2),  # a wide one does not fit into the last column
        ([2] * 5, 3, 5),
    ],
)
def test_rows_fold_as_a_terminal_folds_them(widths: list[int], columns: int, rows: int) -> None:
    assert folded_rows(widths, columns) == rows


def erased(columns: int, *, message: str, later: str = "") -> str:
    """What is written to erase a prompt that was drawn on 100 columns, on a screen of so many."""
    terminal = EmulatedTerminal(100, 20)
    shown = [message]
    written: list[str] = []
    with create_pipe_input() as keys:
        session: PromptSession[str] = PromptSession(lambda: shown[0], input=keys, output=terminal.output)
        follow_reflow(session.app)

        def start() -> None:
            asyncio.get_running_loop().call_later(0.05, change, session.app)

        def change(app: Application[Any]) -> None:
            shown[0] = later or message
            app.invalidate()
            asyncio.get_running_loop().call_later(0.05, narrow, app)

        def narrow(app: Application[Any]) -> None:
            terminal.output.get_size = lambda: Size(20, columns)  # type: ignore[method-assign]  # the window changed
            before = len(terminal.raw)
            app.renderer.erase()
            written.append(terminal.raw[before:])
            app.exit(result="")

        session.prompt(pre_run=start)
    return written[0]


@pytest.mark.parametrize(
    ("columns", "ups"),
    [(100, 2), (200, 2), (60, 3), (30, 4), (29, 5)],
)
def test_as_many_rows_are_erased_as_the_live_part_takes_now(columns: int, ups: int) -> None:
    written = erased(columns, message=f"{'a' * 87}\n{'你' * 15}\n> ")
    assert written.count(f"{UP}{ERASE_ROW}") == written.count(UP) == ups
    assert written.index(ERASE_DOWN) < written.index(UP)  # never all of a screen at once: tmux keeps it


def test_blanks_that_replaced_something_fold_too_and_an_empty_row_is_one() -> None:
    assert erased(60, message=f"{'a' * 87}\n> ", later="b\n> ").count(UP) == 2
    assert erased(60, message=f"{'a' * 87}\n> ", later="\n> ").count(UP) == 1


@pytest.mark.parametrize("name", ["_cursor_pos", "_last_screen", "_last_size", "_style_string_has_style"])
def test_the_private_names_that_erasing_needs_are_there(name: str) -> None:
    with create_pipe_input() as keys:
        app = PromptSession[str](input=keys, output=EmulatedTerminal().output).app
    follow_reflow(app)
    assert isinstance(app.renderer, ReflowedRenderer)
    assert hasattr(app.renderer, name)


@pytest.mark.parametrize(
    ("environ", "folds"),
    [
        ({"TMUX": "/tmp/tmux,1,0", "TERM": "tmux-256color"}, True),
        ({"TMUX": "/tmp/tmux,1,0", "TERM": "screen"}, True),
        ({"TMUX": "/tmp/tmux,1,0", "TERM": "xterm-256color"}, False),
        ({"TMUX": "/tmp/tmux,1,0", "TERM": "screen", "STY": "1.pts"}, False),
        ({"TERM": "screen"}, False),
        ({}, False),
    ],
)
def test_only_a_terminal_that_is_known_to_fold_is_taken_for_one(environ: Mapping[str, str], folds: bool) -> None:
    assert folds_rows(environ) is folds
