"""The person's own commands, as the session and `-p` know them."""

import os

from paicli.app.settings import Settings
from paicli.app.trust.project_trust import BroughtKind
from paicli.context.custom_commands import LoadedCommands, commands_of, load_custom_commands


def own_commands(settings: Settings) -> LoadedCommands:
    """Those below paicli's home, and those of a trusted folder, as they were agreed to; the nearer wins by name."""
    folder, agreed = settings.home / "commands", settings.trust.contents(BroughtKind.COMMANDS)
    if not (agreed or os.path.lexists(folder)):
        return LoadedCommands()
    from paicli.ui.commands import BUILT_IN_NAMES  # start-up: 10 ms with what answers, and most have no own commands

    own = load_custom_commands(folder, taken=BUILT_IN_NAMES)
    brought = commands_of(agreed, taken=BUILT_IN_NAMES)
    by_name = {command.name: command for command in (*own.commands, *brought.commands)}
    commands = tuple(by_name[name] for name in sorted(by_name))
    return LoadedCommands(commands, (*own.faults, *brought.faults))
