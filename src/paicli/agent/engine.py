"""The engine: ops in, events out, one thread that runs the turns."""

import itertools
import queue
import threading
import time
from collections.abc import Callable, Mapping

from paicli.agent.desk import PersonDesk
from paicli.agent.turn import RunTurn, TextQueue, Turn, TurnEnding
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ConversationCleared,
    EventBody,
    ModeChanged,
    Origin,
    QueueTaken,
    SessionFinished,
    SessionStarted,
    TextQueued,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    ClearConversation,
    DecideApproval,
    DecideReview,
    Mode,
    Op,
    Queue,
    RecallQueue,
    RunShell,
    SetMode,
    Shutdown,
    Submit,
    TurnKind,
)

JOIN_S = 1.0
"""How long a shutdown waits for the turn it cancelled."""


class ModeSwitch:
    """The session's mode and the one that holds for the running turn: tightening holds at once, loosening next turn."""

    def __init__(self, mode: Mode) -> None:
        self._lock = threading.Lock()
        self.session = mode
        self._turn = mode

    def set(self, mode: Mode) -> None:
        with self._lock:
            self.session = mode
            if mode is Mode.ASK:
                self._turn = mode

    def begin_turn(self) -> Mode:
        with self._lock:
            self._turn = self.session
            return self._turn

    def in_turn(self) -> Mode:
        with self._lock:
            return self._turn


class Engine:
    """Takes ops from any thread; says everything by events of `stream`."""

    def __init__(
        self,
        stream: EventStream,
        *,
        started: SessionStarted,
        modes: ModeSwitch,
        desk: PersonDesk,
        queued: TextQueue,
        run_turn: Mapping[TurnKind, RunTurn],
        masker: SecretMasker,
        forget: Callable[[], None],
    ) -> None:
        """`queued`: what the turns take from. `run_turn`: a runner per kind. `forget` starts the conversation anew."""
        self.stream = stream
        self._started = started
        self._modes = modes
        self._desk = desk
        self._queued = queued
        self._run_turn = run_turn
        self._masker = masker
        self._forget = forget
        self._inbox: queue.SimpleQueue[tuple[Submit | RunShell | ClearConversation | Shutdown, CancellationToken]]
        self._inbox = queue.SimpleQueue()
        self._waiting: list[CancellationToken] = []
        """Of submits that no turn has taken yet: a cancel that comes so early still counts."""
        self._lock = threading.Lock()
        self._turn: Turn | None = None
        self._numbers = itertools.count(1)
        self._thread = threading.Thread(target=self._work, name="paicli-engine", daemon=True)

    def start(self) -> None:
        """Says SessionStarted and begins to take turns."""
        self._publish(self._started)
        self._thread.start()

    def submit(self, op: Op) -> None:
        """Cancel, decisions, modes and the queue take effect on this thread; the rest waits its turn."""
        match op:
            case Cancel():
                self.cancel_turn()
            case DecideApproval(decision=decision):
                self._desk.answer(op)
                if decision is ApprovalDecision.CANCEL:
                    self.cancel_turn()
            case DecideReview():
                self._desk.answer(op)
            case SetMode(mode):
                self._modes.set(mode)
                self._publish(ModeChanged(mode))
            case Queue(text):
                self._queue(text)
            case RecallQueue():
                self._give_back()
            case Shutdown():
                self.cancel_turn()
                self._enqueue(op)
            case Submit() | RunShell() | ClearConversation():
                self._enqueue(op)

    def cancel_turn(self) -> None:
        """Cancels the running turn, or those submitted and not begun; nothing when idle."""
        with self._lock:
            tokens = [self._turn.cancel] if self._turn is not None else list(self._waiting)
        for token in tokens:
            token.cancel()

    def close(self) -> None:
        """Cancels what runs and ends the thread, waiting at most a second."""
        self.submit(Shutdown())
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)
        self._publish(SessionFinished())

    def _enqueue(self, op: Submit | RunShell | ClearConversation | Shutdown) -> None:
        token = CancellationToken()
        if isinstance(op, Submit | RunShell):
            with self._lock:
                self._waiting.append(token)
        self._inbox.put((op, token))

    def _queue(self, text: str) -> None:
        with self._lock:
            is_running = self._turn is not None
            if is_running:
                self._queued.add(text)
        if is_running:
            self._publish(TextQueued(text))
        else:
            self._enqueue(Submit(text))

    def _give_back(self) -> None:
        texts = self._queued.take()
        if texts:
            self._publish(QueueTaken(texts, "input"))

    def _work(self) -> None:
        while True:
            op, cancel = self._inbox.get()
            match op:
                case Shutdown():
                    return
                case ClearConversation():
                    self._forget()
                    self._publish(ConversationCleared())
                case RunShell(command):
                    self._take_turn(Submit(command, TurnKind.SHELL), cancel)
                case Submit() as submitted:
                    self._take_turn(submitted, cancel)

    def _take_turn(self, submitted: Submit, cancel: CancellationToken) -> None:
        mode = self._modes.begin_turn()
        kind = submitted.kind or (TurnKind.PLAN if mode is Mode.PLAN else TurnKind.REACT)
        turn_id = f"turn_{next(self._numbers)}"
        turn = Turn(turn_id, kind, submitted, cancel, self.stream.emitter(Origin(turn_id)))
        with self._lock:
            self._turn = turn
            self._waiting.remove(cancel)
        turn.emit(TurnStarted(kind, self._masker.mask(submitted.text), mode))
        started = time.monotonic()
        ending = self._ended(turn)
        with self._lock:
            self._turn = None
            left = self._queued.take()
        turn.emit(
            TurnFinished(
                ending.status,
                ending.text,
                ending.fault,
                ending.usage,
                ending.steps,
                time.monotonic() - started,
                ending.was_streamed,
            )
        )
        self.stream.close_turn(turn_id)
        if left:
            self._pass_on(left, ending.status)

    def _ended(self, turn: Turn) -> TurnEnding:
        try:
            return self._run_turn[turn.kind](turn)
        except TurnCancelled:
            return TurnEnding(TurnStatus.CANCELLED)
        except Exception as error:  # turn boundary: whatever went wrong ends this turn and not the session
            return TurnEnding(TurnStatus.FAILED, fault=fault_of(error, self._masker))

    def _pass_on(self, texts: tuple[str, ...], status: TurnStatus) -> None:
        """What was queued too late for the turn: back to the person after a cancel, else the next turn."""
        if status is TurnStatus.CANCELLED:
            self._publish(QueueTaken(texts, "input"))
        else:
            self._publish(QueueTaken(texts, "next_turn"))
            self._enqueue(Submit("\n".join(texts)))

    def _publish(self, body: EventBody) -> None:
        self.stream.publish(body, Origin())
