"""Ops that change the session and not its conversation: model, rules, folders, title, language, what leaves it."""

from enum import StrEnum
from typing import NamedTuple


class Storing(StrEnum):
    SESSION = "session"
    """For this session only."""
    SAVED = "saved"
    """Written to config.toml too."""


class RuleChange(StrEnum):
    ALLOW = "allow"
    DENY = "deny"
    REMOVE = "remove"


class ExportFormat(StrEnum):
    MARKDOWN = "md"
    JSON = "json"


class SetModel(NamedTuple):
    """Another model from the next request on; the conversation stays. Comes as `ModelChanged`."""

    name: str
    """[PROVIDER/]MODEL, or a provider alone for its default model."""
    storing: Storing = Storing.SESSION


class ChangeRule(NamedTuple):
    """A permission rule more or less, from the next tool call on."""

    change: RuleChange
    rule: str
    """`execute_command(git diff:*)`"""
    storing: Storing = Storing.SESSION


class AddFolder(NamedTuple):
    """One more folder for the file tools, from the next tool call on."""

    path: str


class StopCommand(NamedTuple):
    """Ends a background command: TERM, then KILL."""

    id: str


class Rename(NamedTuple):
    """Gives the session a title. Comes as `SessionRenamed`."""

    title: str


class SetLanguage(NamedTuple):
    language: str
    """zh | en"""


class CopyAnswer(NamedTuple):
    """The last answer to the clipboard."""


class ExportSession(NamedTuple):
    """The conversation so far into a new file."""

    format: ExportFormat
    path: str = ""
    """Empty: a name of its own in the project's folder."""


SessionOp = SetModel | ChangeRule | AddFolder | StopCommand | Rename | SetLanguage | CopyAnswer | ExportSession
"""Taken at any time, on the caller's thread; what came of it is said by events."""
