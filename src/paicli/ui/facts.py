"""What the session is told once, at its start, about the world it shows."""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.events import Event
from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import Mode
from paicli.core.plan_view import UnfinishedPlan
from paicli.ui.input_sources import InputSources


class ColorUse(StrEnum):
    """NEVER where NO_COLOR, TERM=dumb or a pipe says so."""

    ALLOWED = "allowed"
    NEVER = "never"


class NotifyBy(StrEnum):
    """How a person who looks elsewhere is called back."""

    OFF = "off"
    BELL = "bell"
    ALL = "all"
    """Bell, and OSC 9 for terminals that show notifications."""


class EarlierSession(NamedTuple):
    """What had happened in this session before this process."""

    id: str
    title: str
    turn_count: int
    message_count: int
    todo_count: int
    tokens: int
    """In and out, of all requests."""
    events: tuple[Event, ...]
    unfinished: UnfinishedPlan | None = None
    """What was left of its last plan."""


class SessionFacts(NamedTuple):
    """Handed over by app; what changes later (mode, model) comes as events."""

    version: str
    project: str
    """Absolute path of the project root."""
    provider: str
    model: str
    window_tokens: int
    mode: Mode
    language: str
    """zh | en"""
    git_branch: str = ""
    sources: InputSources = InputSources()
    """What completion, history and the editor draw on."""
    custom_commands: tuple[CustomCommand, ...] = ()
    """The person's own."""
    is_ascii: bool = False
    """Plain ASCII in place of glyphs and emoji (`[ui] ascii = true`)."""
    color: ColorUse = ColorUse.ALLOWED
    folds_rows: bool = False
    """The terminal is known to fold rows that no longer fit when it gets narrower."""
    theme: str = "dark"
    """dark | light | none"""
    notify: NotifyBy = NotifyBy.BELL
    earlier: EarlierSession | None = None
    """Set where a stored session goes on."""
