"""A whole terminal session with a fake engine, to be run in a pseudo-terminal: `python -m tests.ui.fake_engine_app`.

What is typed chooses the turn. Every text that was sent comes back as a JSON line `SENT {…}`.
"""

import json
import sys
import threading
import time
from pathlib import Path

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import PlanStarted
from paicli.core.events import DeltaKind, ModelDelta, ModelRequestStarted, Notice, TurnFinished, TurnStatus
from paicli.core.faults import Fault
from paicli.core.messages import FileWritten
from paicli.core.ops import Mode, ReviewDecision, RunShell, Submit
from paicli.session.input_history import InputHistory
from paicli.ui.facts import ColorUse, NotifyBy, SessionFacts
from paicli.ui.input_sources import InputSources
from paicli.ui.terminal import TerminalSession
from tests.ui.fake_engine import FakeEngine, plan_of

# C48
HOSTILE = (
    "\x1b]52;c;YQ==\x07",
    "\x1b]0;t\x07",
    "\x1b[2J",
    "\x1b[6n",
    "\x1bc",
    "\x1bPq\x1b\\",
    "\x9b2J",
    "\x08",
    "\x00",
    "\x07",
)


def play(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    text = op.text if isinstance(op, Submit) else op.command
    word = text.split()[0]
    sent = {"text": text, "attachments": op.attachments} if isinstance(op, Submit) else {"shell": text}
    if word != "quiet":
        shown = json.dumps(sent) if len(text) < 500 and len(str(sent)) < 2_000 else f"{len(text)} {len(op[2])}"
        engine.say(f"`SENT` {shown}")
    match word:
        case "lines":
            stream_lines(engine)
        case "plan":
            return review(engine)
        case "slow":
            engine.cancelled.wait()
            return TurnFinished(TurnStatus.CANCELLED, "")
        case "approve":
            approve(engine)
        case "hostile":
            engine.say("".join(f"A{sequence}B\n" for sequence in HOSTILE))
            engine.ask_approval("x\x1b[2J", json.dumps({"path": "".join(HOSTILE), "text": "safe\rEVIL"}))
        case "break":
            engine.emit(Notice(Fault("x"), "no level"))  # type: ignore[arg-type]  # a fault of the ui is wanted
        case _:
            engine.say("answer one\nanswer two\nanswer three")
    return None


def stream_lines(engine: FakeEngine) -> None:
    """C54: a hundred numbered lines in small deltas, at a pace that leaves room for a resize in the middle."""
    engine.emit(ModelRequestStarted(1, 2, ()))
    pace = threading.Event()
    for number in range(1, 101):
        ending = " 你好，👩‍💻🇯🇵" if number % 10 == 0 else ""
        text = f"L{number:03d}{ending}\n"
        for at in range(0, len(text), 3):
            engine.emit(ModelDelta(DeltaKind.TEXT, text[at : at + 3]))
        pace.wait(0.01)


def review(engine: FakeEngine) -> TurnFinished | None:
    view = plan_of("make a blog", {"task_1": (), "task_2": (), "task_3": ("task_1", "task_2")})
    while True:
        answer = engine.ask_review(view)
        engine.say(f"`DECIDED` {answer.decision.value} {answer.feedback}")
        if answer.decision is ReviewDecision.CANCEL:
            return TurnFinished(TurnStatus.CANCELLED, "")
        if answer.decision is ReviewDecision.EXECUTE:
            engine.emit(PlanStarted(view))
            return None


def approve(engine: FakeEngine) -> None:
    """C56: four writes, one question after the other."""
    for number in range(1, 5):
        preview = FileWritten(f"f{number}", "+new", 1, 0, is_new=True)
        answer = engine.ask_approval(
            "write_file", json.dumps({"path": f"f{number}", "content": "new"}), task=f"task_{number}", preview=preview
        )
        engine.say(f"`ANSWER` {number} {getattr(answer, 'decision', 'cancelled')}")


def main() -> int:
    language, history = sys.argv[1], sys.argv[2]
    sources = InputSources(history=InputHistory(Path(history)))
    facts = SessionFacts(
        "0.1",
        "/w/p",
        "glm",
        "glm-5",
        100_000,
        Mode.AUTO,
        language,
        "main",
        sources,
        color=ColorUse.NEVER,
        notify=NotifyBy.OFF,
    )
    engine = FakeEngine(play)
    session = TerminalSession(submit=engine.submit, texts=Texts(Language(language)), facts=facts)
    engine.listen = session.listen
    if len(sys.argv) > 3:
        finished = session.run_once(Submit(sys.argv[3]))
        sys.stdout.write(f"FINISHED {finished.status if finished else None} {session.exit_status}\n")
        return 0
    started = time.monotonic()
    status = session.run()
    sys.stdout.write(f"LEFT {status} after {time.monotonic() - started:.0f} s\n")
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
