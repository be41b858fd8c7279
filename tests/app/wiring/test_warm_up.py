import threading

from paicli.app.wiring.warm_up import WarmUp
from paicli.core.event_stream import EventStream
from paicli.core.events import ModelRequestStarted, Notice, Origin
from paicli.core.faults import Fault
from tests.patience import PATIENCE_S


def test_everything_is_loaded_once_with_the_first_request_and_not_before() -> None:
    loaded: list[str] = []
    done = threading.Event()
    stream = EventStream("s")
    stream.subscribe(WarmUp([lambda: loaded.append("a"), lambda: loaded.append("b"), done.set], delay_s=0))
    stream.publish(Notice(Fault("x")), Origin())
    assert loaded == []
    for step in (1, 2):
        stream.publish(ModelRequestStarted(step, 2, ()), Origin())
    assert done.wait(PATIENCE_S)
    assert loaded == ["a", "b"]
