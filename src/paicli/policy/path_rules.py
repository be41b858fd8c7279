"""Path patterns of approval rules: `src/**`, `*.env`, `/abs/**`, `~/notes/**`."""

import os
import re
from pathlib import Path
from typing import NamedTuple


class PathPattern(NamedTuple):
    """A compiled pattern."""

    exact: re.Pattern[str]
    folded: re.Pattern[str]
    """Ignores case, for restrictions: `.ENV` is `.env` on some file systems."""
    is_absolute: bool

    @classmethod
    def parse(cls, pattern: str) -> "PathPattern | None":
        """None for a pattern no path inside can match: one that leaves the root."""
        text = os.path.expanduser(pattern)
        is_absolute = text.startswith("/")
        parts = [part for part in text.split("/") if part not in {"", "."}]
        if not pattern or ".." in parts:
            return None
        if parts and "/" not in text:
            parts = ["**", *parts]
        source = _with_last("".join(map(_part_source, parts[:-1])), parts[-1]) if parts else ""
        return cls(re.compile(source, re.DOTALL), re.compile(source, re.DOTALL | re.IGNORECASE), is_absolute)


class PathsOfCall:
    """The names a call's path goes by: as written, and with links resolved."""

    def __init__(self, text: str, root: Path | None) -> None:
        base = str(root) if root is not None else "/"
        given = os.path.normpath(os.path.join(base, os.path.expanduser(text)))
        self._names = [(given, base)]
        if root is not None:
            self._names.append((os.path.realpath(given), os.path.realpath(base)))

    def all_match(self, pattern: PathPattern) -> bool:
        forms = [self._form(*name, pattern) for name in self._names]
        return all(pattern.exact.fullmatch(form) and not form.startswith("../") for form in forms)

    def any_matches(self, pattern: PathPattern) -> bool:
        return any(pattern.folded.fullmatch(self._form(*name, pattern)) for name in self._names)

    def _form(self, path: str, base: str, pattern: PathPattern) -> str:
        """Relative to the root for a relative pattern, without a leading slash for an absolute one."""
        if pattern.is_absolute:
            return path.strip("/")
        inside = os.path.relpath(path, base)
        return inside if inside != "." else ""


def _part_source(part: str) -> str:
    return "(?:[^/]+/)*" if part == "**" else _name_source(part) + "/"


def _with_last(before: str, part: str) -> str:
    """`src/**` means the folder itself too."""
    if part != "**":
        return before + _name_source(part)
    return before[:-1] + "(?:/.*)?" if before.endswith("/") else before + ".*"


def _name_source(part: str) -> str:
    pieces = re.split(r"([*?])", part)
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(piece, re.escape(piece)) for piece in pieces)
