"""What the tests of the command tools share: a runner with its tools, a context, and results kept in a folder."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paicli.core.cancellation import CancellationToken
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolResult
from paicli.policy.path_guard import PathGuard
from paicli.system.background import BackgroundCommands
from paicli.system.command_environment import command_environment
from paicli.system.commands import CommandRunner
from paicli.tools.command_report import OutputReader
from paicli.tools.ledger import FileLocks, ReadLedger
from paicli.tools.tool import Tool, ToolContext

SECRET = "canary-4711-secret"


class KeptResults:
    def __init__(self) -> None:
        self.saved: dict[str, str] = {}

    def save(self, name: str, text: str) -> Path:
        self.saved[name] = text
        return Path("/results") / name


@dataclass
class CommandKit:
    root: Path
    results: KeptResults = field(default_factory=KeptResults)
    cancel: CancellationToken = field(default_factory=CancellationToken)
    progress: Callable[[str], None] = lambda tail: None

    def __post_init__(self) -> None:
        self.runner = CommandRunner(command_environment(os.environ))
        self.background = BackgroundCommands(self.runner, patience_s=0.05)
        self.reader = OutputReader(masker=SecretMasker([SECRET]), results=self.results)

    def context(self) -> ToolContext:
        return ToolContext(
            "react", "call_1", self.cancel, PathGuard(self.root), ReadLedger(), FileLocks(), progress=self.progress
        )

    def call(self, tool: Tool, **arguments: Any) -> ToolResult:
        return tool.run(tool.arguments_model.model_validate(arguments), self.context())

    def close(self) -> None:
        self.background.close()
        self.runner.close()
