"""The tool save_memory: keeps a line for later conversations, on the person's word (the turn's policy sees to that)."""

from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.knowledge.arguments import SaveMemoryArguments


class Remember(Protocol):
    def __call__(self, text: str, context: ToolContext) -> tuple[str, bool]:
        """The line as it stands in the memory now, and whether it is new there. Raises ToolFailed."""
        ...


class SaveMemory:
    """It writes paicli's own file and nothing of the project: a read-only turn may remember."""

    name: ClassVar[str] = "save_memory"
    effect: ClassVar[ToolEffect] = ToolEffect.SESSION
    needs_approval: ClassVar[bool] = False

    def __init__(self, remember: Remember) -> None:
        self._remember = remember

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.knowledge.arguments import SaveMemoryArguments

        return SaveMemoryArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        text, is_new = self._remember(cast("SaveMemoryArguments", arguments).text, context)
        return ToolResult(model_text("memory.tool_saved" if is_new else "memory.tool_known", text=text))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
