"""Glob patterns over "/"-separated relative paths: `*` and `?` within a name, `**` over folders, `[ab]`, `{a,b}`.

A pattern without "/" is about the name, in whatever folder. Matching takes time proportional to the path's length
times the pattern's, whatever the pattern (no backtracking over `**`).
"""

import fnmatch
import re

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind

_MAX_ALTERNATIVES = 64
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_PLAIN_NAME = re.compile(r"[\w.*?-]+")


class GlobPattern:
    """One pattern, ready to match."""

    def __init__(self, text: str) -> None:
        """Raises ToolFailed for a pattern that is empty, absolute, leads upwards, or has too many alternatives."""
        self.text = text.removeprefix("./")
        if not self.text or self.text.startswith("/") or ".." in re.split(r"[/{},]", self.text) or "\0" in text:
            raise ToolFailed("search.glob_outside", kind=ErrorKind.INVALID_ARGUMENT, pattern=text)
        self._alternatives = [_segments(alternative) for alternative in _expanded(self.text)]

    @property
    def plain_name(self) -> str:
        """The pattern where it is about names alone and has nothing but `*` and `?`; else empty."""
        return self.text if _PLAIN_NAME.fullmatch(self.text) and "**" not in self.text else ""

    def matches(self, path: str) -> bool:
        """`path` is relative to where the pattern starts. A path spelled like the pattern matches it."""
        names = path.split("/")
        if self.text in (path, names[-1]):  # a name with brackets of its own, as in "[id].tsx"
            return True
        return any(_match(segments, names) for segments in self._alternatives)


def _expanded(pattern: str) -> list[str]:
    pending, done = [pattern], list[str]()
    while pending:
        current = pending.pop(0)
        found = _BRACES.search(current)
        if found is None:
            done.append(current)
            continue
        head, tail = current[: found.start()], current[found.end() :]
        pending += [head + alternative + tail for alternative in found.group(1).split(",")]
        if len(pending) + len(done) > _MAX_ALTERNATIVES:
            raise ToolFailed("search.glob_too_many", kind=ErrorKind.INVALID_ARGUMENT, pattern=pattern)
    return done


def _segments(pattern: str) -> list[re.Pattern[str] | None]:
    """One per folder or name; None is `**`."""
    names = [name for name in pattern.split("/") if name]
    if "/" not in pattern:
        names.insert(0, "**")
    elif pattern.endswith("/"):
        names.append("**")
    # fnmatch's own translation never backtracks over `*` either.
    return [None if name == "**" else re.compile(fnmatch.translate(name)) for name in names]


def _match(segments: list[re.Pattern[str] | None], names: list[str]) -> bool:
    """Which segments could come next is a set, moved along name by name."""
    states = _with_skips({0}, segments)
    for name in names:
        moved: set[int] = set()
        for state in states:
            if state == len(segments):
                continue
            segment = segments[state]
            if segment is None:
                moved.add(state)
            elif segment.match(name):
                moved.add(state + 1)
        states = _with_skips(moved, segments)
    return len(segments) in states


def _with_skips(states: set[int], segments: list[re.Pattern[str] | None]) -> set[int]:
    """`**` may stand for no folder at all."""
    for state in sorted(states):
        at = state
        while at < len(segments) and segments[at] is None:
            at += 1
            states.add(at)
    return states
