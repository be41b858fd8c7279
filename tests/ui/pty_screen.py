"""A program in a pseudo-terminal, its raw output, and what a terminal would show of it."""

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
_UNKNOWN_TO_PYTE = re.compile("\ufe0f|\u200d".encode())
"""Joiners and variation selectors: pyte drops the rest of what is drawn after one."""


class PtyApp:
    """`python -m tests.ui.fake_engine_app` on a terminal of 80×24."""

    def __init__(self, folder: Path, *arguments: str, language: str = "en", size: tuple[int, int] = (80, 24)) -> None:
        columns, rows = size
        self._sizes = [(0, columns, rows)]
        self.raw = b""
        self._found = 0
        command = [sys.executable, "-m", "tests.ui.fake_engine_app", language, str(folder / "history"), *arguments]
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            command[0],
            command[1:],
            cwd=str(ROOT),
            env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(folder)},
            dimensions=(rows, columns),
            timeout=PATIENCE_S,
        )
        self.child.delaybeforesend = None

    def send(self, keys: str) -> None:
        self.child.send(keys.encode())

    def wait_for(self, printed: str) -> None:
        """Reads on until the raw output, from the last find on, has `printed`: for lines printed above the prompt."""
        wanted = printed.encode()
        self._read_until(lambda: self.raw.find(wanted, self._found) >= 0, printed)
        self._found = self.raw.find(wanted, self._found) + len(wanted)

    def wait_for_screen(self, seen: Callable[[list[str]], bool]) -> list[str]:
        """Reads on until the visible screen satisfies `seen`: for what is drawn live."""
        self._read_until(lambda: seen(self.screen()[1]), "screen")
        return self.screen()[1]

    def _read_until(self, is_there: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if is_there():
                return
            try:
                self.raw += self.child.read_nonblocking(65_536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
        if not is_there():
            raise AssertionError(
                f"{what!r} did not come:\n" + "\n".join([*self.screen()[0], "----", *self.screen()[1]])
            )

    def resize(self, columns: int, rows: int) -> None:
        self._sizes.append((len(self.raw), columns, rows))
        self.child.setwinsize(rows, columns)

    def end(self) -> int:
        """Reads to the end; the exit status, negative for a signal."""
        self.child.expect(pexpect.EOF)
        self.raw += self.child.before
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -(self.child.signalstatus or 0)

    def screen(self) -> tuple[list[str], list[str]]:
        """(lines that scrolled off the top, lines on the screen), as a terminal shows the raw output."""
        _, columns, rows = self._sizes[0]
        screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=0.5)
        stream = pyte.ByteStream(screen)
        position = 0
        for start, columns, rows in [*self._sizes[1:], (len(self.raw), 0, 0)]:
            stream.feed(_UNKNOWN_TO_PYTE.sub(b"", self.raw[position:start]))
            position = start
            if columns:
                # pyte drops the lines that a lower screen has no room for; a terminal scrolls them off.
                screen.history.top.extend(screen.buffer[at].copy() for at in range(max(0, screen.lines - rows)))
                screen.resize(rows, columns)
        history = ["".join(row[at].data for at in sorted(row)).rstrip() for row in screen.history.top]
        return history, [line.rstrip() for line in screen.display]
