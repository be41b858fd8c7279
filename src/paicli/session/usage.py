"""What a session has cost: a listener that counts every model's replies, by who asked, for which task, and when."""

import threading
from collections.abc import Iterable
from typing import NamedTuple

from paicli.core.events import Event, ModelChanged, ModelReplyReceived, SessionStarted, TurnStarted
from paicli.core.messages import Usage

_KEPT_KEYS = 400
"""Rows; what comes from plan tasks beyond is counted together: memory stays bounded."""


class Spent(NamedTuple):
    """Requests that were answered, and what they came to."""

    requests: int = 0
    usage: Usage = Usage()
    cost_usd: float = 0.0
    """Of those whose price is known."""
    unpriced: int = 0
    """Requests of unknown price."""

    def plus(self, other: "Spent") -> "Spent":
        return Spent(
            self.requests + other.requests,
            self.usage.plus(other.usage),
            self.cost_usd + other.cost_usd,
            self.unpriced + other.unpriced,
        )


class Spender(NamedTuple):
    """Who asked which model."""

    actor: str
    """"react", "planner", "task_1"; reviews and summaries apart: "task_1/review", "react/summary"."""
    model: str
    plan_id: str = ""


class UsageTotals:
    """May be asked from any thread."""

    def __init__(self, model: str) -> None:
        """`model`: the session's."""
        self._lock = threading.Lock()
        self._model = model
        self._by_spender: dict[Spender, Spent] = {}
        self._session = Spent()
        self._turn = Spent()
        self._before_usd = 0.0

    def __call__(self, event: Event) -> None:
        with self._lock:
            self._take(event)

    def catch_up(self, events: Iterable[Event]) -> None:
        """What an earlier process had spent; the model is what it is now, and a limit counts from now on."""
        with self._lock:
            model = self._model
            for event in events:
                self._take(event)
            self._model = model
            self._before_usd = self._session.cost_usd

    @property
    def session(self) -> Spent:
        with self._lock:
            return self._session

    @property
    def turn(self) -> Spent:
        """The running turn's, else the last one's."""
        with self._lock:
            return self._turn

    @property
    def rows(self) -> tuple[tuple[Spender, Spent], ...]:
        """In the order in which they began to spend."""
        with self._lock:
            return tuple(self._by_spender.items())

    def spent_usd(self) -> float:
        """Since this process began."""
        with self._lock:
            return self._session.cost_usd - self._before_usd

    def _take(self, event: Event) -> None:
        match event.body:
            case ModelReplyReceived(response, _, cost_usd, side_model):
                is_priced = cost_usd is not None
                spent = Spent(1, response.usage or Usage(), cost_usd or 0.0, int(not is_priced))
                spender = Spender(event.origin.actor, side_model or self._model, event.origin.plan_id)
                if spender not in self._by_spender and len(self._by_spender) >= _KEPT_KEYS:
                    spender = Spender("…", spender.model)
                self._by_spender[spender] = self._by_spender.get(spender, Spent()).plus(spent)
                self._session = self._session.plus(spent)
                self._turn = self._turn.plus(spent)
            case TurnStarted():
                self._turn = Spent()
            case SessionStarted(model=model) | ModelChanged(model=model):
                self._model = model
            case _:
                pass
