"""The person's own commands, as the session and `-p` know them."""

from paicli.app.settings import Settings
from paicli.context.custom_commands import LoadedCommands, load_custom_commands
from paicli.ui.commands import BUILT_IN_NAMES


def own_commands(settings: Settings) -> LoadedCommands:
    """Those below paicli's home; a project's own wait for trust in its folder."""
    return load_custom_commands(settings.home / "commands", taken=BUILT_IN_NAMES)
