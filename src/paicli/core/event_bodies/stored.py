"""The bodies of events about what is kept on disk and what was loaded from there; members of the union in `events`."""

from typing import NamedTuple


class SessionResumed(NamedTuple):
    """A stored session goes on: what follows in its journal was written by another process."""

    event_count: int
    """Events that were read back."""
    skipped_lines: int = 0
    """Damaged lines that were left out, one by one."""


class SessionForked(NamedTuple):
    """What stands before this came from another session, which stays as it is."""

    from_session: str
    up_to_seq: int
    """The last event that was taken over."""
    project: str = ""
    """Absolute path of the project root that it goes on in, where that is another than the session's before."""


class SnapshotTaken(NamedTuple):
    """How the project's files stood at that moment."""

    snapshot: str
    """Its id."""
    left_out: tuple[str, ...] = ()
    """Paths relative to the root that it does not hold: too large, or not readable."""
    duration_s: float = 0.0


class FilesRestored(NamedTuple):
    """The files are as they were when the snapshot was taken."""

    snapshot: str
    written: tuple[str, ...] = ()
    """Brought back, relative to the root."""
    removed: tuple[str, ...] = ()
    """Created since, and taken away."""
    failed: tuple[str, ...] = ()
    """Could not be brought back."""


class MemorySaved(NamedTuple):
    text: str
    path: str


class SkillLoaded(NamedTuple):
    name: str
    path: str
    """Of its SKILL.md; empty for one that paicli brings."""
