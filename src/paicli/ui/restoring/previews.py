"""What is shown of snapshots and before files are put back."""

from enum import StrEnum
from typing import NamedTuple


class SnapshotRow(NamedTuple):
    number: int
    time: float
    """Seconds since the epoch."""
    kind: str
    """turn | asked | restore"""
    text: str
    """The words of its turn; of a restore, the number it went back to."""
    changed: int | None
    """Files that its turn changed; None: not known, or nothing came after it."""


class ChangeKind(StrEnum):
    ADD = "add"
    REMOVE = "remove"
    CHANGE = "change"


class FileChange(NamedTuple):
    path: str
    kind: ChangeKind
    added: int
    """Lines; of a binary file none are counted."""
    removed: int


class RestorePreview(NamedTuple):
    """What putting files back would change."""

    snapshot: str
    changes: tuple[FileChange, ...]
    turns: tuple[str, ...] = ()
    """Words of the turns that are taken back, oldest first; empty for a whole snapshot."""
    by_person: tuple[str, ...] = ()
    """Paths that somebody changed outside the turns, and would lose so."""
    in_the_way: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    has_folders: bool = False
    """Empty folders come or go."""
    has_unknown_end: bool = False
    """What somebody changed since one of the turns can't be told apart from what it did."""
