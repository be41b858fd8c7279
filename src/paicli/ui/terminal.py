"""The live session in a terminal: one prompt for the whole session, output above it, questions answered by keys."""

import asyncio
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from prompt_toolkit.filters import Condition, is_done
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, Window
from prompt_toolkit.output import ColorDepth, Output

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import (
    ConversationRewound,
    Event,
    QueueTaken,
    SessionFinished,
    TurnFinished,
)
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    DecideApproval,
    Op,
    Queue,
    RecallQueue,
    Rewind,
    RunShell,
    SetMode,
    Submit,
)
from paicli.ui.asking.notifications import Notifications
from paicli.ui.asking.panel_desk import PanelDesk
from paicli.ui.asking.panel_keys import EscapePair, PanelKeys
from paicli.ui.asking.turn_history import typed_form
from paicli.ui.command import ChooseSession, Confirm, Edit, Found, GoOn
from paicli.ui.command_desk import CommandDesk
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.live.answers import AnswerThread
from paicli.ui.live.composer import Composer
from paicli.ui.live.drawing.first_draw import Settle, once_drawn
from paicli.ui.live.drawing.print_above import own_output, print_above, ring
from paicli.ui.live.drawing.reflow import follow_reflow
from paicli.ui.live.editor_visit import EditorVisit
from paicli.ui.live.event_feed import EventFeed
from paicli.ui.live.keys import build_keys
from paicli.ui.live.live_view import LiveView
from paicli.ui.live.own_input import own_input
from paicli.ui.live.pasting.pastes import Typed
from paicli.ui.live.status_bar import SessionStatus
from paicli.ui.live.turn_flow import TurnFlow
from paicli.ui.output.pump import OutputPump, merged
from paicli.ui.queries import SessionQueries
from paicli.ui.rendering.help_text import banner_lines
from paicli.ui.rendering.renderer import echo_lines
from paicli.ui.rendering.styled import Line, Painter, Style, prose
from paicli.ui.restoring.confirm_panel import ConfirmPanel
from paicli.ui.restoring.going_back import GoingBack
from paicli.ui.routing import Act, Answer, Ignore, InputState, Perform, Say, Send, route

LEAVE_WITHIN_S = 2.0
TICK_S = 1.0
SWITCH_INTERVAL_S = 0.001
"""Halves the time from key to echo while the engine works at full speed (measured)."""
SIGNAL_STATUS = 128
"""A shell's exit status for a signal, less its number."""


class TerminalSession:
    """`listen` may be called from any thread; all else belongs to the thread that calls `run` or `run_once`.

    The engine is left running: closing it is the caller's.
    """

    go_on: GoOn | None = None
    """After `run`: the session that the person wants next."""

    def __init__(
        self,
        *,
        submit: Callable[[Op], None],
        texts: Texts,
        facts: SessionFacts,
        queries: SessionQueries | None = None,
        settle: Settle = lambda: None,
        terminal: tuple[Input, Output] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`settle` is called once the prompt stands. `terminal` is for tests; None: the process's own."""
        self.exit_status = 0
        """After `run` or `run_once`: 128 + the signal that ended the session, else 0."""
        self._submit = submit
        self._texts = texts
        self._facts = facts
        self._clock, self._settle = clock, settle
        self._desk = CommandDesk(queries, submit=submit, texts=texts, facts=facts, columns=lambda: self._size()[0])
        self._answers = AnswerThread(self._on_answer)
        self._feed = EventFeed(self._on_events)
        self._output = OutputPump(
            texts, columns=lambda: self._size()[0], show=self._show_output, is_held=lambda: self._editing.is_open
        )
        self._painter = Painter(facts.color, is_ascii=facts.is_ascii, theme=facts.theme)
        self._status = SessionStatus(facts, clock=clock)
        self._composer = Composer(
            texts=texts, desk=self._desk, sources=facts.sources, keys=build_keys(self, clock), clock=clock,
            terminal=terminal or (own_input(), own_output()),
            color_depth=ColorDepth.DEPTH_1_BIT if facts.color is ColorUse.NEVER else None,
            say=self._say,
        )  # fmt: skip
        self._app = self._composer.app
        if facts.folds_rows:
            follow_reflow(self._app)
        self._editing = EditorVisit(facts.sources.editor, self._feed, say=self._say)
        self._view = LiveView(texts, self._painter, self._size, clock=clock)
        self._asking = PanelDesk(
            texts, self._composer, history=self._desk.history, submit=self._submit_answer, show=self._show_panels,
            show_first=self._show_first, clock=clock,
        )  # fmt: skip
        self._asking.shelf = self._output.shelf
        self._back = GoingBack(self._asking, show_first=self._show_first, say=self._say, submit=submit)
        self._notifications = Notifications(facts.notify, texts, lambda code: ring(self._app, code), clock=clock)
        self._once: Submit | None = None
        self._finished: TurnFinished | None = None
        self._turns = TurnFlow(submit, clock)
        self._is_plan_armed = False
        self._interrupted_at = float("-inf")
        self._panel_keys = PanelKeys(self._asking, self._composer, self, clock=clock)
        self._escapes = EscapePair(clock)
        self._add_windows()
        self._app.key_processor.before_key_press += self._panel_keys.note_typing
        self._app.key_processor.before_key_press += self._output.note_key

    def listen(self, event: Event) -> None:
        """Takes an event from any thread; returns at once."""
        self._feed.listen(event)

    def run(self) -> int:
        """The whole session. Returns the exit status: 0, or 128 + the signal that ended it."""
        self._print(banner_lines(self._facts, self._texts))
        self._print(self._recall_earlier())
        self._live()
        return self.exit_status

    def run_once(self, op: Submit) -> TurnFinished | None:
        """One turn with its reviews and approvals. None: the session was left or ended before the turn did."""
        self._once = op
        self._live()
        return self._finished

    def is_asked(self) -> bool:
        return self._panel_keys.is_asked()

    def is_work_shown(self) -> bool:
        return self._asking.shown is self._asking.work

    def has_queued(self) -> bool:
        return bool(self._view.queued) and not self._composer.is_lent

    def is_input_empty(self) -> bool:
        return not self._composer.buffer.text

    def press_in_panel(self, key: str, event: KeyPressEvent) -> None:
        self._panel_keys.press(key, event)

    def press_enter(self, event: KeyPressEvent) -> None:
        if self._composer.enter_makes_newline(event):
            self._composer.newline()
        elif self._composer.takes_completion():
            self._app.invalidate()
        elif self._composer.is_lent:
            self._asking.take_text()
        else:
            self._obey(self._composer.take())

    def press_escape(self) -> None:
        if self._composer.is_lent:
            self._asking.stop_text()
        elif self.is_work_shown():
            self._asking.toggle_work()
        elif self._turns.is_running:
            self._turns.cancel()
        elif self._composer.buffer.complete_state is not None:
            self._composer.buffer.cancel_completion()
        elif self._is_plan_armed:
            self._is_plan_armed = False
            self._say("session.plan_disarmed")
        elif not self._turns.was_just_cancelled and self._escapes.is_second(self._composer.buffer.document):
            self._back.begin()

    def press_interrupt(self) -> None:
        """Ctrl+C: cancels what runs, else clears the input, else asks once and leaves."""
        now = self._clock()
        if self._editing.is_open:
            return  # a signal that was the editor's
        if self._turns.is_running:
            if self._composer.is_lent:
                self._asking.stop_text()
            self._turns.cancel()
        elif not self.is_input_empty():
            self._composer.clear()
        elif self._turns.was_just_cancelled:
            return
        elif now - self._interrupted_at <= LEAVE_WITHIN_S:
            self._leave()
        else:
            self._interrupted_at = now
            self._say("session.leave_hint")

    def press_end_of_input(self) -> None:
        self._leave()

    def cycle_mode(self) -> None:
        self._status.mode = self._status.mode.next()
        self._submit(SetMode(self._status.mode))
        self._app.invalidate()

    def unfold(self) -> None:
        whole = self._output.unfold()
        if whole:
            self._print(whole)
        else:
            self._say("output.nothing_folded")

    def toggle_work(self) -> None:
        if not self._asking.toggle_work():
            self._say("work.none")

    def scroll_work(self, key: str) -> None:
        self._asking.work.press(key)
        self._app.invalidate()

    def recall_queued(self) -> None:
        self._submit(RecallQueue())

    def open_editor(self) -> None:
        self._editing.begin(self._app, self._composer.buffer)

    def insert_newline(self, event: KeyPressEvent) -> None:
        if self._composer.typed_ahead.is_enter(event):
            self.press_enter(event)
        else:
            self._composer.newline()

    def insert_paste(self, pasted: str) -> None:
        self._composer.paste(pasted)

    def _live(self) -> None:
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        try:
            self._composer.session.prompt(pre_run=self._on_start, set_exception_handler=False)
        except (EOFError, KeyboardInterrupt):
            self._submit(Cancel())  # the terminal hung up: nobody is there to wait for
        finally:
            sys.setswitchinterval(before)
            self._feed.close()

    def _on_start(self) -> None:
        self._composer.typed_ahead.look(self._app.input.fileno())
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._on_loop_error)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    loop.add_signal_handler(number, self._on_signal, number)
        self._feed.open()
        once_drawn(self._app, self._settle)
        self._tick()
        if self._once is not None:
            self._composer.buffer.read_only = Condition(lambda: not self._composer.is_lent)
            self._start_turn(self._once)

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault of the ui ends the session, with the terminal restored first."""
        error: BaseException | None = context.get("exception")
        if error is not None and self._app.is_running and not self._app.is_done:
            self._app.exit(exception=error)

    def _on_signal(self, number: int) -> None:
        self.exit_status = SIGNAL_STATUS + number
        self._leave()

    def _tick(self) -> None:
        """Moves the clocks of the status bar while something runs."""
        if self._turns.is_running:
            self._app.invalidate()
        asyncio.get_running_loop().call_later(TICK_S, self._tick)

    def _on_events(self, batch: list[Event]) -> None:
        for event in merged(batch):
            self._status.accept(event)
            self._view.accept(event)
            self._asking.accept(event)
            self._notifications.accept(event)
            unseen = self._turns.accept(event)
            self._output.put_lines(echo_lines(unseen, self._texts) if unseen else [])
            self._output.put(event)
            self._take(event)
        self._view.panel = self._asking.shown
        if self._finished is not None or any(isinstance(event.body, SessionFinished) for event in batch):
            self._exit()
        else:
            self._output.work()

    def _show_output(self, printed: list[Line], tail: list[Line]) -> None:
        self._view.tail = tail
        self._print(printed)

    def _take(self, event: Event) -> None:
        match event.body:
            case TurnFinished() as finished if self._once is not None:
                self._finished = finished
            case ConversationRewound(kind=kind, text=text):
                self._composer.put_before(typed_form(kind, text))
            case QueueTaken(texts, "input"):
                self._composer.put_before("\n".join(texts))
            case _:
                pass

    def _submit_answer(self, op: Op) -> None:
        match op:
            case Cancel():
                self._turns.cancel()
            case Submit():
                self._start_turn(op)
            case DecideApproval(decision=ApprovalDecision.CANCEL):
                self._turns.note_cancel()
                self._submit(op)
            case _:
                self._submit(op)

    def _show_first(self, op: Rewind) -> None:
        self._answers.ask(lambda: self._desk.preview_rewind(op))

    def _show_panels(self, printed: list[Line]) -> None:
        self._view.panel = self._asking.shown
        self._print(printed)

    def _obey(self, typed: Typed) -> None:
        state = InputState(self._turns.is_running, self._is_plan_armed, self._desk.custom, typed.is_page)
        found = route(typed.words, state)
        if not isinstance(found, Ignore) and not (isinstance(found, Send) and isinstance(found.op, Queue)):
            self._print(echo_lines(typed.words.strip(), self._texts))
        match found:
            case Ignore():
                pass
            case Say(code, fields):
                self._print(prose(self._texts.screen(code, **dict(fields)), Style.WARNING))
            case Perform(act, argument):
                self._perform(act, argument)
            case Answer() as asked:
                self._answers.ask(lambda: self._desk.answer(asked))
            case Send(Submit() as op):
                self._is_plan_armed = False
                self._start_turn(self._composer.pastes.completed(op, typed))
            case Send(RunShell(command)):
                self._start_turn(RunShell(self._composer.pastes.expanded(command)))
            case Send(Queue(text, words)):
                expanded = self._composer.pastes.expanded(text)  # a paste is data, and not the person's words
                self._submit(Queue(expanded, text if words is None and expanded != text else words))
            case Send(Cancel()):
                self._turns.cancel()
            case Send(op):
                self._submit(op)

    def _start_turn(self, op: Submit | RunShell) -> None:
        if self._turns.is_running:
            self._say("session.waits")
        self._turns.begin(op)

    def _recall_earlier(self) -> list[Line]:
        """What an earlier process had done in this session."""
        earlier = self._facts.earlier
        if earlier is None:
            return []
        # start-up: most sessions are new
        from paicli.ui.asking.resume_panel import ResumePanel
        from paicli.ui.stored.session_rows import earlier_lines

        self._status.catch_up(earlier.events)
        self._asking.catch_up(earlier.events)
        if earlier.unfinished is not None:
            self._asking.open(ResumePanel(earlier.unfinished, self._texts))
        return earlier_lines(earlier, self._texts, columns=self._size()[0])

    def _on_answer(self, found: Found | Rewind) -> None:
        if isinstance(found, GoOn):
            if self._turns.is_running:
                self._say("stored.wait")
                return
            self._say("stored.forking" if found.is_fork else "stored.going", id=found.session)
            self.go_on = found
            self._leave()
        elif isinstance(found, Edit):
            self._editing.lend(self._app, lambda: self._desk.edit(found), self._print)
        elif isinstance(found, Confirm):
            self._asking.open(ConfirmPanel(found, self._texts))
        elif isinstance(found, ChooseSession):
            self._asking.open_sessions(found.rows, take=self._on_answer)
        elif isinstance(found, Rewind):
            self._submit(found)
        else:
            self._print(found)

    def _perform(self, act: Act, argument: str) -> None:
        match act:
            case Act.SHOW_MODE:
                self._say("session.mode", mode=self._status.mode.value)
            case Act.ARM_PLAN:
                self._is_plan_armed = True
                self._say("session.plan_armed")
            case Act.OPEN_EDITOR:
                self.open_editor()
            case Act.SET_THEME:
                self._print(self._desk.choose_theme(argument, self._painter))
            case Act.REWIND:
                self._back.begin(argument)
            case Act.LEAVE:
                self._leave()
            case _:
                assert_never(act)

    def _leave(self) -> None:
        if self._turns.is_running:
            self._submit(Cancel())
        self._exit()

    def _exit(self) -> None:
        if self._app.is_running and not self._app.is_done:
            if not self.exit_status:  # a signal waits for nothing
                self._output.finish()
            self._app.exit(result=0)

    def _say(self, code: str, **fields: object) -> None:
        self._print(prose(self._texts.screen(code, **fields)))

    def _print(self, printed: Sequence[Line]) -> None:
        if printed:
            print_above(self._app, self._painter.block(printed, columns=self._size()[0]))
        else:
            self._app.invalidate()

    def _size(self) -> tuple[int, int]:
        size = self._app.output.get_size()
        return size.columns, size.rows

    def _add_windows(self) -> None:
        windows = self._composer.windows.children
        windows.insert(0, self._view.windows())
        bar = Window(FormattedTextControl(self._bar), height=1, dont_extend_height=True, style="class:bottom-toolbar")
        windows.append(ConditionalContainer(bar, ~is_done))

    def _bar(self) -> StyleAndTextTuples:
        notes: list[str] = []
        if self._is_plan_armed:
            notes.append(self._texts.screen("status.planned_next"))
        if self._turns.is_running and self._turns.was_just_cancelled:
            notes.append(self._texts.screen("status.cancelling"))
        columns, _ = self._size()
        return [("", self._painter.plain(self._status.text(columns, self._texts, notes=tuple(notes))))]
