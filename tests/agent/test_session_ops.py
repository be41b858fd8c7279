import threading
from collections.abc import Iterator

from paicli.agent.turn import Turn, TurnEnding, prepared
from paicli.core.errors import SettingsError
from paicli.core.events import EventBody, ModelChanged, Notice, NoticeLevel, SessionRenamed, TurnStatus
from paicli.core.faults import Fault
from paicli.core.ops import Rename, SessionOp, SetModel, Submit
from tests.agent.test_engine import Room
from tests.patience import PATIENCE_S


def ended(turn: Turn) -> TurnEnding:
    return TurnEnding(TurnStatus.COMPLETED, turn.submitted.text)


def test_what_a_step_says_is_out_before_the_next_step_is_taken() -> None:
    room = Room(ended)
    seen: list[int] = []

    def change(op: SessionOp) -> Iterator[EventBody]:
        yield SessionRenamed("first")
        seen.append(len(room.listener.of(SessionRenamed)))
        yield SessionRenamed("second")
        raise SettingsError("settings.no_key", provider="glm", variables="sk-canary-1")

    room.engine.change_by(change)
    room.engine.submit(Rename("x"))
    assert seen == [1]
    assert room.listener.of(SessionRenamed) == [SessionRenamed("first"), SessionRenamed("second")]
    fault = Fault("settings.no_key", (("provider", "glm"), ("variables", "***")))
    assert room.listener.of(Notice) == [Notice(fault, NoticeLevel.ERROR)]


def test_the_session_changes_while_a_turn_runs_on_the_callers_thread() -> None:
    go, begun = threading.Event(), threading.Event()

    def wait(turn: Turn) -> TurnEnding:
        begun.set()
        assert go.wait(PATIENCE_S)
        return ended(turn)

    room = Room(wait)
    threads: list[str] = []

    def change(op: SessionOp) -> Iterator[EventBody]:
        threads.append(threading.current_thread().name)
        yield ModelChanged("p", "next", 9)

    room.engine.change_by(change)
    room.engine.start()
    room.engine.submit(Submit("x"))
    assert begun.wait(PATIENCE_S)
    room.engine.submit(SetModel("next"))
    assert room.listener.of(ModelChanged) == [ModelChanged("p", "next", 9)]
    assert threads == [threading.current_thread().name]
    go.set()
    assert room.finished(1)[0].text == "x"
    room.engine.close()


def test_a_prepared_turn_runs_with_what_was_made_of_the_words() -> None:
    room = Room(prepared(ended, lambda text: f"PREPARED {text}"))
    room.engine.start()
    room.engine.submit(Submit("words"))
    assert room.finished(1)[0].text == "PREPARED words"
    room.engine.close()
