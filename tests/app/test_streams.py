import io
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.app.help_text import help_text
from paicli.app.main import main
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Language, Texts


@pytest.fixture
def terminal() -> Iterator[int]:
    """The program's end of a terminal of 50 columns."""
    mine, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (20, 50))
    yield theirs
    os.close(theirs)
    os.close(mine)


def test_the_width_is_that_of_the_terminal_stdout_is(terminal: int, tmp_path: Path) -> None:
    with open(terminal, "w", closefd=False) as screen, (tmp_path / "f").open("w") as file:
        assert Streams(None, screen, None).output_columns == 50
        assert Streams(None, file, screen).output_columns == 0
    assert Streams(None, file, None).output_columns == 0  # closed by now
    assert Streams(None, io.StringIO(), None).output_columns == 0
    assert Streams(None, None, None).output_columns == 0


def test_help_is_wrapped_on_a_terminal_and_whole_in_a_pipe(terminal: int) -> None:
    class Screen(io.StringIO):
        def fileno(self) -> int:
            return terminal

    shown: list[str] = []
    for stdout in (Screen(), io.StringIO()):
        assert main(["--help", "--lang", "en"], {}, Streams(None, stdout, None)) == 0
        shown.append(stdout.getvalue())
    english = Texts(Language.EN)
    assert shown == [help_text(english, columns=50), help_text(english)]
