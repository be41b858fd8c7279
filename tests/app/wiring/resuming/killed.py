"""A session with one plan over the real engine, its model in this process: cut its journal anywhere and go on."""

import json
import queue
import re
import threading
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from evals.e1_replay import read_journal

from paicli.app.settings import ModelSettings, SessionKind, Settings
from paicli.app.wiring.assembly import assemble
from paicli.app.wiring.beginning import front
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.events import Event, TurnFinished
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, ToolCall, ToolMessage, Usage
from paicli.core.ops import DecideReview, ReviewDecision, Submit, TurnKind
from paicli.llm.client import OnDelta
from paicli.session.stored.opening import open_stored
from tests.patience import PATIENCE_S

PLAN = json.dumps(
    {
        "summary": "概要",
        "tasks": [
            {"id": "a", "description": "甲", "type": "FILE_READ", "dependencies": []},
            {"id": "b", "description": "乙", "type": "FILE_READ", "dependencies": []},
            {"id": "c", "description": "丙", "type": "ANALYSIS", "dependencies": ["a", "b"]},
        ],
    },
    ensure_ascii=False,
)
NAMES = {"甲": "task_1", "乙": "task_2", "丙": "task_3"}


class PlanModel:
    """Plans; each task reads a file and then says its result."""

    provider, model = "custom", "m-1"
    capabilities = ModelCapabilities(window_tokens=1_000_000)

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.plans = 0
        self.asked: list[str] = []
        """Ids of tasks, one per request."""
        self.told: dict[str, str] = {}
        """What each was told first."""

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        first = request.messages[1].content
        found = re.search("^当前任务:(.*)$", first, re.MULTILINE)
        with self._lock:
            if found is None:
                self.plans += 1
                return ChatResponse(PLAN, usage=Usage(10, 0, 5, 0))
            name = NAMES[found[1]]
            self.asked.append(name)
            self.told[name] = first
        if isinstance(request.messages[-1], ToolMessage):
            return ChatResponse(f"{found[1]}的结果", usage=Usage(10, 0, 5, 0))
        call = ToolCall(f"call_{name}", "read_file", '{"path": "a.txt"}')
        return ChatResponse("", tool_calls=(call,), usage=Usage(10, 0, 5, 0))

    def close(self) -> None:
        pass


class Gone(NamedTuple):
    """A turn that came to its end."""

    turn: TurnFinished
    review_count: int
    model: PlanModel
    journal: Path

    @property
    def records(self) -> list[dict[str, Any]]:
        return read_journal(self.journal.read_text(encoding="utf-8"))


def take_turn(op: Submit, *, home: Path, project: Path, journal: Path | None = None) -> Gone:
    """`journal`: of the session that goes on; None: a new one. Reviews are answered with yes."""
    settings = Settings(
        Language.ZH, home, project, ModelSettings("custom", "m-1", "http://127.0.0.1:9/v1", "sk-x-123456")
    )
    model, events, reviews = PlanModel(), queue.SimpleQueue[Event](), 0
    with patch.object(front, "open_client", return_value=model):
        session = assemble(
            settings, session_kind=SessionKind.UNATTENDED, resumed=open_stored(journal) if journal else None
        )
        session.events.subscribe(events.put)
        try:
            session.submit(op)
            while True:
                body = events.get(timeout=PATIENCE_S).body
                if isinstance(body, PlanReviewRequested):
                    reviews += 1
                    session.submit(DecideReview(body.request_id, ReviewDecision.EXECUTE, by="option"))
                if isinstance(body, TurnFinished):
                    break
        finally:
            session.close()
    (written,) = [journal] if journal else home.rglob("sessions/*/*.jsonl")
    return Gone(body, reviews, model, written)


def go_on(cut: bytes, folder: Path, project: Path) -> Gone:
    """In a new process' place: the journal is all that is left."""
    journal = folder / "sessions" / "project" / "20300101-000000-abcdef.jsonl"
    journal.parent.mkdir(parents=True)
    journal.write_bytes(cut)
    return take_turn(Submit("", TurnKind.PLAN_RESUME), home=folder, project=project, journal=journal)
