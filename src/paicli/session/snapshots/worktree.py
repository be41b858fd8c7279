"""Takes a work tree into the side repository: what git would see, less what is too large or can't be read."""

import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.records import TOO_LARGE, SnapshotFailed, TakenTree
from paicli.session.snapshots.repository import SideRepository

MAX_FILE_BYTES = 10_000_000
MAX_NEW_FILES = 200_000
"""More than that at once is no project but a disk."""


class _Seen(NamedTuple):
    """What of the listing goes into the index, and what does not."""

    update: list[str]
    drop: list[str]
    left_out: list[str]


class WorkTree:
    """One thread at a time."""

    def __init__(self, repository: SideRepository, root: Path) -> None:
        self._repository = repository
        self._root = root

    def take(self, cancel: CancellationToken) -> TakenTree:
        """Raises SnapshotFailed, OSError, TurnCancelled."""
        shared = self._repository.folder / "index"
        # An index of its own: a killed process leaves no lock behind, and two sessions never wait for each other.
        index = self._repository.folder / f"index-{os.urandom(6).hex()}"
        try:
            if shared.exists():
                shutil.copy2(shared, index)  # with its time: by that git knows which entries to look at again
            try:
                taken = self._taken(index, cancel)
            except SnapshotFailed:
                if not shared.exists():
                    raise
                index.unlink(missing_ok=True)  # damaged: read everything anew
                taken = self._taken(index, cancel)
            if index.exists():
                os.replace(index, shared)
            return taken
        finally:
            for left in (index, index.with_name(f"{index.name}.lock")):
                left.unlink(missing_ok=True)

    def _taken(self, index: Path, cancel: CancellationToken) -> TakenTree:
        listed = self._listed(index, cancel)
        changed = {name for mark, name in listed if mark != "?"}
        others = [name for mark, name in listed if mark == "?"]
        folders = [name for name in others if name.endswith("/")]
        files = [name for name in others if not name.endswith("/")]
        full = [name for name in folders if not _is_empty(self._root / name)]
        # Some versions of git don't list a folder whose name the index still holds for a file.
        full += [f"{name}/" for name in changed if f"{name}/" not in full and _is_folder(self._root / name)]
        if full:
            files += self._others_below(full, index, cancel)
        nested = [name for name in files if name.endswith("/")]
        empty = [name for name in folders if name not in full]
        found = [name for name in nested if _is_empty(self._root / name)]
        seen = self._sorted_out([*changed, *(name for name in files if not name.endswith("/"))])
        seen.left_out.extend(name for name in nested if name not in found)
        self._update(seen, index, cancel)
        if full or changed:  # empty folders in new ones, and those that lost their last file, show only now
            folders = [name for mark, name in self._listed(index, cancel) if mark == "?" and name.endswith("/")]
            empty = [name for name in folders if _is_empty(self._root / name)]
            unseen = [name.rstrip("/") for name in folders if name not in empty]
            seen.left_out.extend(name for folder in unseen for name in self._closed(folder, apart=set(nested)))
        tree = self._repository.ask(["write-tree"], cancel, index=index).decode().strip()
        held = {leaf for name in (*empty, *found) for leaf in self._leaves(name.rstrip("/"))}
        return TakenTree(tree, tuple(sorted(set(seen.left_out))), tuple(sorted(held)))

    def _leaves(self, folder: str) -> list[str]:
        """The empty folders at the bottom of one that holds no file."""
        try:
            below = [f"{folder}/{name}" for name in os.listdir(self._root / folder)]
        except OSError:
            return []
        return [leaf for name in below for leaf in self._leaves(name)] or [folder]

    def _closed(self, folder: str, *, apart: set[str]) -> list[str]:
        """Of that one and those in it, what can't be looked into: git passes it by. Not within those set `apart`."""
        if f"{folder}/" in apart:
            return []
        try:
            with os.scandir(self._root / folder) as found:
                below = [f"{folder}/{entry.name}" for entry in found if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return [f"{folder}/"]
        return [name for each in below for name in self._closed(each, apart=apart)]

    def _listed(self, index: Path, cancel: CancellationToken) -> list[tuple[str, str]]:
        """(mark, name): what is not as the index says, and what it does not know; new folders as a whole."""
        arguments = ["ls-files", "-z", "-t", "-o", "-m", "-d", "--directory", "--exclude-standard"]
        names = self._names(self._repository.ask(arguments, cancel, index=index))
        return [(name[0], name[2:]) for name in names]

    def _others_below(self, folders: list[str], index: Path, cancel: CancellationToken) -> list[str]:
        few = folders if len(folders) <= 50 else []
        arguments = ["ls-files", "-z", "-o", "--exclude-standard", "--", *few]
        found = self._names(self._repository.ask(arguments, cancel, index=index))
        wanted = tuple(folders)
        return found if few else [name for name in found if name.startswith(wanted)]

    def _names(self, raw: bytes) -> list[str]:
        names = [os.fsdecode(name) for name in raw.split(b"\0") if name]
        if len(names) > MAX_NEW_FILES:
            raise SnapshotFailed(TOO_LARGE)
        return names

    def _sorted_out(self, names: Iterable[str]) -> _Seen:
        seen = _Seen([], [], [])
        behind_link: dict[str, bool] = {}
        for name in names:
            path = self._root / name
            above = os.path.dirname(name)
            if above not in behind_link:
                # git refuses what lies behind a link, and so does a restore.
                behind_link[above] = os.path.realpath(self._root / above) != str(self._root / above)
            if behind_link[above]:
                seen.drop.append(name)
                continue
            try:
                status = path.lstat()
            except OSError:
                seen.drop.append(name)  # gone, or a folder on the way that can't be entered
                continue
            if stat.S_ISLNK(status.st_mode):
                seen.update.append(name)
            elif not stat.S_ISREG(status.st_mode):
                seen.drop.append(name)  # a folder now: its files are listed by themselves; a pipe holds nothing
            elif status.st_size > MAX_FILE_BYTES or not os.access(path, os.R_OK):
                seen.drop.append(name)
                seen.left_out.append(name)
            else:
                seen.update.append(name)
        return seen

    def _update(self, seen: _Seen, index: Path, cancel: CancellationToken) -> None:
        if seen.drop:
            self._feed(["update-index", "-z", "--force-remove", "--stdin"], seen.drop, index, cancel=cancel)
        if seen.update:
            command = ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"]
            self._feed(command, seen.update, index, cancel=cancel)

    def _feed(self, command: list[str], names: list[str], index: Path, *, cancel: CancellationToken) -> None:
        feed = b"".join(os.fsencode(name) + b"\0" for name in names)
        self._repository.ask(command, cancel, index=index, feed=feed)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_empty(folder: Path) -> bool:
    """Without a file, at any depth; a folder that can't be looked into is not."""
    try:
        with os.scandir(folder) as found:
            return all(entry.is_dir(follow_symlinks=False) and _is_empty(Path(entry.path)) for entry in found)
    except OSError:
        return False
