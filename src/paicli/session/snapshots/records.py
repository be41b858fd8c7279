"""What is kept about a snapshot, and how two of them differ."""

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, cast


class SnapshotKind(StrEnum):
    TURN = "turn"
    """Before the first call of a turn that may write."""
    ASKED = "asked"
    """At the person's word."""
    RESTORE = "restore"
    """Before files were put back: the way to take that back too."""


class TakenTree(NamedTuple):
    """The project's files at one moment."""

    tree: str
    """git's name for it."""
    left_out: tuple[str, ...] = ()
    """Relative to the root, a folder with a slash at its end: too large, not readable, a repository of its own."""
    folders: tuple[str, ...] = ()
    """Empty ones, which a tree of git does not hold."""


class SnapshotNote(NamedTuple):
    """What is written beside the tree."""

    kind: SnapshotKind = SnapshotKind.TURN
    session: str = ""
    turn: str = ""
    text: str = ""
    """The person's words of that turn, masked."""
    standing: tuple[int, ...] = ()
    """Snapshots of the turns whose changes stand in this tree, oldest first."""
    changed: int = 0
    """At an end: files that are not as they were at the beginning."""
    left_out: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class Snapshot(NamedTuple):
    """One that is stored. Its number is the project's, and stays its own."""

    number: int
    taken: TakenTree
    note: SnapshotNote
    time: float
    """Seconds since the epoch."""
    end: TakenTree | None = None
    """The files when its turn, or its restore, was over."""
    end_note: SnapshotNote | None = None


class TreeEntry(NamedTuple):
    mode: str
    """100644 | 100755 | 120000"""
    blob: str


class TreeChange(NamedTuple):
    """From one tree to another."""

    path: str
    """Relative to the root; bytes that are no UTF-8 are lone surrogates."""
    old: TreeEntry | None
    new: TreeEntry | None


class RestorePlan(NamedTuple):
    """What putting files back would do. Nothing is done yet."""

    now: TakenTree
    wanted: str
    """The tree as it should be."""
    changes: tuple[TreeChange, ...]
    """From now to wanted."""
    standing: tuple[int, ...]
    """As in `SnapshotNote`, afterwards."""
    number: int
    """The oldest snapshot that it goes back to."""
    texts: tuple[str, ...] = ()
    """What the person had asked for in the turns that are taken back, oldest first."""
    by_person: tuple[str, ...] = ()
    """Paths among the changes that somebody changed outside a turn."""
    in_the_way: tuple[str, ...] = ()
    """Paths that stay as they are: what stands there is in no snapshot and would be lost."""
    left_out: tuple[str, ...] = ()
    """What the snapshot never held."""
    folders_made: tuple[str, ...] = ()
    folders_removed: tuple[str, ...] = ()
    has_unknown_end: bool = False
    """How a turn left the files was not noted: what others did to them since counts as the turn's."""

    @property
    def is_worth_it(self) -> bool:
        """Something would be different afterwards."""
        has_changes = any(change.path not in self.in_the_way for change in self.changes)
        return has_changes or bool(self.folders_made or self.folders_removed)


class SnapshotPlace(NamedTuple):
    folder: Path
    """Of the side repository; private."""
    root: Path
    home: Path
    """paicli's own files, never taken."""
    environ: Mapping[str, str]


NO_GIT, TOO_LARGE = "snapshots.no_git", "snapshots.too_large"
"""Reasons that stay: the next try would end the same way."""


class SnapshotFailed(OSError):
    """No snapshot, or no way back to it."""

    def __init__(self, reason: str) -> None:
        """In git's words, or NO_GIT or TOO_LARGE."""
        super().__init__(reason)
        self.reason = reason


def note_text(note: SnapshotNote) -> str:
    return json.dumps(note._asdict(), separators=(",", ":"))


def read_note(text: str) -> SnapshotNote:
    """What can't be read is left at its default: another version may have written it."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return SnapshotNote()
    if not isinstance(found, dict):
        return SnapshotNote()
    found = cast(dict[str, Any], found)
    return SnapshotNote(
        SnapshotKind(_text(found, "kind")) if _text(found, "kind") in set(SnapshotKind) else SnapshotKind.TURN,
        _text(found, "session"),
        _text(found, "turn"),
        _text(found, "text"),
        tuple(item for item in _items(found, "standing") if isinstance(item, int)),
        found["changed"] if isinstance(found.get("changed"), int) else 0,
        tuple(map(str, _items(found, "left_out"))),
        tuple(map(str, _items(found, "folders"))),
    )


def _text(found: dict[str, Any], name: str) -> str:
    return str(found.get(name, ""))


def _items(found: dict[str, Any], name: str) -> list[Any]:
    value = found.get(name)
    return cast(list[Any], value) if isinstance(value, list) else []
