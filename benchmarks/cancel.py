"""From a Cancel to an idle engine in every phase a turn can be in, and once from ESC to an idle prompt in a terminal.

The engine runs in this process, the endpoint in another; `idle` is TurnFinished, after which the next Submit starts.
"""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from benchmarks.driving import Driven, Terminal, driven
from benchmarks.figures import Figure
from benchmarks.measuring import ALLOWED, PAICLI, Endpoint, Place, ms
from paicli.core.events import Event, ModelDelta, ModelRequestStarted, ToolProgressed, TurnStatus
from paicli.core.ops import Cancel, Submit, TurnKind

SETTLE_S = 0.1
"""After the event that begins a phase: the thread has reached the call that blocks."""
CANCELLED = "已取消"


class Phase(NamedTuple):
    what: str
    script: str
    """Of the endpoint; empty: nobody accepts connections."""
    begins: Callable[[Event], bool]
    actors: int = 1
    """How many must have begun; more than one means a plan."""


def asks(event: Event) -> bool:
    return isinstance(event.body, ModelRequestStarted)


def streams(event: Event) -> bool:
    return isinstance(event.body, ModelDelta) and event.origin.actor != "planner"


def runs(event: Event) -> bool:
    return isinstance(event.body, ToolProgressed)


PHASES = (
    Phase("connect to a full backlog", "", asks),
    Phase("waiting for headers", "headers", asks),
    Phase("silent stream", "silence", streams),
    Phase("a command that ignores TERM", "stubborn", runs),
    Phase("four tasks, silent streams", "four_silences", streams, 4),
    Phase("four tasks, commands that ignore TERM", "four_stubborn", runs, 4),
)


def measure(repeats: int) -> list[Figure]:
    rows = [Figure(f"cancel: {phase.what}", "ms", cancels(phase, repeats), 300, 150) for phase in PHASES]
    escapes = tuple(ms(escape_once()) for _ in range(repeats))
    note = "from the key to its line on the screen; 100 ms of it tell ESC from an arrow key"
    return [*rows, Figure("cancel: ESC in a terminal, silent stream", "ms", escapes, 300, 150, note=note)]


def cancels(phase: Phase, repeats: int) -> tuple[float, ...]:
    with ExitStack() as opened:
        place = opened.enter_context(Place())
        if phase.script:
            base_url = opened.enter_context(Endpoint(phase.script)).base_url
        else:
            base_url = opened.enter_context(full_backlog())
        session = opened.enter_context(driven(place, base_url))
        return tuple(ms(cancel_once(session, phase)) for _ in range(repeats))


def cancel_once(session: Driven, phase: Phase) -> float:
    """Seconds from Cancel to TurnFinished."""
    session.submit(Submit("go", TurnKind.PLAN if phase.actors > 1 else TurnKind.REACT))
    session.wait_for(Once(phase.begins), phase.actors)
    threading.Event().wait(SETTLE_S)
    started = time.monotonic()
    finished = session.finish(Cancel())
    took = time.monotonic() - started
    if finished.status is not TurnStatus.CANCELLED:
        raise RuntimeError(f"the turn was not cancelled: {finished}")
    return took


class Once:
    """Counts each actor's first matching event only."""

    def __init__(self, holds: Callable[[Event], bool]) -> None:
        self._holds = holds
        self._seen: set[str] = set()

    def __call__(self, event: Event) -> bool:
        is_first = self._holds(event) and event.origin.actor not in self._seen
        if is_first:
            self._seen.add(event.origin.actor)
        return is_first


@contextmanager
def full_backlog() -> Generator[str]:
    """A port whose queue of connections is full: the next connect gets no answer."""
    with ExitStack() as opened:
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"


def escape_once() -> float:
    """Seconds from the key ESC until the terminal shows that the turn was cancelled."""
    with Place() as place, Endpoint("silence") as endpoint:
        environ = place.environ(endpoint.base_url)
        with Terminal(PAICLI, *ALLOWED, folder=place.project, environ=environ) as terminal:
            terminal.wait_for_keys()
            terminal.press("go\r")
            endpoint.requests(1)
            terminal.wait_for("par")
            threading.Event().wait(SETTLE_S)
            pressed = terminal.press("\x1b")
            return terminal.wait_for(CANCELLED) - pressed
