"""Which panel has the keys: the engine's questions one at a time, else a list that the person opened."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.event_bodies.plans import PlanReviewed, PlanReviewRequested
from paicli.core.events import ApprovalDecided, ApprovalRequested, Event, TurnFinished, TurnStarted
from paicli.core.ops import Op, Rewind, RewindScope
from paicli.ui.asking.approval_panel import ApprovalPanel
from paicli.ui.asking.question_panel import QuestionPanel
from paicli.ui.asking.turn_history import EarlierTurn, TurnHistory
from paicli.ui.asking.turn_list import TurnListPanel
from paicli.ui.asking.work_view import WorkView
from paicli.ui.command import GoOn
from paicli.ui.live.panels import Closed, Decided, Outcome, Panel, ReviewPanel, StillOpen, WantsText
from paicli.ui.queries import SessionRow
from paicli.ui.rendering.folds import FoldShelf
from paicli.ui.rendering.styled import Line


class AnswerLine(Protocol):
    """The input, lent to a panel; what was half-typed in it comes back afterwards."""

    @property
    def is_lent(self) -> bool: ...

    def lend(self, prompt_code: str, prefilled: str) -> None: ...

    def give_back(self) -> str:
        """What was typed, stripped."""
        ...


class PanelDesk:
    """Belongs to the terminal's thread."""

    shelf: FoldShelf | None = None
    """Takes what is folded of a question that was decided."""

    def __init__(
        self,
        texts: Texts,
        line: AnswerLine,
        *,
        history: TurnHistory,
        submit: Callable[[Op], None],
        show: Callable[[list[Line]], None],
        show_first: Callable[[Rewind], None],
        clock: Callable[[], float],
    ) -> None:
        """`show` prints above the prompt; with no lines it only draws anew. `show_first`: what files would change."""
        self._texts = texts
        self._line = line
        self._submit = submit
        self._show = show
        self._show_first = show_first
        self._questions: deque[Panel] = deque()
        self._opened: Panel | None = None
        """By the person."""
        self.history = history
        self.work = WorkView(texts, clock)

    @property
    def current(self) -> Panel | None:
        """The one that takes the keys, while no answer is typed for it."""
        return self._questions[0] if self._questions else self._opened

    @property
    def shown(self) -> Panel | None:
        """The one that stands over the prompt."""
        return self.current or (self.work if self.work.is_open else None)

    @property
    def was_opened_by_person(self) -> bool:
        """Its keys can't be meant for the input."""
        return not self._questions and self._opened is not None

    @property
    def starts_typing(self) -> bool:
        """As `Panel.starts_typing`, of the current one."""
        return self.current is not None and self.current.starts_typing

    def accept(self, event: Event) -> None:
        self.history.accept(event)
        self.work.accept(event)
        match event.body:
            case ApprovalRequested() as request:
                self._open(ApprovalPanel(event, request, self._texts, shelf=self.shelf))
            case PlanReviewRequested() as request:
                self._open(ReviewPanel(request, self._texts))
            case QuestionAsked() as asked:
                self._open(QuestionPanel(event, asked, self._texts))
            case ApprovalDecided(request_id) | PlanReviewed(request_id) | QuestionAnswered(request_id):
                self._close(request_id)
            case TurnStarted():
                self._opened = None
            case TurnFinished():
                self._close(None)
            case _:
                pass

    def catch_up(self, events: Iterable[Event]) -> None:
        """What an earlier process had done: its turns and its list stay, its questions are nobody's any more."""
        for event in events:
            self.history.accept(event)
            self.work.accept(event)
        self.work.stop_plan()

    def open_turn_list(self, turn: EarlierTurn | None = None) -> None:
        """There is an earlier turn. `turn` given: only what of it goes back is asked."""
        self.open(TurnListPanel(self.history, self._texts, turn))

    def open_sessions(self, rows: tuple[SessionRow, ...], *, take: Callable[[GoOn], None]) -> None:
        # start-up: 1 ms that only a list needs
        from paicli.ui.stored.session_list import SessionListPanel

        self.open(SessionListPanel(rows, self._texts, take=take))

    def open(self, panel: Panel) -> None:
        """A panel of the person's own; the engine's questions come first."""
        self._opened = panel
        self._show([])

    def toggle_work(self) -> bool:
        """False when there is nothing to show."""
        self.work.is_open = not self.work.is_open and not self.work.is_empty
        self._show([])
        return not self.work.is_empty

    def press(self, key: str) -> None:
        panel = self.current
        if panel is not None:
            self._carry_out(panel, panel.press(key))

    def take_text(self) -> None:
        """Enter in the lent input."""
        text = self._line.give_back()
        panel = self.current
        if panel is not None:
            self._carry_out(panel, panel.take_text(text))

    def stop_text(self) -> None:
        """ESC in the lent input: back to the panel."""
        self._line.give_back()
        if self.current is not None:
            self.current.stop_text()
        self._show([])

    def _carry_out(self, panel: Panel, outcome: Outcome) -> None:
        match outcome:
            case Decided(Rewind(scope=RewindScope.FILES | RewindScope.BOTH) as op) if isinstance(panel, TurnListPanel):
                self._opened = None
                self._show([])
                self._show_first(op)
            case Decided(op, said):
                if panel is self._opened:
                    self._opened = None
                self._close(panel.request_id)
                self._show([*panel.record(), *said])
                self._submit(op)
            case WantsText(prompt_code, prefilled):
                self._line.lend(prompt_code, prefilled)
                self._show([])
            case Closed(said):
                self._opened = None
                self._show(list(said))
            case StillOpen():
                self._show([])

    def _open(self, panel: Panel) -> None:
        self._questions.append(panel)

    def _close(self, request_id: str | None) -> None:
        """One question, or all: whoever answered it, it must not take another key."""
        is_first = bool(self._questions) and request_id in (None, self._questions[0].request_id)
        if is_first and self._line.is_lent:
            self._line.give_back()
        self._questions = deque(panel for panel in self._questions if request_id not in (None, panel.request_id))
