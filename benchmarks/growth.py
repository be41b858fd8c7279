"""A turn's own cost late in a long session, beside an early one: one tool call and an answer, model and wire aside."""

import itertools
import os
import resource
import sys
import time
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.driving import driven
from benchmarks.figures import Figure
from benchmarks.measuring import NOWHERE, Place, middle, ms
from paicli.app.wiring.beginning import front
from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, ToolCall, ToolMessage
from paicli.core.ops import Submit
from paicli.llm.client import OnDelta

EARLY, LATE = 10, 1_000
AROUND = 8
"""So many turns before and after count too: one turn is too short to be told from noise."""


class InstantClient:
    """Calls list_dir, then answers: nothing is encoded or sent, whatever the length of the conversation."""

    provider, model = "instant", "instant-1"
    capabilities = ModelCapabilities(window_tokens=100_000_000)

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        if isinstance(request.messages[-1], ToolMessage):
            return ChatResponse("done")
        return ChatResponse("", tool_calls=(ToolCall(f"call_{next(self._numbers)}", "list_dir", "{}"),))

    def close(self) -> None:
        pass


def measure(repeats: int) -> list[Figure]:
    ratios, early, late, kept = [], [], [], []
    for _ in range(max(1, repeats // 2)):
        costs = turn_costs(LATE + AROUND)
        early.append(middle([cost.cpu_s for cost in costs[EARLY - AROUND : EARLY + AROUND]]))
        late.append(middle([cost.cpu_s for cost in costs[LATE - AROUND : LATE + AROUND]]))
        ratios.append(late[-1] / early[-1])
        kept.append((costs[LATE].resident_bytes - costs[AROUND].resident_bytes) / 1_000 / (LATE - AROUND))
    note = f"CPU of a turn with one tool call: {ms(middle(early)):.2f} ms, then {ms(middle(late)):.2f} ms"
    return [
        Figure("own time at turn 1,000 / turn 10", "×", tuple(ratios), 1.5, 1.1, 1.0, note=note),
        Figure("memory a turn leaves, over 1,000 turns", "KB", tuple(kept), note="resident set: its four messages"),
    ]


class TurnCost(NamedTuple):
    cpu_s: float
    """All threads together: waiting for the disk is not counted."""
    resident_bytes: int
    """Of the process, after the turn."""


def turn_costs(turns: int) -> list[TurnCost]:
    """Of each turn of one session."""
    instant = patch.object(front, "open_client", lambda settings, kind, **more: InstantClient())
    costs: list[TurnCost] = []
    with Place() as place, instant, driven(place, NOWHERE) as session:
        for number in range(turns):
            before = time.process_time()
            session.finish(Submit(f"turn {number}"))
            costs.append(TurnCost(time.process_time() - before, resident_bytes()))
    return costs


def resident_bytes() -> int:
    """What the process holds now; where the system does not tell, what it held at most."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
