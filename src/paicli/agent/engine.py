"""The engine: ops in, events out, one thread that runs the turns."""

import itertools
import queue
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Protocol

from paicli.agent.desk import PersonDesk
from paicli.agent.turn import QueuedText, RunTurn, TextQueue, Turn, TurnEnding
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import PaiError, TurnCancelled
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ConversationCleared,
    ConversationRewound,
    EventBody,
    ModeChanged,
    Notice,
    NoticeLevel,
    Origin,
    QueueTaken,
    SessionFinished,
    SessionResumed,
    SessionStarted,
    TextQueued,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.ops import (
    AnswerQuestion,
    ApprovalDecision,
    Cancel,
    ClearConversation,
    DecideApproval,
    DecideReview,
    FileOp,
    Mode,
    Op,
    Queue,
    RecallQueue,
    RestoreFiles,
    Rewind,
    RewindScope,
    RunShell,
    SessionOp,
    SetMode,
    Shutdown,
    Submit,
    TakeSnapshot,
    TurnKind,
    UndoTurns,
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


class KeptConversation(Protocol):
    """What lives across turns. Only the engine thread calls it."""

    def forget(self) -> None:
        """The next turn starts a new conversation."""
        ...

    def rewind(self, turn_id: str) -> bool:
        """Back to before that turn; False when there is no way back."""
        ...


class ChangeSession(Protocol):
    """Carries out an op that changes the session or the files, and not the conversation.

    Called from any thread with a SessionOp; on the engine's, between turns, with a FileOp.
    """

    def __call__(self, op: SessionOp | FileOp) -> Iterable[EventBody]:
        """What there is to say, each at its time: what comes first is said before the next step is taken.

        Raises PaiError when it can't go on.
        """
        ...


_Waiting = Submit | RunShell | ClearConversation | Rewind | FileOp | Shutdown
"""Ops that wait for the running turn to end."""


class Engine:
    """Takes ops from any thread; says everything by events of `stream`."""

    def __init__(
        self,
        stream: EventStream,
        *,
        started: SessionStarted | SessionResumed,
        modes: ModeSwitch,
        desk: PersonDesk,
        queued: TextQueue,
        run_turn: Mapping[TurnKind, RunTurn],
        masker: SecretMasker,
        conversation: KeptConversation,
    ) -> None:
        """`queued`: what the turns take from. `run_turn`: a runner per kind."""
        self.stream = stream
        self._started = started
        self._modes = modes
        self._desk = desk
        self._queued = queued
        self._run_turn = run_turn
        self._masker = masker
        self._conversation = conversation
        self._inbox: queue.SimpleQueue[tuple[_Waiting, CancellationToken]] = queue.SimpleQueue()
        self._begun: dict[str, TurnStarted] = {}
        """The turns of this conversation, by id."""
        self._waiting: list[CancellationToken] = []
        """Of submits that no turn has taken yet: a cancel that comes so early still counts."""
        self._lock = threading.Lock()
        self._turn: Turn | None = None
        self._is_leaving = False
        self._numbers = itertools.count(1)
        self._changes: ChangeSession = _change_nothing
        self._thread = threading.Thread(target=self._work, name="paicli-engine", daemon=True)

    def change_by(self, change: ChangeSession) -> None:
        """Who carries out the ops that change the session; before `start`."""
        self._changes = change

    def go_on_from(self, turns: Mapping[str, TurnStarted], last_turn: int) -> None:
        """An earlier process had these turns of the conversation, up to that number; before `start`."""
        self._begun.update(turns)
        self._numbers = itertools.count(last_turn + 1)

    def start(self) -> None:
        """Says that the session started, or goes on, and begins to take turns."""
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
            case DecideReview() | AnswerQuestion():
                self._desk.answer(op)
            case SetMode(mode):
                self._modes.set(mode)
                self._publish(ModeChanged(mode))
            case Queue(text, words):
                self._queue(text, words)
            case RecallQueue():
                self._give_back()
            case Shutdown():
                self._leave()
            case Submit() | RunShell() | ClearConversation() | Rewind() | RestoreFiles() | UndoTurns() | TakeSnapshot():
                self._enqueue(op)
            case _:
                self._change(op)

    def _leave(self) -> None:
        with self._lock:
            tokens = list(self._waiting) if self._turn is None else [self._turn.cancel, *self._waiting]
            self._is_leaving = True
        for token in tokens:
            token.cancel()
        self._enqueue(Shutdown())

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
        with self._lock:
            left_behind = self._turn
        if left_behind is not None:
            self.stream.close_turn(TurnFinished(TurnStatus.CANCELLED, ""), left_behind.origin)
        self._publish(SessionFinished())

    def _enqueue(self, op: _Waiting) -> None:
        token = CancellationToken()
        if isinstance(op, Submit | RunShell):
            with self._lock:
                if self._is_leaving:
                    return
                self._waiting.append(token)
        self._inbox.put((op, token))

    def _queue(self, text: str, words: str | None) -> None:
        if self._is_running():
            # Said before it is added: whoever takes it says so after.
            self._publish(TextQueued(text))
            with self._lock:
                is_running = self._turn is not None
                if is_running:
                    self._queued.add(text, words)
            if is_running:
                self._queued.hear(text if words is None else words)
                return
            self._publish(QueueTaken((text,), "next_turn"))
        self._enqueue(Submit(text, words=words))

    def _is_running(self) -> bool:
        with self._lock:
            return self._turn is not None

    def _give_back(self) -> None:
        texts = tuple(queued.text for queued in self._queued.take())
        if texts:
            self._publish(QueueTaken(texts, "input"))

    def _work(self) -> None:
        while True:
            op, cancel = self._inbox.get()
            match op:
                case Shutdown():
                    return
                case ClearConversation():
                    self._conversation.forget()
                    self._begun.clear()
                    self._publish(ConversationCleared())
                case Rewind(turn_id, scope):
                    self._rewind(turn_id, scope)
                case RestoreFiles() | UndoTurns() | TakeSnapshot():
                    self._change(op)
                case RunShell(command):
                    self._take_turn(Submit(command, TurnKind.SHELL), cancel)
                case Submit() as submitted:
                    self._take_turn(submitted, cancel)

    def _rewind(self, turn_id: str, scope: RewindScope) -> None:
        if scope is not RewindScope.CONVERSATION:
            self._change(UndoTurns(from_turn=turn_id))
        if scope is RewindScope.FILES:
            return
        started = self._begun.get(turn_id)
        if started is None or not self._conversation.rewind(turn_id):
            self._publish(Notice(Fault("rewind.unknown"), NoticeLevel.WARNING))
            return
        turns = list(self._begun)
        for later in turns[turns.index(turn_id) :]:
            del self._begun[later]
        self._publish(ConversationRewound(turn_id, started.kind, started.text))

    def _take_turn(self, submitted: Submit, cancel: CancellationToken) -> None:
        mode = self._modes.begin_turn()
        kind = submitted.kind or (TurnKind.PLAN if mode is Mode.PLAN else TurnKind.REACT)
        turn_id = f"turn_{next(self._numbers)}"
        turn = Turn(turn_id, kind, submitted, cancel, self.stream.emitter(Origin(turn_id)))
        with self._lock:
            self._turn = turn
            self._waiting.remove(cancel)
        self._begun[turn_id] = TurnStarted(kind, self._masker.mask(submitted.text), mode)
        turn.emit(self._begun[turn_id])
        started = time.monotonic()
        ending = self._ended(turn)
        with self._lock:
            self._turn = None
            left = self._queued.take()
        self.stream.close_turn(
            TurnFinished(
                ending.status,
                ending.text,
                ending.fault,
                ending.usage,
                ending.steps,
                time.monotonic() - started,
                ending.was_streamed,
                ending.cost_usd,
            ),
            turn.origin,
        )
        if left:
            self._pass_on(left, ending.status)

    def _ended(self, turn: Turn) -> TurnEnding:
        try:
            return self._run_turn[turn.kind](turn)
        except TurnCancelled:
            return TurnEnding(TurnStatus.CANCELLED)
        except Exception as error:  # turn boundary: whatever went wrong ends this turn and not the session
            return TurnEnding(TurnStatus.FAILED, fault=fault_of(error, self._masker))

    def _pass_on(self, left: tuple[QueuedText, ...], status: TurnStatus) -> None:
        """What was queued too late for the turn: back to the person after a cancel, else the next turn."""
        texts = tuple(queued.text for queued in left)
        if status is TurnStatus.CANCELLED:
            self._publish(QueueTaken(texts, "input"))
        else:
            self._publish(QueueTaken(texts, "next_turn"))
            self._enqueue(Submit("\n".join(texts), words="\n".join(queued.words for queued in left)))

    def _change(self, op: SessionOp | FileOp) -> None:
        try:
            for body in self._changes(op):
                self._publish(body)
        except PaiError as error:
            self._publish(Notice(fault_of(error, self._masker), NoticeLevel.ERROR))

    def _publish(self, body: EventBody) -> None:
        self.stream.publish(body, Origin())


def _change_nothing(op: SessionOp | FileOp) -> Iterable[EventBody]:
    return ()
