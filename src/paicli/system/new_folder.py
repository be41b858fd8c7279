"""A new folder with files in it that appears whole or not at all."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from paicli.system.folders import FileKind, OpenFolder, open_folder


class FolderOccupied(OSError):
    """Something that is no empty folder stands there."""


def create_folder(base: Path, parts: Sequence[str], files: Mapping[str, str]) -> None:
    """Makes the folder `parts` below `base` (resolved) with `files`: relative path → text. An empty one is replaced.

    The files are written beside it and moved there in one step. Raises FolderOccupied, PathMoved when a part was
    replaced by a link, or another OSError; then nothing is left.
    """
    name = parts[-1]
    with open_folder(base, parts[:-1]) as parent:
        if not _is_free(parent, name):
            raise FolderOccupied(name)
        temporary = f".{name[:100]}.{os.urandom(6).hex()}"
        os.mkdir(temporary, 0o777, dir_fd=parent.fd)
        try:
            with parent.subfolder(temporary) as folder:
                for path, text in files.items():
                    _write(folder, PurePosixPath(path), text)
            # An empty folder is replaced; anything else makes this fail, even what came a moment ago.
            os.rename(temporary, name, src_dir_fd=parent.fd, dst_dir_fd=parent.fd)
        except OSError as error:
            with suppress(OSError):
                _remove(parent, temporary)
            if not _is_free(parent, name):
                raise FolderOccupied(name) from error
            raise
        os.fsync(parent.fd)


def _is_free(parent: OpenFolder, name: str) -> bool:
    try:
        parent.stat(name)
    except FileNotFoundError:
        return True
    try:
        with parent.subfolder(name) as folder:
            return not folder.entries()
    except OSError:  # a file, a link, or not ours to look into
        return False


def _write(folder: OpenFolder, path: PurePosixPath, text: str) -> None:
    if len(path.parts) > 1:
        with suppress(FileExistsError):
            os.mkdir(path.parts[0], 0o777, dir_fd=folder.fd)
        with folder.subfolder(path.parts[0]) as inner:
            _write(inner, PurePosixPath(*path.parts[1:]), text)
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path.name, flags, 0o666, dir_fd=folder.fd), "wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _remove(parent: OpenFolder, name: str) -> None:
    with parent.subfolder(name) as folder:
        for entry in folder.entries():
            if entry.kind is FileKind.FOLDER:
                _remove(folder, entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder.fd)
    os.rmdir(name, dir_fd=parent.fd)
