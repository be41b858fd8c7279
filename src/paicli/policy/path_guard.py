"""Which files a tool may touch: decided on the resolved path, component by component."""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.core.errors import PolicyDenied, SettingsError
from paicli.core.unicode import clipped, well_formed

_NAME_BYTES, _PATH_BYTES = 255, 4095
"""What Linux and macOS take at most; longer texts can't name a file and need no look at the disk."""

_SHOWN_CHARACTERS = 300

_IGNORED_IN_NAMES = dict.fromkeys(
    (0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF)
)
"""Code points some file systems skip when they compare names: `.g\\u200cit` opens `.git` there."""

_GIT_NAMES = frozenset({".git", "git~1"})
"""`git~1` is the short name of `.git` on Windows volumes."""

_ALWAYS_PROTECTED = ("/proc",)
"""Process memory and environments, where secrets stand; only in reach when the root is `/`."""


class GuardedPath(NamedTuple):
    """A path that passed the guard; open it below `base` only, part by part, so a swap can't lead outside."""

    base: Path
    """The allowed folder it lies in, fully resolved."""
    parts: tuple[str, ...]
    """Below `base`, fully resolved, no links, no "..". Empty: the base itself."""
    shown: str
    """For people and models: relative to the project root where it lies inside, else absolute."""

    @property
    def real(self) -> str:
        """The resolved absolute path."""
        return str(self.base.joinpath(*self.parts))


class _Folder(NamedTuple):
    """A resolved folder, in the forms the comparisons need."""

    path: Path
    parts: tuple[str, ...]
    folded: tuple[str, ...]


class PathGuard:
    """Allows paths inside the project root and added folders, and what may only be read.

    `.git` and what is in it is neither read nor written (a config holds credentials, a hook is a program). Names of
    protected places are compared case-folded and NFC-normalised, since some file systems do so too. Thread-safe.
    """

    def __init__(
        self,
        root: Path,
        *,
        added: Sequence[Path] = (),
        readable: Sequence[Path] = (),
        protected: Sequence[Path] = (),
    ) -> None:
        """`readable`: folders that may be read though they lie outside (results). `protected`: never, even inside.

        `~/.ssh` is protected without being named. A readable folder inside a protected one may be read. Raises
        SettingsError for an `added` folder that is none or is protected.
        """
        self._root = _folder_at(root)
        self._readable = tuple(_folder_at(folder) for folder in readable)
        places = (*protected, Path(os.path.expanduser("~/.ssh")), *map(Path, _ALWAYS_PROTECTED))
        self._protected = tuple(_folder_at(place).folded for place in places)
        self._writable = (self._root,)
        for folder in added:
            self.add(folder)

    @property
    def root(self) -> Path:
        """The project root, resolved."""
        return self._root.path

    @property
    def folders(self) -> tuple[Path, ...]:
        """The root and the added folders, resolved, in the order they were added."""
        return tuple(folder.path for folder in self._writable)

    def add(self, folder: Path) -> Path:
        """Allows one more folder from now on; returns it resolved. Raises SettingsError when that can't be."""
        resolved = _folder_at(folder)
        if not resolved.path.is_dir():
            raise SettingsError("policy.added_folder_missing", path=str(folder))
        if self._protecting(resolved.folded):
            raise SettingsError("policy.added_folder_protected", path=str(folder), resolved=str(resolved.path))
        if resolved not in self._writable:
            self._writable = (*self._writable, resolved)
        return resolved.path

    def allow_reading(self, folders: Iterable[Path]) -> None:
        """More folders that may be read though they lie outside."""
        self._readable = (*self._readable, *(_folder_at(folder) for folder in folders))

    def for_reading(self, text: str) -> GuardedPath:
        """Raises PolicyDenied with the resolved path when it is not allowed."""
        parts = self._resolve(text)
        folded = _folded(parts)
        granting = max((f for f in self._readable if _within(parts, f.parts)), key=lambda f: len(f.parts), default=None)
        if granting is not None and len(granting.parts) > self._protecting(folded):
            return GuardedPath(granting.path, parts[len(granting.parts) :], self._shown(parts))
        return self._allowed(text, parts, folded)

    def for_writing(self, text: str) -> GuardedPath:
        """Raises PolicyDenied with the resolved path when it is not allowed."""
        parts = self._resolve(text)
        return self._allowed(text, parts, _folded(parts))

    def _allowed(self, text: str, parts: tuple[str, ...], folded: tuple[str, ...]) -> GuardedPath:
        holding = [folder for folder in self._writable if _within(parts, folder.parts)]
        if not holding:
            raise _denied("policy.path_outside", text, parts)
        if self._protecting(folded):
            raise _denied("policy.path_protected", text, parts)
        for folder in holding:
            if not _GIT_NAMES.isdisjoint(folded[len(folder.parts) :]):
                raise _denied("policy.path_git", text, parts)
        base = holding[0]
        return GuardedPath(base.path, parts[len(base.parts) :], self._shown(parts))

    def _protecting(self, folded: tuple[str, ...]) -> int:
        """How many components the closest protected place around it has; 0: none."""
        return max((len(place) for place in self._protected if _within(folded, place)), default=0)

    def _shown(self, parts: tuple[str, ...]) -> str:
        if _within(parts, self._root.parts):
            return os.sep.join(parts[len(self._root.parts) :]) or "."
        return _joined(parts)

    def _resolve(self, text: str) -> tuple[str, ...]:
        """The components of the real path `text` leads to, links in parents of what is not yet there included."""
        try:
            names = os.fsencode(text).split(b"/")
        except UnicodeEncodeError:
            raise PolicyDenied("policy.path_unusable", path=_presentable(text)) from None
        too_long = len(text) > _PATH_BYTES or max(map(len, names)) > _NAME_BYTES
        if not text or "\0" in text or too_long:
            raise PolicyDenied("policy.path_unusable", path=_presentable(text))
        root = _joined(self._root.parts)
        parts = _parts_of(os.path.realpath(os.path.join(root, _home_expanded(text, root))))
        if _is_loop(_joined(parts)):
            raise _denied("policy.path_loop", text, parts)
        return parts


def _home_expanded(text: str, root: str) -> str:
    """`~/x` is the person's home, as a shell reads it; `~name` is a file of that name if there is one."""
    if not text.startswith("~"):
        return text
    first = text.split("/", 1)[0]
    if first != "~" and os.path.lexists(os.path.join(root, first)):
        return text
    return os.path.expanduser(text)


def _is_loop(real: str) -> bool:
    """realpath gives up on a loop and leaves the links in; anything else it returns holds none."""
    try:
        return stat.S_ISLNK(os.lstat(real).st_mode)
    except OSError as error:
        return error.errno == errno.ELOOP


def _folder_at(path: Path) -> _Folder:
    real = os.path.realpath(path)
    parts = _parts_of(real)
    return _Folder(Path(real), parts, _folded(parts))


def _parts_of(real: str) -> tuple[str, ...]:
    """Components of an absolute normal path; the first is what stands before the first separator ("" or a drive)."""
    head, *names = real.split(os.sep)
    return (head, *(name for name in names if name))


def _joined(parts: tuple[str, ...]) -> str:
    return os.sep.join(parts) if len(parts) > 1 else os.sep


def _within(parts: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    return parts[: len(folder)] == folder


def _folded(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_folded_name, parts))


def _folded_name(name: str) -> str:
    if name.isascii():
        return name.lower().rstrip(" .")
    composed = unicodedata.normalize("NFC", name.translate(_IGNORED_IN_NAMES)).casefold()
    return unicodedata.normalize("NFC", composed).rstrip(" .")


def _denied(code: str, text: str, parts: tuple[str, ...]) -> PolicyDenied:
    return PolicyDenied(code, path=_presentable(text), resolved=_presentable(_joined(parts)))


def _presentable(text: str) -> str:
    """As one line of valid UTF-8: the refusal goes into a request."""
    return clipped(well_formed(text).replace("\0", "\\0").replace("\n", "\\n").replace("\r", "\\r"), _SHOWN_CHARACTERS)
