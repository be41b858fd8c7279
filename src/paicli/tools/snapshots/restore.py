"""The tool restore: takes back what turns did to the files. A person allows it each time."""

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, FileWritten, ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.snapshots.restore_arguments import RestoreArguments

_NAMED = 50


class RestoredFiles(NamedTuple):
    """Paths relative to the root."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    failed: tuple[str, ...]


class PutFilesBack(Protocol):
    """`turn`: "last", or a turn's id with all since. Raises ToolFailed, TurnCancelled."""

    def preview(self, turn: str, context: ToolContext) -> FileWritten:
        """The change as a diff."""
        ...

    def restore(self, turn: str, context: ToolContext) -> RestoredFiles: ...


class Restore:
    name: ClassVar[str] = "restore"
    effect: ClassVar[ToolEffect] = ToolEffect.WRITE
    needs_approval: ClassVar[bool] = True

    def __init__(self, files: PutFilesBack) -> None:
        self._files = files

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.snapshots.restore_arguments import RestoreArguments

        return RestoreArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        done = self._files.restore(self._turn(arguments, context), context)
        named = [*(f"M {path}" for path in done.written), *(f"D {path}" for path in done.removed)]
        more = f"\n… +{len(named) - _NAMED}" if len(named) > _NAMED else ""
        paths = "\n".join(named[:_NAMED]) + more
        content = model_text("snapshots.tool_done", written=len(done.written), removed=len(done.removed), paths=paths)
        if done.failed:
            content += "\n" + model_text("snapshots.tool_failed", paths=", ".join(done.failed[:_NAMED]))
        return ToolResult(content)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        """Raises ToolFailed where `run` would."""
        return self._files.preview(self._turn(arguments, context), context)

    def _turn(self, arguments: "BaseModel", context: ToolContext) -> str:
        if context.origin.task_id:
            # Its neighbours write at the same time.
            raise ToolFailed("snapshots.not_in_a_task", kind=ErrorKind.INVALID_ARGUMENT)
        return cast("RestoreArguments", arguments).turn.strip() or "last"
