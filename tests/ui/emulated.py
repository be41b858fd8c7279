"""A terminal in memory: what prompt_toolkit writes, as pyte shows it, to wait for from another thread."""

import io
import re
import threading
from collections.abc import Callable

import pyte
from prompt_toolkit.data_structures import Size
from pyte.modes import LNM

from paicli.ui.live.drawing.print_above import HeldOutput
from tests.patience import PATIENCE_S

UNKNOWN_TO_PYTE = re.compile("\ufe0f|\u200d")
"""Joiners and variation selectors: pyte drops the rest of what is drawn after one."""


class _Stream(io.StringIO):
    def __init__(self, on_write: Callable[[str], None]) -> None:
        super().__init__()
        self._on_write = on_write

    def write(self, text: str, /) -> int:
        self._on_write(text)
        return len(text)


class EmulatedTerminal:
    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.raw = ""
        self._screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=0.5)
        self._screen.set_mode(LNM)  # a real terminal's line discipline makes CR LF of LF
        self._stream = pyte.Stream(self._screen)
        self._changed = threading.Condition()
        self.output = HeldOutput(_Stream(self._feed), lambda: Size(rows, columns), enable_cpr=False)

    def wait_for(self, wanted: str, *, count: int = 1) -> None:
        """Waits until `wanted` stands `count` times in what scrolled off and what is on the screen, together."""
        wanted = UNKNOWN_TO_PYTE.sub("", wanted)
        with self._changed:
            is_there = self._changed.wait_for(lambda: "\n".join(self._lines()).count(wanted) >= count, PATIENCE_S)
            assert is_there, f"{wanted!r} does not stand there {count} times:\n" + "\n".join(self._lines())

    def lines(self) -> list[str]:
        with self._changed:
            return self._lines()

    def _lines(self) -> list[str]:
        scrolled = ["".join(row[at].data for at in sorted(row)).rstrip() for row in self._screen.history.top]
        return [*scrolled, *(line.rstrip() for line in self._screen.display)]

    def _feed(self, text: str) -> None:
        with self._changed:
            self.raw += text
            self._stream.feed(UNKNOWN_TO_PYTE.sub("", text))
            self._changed.notify_all()
