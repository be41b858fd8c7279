"""A program in a pseudo-terminal, its raw output, and what a terminal would show of it."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).parent.parent.parent
WAIT_S = 8


class PtyApp:
    """`python -m tests.ui.fake_engine_app` on a terminal of 80×24."""

    def __init__(self, folder: Path, *arguments: str, language: str = "en", size: tuple[int, int] = (80, 24)) -> None:
        columns, rows = size
        self._sizes = [(0, columns, rows)]
        self.raw = b""
        command = [sys.executable, "-m", "tests.ui.fake_engine_app", language, str(folder / "history"), *arguments]
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            command[0],
            command[1:],
            cwd=str(ROOT),
            env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(folder)},
            dimensions=(rows, columns),
            timeout=WAIT_S,
        )
        self.child.delaybeforesend = None

    def send(self, keys: str) -> None:
        self.child.send(keys.encode())

    def wait_for(self, pattern: str) -> "re.Match[bytes]":
        """Reads on until the raw output, from the last match on, has `pattern`."""
        self.child.expect(pattern.encode())
        self.raw += self.child.before + self.child.after
        assert isinstance(self.child.match, re.Match)
        return self.child.match

    def wait_for_screen(self, seen: Callable[[list[str]], bool]) -> list[str]:
        """Reads on until the visible screen satisfies `seen`."""
        lines = self.screen()[1]
        for _ in range(200):
            if seen(lines):
                return lines
            try:
                self.raw += self.child.read_nonblocking(65_536, timeout=WAIT_S / 100)
            except pexpect.TIMEOUT:
                continue
            lines = self.screen()[1]
        raise AssertionError("\n".join(lines))

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
            stream.feed(self.raw[position:start])
            position = start
            if columns:
                screen.resize(rows, columns)
        history = ["".join(row[at].data for at in sorted(row)).rstrip() for row in screen.history.top]
        return history, [line.rstrip() for line in screen.display]
