"""What .gitignore files leave out, from the top of the git repository (else the project root) down.

Only .gitignore counts: no global excludes, no .git/info/exclude. A repository inside has rules of its own. Where a
folder is asked for that the rules leave out, they are not applied below it: whoever names it wants to see it.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from paicli.system.files import open_regular
from paicli.system.folders import FileKind

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MAX_BYTES = 1_000_000


class _Level(NamedTuple):
    """The rules of one .gitignore."""

    depth: int
    """How many parts of a path lead to its folder."""
    prefix: str
    """What to put before the rest, for a folder above the base: "packages/web/"."""
    spec: "GitIgnoreSpec"


class IgnoreRules:
    """The rules that hold in one folder. Immutable."""

    def __init__(self, levels: tuple[_Level, ...] = ()) -> None:
        self._levels = levels

    def entering(self, base: Path, parts: Sequence[str]) -> "IgnoreRules":
        """The rules inside `parts`: those here, and those of its own .gitignore."""
        levels = () if parts and _is_repository(base.joinpath(*parts)) else self._levels
        spec = _spec_at(base, parts)
        return IgnoreRules(levels if spec is None else (*levels, _Level(len(parts), "", spec)))

    def ignores(self, parts: Sequence[str], kind: FileKind) -> bool:
        """The deepest .gitignore that says something about it decides. `.git` itself is always left out."""
        if parts[-1] == ".git":
            return True
        end = "/" if kind is FileKind.FOLDER else ""
        for level in reversed(self._levels):
            verdict = level.spec.check_file(level.prefix + "/".join(parts[level.depth :]) + end).include
            if verdict is not None:
                return verdict
        return False


class StartRules(NamedTuple):
    """The rules outside the folder where a search starts, that hold in it."""

    rules: IgnoreRules
    """Not yet those of the folder's own .gitignore."""
    start_is_ignored: bool
    base_is_ignored: bool
    """By a .gitignore above the base."""
    is_in_repository: bool
    """The base lies in a git repository, maybe at its top."""


def rules_at(base: Path, parts: Sequence[str]) -> StartRules:
    """For a search that starts in the folder `parts` below `base`."""
    top = next((folder for folder in (base, *base.parents) if _is_repository(folder)), None)
    above = _rules_above(base, top) if top is not None else IgnoreRules()
    rules = above or IgnoreRules()
    start_is_ignored = False
    for depth in range(len(parts)):
        rules = rules.entering(base, parts[:depth])
        if rules.ignores(parts[: depth + 1], FileKind.FOLDER):
            rules, start_is_ignored = IgnoreRules(), True
    return StartRules(rules, start_is_ignored, above is None, top is not None)


def _rules_above(base: Path, top: Path) -> IgnoreRules | None:
    """From the repository's top down to the base's parent; None when they leave the base itself out."""
    names = base.relative_to(top).parts
    levels: list[_Level] = []
    for depth in range(len(names)):
        spec = _spec_at(top.joinpath(*names[:depth]), ())
        if spec is not None:
            levels.append(_Level(0, "/".join(names[depth:]) + "/", spec))
        # Seen from the base, the folder names[: depth + 1] is what is left of each prefix.
        for level in reversed(levels):
            rest = names[len(names) - level.prefix.count("/") : depth + 1]
            verdict = level.spec.check_file("/".join(rest) + "/").include
            if verdict:
                return None
            if verdict is not None:
                break
    return IgnoreRules(tuple(levels))


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def has_rules_above(base: Path) -> bool:
    """Some folder above the base has a .gitignore, as ripgrep would find it."""
    return any(os.path.lexists(folder / ".gitignore") for folder in base.parents)


def _spec_at(base: Path, parts: Sequence[str]) -> "GitIgnoreSpec | None":
    try:
        with open_regular(base, (*parts, ".gitignore")) as file:
            text = file.read(_MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return None
    from pathspec import GitIgnoreSpec  # 54 ms, and only once there is a .gitignore to read

    lines = text.splitlines()
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(_valid(lines))


def _valid(lines: Sequence[str]) -> Iterator[str]:
    """One line that is no pattern must not turn off the others."""
    from pathspec import GitIgnoreSpec  # 54 ms, loaded by the caller already

    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        yield line
