"""A session whose prompt stands before its engine does: what is typed meanwhile is handed on, in order, when it does.

Some 230 modules (100 ms) are needed for a turn and not for the prompt: the person reads the banner while they load.
"""

import threading
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, cast

from paicli.app.settings import ReplaySettings, SessionKind, Settings
from paicli.app.wiring.beginning.collecting import collect_again
from paicli.app.wiring.beginning.front import Front, open_front
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream
from paicli.core.faults import Fault
from paicli.core.ops import Op
from paicli.system.pool import DaemonPool
from paicli.ui.facts import SessionFacts

if TYPE_CHECKING:
    from paicli.app.wiring.assembly import Assembly
    from paicli.ui.queries import SessionQueries

CLOSE_S = 5.0
"""How long the end of a session waits for an assembling that still goes on; what it would have opened is new."""


def assemble_behind_prompt(settings: Settings) -> "Assembly | LateAssembly":
    """A new interactive session. Raises SettingsError before anything is shown, for whatever settings can cause.

    Settings whose faults only the parts themselves can tell are assembled at once, as everywhere else.
    """
    front = open_front(settings, SessionKind.INTERACTIVE)
    if not _is_told_by_parts(settings):
        return LateAssembly(front)
    # start-up: the very thing that the other sessions load behind the prompt
    from paicli.app.wiring.assembly import assemble_behind

    return assemble_behind(front)


def _is_told_by_parts(settings: Settings) -> bool:
    """Whether a tool's name, a rule, a recording or a prompt file may be wrong: none is there in most sessions."""
    has_rules = bool(settings.allow_rules or settings.ask_rules or settings.deny_rules)
    has_files = isinstance(settings.model, ReplaySettings) or settings.record is not None
    return has_rules or has_files or settings.tool_names is not None or (settings.home / "prompts").exists()


class LateAssembly:
    """As `Assembly`. May be used from any thread."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._lock = threading.RLock()
        self._pool = DaemonPool("paicli-assembling", 1)
        self._made: Future[Assembly] | None = None
        self._assembly: Assembly | None = None
        """Set when every op that came before has been handed on."""
        self._waiting: list[Op] = []

    @property
    def events(self) -> EventStream:
        return self._front.stream

    @property
    def facts(self) -> SessionFacts:
        return self._front.facts

    @property
    def texts(self) -> Texts:
        return self._front.texts

    def offered_tools(self) -> tuple[str, ...]:
        """Waits for the tools."""
        return self.settle().result().offered_tools()

    @property
    def queries(self) -> "SessionQueries":
        return cast("SessionQueries", _LateQueries(self))

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """None: whoever listens already hears of them by events."""
        return ()

    def settle(self) -> "Future[Assembly]":
        """Begins to assemble, once; the future carries what went wrong."""
        with self._lock:
            if self._made is None:
                self._made = self._pool.submit(self._make)
            return self._made

    def submit(self, op: Op) -> None:
        with self._lock:
            assembly = self._assembly
            if assembly is None:
                self._waiting.append(op)
                self.settle()
        if assembly is not None:
            assembly.submit(op)

    def close(self) -> None:
        """A session that was left before anything began leaves nothing behind."""
        with self._lock:
            made = self._made
        if made is None:
            return
        wait([made], timeout=CLOSE_S)
        if made.done() and made.exception() is None:
            made.result().close()

    def _make(self) -> "Assembly":
        # start-up: the prompt stands before these 230 modules are loaded
        from paicli.app.wiring.assembly import assemble_behind

        assembly = assemble_behind(self._front)
        collect_again()
        with self._lock:
            for op in self._waiting:
                assembly.submit(op)
            self._assembly = assembly
        return assembly


class _LateQueries:
    """As `SessionQueries`: each question waits until there is somebody to answer."""

    def __init__(self, late: LateAssembly) -> None:
        self._late = late

    def __getattr__(self, name: str) -> Any:
        return getattr(self._late.settle().result().queries, name)
