"""What a turn is to the engine, and how one can end."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.event_stream import Emit
from paicli.core.events import Origin, TurnStatus
from paicli.core.faults import Fault
from paicli.core.messages import Image, Usage
from paicli.core.ops import Submit, TurnKind


class Turn(NamedTuple):
    """One user request until the agent stops."""

    id: str
    kind: TurnKind
    submitted: Submit
    cancel: CancellationToken
    emit: Emit
    """Publishes under `origin`."""
    images: tuple[Image, ...] = ()
    """What its words mention and the model sees."""

    @property
    def origin(self) -> Origin:
        return Origin(self.id)

    @property
    def words(self) -> str:
        """What the person typed."""
        return self.submitted.text if self.submitted.words is None else self.submitted.words


class TurnEnding(NamedTuple):
    status: TurnStatus
    text: str = ""
    fault: Fault | None = None
    usage: Usage = Usage()
    steps: int = 0
    was_streamed: bool = True
    cost_usd: float | None = None
    """None: nothing was asked, or the price of something is not known."""


RunTurn = Callable[[Turn], TurnEnding]
"""Runs a turn of one kind. May raise; the engine's turn boundary makes a failed turn of it."""


class QueuedText(NamedTuple):
    text: str
    words: str
    """What of it the person typed: pastes are data."""


class TextQueue:
    """What the person typed while a turn ran. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: list[QueuedText] = []
        self.hear: Callable[[str], None] = lambda words: None
        """Told what the person typed of each text as soon as it waits; it may publish events."""

    def add(self, text: str, words: str | None = None) -> None:
        """`words`: as in `Queue`."""
        with self._lock:
            self._texts.append(QueuedText(text, text if words is None else words))

    def take(self) -> tuple[QueuedText, ...]:
        """Hands over all of it."""
        with self._lock:
            texts = tuple(self._texts)
            self._texts.clear()
        return texts


def prepared(run: RunTurn, prepare: Callable[[str], str]) -> RunTurn:
    """`run` with a text made from the person's words; what `prepare` raises ends the turn."""

    def run_prepared(turn: Turn) -> TurnEnding:
        return run(
            turn._replace(submitted=turn.submitted._replace(text=prepare(turn.submitted.text), words=turn.words))
        )

    return run_prepared
