"""A project folder and the file tools in it, for tests: real guard, real ledger, real files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ToolDetail, ToolResult
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.edit_file import EditFile
from paicli.tools.builtin.glob_files import GlobFiles
from paicli.tools.builtin.grep_code import GrepCode
from paicli.tools.builtin.list_dir import ListDir
from paicli.tools.builtin.read_file import ReadFile
from paicli.tools.builtin.write_file import WriteFile
from paicli.tools.ledger import FileLocks, ReadLedger
from paicli.tools.tool import Tool, ToolContext

TOOLS: tuple[Tool, ...] = (ReadFile(), WriteFile(), EditFile(), ListDir(), GlobFiles(), GrepCode())


@dataclass
class Workshop:
    """What one session's actors share."""

    root: Path
    tools: Mapping[str, Tool] = field(default_factory=lambda: {tool.name: tool for tool in TOOLS})
    locks: FileLocks = field(default_factory=FileLocks)
    cancel: CancellationToken = field(default_factory=CancellationToken)
    ledgers: dict[str, ReadLedger] = field(default_factory=dict)
    guard: PathGuard | None = None

    def context(self, actor: str = "react") -> ToolContext:
        ledger = self.ledgers.setdefault(actor, ReadLedger())
        guard = self.guard or PathGuard(self.root)
        return ToolContext(actor, "call_1", self.cancel, guard, ledger, self.locks)

    def run(self, tool: str, arguments: dict[str, Any], actor: str = "react") -> ToolResult:
        model = self.tools[tool].arguments_model.model_validate(arguments)
        return self.tools[tool].run(model, self.context(actor))

    def preview(self, tool: str, arguments: dict[str, Any]) -> ToolDetail | None:
        model = self.tools[tool].arguments_model.model_validate(arguments)
        return self.tools[tool].preview(model, self.context())

    def said(self, tool: str, arguments: dict[str, Any], actor: str = "react") -> str:
        return self.run(tool, arguments, actor).content

    def refusal(self, tool: str, arguments: dict[str, Any], actor: str = "react") -> tuple[str, str, str]:
        """(code, kind, text) of the error it must end with."""
        try:
            result = self.run(tool, arguments, actor)
        except ToolFailed as error:
            return error.code, error.kind, model_text(error.code, **error.fields)
        raise AssertionError(f"did not fail: {result.content}")

    def put(self, name: str, content: bytes | str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path
