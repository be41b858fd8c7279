"""Renders events in slices of a few milliseconds: between two of them the keys get their turn.

A model writes less than a slice holds. A plan's round that ends, a long diff or a stream from a fast endpoint is more:
rendered at once, it would hold a key back for seconds.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import Event, ModelDelta, Origin
from paicli.ui.rendering.answer_stream import AnswerStream
from paicli.ui.rendering.folds import FoldShelf
from paicli.ui.rendering.renderer import EventRenderer
from paicli.ui.rendering.styled import Line
from paicli.ui.rendering.task_order import TaskOrder

SLICE_S = 0.004
REST_S = 0.002
"""Between two slices: keys that came meanwhile are echoed."""
SHOWN_EVERY_S = 0.05
"""What is rendered meanwhile is printed at once: drawing the prompt again below it costs as much as a slice."""
TYPING_SLICE_S, TYPING_REST_S, TYPING_SHOWN_EVERY_S = 0.002, 0.012, 0.1
TYPING_S = 0.7
"""So long after a key somebody types: then keys go before speed."""
HELD_S = 0.1
MERGED_CHARACTERS = 600
"""Deltas become one up to so many characters: less than a slice's work."""


class OutputPump:
    """Belongs to the thread of the loop it is used in; `show` gets the lines to print and the live tail."""

    def __init__(
        self,
        texts: Texts,
        *,
        columns: Callable[[], int],
        show: Callable[[list[Line], list[Line]], None],
        is_held: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_held`: the terminal is someone else's for now, and nothing may be drawn."""
        self._show = show
        self._is_held = is_held
        self._order = TaskOrder()
        self.shelf = FoldShelf()
        """What was printed in part."""
        self._renderer = EventRenderer(texts, shelf=self.shelf)
        self._stream = AnswerStream(texts, shelf=self.shelf, columns=columns)
        self._waiting: deque[Event | Line] = deque()
        self._printed: list[Line] = []
        """Rendered, not shown yet."""
        self._shown_at = float("-inf")
        self._is_shown = True
        self._is_at_work = False
        self._key_at = float("-inf")

    def note_key(self, sender: object) -> None:
        """A key was pressed."""
        self._key_at = time.monotonic()

    def put(self, event: Event) -> None:
        """To be shown when its turn comes."""
        self._waiting += self._order.accept(event)

    def put_lines(self, lines: Iterable[Line]) -> None:
        """To be shown behind what was put before."""
        self._waiting += lines

    def unfold(self) -> list[Line]:
        """The last folded thing, whole; empty when there is none."""
        return self.shelf.unfold()

    def work(self) -> None:
        """Shows a slice now and the rest by and by."""
        if not self._is_at_work:
            self._work()

    def finish(self) -> None:
        """Shows all that waits."""
        self._render(until=float("inf"))
        self._show_rendered()

    def _work(self) -> None:
        now = time.monotonic()
        is_typing = now - self._key_at < TYPING_S
        rest_s = TYPING_REST_S if is_typing else REST_S
        is_left = True
        if self._is_held():
            rest_s = HELD_S
        else:
            self._render(until=now + (TYPING_SLICE_S if is_typing else SLICE_S))
            is_due = now - self._shown_at >= (TYPING_SHOWN_EVERY_S if is_typing else SHOWN_EVERY_S)
            if is_due or not (self._waiting or is_typing):
                self._show_rendered()
            is_left = bool(self._waiting) or not self._is_shown
        self._is_at_work = is_left
        if is_left:
            asyncio.get_running_loop().call_later(rest_s, self._work)

    def _render(self, *, until: float) -> None:
        self._is_shown = False
        while self._waiting and time.monotonic() < until:
            item = self._waiting.popleft()
            if isinstance(item, Line):
                self._printed.append(item)
                continue
            for shown in self._renderer.show(item):
                self._printed += self._stream.accept(shown)

    def _show_rendered(self) -> None:
        printed, self._printed = self._printed, []
        self._shown_at, self._is_shown = time.monotonic(), True
        self._show(printed, self._stream.tail)


def merged(events: list[Event]) -> Iterator[Event]:
    """`events` with the deltas of one stream made one: fewer, and each stream's text and all else in its order.

    Tasks that stream side by side take turns delta by delta, so that neighbours alone would not do.
    """
    open_streams: dict[Origin, _Stream] = {}
    for event in events:
        body = event.body
        if not isinstance(body, ModelDelta):
            yield from (stream.joined() for stream in open_streams.values())
            open_streams.clear()
            yield event
            continue
        stream = open_streams.get(event.origin)
        if stream is not None and (stream.body.kind is not body.kind or stream.size >= MERGED_CHARACTERS):
            yield open_streams.pop(event.origin).joined()
            stream = None
        if stream is None:
            stream = open_streams[event.origin] = _Stream(event, body)
        stream.add(body.text)
    yield from (stream.joined() for stream in open_streams.values())


class _Stream:
    """Deltas of one origin and kind."""

    def __init__(self, first: Event, body: ModelDelta) -> None:
        self.body = body
        self.size = 0
        self._first = first
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self.size += len(text)

    def joined(self) -> Event:
        return self._first._replace(body=self.body._replace(text="".join(self._pieces)))
