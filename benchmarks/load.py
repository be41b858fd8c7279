"""Reading a stored session of 10,000 events back: the file, the events, the conversation and the state."""

import json
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Figure
from paicli.core.event_codec import to_record
from paicli.core.events import (
    Event,
    EventBody,
    MessageAppended,
    ModelReplyReceived,
    ModelRequestStarted,
    Origin,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.messages import AssistantMessage, ChatResponse, ToolCall, ToolMessage, ToolOutcome, Usage, UserMessage
from paicli.core.ops import Mode, TurnKind
from paicli.session.stored.conversation import rebuilt
from paicli.session.stored.plans import PlanHistory
from paicli.session.stored.reading import read_session
from paicli.session.stored.restored import restored_state

EVENTS = 10_000
OUTPUT = "def line(number):  # 一行\n    return number + 1\n" * 20


def measure(repeats: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "session.jsonl"
        journal.write_text("".join(f"{_line(event)}\n" for event in _events()), encoding="utf-8")
        size_bytes = journal.stat().st_size
        samples = tuple(_load_ms(journal) for _ in range(repeats))
    note = f"CPU, {size_bytes / 1e6:.1f} MB: read, checked, conversation and state rebuilt"
    return [Figure("a session of 10,000 events read back", "ms", samples, 1_000, 400, note=note)]


def _load_ms(journal: Path) -> float:
    before = time.process_time()
    stored = read_session(journal)
    messages, state = rebuilt(stored.events).messages, restored_state(stored.events)
    plans = PlanHistory(stored.events)
    took = (time.process_time() - before) * 1_000
    if len(stored.events) != EVENTS or not messages or not state.turns or plans.unfinished is not None:
        raise RuntimeError("the session was not read whole")
    return took


def _line(event: Event) -> str:
    return json.dumps(to_record(event), ensure_ascii=False, separators=(",", ":"))


def _events() -> list[Event]:
    bodies: list[EventBody] = []
    for number in range(EVENTS // 10):
        call = ToolCall(f"call_{number}", "read_file", json.dumps({"path": f"src/module_{number}.py"}))
        usage = Usage(4_000 + number, 3_000, 80, 20)
        bodies += [
            TurnStarted(TurnKind.REACT, f"look at module {number} 看一下", Mode.AUTO),
            MessageAppended(UserMessage(f"look at module {number} 看一下")),
            ModelRequestStarted(1, number, ("read_file", "grep_code")),
            ModelReplyReceived(ChatResponse("", "think", (call,), usage=usage), 1.5),
            MessageAppended(AssistantMessage("", "think", (call,))),
            ToolStarted(call.id, call.name, call.arguments),
            ToolFinished(call.id, call.name, ToolOutcome.OK, OUTPUT, None, 0.01),
            MessageAppended(ToolMessage(call.id, call.name, OUTPUT)),
            MessageAppended(AssistantMessage("It adds one. 就是加一。")),
            TurnFinished(TurnStatus.COMPLETED, "It adds one.", usage=usage, steps=2),
        ]
    return [
        Event(seq, 1e9 + seq, "session", Origin(f"turn_{1 + (seq - 1) // 10}", "react"), body)
        for seq, body in enumerate(bodies, 1)
    ]
