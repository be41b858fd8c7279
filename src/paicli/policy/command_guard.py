"""Refuses commands that can't be meant. Reads the parsed text; it helps the review and is no sandbox."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paicli.policy.verdict import CommandVerdict

if TYPE_CHECKING:
    from paicli.policy.shell.places import Ground

PROTECTED_BRANCHES = ("main", "master", "develop", "trunk", "production", "prod", "release", "release/*")


class CommandGuard:
    """Judges shell texts; never runs or expands anything. Thread-safe."""

    def __init__(
        self,
        root: Path,
        home: Path,
        *,
        protected_branches: Sequence[str] = PROTECTED_BRANCHES,
        protected: Sequence[Path] = (),
    ) -> None:
        """`protected_branches`: names or patterns like `release/*`. `protected`: folders no command may write to."""
        self._root, self._home, self._protected = root, home, tuple(protected)
        self._branches = tuple(protected_branches)
        self._ground: Ground | None = None
        """Made with the first command: it resolves links on the disk."""

    def check(self, command: str) -> CommandVerdict:
        """REFUSED for what can't be meant, UNPARSED for what only running it would tell, else ALLOWED."""
        # start-up: the shell reading is 8 ms of modules, and no prompt and no first request needs it
        from paicli.policy.command_judge import judge_command
        from paicli.policy.shell.places import Ground  # start-up, as above

        ground = self._ground
        if ground is None:
            ground = self._ground = Ground(self._root, self._home, self._protected)
        return judge_command(command, ground, self._branches)
