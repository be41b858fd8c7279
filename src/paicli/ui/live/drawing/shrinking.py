"""The live rows get fewer when less is to be shown: prompt_toolkit keeps their height until something is printed above.

An input of several lines, a menu or a panel that went would else leave blank rows above the status bar.
This touches one private name of prompt_toolkit; its version is pinned and a test holds it.
"""

from typing import Any

from prompt_toolkit.application import Application

from paicli.ui.live.drawing.print_above import HeldOutput

_LEAST_ROWS = 2
"""Prompt and status bar: what is no higher can't get lower."""


def shrink_with_content(app: Application[Any]) -> None:
    """From now on `app` is drawn anew, from its first row, whenever it needs fewer rows than it has."""
    app.before_render.add_handler(_shrink)


def _shrink(app: Application[Any]) -> None:
    drawn = app.renderer._last_screen  # pyright: ignore[reportPrivateUsage]  # see module
    output = app.output
    if drawn is None or drawn.height <= _LEAST_ROWS or app.is_done or not isinstance(output, HeldOutput):
        return
    size = output.get_size()
    if app.layout.container.preferred_height(size.columns, size.rows).preferred >= drawn.height:
        return
    was_held, output.is_held = output.is_held, True  # erased and drawn again in one write
    try:
        app.renderer.erase(leave_alternate_screen=False)
    finally:
        output.is_held = was_held
