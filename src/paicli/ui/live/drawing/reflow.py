"""The live rows after the terminal broke them anew: some terminals fold rows that no longer fit when they get narrower.

prompt_toolkit goes up by the rows that it drew, which are fewer than there are now, and leaves the uppermost standing.
Here they are counted at the new width. This touches four private names; the version is pinned and each has a test.
"""

# pyright: reportPrivateUsage=false
# see above

from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.screen import Screen
from prompt_toolkit.renderer import Renderer


def follow_reflow(app: Application[Any]) -> None:
    """From now on `app` erases what became of its rows. Only where the terminal is known to fold them."""
    old = app.renderer
    app.renderer = ReflowedRenderer(
        old.style,
        old.output,
        mouse_support=old.mouse_support,
        cpr_not_supported_callback=app.cpr_not_supported_callback,
    )


class ReflowedRenderer(Renderer):
    """As tmux keeps rows (measured, and read in its grid.c): blanks that replaced something stay part of a row."""

    _used: dict[int, int]
    """Columns that were ever drawn in a row since all was erased."""

    def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:
        self._used = {}
        super().reset(_scroll=_scroll, leave_alternate_screen=leave_alternate_screen)

    def erase(self, leave_alternate_screen: bool = True) -> None:
        if self._last_screen is not None:
            self._erase_rows(self._last_screen)
        super().erase(leave_alternate_screen=leave_alternate_screen)

    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
        if self._is_narrower():  # before the signal of it came
            self.erase(leave_alternate_screen=False)
        super().render(app, layout, is_done=is_done)
        if self._last_screen is not None:
            self._note_rows(self._last_screen)

    def _is_narrower(self) -> bool:
        return self._last_size is not None and 0 < self.output.get_size().columns < self._last_size.columns

    def _erase_rows(self, screen: Screen) -> None:
        """From the cursor's row up, each by itself: tmux keeps as history what is erased from the top of a screen.

        Never a step down: a screen that got lower may have no row below the cursor.
        """
        x, y = self._cursor_pos
        self.output.cursor_backward(x)
        rows = self._rows_to_top(screen) if self._is_narrower() else y
        if rows:
            self.output.erase_down()
        for _ in range(rows):
            self.output.cursor_up(1)
            self.output.erase_end_of_line()
        self._cursor_pos = Point(0, 0)

    def _rows_to_top(self, screen: Screen) -> int:
        x, y = self._cursor_pos
        columns = self.output.get_size().columns
        own = folded_rows(self._cells(screen, y), columns)
        return sum(folded_rows(self._cells(screen, row), columns) for row in range(y)) + min(x // columns, own - 1)

    def _note_rows(self, screen: Screen) -> None:
        for row in range(screen.height):
            drawn = sum(self._drawn(screen, row))
            self._used[row] = max(self._used.get(row, 0), drawn) if drawn else 0

    def _cells(self, screen: Screen, row: int) -> list[int]:
        drawn = self._drawn(screen, row)
        return drawn + [1] * (self._used.get(row, 0) - sum(drawn))

    def _drawn(self, screen: Screen, row: int) -> list[int]:
        """The widths of what stands in that row: plain blanks at its end are not drawn."""
        cells, has_style = screen.data_buffer[row], self._style_string_has_style
        drawn = [at for at, cell in cells.items() if cell.char != " " or (has_style and has_style[cell.style])]
        widths: list[int] = []
        column, end = 0, max(drawn, default=-1)
        while column <= end:
            widths.append(max(1, cells[column].width))
            column += widths[-1]
        return widths


def folded_rows(widths: list[int], columns: int) -> int:
    """How many rows cells of these widths take: a wide one that does not fit goes to the next."""
    rows, used = 1, 0
    for width in widths:
        if used + width > columns:
            rows, used = rows + 1, 0
        used += width
    return rows
