"""Tells keys that a person presses from keys that come in a burst: a paste into a terminal without bracketed paste."""

import select
import termios
from collections.abc import Callable

from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

BURST_S = 0.05
"""A key this soon after one that had others waiting behind it belongs to the same burst."""


class KeyBursts:
    """Behind a key of a burst others wait already; a person's key is the last there is."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._burst_at: float | None = None

    def is_inside(self, event: KeyPressEvent) -> bool:
        """More keys wait behind this one."""
        is_inside = bool(event.key_processor.input_queue) or _is_readable(event.app.input.fileno())
        if is_inside:
            self._burst_at = self._clock()
        return is_inside

    def ends(self) -> bool:
        """This key, the last there is, is the end of a burst."""
        burst_at, self._burst_at = self._burst_at, None
        return burst_at is not None and self._clock() - burst_at <= BURST_S


class TypedAhead:
    """What was typed before the first prompt came through the terminal's own line editing, which made LF of Enter."""

    def __init__(self) -> None:
        self._is_waiting = False

    def look(self, descriptor: int) -> None:
        """To be called while the terminal still reads by lines: is one there already?"""
        self._is_waiting = _reads_by_lines(descriptor) and _is_readable(descriptor)

    def is_enter(self, event: KeyPressEvent) -> bool:
        """This Ctrl+J is an Enter of what was typed ahead."""
        is_enter = self._is_waiting and event.key_sequence[-1].key == Keys.ControlJ
        self._is_waiting = is_enter and any(press.key == Keys.ControlJ for press in event.key_processor.input_queue)
        return is_enter


def _reads_by_lines(descriptor: int) -> bool:
    try:
        input_flags, _, _, local_flags, *_ = termios.tcgetattr(descriptor)
    except termios.error:
        return False  # no terminal
    return bool(input_flags & termios.ICRNL and local_flags & termios.ICANON)


def _is_readable(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])
