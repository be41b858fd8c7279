"""Tells keys that a person presses from keys that come in a burst: a paste into a terminal without bracketed paste."""

import select
from collections.abc import Callable

from prompt_toolkit.key_binding.key_processor import KeyPressEvent

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


def _is_readable(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 0)[0])
