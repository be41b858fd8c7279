"""The project's rules for whoever works in it: the user's PAI.md, then one for each folder down to the current one."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.context.reading import read_regular
from paicli.context.rules.fitting import RuleFile, fit_rules
from paicli.core.faults import Fault
from paicli.core.unicode import decoded, without_tags

FILE_NAME = "PAI.md"
STAND_INS = ("AGENTS.md", "CLAUDE.md")
"""The first of them counts in a folder that has no PAI.md."""
LOCAL_NAME = "PAI.local.md"
"""Beside them: one person's own words about the project."""
LIMIT = 40_000
"""Characters in all; the rest is cut."""
IMPORT_DEPTH = 5
_OWN_TEXT = frozenset({".md", ".markdown", ".txt"})
MOST_IMPORTS = 200
"""Tried in all: each costs a look at the disk."""


class ProjectRules(NamedTuple):
    text: str = ""
    path: str = ""
    """The project's nearest file, imports aside: the one that a `#line` joins. Empty: the project has none."""
    files: tuple[RuleFile, ...] = ()
    """Everything that was read, in the order in which it stands in `text`."""
    faults: tuple[Fault, ...] = ()
    """What a person should hear: what was left aside or cut and why, characters that were taken out."""


def load_project_rules(
    start: Path, *, home: Path | None = None, is_secret: Callable[[str], bool] = lambda name: False
) -> ProjectRules:
    """`home`'s PAI.md, then those from the git root down to `start`; `start` alone where there is no git root.

    A file that can't be read, is no text, or leads out of that tree, is left aside: a cloned repository must not bring
    a file of the person's home to the model. `is_secret`: paths below the root that no import may bring.
    """
    chain = _Chain(is_secret)
    if home is not None:
        chain.add_first_of(home, (FILE_NAME,), _Fence(home, "~/.paicli/", is_own=True))
    folders = project_folders(start)
    fence = _Fence(folders[0], "")
    path = ""
    for folder in folders:
        path = chain.add_first_of(folder, (FILE_NAME, *STAND_INS), fence) or path
        chain.add_first_of(folder, (LOCAL_NAME,), fence)
    fitted = fit_rules(chain.files, LIMIT)
    cut = [file.path for file in fitted.files if file.is_cut]
    if cut:
        chain.fault("cut", ", ".join(cut), limit=f"{LIMIT:,}")
    return ProjectRules(fitted.text, path, fitted.files, tuple(chain.faults))


class _Fence:
    """What a file and its imports must not lead out of."""

    def __init__(self, folder: Path, prefix: str, *, is_own: bool = False) -> None:
        """`is_own`: the user's own folder, whose PAI.md may be a link to where they keep such files."""
        self._real = Path(os.path.realpath(folder))
        self.prefix = prefix
        self.is_own = is_own

    def keeps(self, real: Path) -> bool:
        """Whether that file is none to be imported: beside the user's words their folder holds keys and sessions."""
        return self.is_own and real.suffix.lower() not in _OWN_TEXT

    def name_of(self, real: Path) -> str | None:
        """How the file is called below the fence; None: it lies outside, or in git's own folder."""
        if not real.is_relative_to(self._real):
            return None
        below = real.relative_to(self._real)
        return None if ".git" in below.parts else self.prefix + below.as_posix()


class _Chain:
    """Collects the files. Imports stand before what imports them: the nearer words come last."""

    def __init__(self, is_secret: Callable[[str], bool]) -> None:
        self.files: list[RuleFile] = []
        self.faults: list[Fault] = []
        self._is_secret = is_secret
        self._seen: set[Path] = set()
        self._tried = 0

    def fault(self, what: str, path: str, **fields: str) -> None:
        fault = Fault(f"session.rules_{what}", (("path", path), *fields.items()))
        if fault not in self.faults:
            self.faults.append(fault)

    def add_first_of(self, folder: Path, names: Sequence[str], fence: _Fence) -> str:
        """Adds the first of `names` that stands in `folder`, with its imports; returns its path, or "" for none."""
        path = next((folder / name for name in names if os.path.lexists(folder / name)), None)
        if path is None:
            return ""
        real = Path(os.path.realpath(path))
        name = fence.name_of(real) or (f"~/.paicli/{path.name}" if fence.is_own else None)
        if name is None:
            self.fault("outside", str(path))
            return ""
        return str(path) if self._add(path, real, name, fence=fence) else ""

    def _add(self, path: Path, real: Path, name: str, *, fence: _Fence, imported_by: str = "", depth: int = 0) -> bool:
        if real in self._seen:
            return False
        self._seen.add(real)
        try:
            raw = read_regular(real, LIMIT * 4 + 4)
            size_bytes = real.stat().st_size
        except OSError:
            self.fault("unreadable", str(path))
            return False
        if b"\0" in raw:
            self.fault("unreadable", str(path))
            return False
        text, hidden = without_tags(decoded(raw).removeprefix("\ufeff"))
        if hidden:
            self.fault("hidden", str(path), count=str(hidden))
        text = text.strip()
        if "@" in text:
            self._add_imports(text, path, fence=fence, depth=depth + 1)
        if text:
            self.files.append(RuleFile(str(path), name, text, size_bytes, imported_by))
        return True

    def _add_imports(self, text: str, importer: Path, *, fence: _Fence, depth: int) -> None:
        from paicli.context.rules.imports import imports_in  # start-up: 1 ms of patterns, and few files import

        for wanted in imports_in(text):
            self._import(wanted, importer, fence=fence, depth=depth)

    def _import(self, wanted: str, importer: Path, *, fence: _Fence, depth: int) -> None:
        if self._tried == MOST_IMPORTS:
            self.fault("too_many_imports", str(importer), limit=str(MOST_IMPORTS))
            return
        self._tried += 1
        path = importer.parent / os.path.expanduser(wanted)
        by = {"by": str(importer)}
        try:
            real = Path(os.path.realpath(path))
            is_file = path.is_file()
        except (OSError, ValueError, RuntimeError):  # a NUL, a name too long
            real, is_file = path, False
        name = fence.name_of(real)
        if not is_file and not (name is None and os.path.lexists(path)):
            from paicli.context.rules.imports import means_a_file  # start-up: as above

            if means_a_file(wanted):
                self.fault("import_missing", wanted, **by)
        elif name is None:
            self.fault("import_outside", wanted, **by)
        elif fence.keeps(real) or self._is_secret(name.removeprefix(fence.prefix)):
            self.fault("import_secret", wanted, **by)
        elif depth > IMPORT_DEPTH:
            self.fault("import_too_deep", wanted, **by, limit=str(IMPORT_DEPTH))
        else:
            self._add(path, real, name, fence=fence, imported_by=str(importer), depth=depth)


def project_folders(start: Path) -> list[Path]:
    """From the git root down to `start`, which stands alone where there is none."""
    upwards = [start, *start.parents]
    for number, folder in enumerate(upwards):
        if (folder / ".git").exists():
            return upwards[number::-1]
    return [start]
