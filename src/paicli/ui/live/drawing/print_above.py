"""Printing above the live prompt: erase it, write whole lines, draw it again, all in one write to the terminal.

Measured: `patch_stdout` and `run_in_terminal` wait, switch the terminal's mode for each write and let
keys echo in between. This touches three private names of prompt_toolkit; its version is pinned and each has a test.
"""

import sys
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.output.vt100 import Vt100_Output

BEGIN_SYNCHRONIZED = "\x1b[?2026h"
END_SYNCHRONIZED = "\x1b[?2026l"


class HeldOutput(Vt100_Output):
    """A terminal whose flushes can be held back, and that may go away."""

    is_held = False
    is_gone = False
    """Writing failed: the terminal hung up. Whatever is written then is dropped."""

    def flush(self) -> None:
        if self.is_held:
            return
        try:
            super().flush()
        except OSError:
            self.is_gone = True


def own_output() -> HeldOutput:
    """Of the process's own terminal."""
    output = HeldOutput.from_pty(sys.stdout)
    assert isinstance(output, HeldOutput)
    output.enable_cpr = False  # unanswered it costs a warning, answered late it delays each print
    return output


def ring(app: Application[Any], code: str) -> None:
    """Sends a bell or a notification, which draw nothing. Belongs to the app's thread."""
    app.output.write_raw(code)
    app.output.flush()


def print_above(app: Application[Any], text: str) -> None:
    """Writes `text` (whole lines, ends with LF) above the prompt. Belongs to the app's thread."""
    output = app.output
    is_live = app.is_running and not app._running_in_terminal  # pyright: ignore[reportPrivateUsage]  # see module
    if isinstance(output, HeldOutput):
        output.is_held = True
    try:
        output.write_raw(BEGIN_SYNCHRONIZED)
        if is_live:
            app.renderer.erase()
        output.enable_autowrap()
        output.write_raw(text)
        if is_live:
            app.renderer.reset()
            app._request_absolute_cursor_position()  # pyright: ignore[reportPrivateUsage]  # see module
            app._redraw()  # pyright: ignore[reportPrivateUsage]  # see module
        output.write_raw(END_SYNCHRONIZED)
    finally:
        if isinstance(output, HeldOutput):
            output.is_held = False
    output.flush()
