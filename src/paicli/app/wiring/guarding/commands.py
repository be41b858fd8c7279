"""The guard of a session's commands. Apart from the other guards, for the prompt stands before it is loaded."""

from pathlib import Path

from paicli.app.settings import Settings
from paicli.policy.command_guard import CommandGuard


def command_guard(settings: Settings) -> CommandGuard:
    return CommandGuard(settings.project_root, Path.home(), protected=(settings.home,))
