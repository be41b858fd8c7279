"""The tool command_output: waits for what a background command prints next, and says whether it still runs."""

from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.system.background import BackgroundCommands
from paicli.tools.background_report import background_result
from paicli.tools.command_report import OutputReader
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.command_arguments import BackgroundIdArguments


class CommandOutput:
    """Waits for news, and changes nothing but what counts as seen."""

    name: ClassVar[str] = "command_output"
    effect: ClassVar[ToolEffect] = ToolEffect.SESSION
    needs_approval: ClassVar[bool] = False

    def __init__(self, background: BackgroundCommands, reader: OutputReader) -> None:
        self._background = background
        self._reader = reader

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.builtin.command_arguments import BackgroundIdArguments

        return BackgroundIdArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        look = self._background.await_news(cast("BackgroundIdArguments", arguments).id, cancel=context.cancel)
        result = background_result(look, self._reader, context.call_id)
        return result._replace(is_waiting=look.outcome is None)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
