"""Which files two tasks of one round both touched, so that nothing is lost silently. Pure."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import NamedTuple

Overlap = tuple[str, str, str]
"""(real path, task, task): the tasks in topological order."""


class TouchedFiles(NamedTuple):
    """What one task did to files by its tools."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    """Real paths."""
    ran_command: bool = False


def overlapping_files(touched: Mapping[str, TouchedFiles]) -> list[Overlap]:
    """Files that one task wrote and another read or wrote; `touched` by task id, in topological order."""
    found: list[Overlap] = []
    for (first, mine), (second, theirs) in combinations(touched.items(), 2):
        shared = (mine.written & (theirs.written | theirs.read)) | (mine.read & theirs.written)
        found += [(path, first, second) for path in sorted(shared)]
    return found


def overwritten_by_commands(
    touched: Mapping[str, TouchedFiles],
    known: Mapping[str, Mapping[str, str]],
    current_digest: Callable[[str], str | None],
) -> list[Overlap]:
    """Files that hold now what no task of the round knows: a command changed them.

    `known`: per task, the digest of each file as the task read or wrote it last. Which command it was can't be told,
    so a task that knew the file is paired with every other task that ran one.
    """
    suspects = {task_id for task_id, files in touched.items() if files.ran_command}
    digests: dict[str, set[str]] = {}
    for files in known.values():
        for path, digest in files.items():
            digests.setdefault(path, set()).add(digest)
    changed = {path for path in digests if suspects and current_digest(path) not in digests[path]}
    found: list[Overlap] = []
    for first, second in combinations(touched, 2):
        mine, theirs = known.get(first, {}), known.get(second, {})
        shared = {path for path in changed if path in mine and second in suspects}
        shared |= {path for path in changed if path in theirs and first in suspects}
        found += [(path, first, second) for path in sorted(shared)]
    return found
