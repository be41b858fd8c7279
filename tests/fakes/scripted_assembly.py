"""An assembly whose engine is a script: a function on a thread that publishes events and waits for ops."""

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, Origin
from paicli.core.faults import Fault
from paicli.core.ops import Cancel, Mode, Op, Submit
from paicli.ui.facts import SessionFacts
from tests.patience import PATIENCE_S

AnyOp = TypeVar("AnyOp", bound=Op)


class ScriptedAssembly:
    """`script(self)` runs when the first Submit comes; it ends the turn by publishing TurnFinished."""

    warnings: tuple[Fault, ...] = ()
    queries = None

    def __init__(self, script: Callable[["ScriptedAssembly"], None], *, language: Language = Language.EN) -> None:
        self.events = EventStream("session-1")
        self.texts = Texts(language)
        self.facts = SessionFacts(
            version="0.1.0",
            project="/work",
            provider="scripted",
            model="scripted-1",
            window_tokens=32_000,
            mode=Mode.AUTO,
            language=language.value,
        )
        self.results_folder = Path("/nowhere")
        self.ops: list[Op] = []
        self.is_closed = self.is_settled = False
        self._script = script
        self._came: queue.SimpleQueue[Op] = queue.SimpleQueue()

    def offered_tools(self) -> tuple[str, ...]:
        return "list_dir", "read_file"

    def submit(self, op: Op) -> None:
        self.ops.append(op)
        if isinstance(op, Submit):
            threading.Thread(target=self._script, args=(self,), daemon=True).start()
        else:
            self._came.put(op)

    def publish(self, *bodies: EventBody, actor: str = "react", task: str = "", round_number: int = 0) -> None:
        for body in bodies:
            plan_id = "plan-1" if task or round_number else ""
            self.events.publish(body, Origin("turn_1", actor, plan_id, round_number, task))

    def wait_for(self, kind: type[AnyOp]) -> AnyOp:
        """The next op, which must be of that kind; at most 5 s."""
        op = self._came.get(timeout=PATIENCE_S)
        assert isinstance(op, kind), op
        return op

    def wait_for_cancel(self) -> None:
        self.wait_for(Cancel)

    def settle(self) -> None:
        self.is_settled = True

    def close(self) -> None:
        self.is_closed = True
