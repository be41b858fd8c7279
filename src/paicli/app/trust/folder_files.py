"""Looks at what a folder brings: reads it, runs and follows none of it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from paicli.app.trust.dotenv import used
from paicli.app.trust.project_trust import BroughtFile, BroughtKind, ProjectTrust
from paicli.context.reading import NoRegularFile, read_regular
from paicli.core.faults import Fault

OWN_FOLDER = ".paicli"
LIMIT_BYTES = 1_000_000
"""Of each file; a larger one is left aside."""
MOST_FILES = 1_000
_SKILL_FOLDERS = (OWN_FOLDER, ".agents", ".claude")
_TEXT = frozenset({".md", ".markdown", ".txt", ".rst"})
"""What a skill may hold without being one that brings programs."""


class Brought(NamedTuple):
    files: tuple[BroughtFile, ...] = ()
    faults: tuple[Fault, ...] = ()
    """One for each file that can't be judged, and so is never used."""


def files_brought(root: Path, *, home: Path, user_home: Path) -> Brought:
    """`root` is resolved. What lies in paicli's own home or in the user's is the user's own and not brought.

    Files that say nothing, and a `.env` without a variable for paicli, are none.
    """
    search = _Search(root)
    search.add(BroughtKind.ENV, root / ".env")
    own = root / OWN_FOLDER
    if _exists(own) and not is_same_folder(own, home):
        search.add(BroughtKind.CONFIG, own / "config.toml")
        search.add(BroughtKind.MCP, own / "mcp.json")
        for path in _entries(own / "commands"):
            if path.suffix == ".md":
                search.add(BroughtKind.COMMANDS, path)
    if not is_same_folder(root, user_home):
        for name in _SKILL_FOLDERS:
            folder = root / name
            if not is_same_folder(folder, home):
                for skill in _entries(folder / "skills"):
                    search.add_skill(skill)
    return Brought(tuple(search.files), tuple(search.faults))


def holds_programs(folder: Path) -> bool:
    """Whether a skill's folder holds more than text, or more than anybody looks through."""
    paths = list(_below(folder))
    return len(paths) > MOST_FILES or any(map(_is_program, paths))


def is_as_agreed(trust: ProjectTrust, folder: Path) -> bool:
    """Whether a skill's folder, read anew, holds those files that the person agreed to and no others."""
    if not trust.covers(folder):
        return False
    search = _Search(trust.root)
    search.add_skill(folder)
    agreed = {(file.name, file.digest) for file in trust.files if (trust.root / file.name).is_relative_to(folder)}
    return not search.faults and agreed == {(file.name, file.digest) for file in search.files}


class _Search:
    def __init__(self, root: Path) -> None:
        self.files: list[BroughtFile] = []
        self.faults: list[Fault] = []
        self._root = root

    def add(self, kind: BroughtKind, path: Path) -> None:
        raw = self._read(path)
        if raw is None or not raw.strip():
            return
        judged = raw
        if kind is BroughtKind.ENV:
            # A project's other variables may change without a question.
            judged = "\0".join(f"{name}={value}" for name, value in sorted(used(raw).items())).encode()
            if not judged:
                return
        self._keep(kind, path, judged, raw=raw)

    def add_skill(self, folder: Path) -> None:
        """All files of a skill that holds more than text."""
        if not _exists(folder / "SKILL.md"):
            return
        paths = list(_below(folder))
        if len(paths) > MOST_FILES:
            self._leave("trust.too_many", folder, limit=str(MOST_FILES))
            return
        if not any(_is_program(path) for path in paths):
            return
        for path in paths:
            raw = self._read(path)
            if raw is not None:
                self._keep(BroughtKind.SKILLS, path, raw)

    def _read(self, path: Path) -> bytes | None:
        if not _exists(path):
            return None
        if not Path(os.path.realpath(path)).is_relative_to(self._root):
            self._leave("trust.outside", path)
            return None
        try:
            raw = read_regular(path, LIMIT_BYTES + 1)
        except (NoRegularFile, OSError):
            self._leave("trust.unreadable", path)
            return None
        if len(raw) > LIMIT_BYTES:
            self._leave("trust.too_large", path, limit=str(LIMIT_BYTES))
            return None
        return raw

    def _keep(self, kind: BroughtKind, path: Path, judged: bytes, *, raw: bytes = b"") -> None:
        from hashlib import sha256  # start-up: 2 ms, and most folders bring nothing

        name = path.relative_to(self._root).as_posix()
        self.files.append(BroughtFile(kind, name, sha256(judged).hexdigest(), raw))

    def _leave(self, code: str, path: Path, **fields: str) -> None:
        if path.name != ".env":  # most have nothing to do with paicli
            self.faults.append(Fault(code, (("path", str(path)), *fields.items())))


def is_same_folder(folder: Path, other: Path) -> bool:
    """Whatever links lead there; one that is not there is the same as none."""
    try:
        return folder.samefile(other)
    except OSError:
        return False


def _exists(path: Path) -> bool:
    """Something stands there, if only a link that leads nowhere."""
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _below(folder: Path) -> Iterator[Path]:
    count = 0
    for above, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted((*names, *(each for each in folders if Path(above, each).is_symlink()))):
            yield Path(above, name)
            count += 1
            if count > MOST_FILES:
                return


def _is_program(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return True
    return path.suffix.lower() not in _TEXT or bool(mode & stat.S_IXUSR)
