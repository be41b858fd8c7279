"""The session line by line, where single keys can't be read: pipes, dumb terminals, CI."""

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from io import TextIOWrapper
from types import FrameType
from typing import TextIO, assert_never

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAsked
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.event_bodies.stored import FilesRestored
from paicli.core.events import (
    ApprovalRequested,
    ConversationCleared,
    ConversationRewound,
    Event,
    EventBody,
    ModeChanged,
    Notice,
    SessionFinished,
    TurnFinished,
    TurnStarted,
)
from paicli.core.ops import (
    AbandonPlan,
    Cancel,
    ClearConversation,
    Mode,
    Op,
    Rewind,
    RewindScope,
    RunShell,
    Submit,
)
from paicli.core.unicode import BYTE_ORDER_MARK, well_formed
from paicli.ui.asking.turn_history import turn_lines
from paicli.ui.command import ChooseSession, Confirm, Edit, GoOn
from paicli.ui.command_desk import CommandDesk
from paicli.ui.facts import SessionFacts
from paicli.ui.line_output import LineWriter
from paicli.ui.line_questions import LineQuestions
from paicli.ui.queries import SessionQueries
from paicli.ui.rendering.help_text import banner_lines
from paicli.ui.rendering.question_lines import CANCEL_WORDS
from paicli.ui.rendering.renderer import EventRenderer
from paicli.ui.rendering.styled import Line, Painter, Style, line
from paicli.ui.rendering.task_order import TaskOrder
from paicli.ui.restoring.going_back import split_rewind
from paicli.ui.routing import Act, Answer, Ignore, InputState, Perform, Say, Send, route

TURN_COLUMNS = 80
YES_WORDS = frozenset({"y", "yes"})
LEAVE_WITHIN_S = 2.0
"""Two Ctrl+C at an idle prompt within this time leave."""


class _Signal(StrEnum):
    INTERRUPTED = "interrupted"
    """Ctrl+C while a turn runs."""


class LineSession:
    """One person, line by line. Input is read when it is asked for: never while a turn runs.

    `listen` may be called from any thread; all else belongs to the thread that calls `run` or `run_once`. The engine
    is left running: closing it is the caller's.
    """

    def __init__(
        self,
        *,
        submit: Callable[[Op], None],
        texts: Texts,
        facts: SessionFacts,
        queries: SessionQueries | None = None,
        reader: TextIO | None,
        writer: TextIO | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reader` None is an input that has ended; `writer` None is an output that is closed."""
        for stream in (reader, writer):
            if isinstance(stream, TextIOWrapper) and stream.errors != "replace":  # once: not after the first line
                stream.reconfigure(errors="replace")
        self._submit = submit
        self._texts = texts
        self._facts = facts
        self._reader = reader
        self._raw_writer = writer
        self._clock = clock
        self._painter = Painter(facts.color, is_ascii=facts.is_ascii, theme=facts.theme)
        self._out = LineWriter(writer, self._painter, texts)
        self._events: queue.SimpleQueue[Event | _Signal] = queue.SimpleQueue()
        self._desk = CommandDesk(queries, submit=submit, texts=texts, facts=facts)
        self._order = TaskOrder()
        self._history = self._desk.history
        self._renderer = EventRenderer(texts)
        self._mode: Mode = facts.mode
        self._is_plan_armed = False
        self._is_leaving = False
        self._is_reading = False
        self._was_interrupted = False
        """Ctrl+C came while nothing was read, and was not taken yet."""
        self._is_cancelled = False
        self._left_last_at: float | None = None
        self._questions = LineQuestions(
            submit=submit, texts=texts, show=self._out.line, say=self._say, read=self._read_in_turn
        )
        self.go_on: GoOn | None = None
        """After `run`: the session that the person wants next."""

    def listen(self, event: Event) -> None:
        """Takes an event from any thread; returns at once."""
        self._events.put(event)

    def run(self) -> int:
        """The whole session. Returns the exit status: 0, or 1 when its output could not be delivered."""
        with self._interrupts_as_signals():
            try:
                for shown in (*banner_lines(self._facts, self._texts), *self._recall_earlier()):
                    self._out.line(shown)
                self._offer_unfinished()
                while not self._is_leaving:
                    self._take_line()
                self._drain()
                self._out.flush()
            except BrokenPipeError:
                self._give_up_output()
                return 1
        return 0 if self._raw_writer is not None else 1

    def run_once(self, op: Submit) -> TurnFinished | None:
        """One turn with its reviews and approvals. None: the output broke or the engine closed before its end."""
        with self._interrupts_as_signals():
            try:
                finished = self._run_turn(op, TurnFinished)
                self._out.flush()
            except BrokenPipeError:
                self._give_up_output()
                return None
        return finished if isinstance(finished, TurnFinished) else None

    def _take_line(self) -> None:
        self._drain()
        self._was_interrupted = False
        try:
            text = self._read(self._texts.screen("session.prompt"))
        except KeyboardInterrupt:
            self._on_idle_interrupt()
            return
        self._left_last_at = None
        if text is None:
            self._is_leaving = True
            return
        self._obey(text)

    def _obey(self, text: str) -> None:
        match route(text, InputState(is_plan_armed=self._is_plan_armed, custom=self._desk.custom)):
            case Ignore():
                return
            case Say(code, fields):
                self._out.line(line(self._texts.screen(code, **dict(fields)), Style.WARNING))
            case Perform(act, argument):
                self._perform(act, argument)
            case Answer() as asked:
                self._answer(asked)
            case Send(Submit() | RunShell() as op):
                self._is_plan_armed = self._is_plan_armed and isinstance(op, RunShell)
                self._run_turn(op, TurnFinished)
            case Send(ClearConversation() as op):
                self._run_turn(op, ConversationCleared)
            case Send(op):
                self._submit(op)

    def _recall_earlier(self) -> list[Line]:
        """What an earlier process had done in this session."""
        earlier = self._facts.earlier
        if earlier is None:
            return []
        from paicli.ui.stored.session_rows import earlier_lines  # start-up: most sessions are new

        for event in earlier.events:
            self._history.accept(event)
        return earlier_lines(earlier, self._texts)

    def _offer_unfinished(self) -> None:
        """A plan that an earlier process left: go on, look, give up; any other line is taken for what it is."""
        left = self._facts.earlier.unfinished if self._facts.earlier is not None else None
        if left is None:
            return
        from paicli.ui.asking.resume_offer import ResumeOffer  # start-up: most sessions are new

        offer = ResumeOffer(left, self._texts)
        for shown in offer.lines():
            self._out.line(shown)
        while (text := self._read_in_turn(self._texts.screen("resume.line_prompt"))) is not None:
            op = offer.taken(text)
            if isinstance(op, Submit):
                self._run_turn(op, TurnFinished)
            elif isinstance(op, AbandonPlan):
                self._submit(op)
            elif op:
                for shown in op:
                    self._out.line(shown)
                continue
            else:
                self._say("resume.later")
                if text.strip().lower() not in CANCEL_WORDS:
                    self._obey(text)
            return
        self._is_leaving = True

    def _answer(self, asked: Answer) -> None:
        found = self._desk.answer(asked)
        if isinstance(found, GoOn):
            self._say("stored.forking" if found.is_fork else "stored.going", id=found.session)
            self.go_on, self._is_leaving = found, True
            return
        if isinstance(found, Edit) and not self._is_terminal:
            self._say("session.needs_terminal", name=f"{asked.command.name} {asked.argument}")
            return
        if isinstance(found, Confirm):
            self._confirm(found)
            return
        listed = found.listed if isinstance(found, ChooseSession) else found
        for shown in self._desk.edit(listed) if isinstance(listed, Edit) else listed:
            self._out.line(shown)

    def _confirm(self, confirm: Confirm) -> None:
        for shown in confirm.shown:
            self._out.line(shown)
        answer = self._read_in_turn(self._texts.screen("snapshots.prompt"))
        if (answer or "").strip().lower() in YES_WORDS:
            is_back = isinstance(confirm.op, Rewind) and confirm.op.scope is RewindScope.BOTH
            self._run_turn(confirm.op, ConversationRewound if is_back else FilesRestored, Notice)
        else:
            self._say("snapshots.not_done")

    def _perform(self, act: Act, argument: str) -> None:
        match act:
            case Act.SHOW_MODE:
                self._say("session.mode", mode=self._mode.value)
            case Act.ARM_PLAN:
                self._is_plan_armed = True
                self._say("session.plan_armed")
            case Act.OPEN_EDITOR:
                self._say("session.needs_terminal", name="editor")
            case Act.SET_THEME:
                for shown in self._desk.choose_theme(argument, self._painter):
                    self._out.line(shown)
            case Act.REWIND:
                self._rewind(argument)
            case Act.LEAVE:
                self._is_leaving = True
            case _:
                assert_never(act)

    def _rewind(self, argument: str) -> None:
        number, scope = split_rewind(argument)
        turn = self._history.numbered(number)
        if turn is not None and scope is not None:
            self._rewind_to(Rewind(turn.turn_id, scope))
        elif not self._history.turns:
            self._say("rewind.none")
        else:
            for shown in turn_lines(self._history, self._texts, TURN_COLUMNS):
                self._out.line(shown)
            self._say("rewind.usage", count=len(self._history.turns))

    def _rewind_to(self, op: Rewind) -> None:
        found = op if op.scope is RewindScope.CONVERSATION else self._desk.preview_rewind(op)
        match found:
            case Rewind():
                self._run_turn(found, ConversationRewound, Notice)
            case Confirm():
                self._confirm(found)
            case list():
                for shown in found:
                    self._out.line(shown)
            case _:
                pass

    def _run_turn(self, op: Op, *last: type[EventBody]) -> EventBody | None:
        """Submits `op` and shows what comes until its last event; None when the engine closes before."""
        self._is_cancelled = False
        self._submit(op)
        while True:
            if self._events.empty():
                self._out.flush()
            event = self._events.get()
            if isinstance(event, _Signal):
                self._is_cancelled, self._was_interrupted = True, False
                self._submit(Cancel())
                continue
            self._show(event)
            if isinstance(event.body, tuple(last)):
                return event.body
            if isinstance(event.body, SessionFinished):
                self._is_leaving = True
                return None

    def _drain(self) -> None:
        """Shows what came while nothing ran."""
        while not self._events.empty():
            event = self._events.get()
            if not isinstance(event, _Signal):
                self._show(event)

    def _show(self, event: Event) -> None:
        self._history.accept(event)
        for ordered in self._order.accept(event):
            for shown in self._renderer.show(ordered):
                self._out.show(shown)
        match event.body:
            case ApprovalRequested() as request:
                self._questions.ask_approval(event, request)
            case PlanReviewRequested() as request:
                self._is_leaving |= self._questions.ask_review(request)
            case QuestionAsked() as asked:
                self._questions.ask(event, asked)
            case ModeChanged(mode):
                self._mode = mode
                self._say("session.mode", mode=mode.value)
            case TurnStarted() if self._is_cancelled:
                self._submit(Cancel())  # Ctrl+C came before there was a turn to cancel
            case _:
                pass

    def _read_in_turn(self, prompt: str) -> str | None:
        """An answer to the engine; Ctrl+C cancels the turn and reads as a cancel."""
        try:
            return self._read(prompt)
        except KeyboardInterrupt:
            self._out.end_prompt("")
            self._submit(Cancel())
            return "cancel"

    def _read(self, prompt: str) -> str | None:
        """One line without its end; None at the end of input."""
        is_terminal = self._is_terminal
        # Before the prompt stands: whoever sees it may press Ctrl+C at once.
        self._is_reading = True
        try:
            if self._was_interrupted:  # while the question was being shown
                raise KeyboardInterrupt
            self._out.prompt(prompt)
            text = self._read_line()
        finally:
            self._is_reading = self._was_interrupted = False
        if not text:
            self._out.end_prompt("")
            return None
        # A byte order mark, as some shells write one into a pipe, is no part of the first line.
        text = well_formed(text.removeprefix(BYTE_ORDER_MARK).removesuffix("\n").removesuffix("\r"))
        if is_terminal:
            self._out.forget_column()
        else:
            self._out.end_prompt(text)
        return text

    def _read_line(self) -> str:
        """Empty at the end of input."""
        try:
            return self._reader.readline() if self._reader is not None else ""
        except (OSError, ValueError):
            return ""  # a terminal that hung up, a closed stream: the input has ended

    @property
    def _is_terminal(self) -> bool:
        return self._reader is not None and self._reader.isatty()

    def _on_idle_interrupt(self) -> None:
        self._out.end_prompt("")
        now = self._clock()
        if self._left_last_at is not None and now - self._left_last_at <= LEAVE_WITHIN_S:
            self._is_leaving = True
            return
        self._left_last_at = now
        self._is_plan_armed = False
        self._say("session.leave_hint")

    def _say(self, code: str, **fields: object) -> None:
        for text in self._texts.screen(code, **fields).split("\n"):
            self._out.line(line(text))

    def _interrupts_as_signals(self) -> AbstractContextManager[None]:
        return _interrupts(self._on_interrupt)

    def _on_interrupt(self) -> None:
        """Ctrl+C: an exception only where a person is being read, so that no output is torn."""
        if self._is_reading:
            raise KeyboardInterrupt
        self._was_interrupted = True
        self._events.put(_Signal.INTERRUPTED)

    def _give_up_output(self) -> None:
        """Nobody reads any more: stop working, and keep the interpreter from complaining at its end."""
        self._submit(Cancel())
        if self._raw_writer is not None:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), self._raw_writer.fileno())


@contextmanager
def _interrupts(on_interrupt: Callable[[], None]) -> Generator[None]:
    """SIGINT calls `on_interrupt` inside; only the main thread can set that up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(number: int, frame: FrameType | None) -> None:
        on_interrupt()

    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
