"""A listener that keeps every event and can wait for one."""

import threading
from collections.abc import Callable
from typing import TypeVar

from paicli.core.events import Event, EventBody
from tests.patience import PATIENCE_S

B = TypeVar("B")


class RecordingListener:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    @property
    def bodies(self) -> list[EventBody]:
        with self._changed:
            return [event.body for event in self.events]

    def of(self, kind: type[B]) -> list[B]:
        return [body for body in self.bodies if isinstance(body, kind)]

    def wait_for(
        self, kind: type[B], *, where: Callable[[B], bool] = lambda body: True, timeout_s: float = PATIENCE_S
    ) -> B:
        def found() -> B | None:
            return next((e.body for e in self.events if isinstance(e.body, kind) and where(e.body)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, timeout_s), f"no {kind.__name__} came"
            body = found()
        assert body is not None
        return body
