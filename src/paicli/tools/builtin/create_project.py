"""The tool create_project: a minimal project that builds and tests, in a folder of its own."""

import os
from typing import TYPE_CHECKING, ClassVar, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed, reason_of
from paicli.core.messages import ErrorKind, ProjectCreated, ToolDetail, ToolEffect, ToolResult
from paicli.system.new_folder import FolderOccupied, create_folder
from paicli.tools.project_templates import CHECKS, project_files
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.command_arguments import CreateProjectArguments


class CreateProject:
    """Creates the folder whole or not at all; an existing folder must be empty."""

    name: ClassVar[str] = "create_project"
    effect: ClassVar[ToolEffect] = ToolEffect.WRITE
    needs_approval: ClassVar[bool] = True

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.builtin.command_arguments import CreateProjectArguments

        return CreateProjectArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        wanted = cast("CreateProjectArguments", arguments)
        target = context.paths.for_writing(wanted.name)
        files = project_files(wanted.name, wanted.kind)
        context.cancel.raise_if_cancelled()
        if not target.parts:
            raise ToolFailed("project.exists", kind=ErrorKind.INVALID_ARGUMENT, path=target.shown)
        try:
            create_folder(target.base, target.parts, files)
        except FolderOccupied as error:
            raise ToolFailed("project.exists", kind=ErrorKind.INVALID_ARGUMENT, path=target.shown) from error
        except FileNotFoundError as error:
            raise ToolFailed("project.no_parent", kind=ErrorKind.NOT_FOUND, path=target.shown) from error
        except OSError as error:
            kind = ErrorKind.PERMISSION if isinstance(error, PermissionError) else ""
            reason = reason_of(error)
            raise ToolFailed("project.failed", kind=kind, path=target.shown, reason=reason) from error
        written = tuple(os.path.join(target.real, path) for path in files)
        for path in written:
            context.locks.note_writer(path, context.actor)
        content = model_text(
            "project.created",
            kind=wanted.kind,
            path=target.shown,
            files="\n".join(files),
            how=f"cd {wanted.name} && {CHECKS[wanted.kind]}",
        )
        return ToolResult(content, ProjectCreated(target.shown, wanted.kind, tuple(files)), files_written=written)

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        """What would be created, so that an approval names the files."""
        wanted = cast("CreateProjectArguments", arguments)
        shown = context.paths.for_writing(wanted.name).shown
        return ProjectCreated(shown, wanted.kind, tuple(project_files(wanted.name, wanted.kind)))
