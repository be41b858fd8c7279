"""The one way from the engine to its listeners: numbers events and hands them on, in order, from any thread."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Protocol

from paicli.core.events import Event, EventBody, ModelDelta, ModelReplyRestarted, Origin
from paicli.core.masking import SecretMasker
from paicli.core.masking.events import EventMasker

Listener = Callable[[Event], None]


class Emit(Protocol):
    """Publishes a body with an origin that is already bound."""

    def __call__(self, body: EventBody, /) -> None: ...


def without_deltas(emit: Emit) -> Emit:
    """For a reply that is no part of the answer (a review, a summary): nothing of it streams to anyone."""

    def emit_whole(body: EventBody, /) -> None:
        if not isinstance(body, ModelDelta | ModelReplyRestarted):
            emit(body)

    return emit_whole


class EventStream:
    """Numbers events and calls every listener, on the publisher's thread, under one lock.

    A listener must return at once: it writes a line or puts the event into a queue, and never waits for a person, a
    model or a terminal. One that raises is left out of nothing else: `on_listener_error` hears of it.
    Events of a turn that was closed are dropped: an abandoned worker can say nothing any more.
    """

    def __init__(
        self,
        session_id: str,
        *,
        masker: SecretMasker | None = None,
        clock: Callable[[], float] = time.time,
        on_listener_error: Callable[[Exception], None] = lambda error: None,
        after_seq: int = 0,
    ) -> None:
        """`after_seq`: the last number that events of this session had in an earlier process."""
        self.session_id = session_id
        self._masker = EventMasker(masker) if masker is not None else None
        self._clock = clock
        self._on_listener_error = on_listener_error
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._seq = after_seq
        self._outgoing: list[Event] = []
        """The event that goes out now, and what listeners published meanwhile."""
        self._closed_turns: set[str] = set()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Adds a listener; returns a function that removes it."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    @contextmanager
    def heard_by(self, listener: Listener) -> Generator[None]:
        """The listener hears what is published inside, however that ends."""
        unsubscribe = self.subscribe(listener)
        try:
            yield
        finally:
            unsubscribe()

    def publish(self, body: EventBody, origin: Origin) -> Event | None:
        """Returns the event as it went out; None when its turn is closed, or when it waits for the end of a secret."""
        with self._lock:
            if origin.turn_id in self._closed_turns:
                return None
            event: Event | None = None
            for each in self._masker.masked(body, origin) if self._masker is not None else (body,):
                self._seq += 1
                event = Event(self._seq, self._clock(), self.session_id, origin, each)
                self._outgoing.append(event)
                if len(self._outgoing) == 1:  # else a listener published it: every listener hears of its cause first
                    self._hand_on()
            return event

    def _hand_on(self) -> None:
        try:
            while self._outgoing:
                for listener in list(self._listeners):
                    try:
                        listener(self._outgoing[0])
                    except Exception as error:  # listener boundary: a broken listener never breaks the engine
                        self._on_listener_error(error)
                del self._outgoing[0]
        finally:
            self._outgoing.clear()

    def emitter(self, origin: Origin) -> Emit:
        """`publish` with the origin bound."""

        def emit(body: EventBody, /) -> None:
            self.publish(body, origin)

        return emit

    def close_turn(self, last: EventBody, origin: Origin) -> None:
        """Publishes the turn's last event, and drops whatever its leftovers say from then on."""
        with self._lock:
            self.publish(last, origin)
            self._closed_turns.add(origin.turn_id)
