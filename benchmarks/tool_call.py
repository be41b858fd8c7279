"""What stands around each tool call: arguments, guards, rules, events and their journal, the tool's work left out."""

import json
import time
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.measuring import Place, middle, ms
from paicli.agent.actor import Actor
from paicli.agent.approval import ApprovalDesk
from paicli.agent.desk import PersonDesk
from paicli.agent.reviewing.command_review import CommandReview
from paicli.agent.reviewing.reviewer import CommandReviewer
from paicli.agent.tool_gate import GateRules, ToolGate
from paicli.app.wiring.toolbox import all_tools
from paicli.core.cancellation import CancellationToken
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolCall, ToolDetail, ToolResult
from paicli.core.ops import Mode
from paicli.llm.asking import ModelAsker
from paicli.llm.recorded.client import RecordedClient
from paicli.policy.command_guard import CommandGuard
from paicli.policy.path_guard import PathGuard
from paicli.policy.rules import RuleSet
from paicli.session.journal import Journal
from paicli.session.results import ResultFiles
from paicli.system.commands import CommandRunner
from paicli.tools.ledger import FileLocks
from paicli.tools.registry import ToolRegistry
from paicli.tools.schemas import load_schemas
from paicli.tools.tool import Tool, ToolContext

CALLS = {
    "read_file": {"path": "src/deep/er/module.py", "offset": 1, "limit": 200},
    "edit_file": {"path": "src/deep/er/module.py", "old_text": "a = 1\n" * 20, "new_text": "b = 2\n" * 20},
    "execute_command": {
        "command": "cd src && python -m pytest -q tests/test_NUMBER.py 2>&1 | tail -20 || git status -s"
    },
}
ALLOW = ("execute_command(git diff:*)", "execute_command", "read_file(src/**)", "write_file(docs/**)")
DENY = ("execute_command(git push:*)", "read_file(secrets/**)")
COUNT = 300


class WithoutWork:
    """A tool that asks the path guard as the real one does, and then does nothing."""

    def __init__(self, tool: Tool) -> None:
        self.name, self.effect, self.needs_approval = tool.name, tool.effect, tool.needs_approval
        self.arguments_model = tool.arguments_model

    def run(self, arguments: object, context: ToolContext) -> ToolResult:
        path = getattr(arguments, "path", None)
        if path is not None:
            context.paths.for_writing(path)
        return ToolResult("x" * 2_000)

    def preview(self, arguments: object, context: ToolContext) -> ToolDetail | None:
        return None


def measure(repeats: int) -> list[Figure]:
    by_tool: dict[str, list[float]] = {name: [] for name in CALLS}
    for _ in range(repeats):
        with Place() as place:
            for name, samples in costs(place.project, COUNT).items():
                by_tool[name].append(ms(middle(samples)))
    note = "policy, guards and journal; the result is 2,000 characters"
    return [
        Figure(f"around one {name}", "ms", tuple(samples), 1.0, note=note if name == "read_file" else "")
        for name, samples in by_tool.items()
    ]


def costs(root: Path, count: int) -> dict[str, list[float]]:
    """Tool → seconds of each of `count` calls."""
    (root / "src/deep/er").mkdir(parents=True)
    (root / "src/deep/er/module.py").write_text("a = 1\n" * 20)
    masker = SecretMasker(["sk-bench-1234567890"])
    stream = EventStream("bench")
    journal = Journal(root.with_name("journal.jsonl"), masker=masker)
    stream.subscribe(journal)
    origin = Origin("turn_1", "react")
    actor = Actor(origin, stream.emitter(origin), CancellationToken())
    runner = CommandRunner({})
    try:
        gate = gate_over(root, runner, masker=masker, stream=stream)
        return {name: [timed(gate, actor, name, number) for number in range(count)] for name in CALLS}
    finally:
        runner.close()
        journal.close()


def gate_over(root: Path, runner: CommandRunner, *, masker: SecretMasker, stream: EventStream) -> ToolGate:
    results = ResultFiles(root.with_name("results"))
    tools, _ = all_tools(runner, masker=masker, results=results)
    registry = ToolRegistry([WithoutWork(tool) for tool in tools], schemas=load_schemas(), describe=lambda name: name)
    rule_set = RuleSet.parse(allow=ALLOW, deny=DENY, known_tools=registry.names, root=root)
    # Commands are allowed by rule: a client without replies fails the call that asks for a review.
    reviewer = CommandReviewer(ModelAsker(RecordedClient([]), masker=masker), system_prompt=str, masker=masker)
    rules = GateRules(
        mode=lambda: Mode.AUTO,
        command_guard=CommandGuard(root, Path.home()),
        decide_by_rule=rule_set.decide,
        approvals=ApprovalDesk(PersonDesk()),
        review=CommandReview(reviewer, stream, root=root, masker=masker),
    )
    return ToolGate(registry, paths=PathGuard(root), locks=FileLocks(), rules=rules, results=results, masker=masker)


def timed(gate: ToolGate, actor: Actor, name: str, number: int) -> float:
    # Each command is a new one: what is remembered of the last must not make this one cheap.
    call = ToolCall(f"call_{number}", name, json.dumps(CALLS[name]).replace("NUMBER", str(number)))
    started = time.perf_counter()
    result = gate.run(call, actor, False)
    took = time.perf_counter() - started
    if not result.content.startswith("xx"):
        raise RuntimeError(f"the call was not let through: {result.content}")
    return took
