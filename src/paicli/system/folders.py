"""Folders opened part by part below a trusted base, so that a link put in their place is never followed."""

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self


class FileKind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    FIFO = "fifo"
    SOCKET = "socket"
    DEVICE = "device"


class FolderEntry(NamedTuple):
    name: str
    """As the system gives it; bytes that are no UTF-8 are lone surrogates."""
    kind: FileKind


class Missing(StrEnum):
    """What to do about a folder on the way that is not there."""

    FAIL = "fail"
    CREATE = "create"


class PathMoved(OSError):
    """A part of the path is a link now: it was replaced after the path had been resolved and checked."""


class NotRegular(OSError):
    """The path leads to something that has no content to read or write."""

    def __init__(self, name: str, kind: FileKind) -> None:
        super().__init__(errno.EINVAL, f"not a regular file: {kind}", name)
        self.kind = kind


_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class OpenFolder:
    """An open folder; everything below it is reached through it and not through its path. Use as a context."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self.fd)

    def subfolder(self, name: str, missing: Missing = Missing.FAIL) -> "OpenFolder":
        """Raises PathMoved when `name` is a link."""
        try:
            return OpenFolder(os.open(name, _FOLDER_FLAGS, dir_fd=self.fd))
        except FileNotFoundError:
            if missing is Missing.FAIL:
                raise
        except OSError as error:
            if error.errno in {errno.ENOTDIR, errno.ELOOP} and self.kind_of(name) is FileKind.LINK:
                raise PathMoved(error.errno, "is a link", name) from None
            raise
        with suppress(FileExistsError):  # made by someone else meanwhile
            os.mkdir(name, 0o777, dir_fd=self.fd)
        return self.subfolder(name)

    def entries(self) -> list[FolderEntry]:
        """What is in it, in no order, links not followed."""
        with os.scandir(self.fd) as found:
            return [FolderEntry(entry.name, _kind_of_entry(entry, self)) for entry in found]

    def stat(self, name: str) -> os.stat_result:
        """Of the entry itself: a link is not followed."""
        return os.stat(name, dir_fd=self.fd, follow_symlinks=False)

    def link_target(self, name: str) -> str:
        """What the link says, wherever that leads."""
        return os.readlink(name, dir_fd=self.fd)

    def kind_of(self, name: str) -> FileKind:
        return kind_of_mode(self.stat(name).st_mode)


def open_folder(base: Path, parts: Sequence[str], missing: Missing = Missing.FAIL) -> OpenFolder:
    """The folder `parts` below `base`. `base` must be resolved.

    Raises FileNotFoundError, NotADirectoryError, PathMoved when a part is a link, or another OSError.
    """
    folder = OpenFolder(os.open(base, _FOLDER_FLAGS))
    for part in parts:
        with folder:
            folder = folder.subfolder(part, missing)
    return folder


def kind_of_mode(mode: int) -> FileKind:
    if stat.S_ISREG(mode):
        return FileKind.FILE
    if stat.S_ISDIR(mode):
        return FileKind.FOLDER
    if stat.S_ISLNK(mode):
        return FileKind.LINK
    if stat.S_ISFIFO(mode):
        return FileKind.FIFO
    return FileKind.SOCKET if stat.S_ISSOCK(mode) else FileKind.DEVICE


def _kind_of_entry(entry: "os.DirEntry[str]", folder: OpenFolder) -> FileKind:
    # The type stands in the folder itself on most file systems: no system call per entry.
    if entry.is_symlink():
        return FileKind.LINK
    if entry.is_file(follow_symlinks=False):
        return FileKind.FILE
    if entry.is_dir(follow_symlinks=False):
        return FileKind.FOLDER
    try:
        return folder.kind_of(entry.name)
    except OSError:  # gone meanwhile
        return FileKind.DEVICE
