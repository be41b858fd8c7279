"""The tool execute_command: one shell command in the project root, awaited or left in the background."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import CommandRun, ErrorKind, ToolDetail, ToolEffect, ToolOutcome, ToolResult
from paicli.system.background import BackgroundCommands
from paicli.system.commands import CommandRunner
from paicli.system.running_command import CommandOutcome, CommandStatus
from paicli.tools.command_report import OutputReader, report
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.command_arguments import ExecuteCommandArguments


class ExecuteCommand:
    """Runs `bash -c` in the project root; each command starts there, whatever an earlier `cd` did."""

    name: ClassVar[str] = "execute_command"
    effect: ClassVar[ToolEffect] = ToolEffect.EXECUTE
    needs_approval: ClassVar[bool] = True

    def __init__(self, runner: CommandRunner, background: BackgroundCommands, reader: OutputReader) -> None:
        self._runner = runner
        self._background = background
        self._reader = reader

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.builtin.command_arguments import ExecuteCommandArguments

        return ExecuteCommandArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        """OK with error kind `exit_code` for any other code than 0: the command ran, what it says is the answer."""
        wanted = cast("ExecuteCommandArguments", arguments)
        context.cancel.raise_if_cancelled()
        root = context.paths.root
        if wanted.background:
            return self._start_in_background(wanted.command, root)
        outcome = self._runner.run(
            wanted.command,
            cwd=root,
            timeout_s=wanted.timeout_s,
            cancel=context.cancel,
            on_tail=lambda raw: context.progress(self._reader.tail(raw)),
        )
        output = self._reader.read(outcome.output, f"command-{context.call_id}")
        content = report(outcome, output, timeout_s=wanted.timeout_s, wished=root)
        return ToolResult(
            self._reader.mask(content),
            CommandRun(
                self._reader.mask(wanted.command),
                None if outcome.status is CommandStatus.CANCELLED else outcome.exit_code,
                outcome.duration_s,
                outcome.stage_codes,
                timed_out=outcome.status is CommandStatus.TIMED_OUT,
                tail=output.tail,
            ),
            *_verdict(outcome),
        )

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None

    def _start_in_background(self, command: str, root: Path) -> ToolResult:
        background_id = self._background.start(command, cwd=root)
        detail = CommandRun(self._reader.mask(command), None, 0.0, background_id=background_id)
        return ToolResult(model_text("command.background_started", id=background_id), detail)


def _verdict(outcome: CommandOutcome) -> tuple[ToolOutcome, str]:
    if outcome.status is CommandStatus.TIMED_OUT:
        return ToolOutcome.FAILED, ErrorKind.TIMEOUT
    if outcome.status is CommandStatus.CANCELLED:
        return ToolOutcome.CANCELLED, ""
    return ToolOutcome.OK, "" if outcome.exit_code == 0 else ErrorKind.EXIT_CODE
