"""One entry of a tree brought to a wanted state: no link on the way is followed, no file is ever half written."""

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from paicli.system.files import FileChanged, FileContents, ReadOnlyPath, read_contents, replace_file
from paicli.system.folders import FileKind, Missing, NotRegular, OpenFolder, open_folder

_MAX_BYTES = 1 << 30
_EXECUTABLE = 0o111


def put_file(base: Path, parts: Sequence[str], raw: bytes, *, is_executable: bool) -> None:
    """A regular file of that content; mode (but for the execute bits), owner and attributes of one that is there stay.

    A link or an empty folder in its place goes. Raises PathMoved, NotRegular, ReadOnlyPath, or another OSError.
    """
    with open_folder(base, parts[:-1], Missing.CREATE) as folder:
        kind = _kind_in(folder, parts[-1])
        if kind is FileKind.FILE:
            _rewrite(base, parts, raw, folder=folder)
        else:
            _make_room(folder, parts[-1], kind)
            replace_file(base, parts, raw, was=None)
        _set_executable(folder, parts[-1], is_executable)


def put_link(base: Path, parts: Sequence[str], target: str) -> None:
    """A symbolic link that says `target`, wherever that leads; nothing is written through it. Raises as `put_file`."""
    with open_folder(base, parts[:-1], Missing.CREATE) as folder:
        kind = _kind_in(folder, parts[-1])
        if kind not in (FileKind.FILE, FileKind.LINK):
            _make_room(folder, parts[-1], kind)
        temporary = f".paicli-{os.urandom(8).hex()}.tmp"
        os.symlink(target, temporary, dir_fd=folder.fd)
        try:
            os.replace(temporary, parts[-1], src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
        except OSError:
            os.unlink(temporary, dir_fd=folder.fd)
            raise


def remove_entry(base: Path, parts: Sequence[str]) -> None:
    """Takes a file or a link away; one that is gone is no fault. Raises NotRegular, PathMoved, or another OSError."""
    with suppress(FileNotFoundError), open_folder(base, parts[:-1]) as folder:
        kind = folder.kind_of(parts[-1])
        if kind not in (FileKind.FILE, FileKind.LINK):
            raise NotRegular(parts[-1], kind)
        os.unlink(parts[-1], dir_fd=folder.fd)


def remove_empty_folder(base: Path, parts: Sequence[str]) -> bool:
    """False where it is not empty, not there, or not ours to take away."""
    try:
        with open_folder(base, parts[:-1]) as folder:
            os.rmdir(parts[-1], dir_fd=folder.fd)
    except OSError:
        return False
    return True


def make_folder(base: Path, parts: Sequence[str]) -> None:
    """The folder with its parents, where it is not there yet. Raises OSError."""
    open_folder(base, parts, Missing.CREATE).close()


def _kind_in(folder: OpenFolder, name: str) -> FileKind | None:
    try:
        return folder.kind_of(name)
    except FileNotFoundError:
        return None


def _make_room(folder: OpenFolder, name: str, kind: FileKind | None) -> None:
    match kind:
        case None:
            return
        case FileKind.LINK:
            os.unlink(name, dir_fd=folder.fd)
        case FileKind.FOLDER:
            try:
                os.rmdir(name, dir_fd=folder.fd)
            except OSError as error:
                if error.errno in {errno.ENOTEMPTY, errno.EEXIST}:
                    raise NotRegular(name, kind) from None
                raise
        case _:
            raise NotRegular(name, kind)


def _rewrite(base: Path, parts: Sequence[str], raw: bytes, *, folder: OpenFolder) -> None:
    was = read_contents(base, parts, _MAX_BYTES)
    if was.raw == raw:
        return
    try:
        replace_file(base, parts, raw, was=was)
    except ReadOnlyPath as error:
        if error.kind is not FileKind.FILE:
            raise
        _replace_read_only(base, parts, raw, folder=folder, was=was)


def _replace_read_only(base: Path, parts: Sequence[str], raw: bytes, *, folder: OpenFolder, was: FileContents) -> None:
    """The person asked for the old content: a mark on the file does not stand in the way, and stays."""
    mode = stat.S_IMODE(was.status.st_mode)
    _change_mode(folder, parts[-1], mode | stat.S_IWUSR)
    try:
        replace_file(base, parts, raw, was=was)
    finally:
        _change_mode(folder, parts[-1], mode)


def _set_executable(folder: OpenFolder, name: str, is_executable: bool) -> None:
    """As git sees it: the owner's bit decides, and who may read may then execute."""
    mode = stat.S_IMODE(folder.stat(name).st_mode)
    if bool(mode & stat.S_IXUSR) is is_executable:
        return
    wanted = mode | ((mode & 0o444) >> 2) if is_executable else mode & ~_EXECUTABLE
    _change_mode(folder, name, wanted)


def _change_mode(folder: OpenFolder, name: str, mode: int) -> None:
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder.fd)
    except PermissionError as error:
        raise FileChanged(error.errno, "not readable", name) from error
    try:
        os.fchmod(fd, mode)
    finally:
        os.close(fd)
