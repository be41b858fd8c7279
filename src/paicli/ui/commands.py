"""The one table of slash commands: routing, help and completion read it, and nothing else lists them."""

from difflib import get_close_matches
from enum import StrEnum
from typing import NamedTuple


class Handler(StrEnum):
    """Who carries a command out."""

    PLAN = "plan"
    MODE = "mode"
    APPROVALS = "approvals"
    HELP = "help"
    CLEAR = "clear"
    CANCEL = "cancel"
    LEAVE = "leave"
    NOT_YET = "not_yet"
    """Planned by SPEC 2.4 and not there yet: it says so."""


class Command(NamedTuple):
    name: str
    arguments: str
    """As help shows them; empty: the command takes none."""
    help_key: str
    """Catalogue code of its one-line help."""
    handler: Handler


_READY = (
    Command("help", "", "command.help", Handler.HELP),
    Command("plan", "[goal]", "command.plan", Handler.PLAN),
    Command("mode", "[auto|plan|ask]", "command.mode", Handler.MODE),
    Command("hitl", "on|default", "command.hitl", Handler.APPROVALS),
    Command("cancel", "", "command.cancel", Handler.CANCEL),
    Command("clear", "", "command.clear", Handler.CLEAR),
    Command("exit", "", "command.exit", Handler.LEAVE),
    Command("quit", "", "command.exit", Handler.LEAVE),
)

_PLANNED = (
    "team model compact context cost init memory save skill mcp policy audit undo restore snapshot diff sessions "
    "resume fork export tasks copy editor config permissions add-dir status rename doctor hooks theme lang bug"
)

COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        *_READY,
        *(Command(name, "[…]", "command.not_yet", Handler.NOT_YET) for name in _PLANNED.split()),
    )
}
"""name without its slash → command, in the order of help"""

PLANNED_PLAN_WORDS = frozenset({"resume", "retry", "replan", "edit"})
"""`/plan WORD` that are commands of their own and not goals."""


def nearest_names(name: str) -> list[str]:
    """At most three names of commands that `name` may have meant, nearest first."""
    wanted = name.lower()
    by_prefix = [known for known in COMMANDS if wanted and known.startswith(wanted)]
    return list(dict.fromkeys([*by_prefix, *get_close_matches(wanted, COMMANDS, n=3, cutoff=0.5)]))[:3]
