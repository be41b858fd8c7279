"""The progress of a turn without a person as lines on stderr, from the first event that shows something."""

from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.events import DeltaKind, Event
from paicli.core.plan_view import PlanView
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.plan_lines import unfolded
from paicli.ui.rendering.renderer import EventRenderer, Shown, StreamEnd, StreamText
from paicli.ui.rendering.styled import Line, Painter, Style, lines
from paicli.ui.rendering.task_order import TaskOrder


class ToldProgress:
    """Every event in reading order; thinking is told whole, when it ends."""

    def __init__(self, streams: Streams, texts: Texts, *, color: ColorUse, is_ascii: bool) -> None:
        self._streams = streams
        self._texts = texts
        self._painter = Painter(color, is_ascii=is_ascii)
        self._renderer = EventRenderer(texts)
        self._order = TaskOrder()
        self._thought: list[str] = []
        """Pieces of thinking that are not told yet."""

    def on_event(self, event: Event) -> None:
        for ordered in self._order.accept(event):
            for shown in self._renderer.show(ordered):
                self._show(shown)

    def show_plan(self, view: PlanView) -> None:
        for line in unfolded(view, self._texts):
            self._tell(line)

    def _show(self, shown: Shown) -> None:
        match shown:
            case StreamText(DeltaKind.THINKING, text):
                self._thought.append(text)
            case StreamText() | StreamEnd():
                self._tell_thought()
            case Line():
                self._tell_thought()
                self._tell(shown)

    def _tell_thought(self) -> None:
        text = "".join(self._thought).strip()
        self._thought.clear()
        if text:
            for line in lines(self._texts.screen("model.thinking") + text, Style.DIM):
                self._tell(line)

    def _tell(self, line: Line) -> None:
        self._streams.tell_painted(self._painter.line(line))
