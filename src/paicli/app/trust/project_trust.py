"""What may be used of the folder's own files: asked by whoever would run, read or follow one of them."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from paicli.app.config.config_file import ConfigFile


class BroughtKind(StrEnum):
    """What a folder may bring along that is more than words for the model."""

    ENV = "env"
    """`.env`, where it sets a variable that paicli knows"""
    CONFIG = "config"
    """`.paicli/config.toml`"""
    HOOKS = "hooks"
    """`[[hooks]]` in that file"""
    MCP = "mcp"
    """`.paicli/mcp.json`"""
    COMMANDS = "commands"
    """`.paicli/commands/NAME.md`"""
    SKILLS = "skills"
    """Skills that come with more than text, in `.paicli/skills`, `.agents/skills`, `.claude/skills`"""


class BroughtFile(NamedTuple):
    kind: BroughtKind
    name: str
    """Path below the folder, with slashes."""
    digest: str
    """SHA-256 of what paicli would use of it."""
    raw: bytes = b""
    """The content of that digest; not kept for skills."""


class ProjectTrust(NamedTuple):
    """The answer for one folder, about the files as they were when it was given."""

    root: Path = Path()
    is_trusted: bool = False
    files: tuple[BroughtFile, ...] = ()
    """What there is, trusted or not."""
    layers: tuple[ConfigFile, ...] = ()
    """Trusted settings that win over the user's own, the strongest first."""

    def allows(self, kind: BroughtKind) -> bool:
        """Whether files of that kind may be used; False too where there were none when the person was asked."""
        stored = BroughtKind.CONFIG if kind is BroughtKind.HOOKS else kind
        return self.is_trusted and any(file.kind is stored for file in self.files)

    def contents(self, kind: BroughtKind) -> Mapping[Path, bytes]:
        """Path → content that was agreed to, whatever stands there now; empty where the kind isn't allowed."""
        if not self.allows(kind):
            return {}
        return {self.root / file.name: file.raw for file in self.files if file.kind is kind}

    def covers(self, folder: Path) -> bool:
        """Whether files of that skill's folder were among those agreed to."""
        try:
            below = folder.relative_to(self.root).as_posix()
        except ValueError:
            return False
        return self.is_trusted and any(file.name.startswith(f"{below}/") for file in self.files)

    @property
    def ignored(self) -> tuple[str, ...]:
        """Names of what is there and not used, a skill by its folder."""
        if self.is_trusted:
            return ()
        return tuple(dict.fromkeys(shown_name(file) for file in self.files))


NOTHING_BROUGHT = ProjectTrust()


def shown_name(file: BroughtFile) -> str:
    """A skill's files go by the name of its folder."""
    return "/".join(file.name.split("/")[:3]) if file.kind is BroughtKind.SKILLS else file.name


def named(names: Sequence[str], at_most: int = 4) -> str:
    """The first of them, and how many more there are."""
    more = len(names) - at_most
    return ", ".join(names[:at_most]) + (f", … (+{more})" if more > 0 else "")
