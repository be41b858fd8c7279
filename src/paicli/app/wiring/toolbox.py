"""The tools of a session, made from what they need."""

import os
from typing import TYPE_CHECKING, NamedTuple

from paicli.app.settings import Settings
from paicli.core.errors import SettingsError
from paicli.core.masking import SecretMasker
from paicli.system.background import BackgroundCommands
from paicli.system.command_environment import command_environment
from paicli.system.commands import CommandRunner
from paicli.tools.builtin.ask_user import AskPerson, AskUser
from paicli.tools.builtin.command_output import CommandOutput
from paicli.tools.builtin.create_project import CreateProject
from paicli.tools.builtin.edit_file import EditFile
from paicli.tools.builtin.execute_command import ExecuteCommand
from paicli.tools.builtin.glob_files import GlobFiles
from paicli.tools.builtin.grep_code import GrepCode
from paicli.tools.builtin.list_dir import ListDir
from paicli.tools.builtin.read_file import ReadFile
from paicli.tools.builtin.stop_command import StopCommand
from paicli.tools.builtin.todo_write import TodoWrite
from paicli.tools.builtin.web.web_fetch import WebFetch
from paicli.tools.builtin.web.web_search import WebSearch
from paicli.tools.builtin.write_file import WriteFile
from paicli.tools.command_report import OutputReader
from paicli.tools.results import ResultStore
from paicli.tools.snapshots.restore import PutFilesBack, Restore
from paicli.tools.tool import Tool
from paicli.tools.web.search.providers import NOTHING_CHOSEN, SearchChoice

if TYPE_CHECKING:
    from paicli.policy.network.guard import AllowedHost
    from paicli.system.sandbox.sandbox import Sandbox


class Toolbox(NamedTuple):
    tools: tuple[Tool, ...]
    runner: CommandRunner
    background: BackgroundCommands
    sandbox: "Sandbox | None" = None
    unoffered: frozenset[str] = frozenset()
    """Names of tools that no model is told of."""

    def close(self) -> None:
        """Ends every command that still runs."""
        self.background.close()
        self.runner.close()
        if self.sandbox is not None:
            self.sandbox.close()


def open_toolbox(
    settings: Settings,
    *,
    masker: SecretMasker,
    results: ResultStore,
    ask: AskPerson | None = None,
    sandbox: "Sandbox | None" = None,
    restore: PutFilesBack | None = None,
    knowledge: tuple[Tool, ...] = (),
) -> Toolbox:
    """`ask` None: nobody is there to be asked; `sandbox` None: commands are not confined; `restore` None: no snapshots.

    Raises SettingsError for a tool name that does not exist.
    """
    runner = CommandRunner(
        command_environment(os.environ, secret_names=settings.secret_variables, secret_values=settings.secrets),
        confine=sandbox.confine if sandbox is not None else None,
    )
    tools, background = all_tools(
        runner,
        masker=masker,
        results=results,
        ask=ask,
        restore=restore,
        knowledge=knowledge,
        search=settings.web_search,
        allowed_hosts=settings.web_allow_hosts,
    )
    # A search that nobody configured would cost each request its declaration; called all the same, it says what to set.
    unoffered = frozenset({WebSearch.name}) if settings.web_search.missing == "provider" else frozenset[str]()
    return Toolbox(_chosen(tools, settings.tool_names), runner, background, sandbox, unoffered)


def all_tools(
    runner: CommandRunner,
    *,
    masker: SecretMasker,
    results: ResultStore,
    ask: AskPerson | None = None,
    restore: PutFilesBack | None = None,
    knowledge: tuple[Tool, ...] = (),
    search: SearchChoice = NOTHING_CHOSEN,
    allowed_hosts: "tuple[AllowedHost, ...]" = (),
) -> tuple[tuple[Tool, ...], BackgroundCommands]:
    """Every tool there is, in the order in which a model sees them; those that need a way to act only with one.

    `knowledge`: load_skill and save_memory.
    """
    background = BackgroundCommands(runner)
    reader = OutputReader(masker=masker, results=results)
    tools: tuple[Tool, ...] = (
        ReadFile(),
        WriteFile(),
        EditFile(),
        ListDir(),
        GlobFiles(),
        GrepCode(),
        ExecuteCommand(runner, background, reader),
        CommandOutput(background, reader),
        StopCommand(background, reader),
        CreateProject(),
        TodoWrite(),
        WebSearch(search, allowed_hosts),
        WebFetch(allowed_hosts),
        *knowledge,
        *([Restore(restore)] if restore is not None else []),
        *([AskUser(ask)] if ask is not None else []),
    )
    return tools, background


def _chosen(tools: tuple[Tool, ...], names: tuple[str, ...] | None) -> tuple[Tool, ...]:
    if names is None:
        return tools
    known = [tool.name for tool in tools]
    for name in names:
        if name not in known:
            raise SettingsError("settings.tool_unknown", name=name, known=", ".join(known))
    return tuple(tool for tool in tools if tool.name in names)
