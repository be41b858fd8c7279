"""The tool todo_write: the model's own list of what is to do, shown in the terminal."""

from collections import Counter
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import TodoItem, TodoList, ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.command_arguments import TodoWriteArguments


class TodoWrite:
    """Replaces the whole list. It touches nothing but the session: a read-only turn may keep one."""

    name: ClassVar[str] = "todo_write"
    effect: ClassVar[ToolEffect] = ToolEffect.SESSION
    needs_approval: ClassVar[bool] = False

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.builtin.command_arguments import TodoWriteArguments

        return TodoWriteArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        wanted = cast("TodoWriteArguments", arguments).items
        items = tuple(TodoItem(item.text, item.status) for item in wanted)
        counts = Counter(item.status for item in items)
        content = model_text(
            "todo.saved",
            total=len(items),
            completed=counts["completed"],
            in_progress=counts["in_progress"],
            pending=counts["pending"],
        )
        return ToolResult(content, TodoList(items))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
