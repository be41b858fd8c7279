"""What stands between the printed lines and the input: the unfinished answer, the running tool, a panel, the queue."""

import time
from collections.abc import Callable

from prompt_toolkit.filters import Condition, is_done
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, Window

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import Event, QueueTaken, TextQueued, ToolFinished, ToolProgressed, ToolStarted, TurnFinished
from paicli.ui.live.panels import Panel
from paicli.ui.live.round_board import RoundBoard
from paicli.ui.rendering.styled import Line, Painter, Style, cut, fitted_rows, line
from paicli.ui.rendering.tool_lines import call_subject

TAIL_ROWS = 8
PROGRESS_ROWS = 5
QUEUED_ROWS = 3
KEPT_ROWS = 4
"""Rows of the screen that a panel leaves to the prompt and the status bar."""


class LiveView:
    """Holds the live state; `windows` draw it."""

    def __init__(
        self,
        texts: Texts,
        painter: Painter,
        size: Callable[[], tuple[int, int]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`size` gives (columns, rows) of the terminal."""
        self.panel: Panel | None = None
        self.tail: list[Line] = []
        self.queued: list[str] = []
        self._texts = texts
        self._painter = painter
        self._size = size
        self._tools: dict[tuple[str, str], str] = {}
        """(actor, call) → the running tool's line, in order of start"""
        self._progress: dict[tuple[str, str], str] = {}
        self._board = RoundBoard(texts, clock)

    def accept(self, event: Event) -> None:
        self._board.accept(event)
        match event.body:
            case ToolStarted(call_id, name, arguments):
                subject = call_subject(arguments)
                self._tools[event.origin.actor, call_id] = self._texts.screen(
                    "tool.running", name=name, subject=subject
                )
            case ToolProgressed(call_id, tail):
                self._progress[event.origin.actor, call_id] = tail
            case ToolFinished(call_id):
                self._tools.pop((event.origin.actor, call_id), None)
                self._progress.pop((event.origin.actor, call_id), None)
            case TurnFinished():
                self._tools, self._progress = {}, {}
            case TextQueued(text):
                self.queued.append(text)
            case QueueTaken(texts):
                self.queued = self.queued[len(texts) :]
            case _:
                pass

    def rows(self) -> list[Line]:
        """All live rows, never more than the screen has beside prompt and status bar."""
        columns, height = self._size()
        room = max(4, height - KEPT_ROWS)
        queued = self._queued_rows(columns)
        if self.panel is not None:
            return [*self.panel.rows(columns, room - len(queued)), *queued]
        tail = [row for waiting in self.tail for row in fitted_rows(waiting, columns)][-TAIL_ROWS:]
        board = [line(self._cut(row.text, columns), Style.DIM) for row in self._board.rows()]
        live = [*tail, *self._tool_rows(columns), *board]
        return [*live[-(room - len(queued)) :], *queued]

    def windows(self) -> ConditionalContainer:
        return ConditionalContainer(
            Window(FormattedTextControl(self._formatted), dont_extend_height=True),
            Condition(lambda: bool(self.rows())) & ~is_done,
        )

    def _tool_rows(self, columns: int) -> list[Line]:
        shown: list[Line] = []
        for (actor, call_id), text in self._tools.items():
            if self._board.has(actor):
                continue  # one row for each task of a parallel round
            shown.append(line(self._cut(text, columns), Style.DIM))
            tail = self._painter.plain(self._progress.get((actor, call_id), "")).rstrip("\n")
            rows = tail.split("\n")[-PROGRESS_ROWS:] if tail else []
            shown += [line(cut("    " + row.expandtabs(4), columns), Style.DIM) for row in rows]
        return shown

    def _queued_rows(self, columns: int) -> list[Line]:
        texts = [self._texts.screen("session.queued", text=" ".join(text.split())) for text in self.queued]
        return [line(self._cut(text, columns), Style.DIM) for text in texts[-QUEUED_ROWS:]]

    def _cut(self, text: str, columns: int) -> str:
        return cut(self._painter.plain(text).replace("\n", " "), columns)

    def _formatted(self) -> StyleAndTextTuples:
        formatted: StyleAndTextTuples = []
        for row in self.rows():
            if formatted:
                formatted.append(("", "\n"))
            formatted += [(self._painter.theme.live(span.style), self._painter.plain(span.text)) for span in row.spans]
        return formatted
