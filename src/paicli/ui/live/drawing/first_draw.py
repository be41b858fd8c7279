"""What waits until the prompt stands: the rest of the session is put together when the person can type already."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from prompt_toolkit.application import Application

QUIET_S = 0.05
"""So long after the prompt was drawn: keys that were typed before it are echoed first."""


class Settling(Protocol):
    """A future: work that goes on."""

    def result(self) -> Any:
        """Raises what went wrong."""
        ...

    def add_done_callback(self, fn: Callable[[Any], object], /) -> None: ...


Settle = Callable[[], Settling | None]
"""Returns at once."""


def once_drawn(app: Application[Any], settle: Settle) -> None:
    """Calls `settle` after the first draw. What it fails with ends the app with that error, the terminal restored."""
    loop = asyncio.get_running_loop()

    def is_over(future: Settling) -> None:
        # Raised in the loop, an error goes the way of every error of the ui. A loop that ended has nobody to tell.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(future.result)

    def begin() -> None:
        future = settle()
        if future is not None:
            future.add_done_callback(is_over)

    def drawn(drawn_app: Application[Any]) -> None:
        app.after_render.remove_handler(drawn)
        loop.call_later(QUIET_S, begin)

    app.after_render.add_handler(drawn)
