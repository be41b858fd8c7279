import threading
from collections.abc import Callable, Generator

import pytest

from paicli.agent import engine
from paicli.agent.desk import PersonDesk
from paicli.agent.engine import Engine, ModeSwitch
from paicli.agent.turn import QueuedText, TextQueue, Turn, TurnEnding
from paicli.core.errors import LlmUnreachable
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ConversationCleared,
    ConversationRewound,
    Event,
    ModeChanged,
    Notice,
    NoticeLevel,
    QueueTaken,
    SessionFinished,
    SessionStarted,
    TextQueued,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    ClearConversation,
    DecideApproval,
    Mode,
    Queue,
    RecallQueue,
    Rewind,
    RunShell,
    SetMode,
    Shutdown,
    Submit,
    TurnKind,
)
from tests.fakes.recording_listener import RecordingListener
from tests.patience import PATIENCE_S

STARTED = SessionStarted("0", "p", "m", Mode.AUTO, "/p", "zh")


class Room:
    def __init__(self, run: Callable[[Turn], TurnEnding], mode: Mode = Mode.AUTO) -> None:
        self.stream = EventStream("s")
        self.listener = RecordingListener()
        self.stream.subscribe(self.listener)
        self.modes = ModeSwitch(mode)
        self.forgotten = 0
        self.desk, self.queued = PersonDesk(), TextQueue()
        self.engine = Engine(
            self.stream,
            started=STARTED,
            modes=self.modes,
            desk=self.desk,
            queued=self.queued,
            run_turn=dict.fromkeys(TurnKind, run),
            masker=SecretMasker(["sk-canary-1"]),
            conversation=self,
        )
        self.back_to: list[str] = []

    def forget(self) -> None:
        self.forgotten += 1

    def rewind(self, turn_id: str) -> bool:
        self.back_to.append(turn_id)
        return True

    def finished(self, count: int) -> list[TurnFinished]:
        self.listener.wait_for(TurnFinished, where=lambda body: len(self.listener.of(TurnFinished)) >= count)
        return self.listener.of(TurnFinished)


@pytest.fixture
def rooms() -> Generator[list[Room]]:
    made: list[Room] = []
    yield made
    for room in made:
        room.engine.close()


def echo(turn: Turn) -> TurnEnding:
    return TurnEnding(TurnStatus.COMPLETED, f"{turn.kind.value}: {turn.submitted.text}")


def test_each_submit_is_a_turn_of_the_kind_that_the_mode_or_the_person_says(rooms: list[Room]) -> None:
    room = Room(echo)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(Submit("a"))
    room.finished(1)
    room.engine.submit(SetMode(Mode.PLAN))
    for op in (Submit("b"), Submit("c", TurnKind.REACT), RunShell("ls")):
        room.engine.submit(op)
    assert [turn.text for turn in room.finished(4)] == ["react: a", "plan: b", "react: c", "shell: ls"]
    assert room.listener.of(ModeChanged) == [ModeChanged(Mode.PLAN)]
    assert room.listener.bodies[0] == STARTED
    assert [event.origin.turn_id for event in room.listener.events if isinstance(event.body, TurnStarted)] == [
        "turn_1",
        "turn_2",
        "turn_3",
        "turn_4",
    ]


def test_a_cancel_takes_effect_on_the_callers_thread_and_nothing_late_gets_out(rooms: list[Room]) -> None:
    inside, release = threading.Event(), threading.Event()
    late: list[object] = []

    def run(turn: Turn) -> TurnEnding:
        inside.set()
        turn.cancel.wait(PATIENCE_S)

        def straggler() -> None:
            release.wait(PATIENCE_S)
            late.append(turn.emit(Notice(Fault("late"))))

        threading.Thread(target=straggler, daemon=True).start()
        turn.cancel.raise_if_cancelled()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(Submit("a"))
    assert inside.wait(PATIENCE_S)
    room.engine.submit(Cancel())
    assert room.finished(1)[0].status is TurnStatus.CANCELLED
    release.set()
    room.engine.submit(Cancel())
    assert room.listener.of(Notice) == []


def test_a_cancel_right_after_a_submit_is_not_lost(rooms: list[Room]) -> None:
    def run(turn: Turn) -> TurnEnding:
        turn.cancel.raise_if_cancelled()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    rooms.append(room)
    room.engine.submit(Submit("a"))
    room.engine.submit(Cancel())
    room.engine.start()
    assert room.finished(1)[0].status is TurnStatus.CANCELLED


def test_whatever_a_turn_raises_ends_it_and_not_the_session(rooms: list[Room]) -> None:
    def run(turn: Turn) -> TurnEnding:
        if turn.submitted.text == "model":
            raise LlmUnreachable("llm.down", reason="sk-canary-1")
        if turn.submitted.text == "bug":
            raise KeyError("x")
        return TurnEnding(TurnStatus.COMPLETED, "fine")

    room = Room(run)
    rooms.append(room)
    room.engine.start()
    for text in ("model", "bug", "ok"):
        room.engine.submit(Submit(text))
    assert [(turn.status, turn.fault) for turn in room.finished(3)] == [
        (TurnStatus.FAILED, Fault("llm.down", (("reason", "***"),), is_retryable=True)),
        (TurnStatus.FAILED, Fault("error.unexpected", (("kind", "KeyError"), ("what", "'x'")))),
        (TurnStatus.COMPLETED, None),
    ]


def test_queued_text_joins_the_turn_or_starts_the_next_one(rooms: list[Room]) -> None:
    inside, go_on = threading.Event(), threading.Event()
    taken: list[tuple[str, ...]] = []

    def run(turn: Turn) -> TurnEnding:
        if turn.submitted.text == "first":
            inside.set()
            assert go_on.wait(PATIENCE_S)
            taken.append(tuple(queued.text for queued in room.queued.take()))
            room.engine.submit(Queue("too late"))
        return TurnEnding(TurnStatus.COMPLETED, turn.submitted.text)

    room = Room(run)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(Submit("first"))
    assert inside.wait(PATIENCE_S)
    room.engine.submit(Queue("in time"))
    go_on.set()
    assert [turn.text for turn in room.finished(2)] == ["first", "too late"]
    assert taken == [("in time",)]
    assert room.listener.of(TextQueued) == [TextQueued("in time"), TextQueued("too late")]
    assert room.listener.of(QueueTaken) == [QueueTaken(("too late",), "next_turn")]
    room.engine.submit(Queue("nothing runs"))
    assert room.finished(3)[2].text == "nothing runs"


def test_queued_text_goes_back_to_the_person_on_recall_and_after_a_cancel(rooms: list[Room]) -> None:
    inside = threading.Semaphore(0)

    def run(turn: Turn) -> TurnEnding:
        inside.release()
        turn.cancel.wait(PATIENCE_S)
        turn.cancel.raise_if_cancelled()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(Submit("a"))
    assert inside.acquire(timeout=PATIENCE_S)
    room.engine.submit(Queue("one"))
    room.engine.submit(RecallQueue())
    room.engine.submit(Queue("two"))
    room.engine.submit(Cancel())
    room.listener.wait_for(QueueTaken, where=lambda body: body.texts == ("two",))
    assert room.listener.of(QueueTaken) == [QueueTaken(("one",), "input"), QueueTaken(("two",), "input")]
    assert len(room.listener.of(TurnStarted)) == 1


def test_tightening_holds_at_once_and_loosening_from_the_next_turn() -> None:
    modes = ModeSwitch(Mode.AUTO)
    modes.begin_turn()
    modes.set(Mode.ASK)
    assert (modes.in_turn(), modes.session) == (Mode.ASK, Mode.ASK)
    modes.set(Mode.AUTO)
    assert (modes.in_turn(), modes.session) == (Mode.ASK, Mode.AUTO)
    assert modes.begin_turn() is Mode.AUTO


def test_closing_cancels_what_runs_and_says_so(rooms: list[Room]) -> None:
    inside = threading.Event()

    def run(turn: Turn) -> TurnEnding:
        inside.set()
        turn.cancel.wait(PATIENCE_S)
        turn.cancel.raise_if_cancelled()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    room.engine.start()
    room.engine.submit(Submit("a sk-canary-1"))
    assert inside.wait(PATIENCE_S)
    room.engine.close()
    assert room.listener.of(TurnStarted)[0].text == "a ***"
    assert [type(body) for body in room.listener.bodies[-2:]] == [TurnFinished, SessionFinished]


def test_closing_cancels_what_waits_too_and_takes_nothing_more(rooms: list[Room]) -> None:
    inside = threading.Event()
    worked: list[str] = []

    def run(turn: Turn) -> TurnEnding:
        inside.set()
        if turn.submitted.text == "first":
            turn.cancel.wait(PATIENCE_S)
        turn.cancel.raise_if_cancelled()
        worked.append(turn.submitted.text)
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    room.engine.start()
    for text in ("first", "second"):
        room.engine.submit(Submit(text))
    assert inside.wait(PATIENCE_S)
    room.engine.submit(Shutdown())
    room.engine.submit(Submit("third"))
    room.engine.close()
    assert worked == []
    assert [started.text for started in room.listener.of(TurnStarted)] == ["first", "second"]
    assert {turn.status for turn in room.listener.of(TurnFinished)} == {TurnStatus.CANCELLED}


def test_a_turn_that_outlives_the_close_is_told_as_ended_and_says_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "JOIN_S", 0.05)
    inside, release, said = threading.Event(), threading.Event(), threading.Event()

    def run(turn: Turn) -> TurnEnding:
        inside.set()
        release.wait(PATIENCE_S)
        turn.emit(Notice(Fault("late")))
        said.set()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    room.engine.start()
    room.engine.submit(Submit("a"))
    assert inside.wait(PATIENCE_S)
    room.engine.close()
    release.set()
    assert said.wait(PATIENCE_S)
    assert room.listener.bodies[-2:] == [TurnFinished(TurnStatus.CANCELLED, ""), SessionFinished()]


def test_a_queued_text_is_said_before_anyone_can_have_taken_it(
    rooms: list[Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, added, taken = threading.Event(), threading.Event(), threading.Event()

    def run(turn: Turn) -> TurnEnding:
        inside.set()
        assert added.wait(PATIENCE_S)
        turn.emit(QueueTaken(tuple(queued.text for queued in room.queued.take()), "turn"))
        taken.set()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    rooms.append(room)
    add = room.queued.add

    def add_and_be_overtaken(text: str, words: str | None) -> None:
        add(text, words)
        added.set()
        assert taken.wait(PATIENCE_S)

    monkeypatch.setattr(room.queued, "add", add_and_be_overtaken)
    room.engine.start()
    room.engine.submit(Submit("a"))
    assert inside.wait(PATIENCE_S)
    room.engine.submit(Queue("b"))
    said = [body for body in room.listener.bodies if isinstance(body, TextQueued | QueueTaken)]
    assert said == [TextQueued("b"), QueueTaken(("b",), "turn")]


def test_a_text_queued_as_the_turn_ends_starts_the_next_one(rooms: list[Room], monkeypatch: pytest.MonkeyPatch) -> None:
    inside, release = threading.Event(), threading.Event()

    def run(turn: Turn) -> TurnEnding:
        if turn.submitted.text == "a":
            inside.set()
            assert release.wait(PATIENCE_S)
        return TurnEnding(TurnStatus.COMPLETED, turn.submitted.text)

    room = Room(run)
    rooms.append(room)

    ended = threading.Event()
    take = room.queued.take

    def take_what_is_left() -> tuple[QueuedText, ...]:
        left = take()
        ended.set()
        return left

    def end_the_turn(event: Event) -> None:
        if isinstance(event.body, TextQueued):
            release.set()
            assert ended.wait(PATIENCE_S)

    monkeypatch.setattr(room.queued, "take", take_what_is_left)
    room.stream.subscribe(end_the_turn)
    room.engine.start()
    room.engine.submit(Submit("a"))
    assert inside.wait(PATIENCE_S)
    room.engine.submit(Queue("b"))
    assert [turn.text for turn in room.finished(2)] == ["a", "b"]
    assert room.listener.of(QueueTaken) == [QueueTaken(("b",), "next_turn")]


def test_clearing_forgets_between_turns(rooms: list[Room]) -> None:
    room = Room(echo)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(ClearConversation())
    room.listener.wait_for(ConversationCleared)
    assert room.forgotten == 1


def test_going_back_ends_the_turn_and_those_after_it_and_no_other(rooms: list[Room]) -> None:
    room = Room(echo)
    rooms.append(room)
    room.engine.start()
    for text in ("one", "two sk-canary-1", "three"):
        room.engine.submit(Submit(text))
    room.engine.submit(Rewind("turn_2"))
    back = room.listener.wait_for(ConversationRewound)
    assert back == ConversationRewound("turn_2", TurnKind.REACT, "two ***")
    for unknown in ("turn_3", "turn_9"):
        room.engine.submit(Rewind(unknown))
    room.engine.submit(Rewind("turn_1"))
    room.listener.wait_for(ConversationRewound, where=lambda body: body.before_turn == "turn_1")
    assert room.back_to == ["turn_2", "turn_1"]
    assert room.listener.of(Notice) == [Notice(Fault("rewind.unknown"), NoticeLevel.WARNING)] * 2
    room.engine.submit(Submit("four"))
    room.finished(4)
    room.engine.submit(ClearConversation())
    room.engine.submit(Rewind("turn_4"))
    room.listener.wait_for(Notice, where=lambda body: len(room.listener.of(Notice)) == 3)
    assert room.back_to == ["turn_2", "turn_1"]


def test_cancel_at_a_question_cancels_the_turn(rooms: list[Room]) -> None:  # C56
    def run(turn: Turn) -> TurnEnding:
        room.desk.ask(DecideApproval, lambda request_id: turn.emit(Notice(Fault(request_id))), turn.cancel)
        assert turn.cancel.wait(PATIENCE_S)
        turn.cancel.raise_if_cancelled()
        return TurnEnding(TurnStatus.COMPLETED)

    room = Room(run)
    rooms.append(room)
    room.engine.start()
    room.engine.submit(Submit("a"))
    asked = room.listener.wait_for(Notice)
    room.engine.submit(DecideApproval(asked.fault.code, ApprovalDecision.CANCEL))
    assert room.finished(1)[0].status is TurnStatus.CANCELLED
