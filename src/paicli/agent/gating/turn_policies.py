"""Makes the policy of each turn, hands it on to its tasks, and says by events what it forbids and trusts."""

import threading
from collections.abc import Sequence
from pathlib import Path

from paicli.core.event_stream import Emit, EventStream
from paicli.core.events import Origin, PolicyTightened, UrlTrusted
from paicli.policy.turn_policy import OutsideContent, TurnToolPolicy
from paicli.tools.registry import ToolRegistry


class TurnPolicies:
    """The running turn's policy, and after it the last turn's. Thread-safe."""

    def __init__(self, stream: EventStream, *, root: Path | None = None) -> None:
        self._stream = stream
        self._root = root
        self._lock = threading.Lock()
        self._turn_id = ""
        self._current = TurnToolPolicy(root=root)
        self._tasks: dict[tuple[str, str], TurnToolPolicy] = {}
        """By plan and task."""

    @property
    def current(self) -> TurnToolPolicy:
        """Of the running turn, else of the last one; one without any words before the first."""
        return self._current

    def offered(self, registry: ToolRegistry) -> tuple[str, ...]:
        """The names of the tools that the current policy lets a model see."""
        shown = self._current.expose(registry.declarations, registry.effect_of)
        return tuple(declaration.name for declaration in shown)

    def begin_turn(self, turn_id: str, words: str, outside: OutsideContent) -> TurnToolPolicy:
        """A new policy from the person's words; `outside` belongs to the conversation that goes on."""
        policy = TurnToolPolicy(root=self._root, outside=outside)
        with self._lock:
            self._turn_id, self._current = turn_id, policy
            self._tasks.clear()
        self.hear(words)
        return policy

    def hear(self, words: str) -> None:
        """More words of the person in this turn (queued, said in a review): they tighten, and their URLs count."""
        self.tighten(words)
        for url in self._current.trust_words(words):
            self._emit()(UrlTrusted(url, "user"))

    def tighten(self, words: str) -> None:
        """Words that may only tighten (the goal of a stored plan)."""
        new = self._current.tighten(words)
        if new:
            self._emit()(PolicyTightened(tuple(map(str, new))))

    def share_urls(self, origin: Origin, urls: Sequence[str]) -> None:
        """A plan task begins; `urls`: what its direct and indirect dependencies found by web_search."""
        fork = self._current.fork_with_trusted_urls(urls)
        with self._lock:
            self._tasks[origin.plan_id, origin.task_id] = fork
        for trusted in fork.own_urls:
            self._stream.publish(UrlTrusted(trusted.url, trusted.source), origin)

    def of_task(self, origin: Origin) -> TurnToolPolicy:
        """The policy of a plan task; one without URLs of its own where none were shared."""
        with self._lock:
            fork = self._tasks.get((origin.plan_id, origin.task_id))
        return fork or self._current.fork_with_trusted_urls(())

    def _emit(self) -> Emit:
        return self._stream.emitter(Origin(self._turn_id))
