"""What is kept about a snapshot, and how two of them differ."""

import json
from enum import StrEnum
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


def note_text(note: SnapshotNote) -> str:
    return json.dumps(note._asdict(), separators=(",", ":"))


def read_note(text: str) -> SnapshotNote:
    """What can't be read is left at its default: another version may have written it."""
    try:
        found: Any = json.loads(text)
    except ValueError:
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
