"""A small engine room for tests: real loop, gate, executor and guards; scripted model, simple tools, real folders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from paicli.agent.actor import Actor
from paicli.agent.approval import ApprovalDesk
from paicli.agent.budget import Limits
from paicli.agent.conversation import Conversation
from paicli.agent.desk import PersonDesk
from paicli.agent.reviewing.command_review import CommandReview
from paicli.agent.reviewing.reviewer import CommandReviewer
from paicli.agent.tool_gate import GateRules, ToolGate
from paicli.agent.tool_loop import LoopParts, ToolLoop
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatResponse, FinishReason, ToolCall, ToolDetail, ToolEffect, ToolResult, Usage
from paicli.core.ops import Mode
from paicli.llm.asking import ModelAsker
from paicli.policy.command_guard import CommandGuard
from paicli.policy.path_guard import PathGuard
from paicli.policy.rules import RuleDecision
from paicli.policy.session_grants import SessionGrants
from paicli.session.results import ResultFiles
from paicli.tools.executor import ToolExecutor
from paicli.tools.ledger import FileLocks
from paicli.tools.registry import ToolRegistry
from paicli.tools.schemas import build_schemas
from paicli.tools.tool import Tool, ToolContext
from tests.fakes.recording_listener import RecordingListener
from tests.fakes.scripted_client import Answer, ScriptedClient


class PathArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    path: str = "."


class CommandArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    command: str


class FakeTool:
    """Runs `act`; as READ it may run beside others."""

    name: ClassVar[str] = "look"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False
    arguments_model: type[BaseModel] = PathArguments

    def __init__(self, act: Callable[[Any, ToolContext], ToolResult] | None = None) -> None:
        self._act = act or (lambda arguments, context: ToolResult(f"saw {arguments.path}"))
        self.ran: list[Any] = []

    def run(self, arguments: Any, context: ToolContext) -> ToolResult:
        self.ran.append(arguments)
        return self._act(arguments, context)

    def preview(self, arguments: Any, context: ToolContext) -> ToolDetail | None:
        return None


class FakeWriter(FakeTool):
    name = "change"
    effect = ToolEffect.WRITE
    needs_approval = True


class FakeCommand(FakeTool):
    name = "execute_command"
    effect = ToolEffect.EXECUTE
    needs_approval = True
    arguments_model = CommandArguments


def calls(*named: tuple[str, str], content: str = "", finish: FinishReason = FinishReason.TOOL_CALLS) -> ChatResponse:
    """A reply with calls: (name, JSON arguments) each."""
    made = tuple(ToolCall(f"call_{number}", name, arguments) for number, (name, arguments) in enumerate(named))
    return ChatResponse(content, "", made, finish, Usage(10, 0, 5, 0))


def says(content: str, finish: FinishReason = FinishReason.STOP) -> ChatResponse:
    return ChatResponse(content, "", (), finish, Usage(10, 0, 5, 0))


@dataclass
class House:
    root: Path
    script: Sequence[Answer]
    tools: Sequence[Tool] = field(default_factory=lambda: [FakeTool(), FakeWriter(), FakeCommand()])
    mode: Mode = Mode.AUTO
    limits: Limits = field(default_factory=Limits)
    secrets: tuple[str, ...] = ()
    rule: RuleDecision = RuleDecision.NONE
    reviews: Sequence[Answer] | None = None
    """The reviewer's answers, in order; None: it allows every command."""

    def __post_init__(self) -> None:
        self.stream = EventStream("session")
        self.listener = RecordingListener()
        self.stream.subscribe(self.listener)
        self.cancel = CancellationToken()
        self.desk = PersonDesk()
        reviews = {} if self.reviews is None else {"review": self.reviews}
        self.client = ScriptedClient({"react": self.script, **reviews})
        masker = SecretMasker(self.secrets)
        registry = ToolRegistry(self.tools, schemas=build_schemas(self.tools), describe=lambda name: f"does {name}")
        asker = ModelAsker(self.client, masker=masker)
        self.grants = SessionGrants()
        reviewer = CommandReviewer(asker, system_prompt=lambda: "review", masker=masker)
        self.gate = ToolGate(
            registry,
            paths=PathGuard(self.root),
            locks=FileLocks(),
            rules=GateRules(
                mode=lambda: self.mode,
                command_guard=CommandGuard(self.root, self.root / "home"),
                decide_by_rule=lambda tool, arguments: self.rule,
                approvals=ApprovalDesk(self.desk, self.grants),
                review=CommandReview(reviewer, self.stream, root=self.root, masker=masker),
            ),
            results=ResultFiles(self.root / "results"),
            masker=masker,
        )
        self.parts = LoopParts(asker, self.gate, ToolExecutor(), Texts(Language.ZH), self.limits)
        origin = Origin("turn_1", "react")
        self.actor = Actor(origin, self.stream.emitter(origin), self.cancel)
        self.conversation = Conversation("system", emit=self.actor.emit)

    def loop(self, take_queued: Callable[[], tuple[str, ...]] = tuple) -> ToolLoop:
        return ToolLoop(self.parts, self.conversation, self.actor, take_queued=take_queued)
