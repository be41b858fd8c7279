"""Where a path in a command leads, judged by its text: the home, the root, the system, or harmless ground."""

import posixpath
import re
from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from paicli.policy.shell.words import HOME, UNKNOWN, WORKING_FOLDER, Word


class Place(StrEnum):
    VITAL = "vital"
    """`/`, the home folder, their parents, other people's homes, folders of the system."""
    ROOT = "root"
    """The project root itself, or all that is in it."""
    INSIDE = "inside"
    """In the project, or in the temporary folder."""
    OUTSIDE = "outside"
    UNKNOWN = "unknown"
    """Only the running shell knows."""


class Target(NamedTuple):
    """A path as far as the text tells."""

    path: str
    """Absolute and normal, without the whole-folder glob; what stands before the first unknown part."""
    is_known: bool
    takes_all: bool
    """Ends in a glob that means everything in `path`."""
    is_pattern: bool = False
    """`path` has wildcards left in it."""


_SYSTEM = frozenset(
    {"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "root", "run", "sbin", "sys", "usr", "var",
     "System", "Library", "Applications", "private", "cores", "nix"}
)  # fmt: skip
_SYSTEM_WHOLLY = frozenset({"boot", "dev", "etc", "proc", "sys", "sbin", "bin", "lib", "lib64", "System"})
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm")
_HOMES = frozenset({"home", "Users"})

_HOME_FOLDERS = (".ssh", ".gnupg", ".config", ".local", ".local/share")
"""Of the home folder: what nobody deletes as a whole."""

_EVERYTHING = re.compile(r"(?:\.|\.\.)?(?:[*?]|\[[^\]/]*\])+/*|\.\[[^\]/]*\][*?]*/*")
"""A last component of nothing but wildcards: `*`, `.*`, `?*`, `.[!.]*`."""

_DISK = re.compile(
    r"/proc/sysrq|/dev/(?:r?disk|[shvx]v?d[a-z]|nvme|mmcblk|mapper/|dm-|md\d|loop|sr\d|k?mem\b|port\b|sd)"
)

_STARTUP = frozenset(
    {".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
     ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc",
     ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment", ".ssh/authorized_keys", ".ssh/rc",
     ".ssh/config", ".ssh/environment", ".ssh/authorized_keys2", ".gitconfig", ".config/git/config",
     ".config/fish/config.fish"}
)  # fmt: skip
_STARTUP_FOLDERS = (
    ".config/fish/conf.d",
    ".config/autostart",
    ".config/environment.d",
    ".config/systemd/user",
    "library/launchagents",
    ".oh-my-zsh/custom",
)
_STARTUP_SYSTEM = re.compile(
    r"/etc/(?:profile(?:\.d/.*)?|bash\.?bashrc|bashrc|zsh/?\w+|zprofile|environment|rc\.local|sudoers(?:\.d/.*)?"
    r"|crontab|cron\..*|ld\.so\.preload|init\.d/.*|systemd/system/.*|passwd|shadow|gitconfig)"
    r"|/var/spool/cron/.*|/var/at/tabs/.*"
)
_HISTORY = re.compile(r"\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|fish)_history|\.zhistory|\.histfile"
                      r"|\.local/share/fish/fish_history")  # fmt: skip


class Ground:
    """The folders that matter, and how words become paths. Compared case-folded: some file systems do so too."""

    def __init__(self, root: Path, home: Path, protected: Sequence[Path] = ()) -> None:
        self.root = str(root)
        self.home = str(home)
        roots = {_normal(str(root)), _normal(str(root.resolve()))}
        homes = {_normal(str(home)), _normal(str(home.resolve()))}
        self._roots_as_written = roots
        self._roots = frozenset(path.casefold() for path in roots)
        self._homes = frozenset(path.casefold() for path in homes)
        self._vital = frozenset(parent for path in self._roots | self._homes for parent in _parents(path)) | self._homes
        self._vital |= {f"{path}/{name}" for path in self._homes for name in _HOME_FOLDERS}
        self._protected = tuple(_normal(str(path)).casefold() for path in protected)

    def target(self, word: Word, folder: str | None) -> Target:
        """`folder`: where the command runs, None when unknown."""
        text = word.text.replace(HOME, self.home)
        text = text.replace(WORKING_FOLDER, folder if folder is not None else UNKNOWN)
        if not text.startswith("/"):
            text = f"{folder if folder is not None else UNKNOWN}/{text}"
        takes_all = False
        if word.has_glob:
            head, _, last = text.rstrip("/").rpartition("/")
            while _EVERYTHING.fullmatch(last):
                takes_all, text = True, head or "/"
                head, _, last = text.rpartition("/")
        known, unknown, _ = text.partition(UNKNOWN)
        path = _normal(known) if known or not unknown else ""
        is_pattern = word.has_glob and any(wildcard in path for wildcard in "*?[")
        return Target(path, not unknown, takes_all, is_pattern)

    def place(self, target: Target) -> Place:
        """What is lost when the target is deleted with all below it."""
        path = target.path.casefold()
        if target.is_pattern:
            meant = self._places_meant_by(path)
            if meant is not None:
                return meant
        if not target.is_known:
            return Place.INSIDE if self._is_below_harmless(target) else Place.UNKNOWN
        if path in self._roots and path not in self._homes:
            return Place.ROOT
        if self._is_vital(path):
            return Place.VITAL
        if any(_is_in(path, root) for root in self._roots):
            return Place.INSIDE
        if any(_is_in(path, folder) and path != folder for folder in _TEMPORARY):
            return Place.INSIDE
        return Place.OUTSIDE

    def _places_meant_by(self, pattern: str) -> Place | None:
        """The worst of the places that matter among those a pattern may mean: `/h*`, `../pro*`."""
        parts = pattern.split("/")

        def is_meant(path: str) -> bool:
            names = path.split("/")
            return len(names) == len(parts) and all(map(fnmatchcase, names, parts))

        if any(map(is_meant, self._vital | _SYSTEM_PATHS)):
            return Place.VITAL
        return Place.ROOT if any(map(is_meant, self._roots)) else None

    def _is_below_harmless(self, target: Target) -> bool:
        """An unknown rest below a named folder of the project or the temporary folder stays harmless."""
        path = target.path.casefold()
        below_root = any(_is_in(path, root) and path != root for root in self._roots)
        return below_root or any(_is_in(path, folder) for folder in _TEMPORARY)

    def _is_vital(self, path: str) -> bool:
        parts = path.strip("/").split("/")
        if path in self._vital or path == "/":
            return True
        if path in _TEMPORARY or (len(parts) == 1 and parts[0] in _SYSTEM_FOLDED | _HOMES_FOLDED):
            return True
        if len(parts) == 2 and parts[0] in {"usr", "home", "users", "var"} and path not in _TEMPORARY:
            return True
        is_wholly = parts[0] in _WHOLLY_FOLDED and not any(_is_in(path, folder) for folder in _TEMPORARY)
        return is_wholly and not any(_is_in(path, root) for root in self._roots)

    def is_temporary(self, path: str) -> bool:
        """The folder for temporary files itself."""
        return path.casefold() in _TEMPORARY

    def is_inside_root(self, path: str) -> bool:
        """Letter for letter: it loosens, and on most systems `/w/PROJ` is another folder than `/w/proj`."""
        return any(_is_in(path, root) for root in self._roots_as_written)

    def is_disk(self, path: str) -> bool:
        return _DISK.match(path) is not None

    def is_startup_file(self, path: str) -> bool:
        """Read when a shell or a session starts, so that what is written there runs later."""
        below = self._below_home(path)
        if below is None:
            return _STARTUP_SYSTEM.fullmatch(path.casefold()) is not None
        return below in _STARTUP or any(_is_in(below, folder) and below != folder for folder in _STARTUP_FOLDERS)

    def is_history(self, path: str) -> bool:
        below = self._below_home(path)
        return below is not None and _HISTORY.fullmatch(below) is not None

    def is_repository_data(self, path: str) -> bool:
        """In a `.git` folder: hooks and settings there run programs later, and the rest is the history."""
        return ".git" in path.casefold().split("/")

    def is_protected(self, path: str) -> bool:
        """In a folder that was named as protected (paicli's own)."""
        return any(_is_in(path.casefold(), folder) for folder in self._protected)

    def _below_home(self, path: str) -> str | None:
        folded = path.casefold()
        return next((folded[len(home) + 1 :] for home in self._homes if _is_in(folded, home)), None)


_SYSTEM_FOLDED = frozenset(name.casefold() for name in _SYSTEM)
_HOMES_FOLDED = frozenset(name.casefold() for name in _HOMES)
_SYSTEM_PATHS = frozenset(f"/{name}" for name in _SYSTEM_FOLDED | _HOMES_FOLDED)
_WHOLLY_FOLDED = frozenset(name.casefold() for name in _SYSTEM_WHOLLY)


def _normal(path: str) -> str:
    return "/" + posixpath.normpath(path).lstrip("/") if path.startswith("/") else posixpath.normpath(path)


def _parents(path: str) -> list[str]:
    """Every folder above an absolute path, `/` included."""
    return [str(parent) for parent in Path(path).parents]


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
