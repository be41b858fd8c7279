"""What a person should know of a call before they allow it; codes `danger.*` of the catalogue, without the prefix."""

from pathlib import Path
from typing import Any

from paicli.agent.actor import Actor
from paicli.core.messages import FileWritten, ToolDetail, ToolEffect
from paicli.policy.rules import COMMAND_TOOL, SERVER_TOOLS
from paicli.tools.tool import Tool

MAX_FILES = 20
"""Files named as read before."""


def dangers_of(tool: Tool, values: dict[str, Any], preview: ToolDetail | None, *, root: Path) -> tuple[str, ...]:
    """`values`: the arguments by name. Looks for git on the disk and at nothing else."""
    if tool.name == COMMAND_TOOL:
        from paicli.policy.command_facts import facts_of  # start-up: the shell reading is 8 ms of modules

        return tuple(fact.value for fact in facts_of(str(values.get("command", ""))))
    if tool.name.startswith(SERVER_TOOLS):
        return ("foreign",)
    target = values.get("path", values.get("name"))
    if tool.effect is not ToolEffect.WRITE or not isinstance(target, str):
        return ()
    place = root / target
    found = ["overwrites"] if isinstance(preview, FileWritten) and not preview.is_new else []
    if not place.resolve().is_relative_to(root):
        found.append("outside")
    if not any((folder / ".git").exists() for folder in place.parents):
        found.append("no_git")
    return tuple(found)


def files_read_before(actor: Actor, root: Path) -> tuple[str, ...]:
    """What this actor knows from files, latest first, as paths from the root where they lie inside."""
    return tuple(_shown(Path(path), root) for path in reversed(actor.ledger.paths()))[:MAX_FILES]


def _shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
