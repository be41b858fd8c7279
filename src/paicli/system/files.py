"""Whole files read and replaced below a trusted base: no link followed, nothing half written, nothing lost.

A file is replaced by a temporary one in its folder, so a crash leaves the old or the new content; mode, owner and
extended attributes are carried over. Where that would cut hard links or lose the owner it is overwritten in place.
"""

import errno
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from paicli.system.folders import FileKind, Missing, NotRegular, OpenFolder, PathMoved, kind_of_mode, open_folder
from paicli.system.locks.file_lock import temporary_name


class FileTooLarge(OSError):
    """The file holds more than may be read at once."""

    def __init__(self, name: str, size_bytes: int) -> None:
        super().__init__(errno.EFBIG, "file too large", name)
        self.size_bytes = size_bytes


class FileChanged(OSError):
    """The file is no longer what it was when it was read."""


class ReadOnlyPath(PermissionError):
    """The file or its folder is marked read-only. (Replacing a file needs no right to the file itself.)"""

    def __init__(self, name: str, kind: FileKind) -> None:
        super().__init__(errno.EACCES, f"read-only {kind}", name)
        self.kind = kind


class FileContents(NamedTuple):
    """A file as it was at one moment."""

    raw: bytes
    status: os.stat_result


def open_regular(base: Path, parts: Sequence[str]) -> BinaryIO:
    """The file, open for reading. Raises NotRegular without blocking, PathMoved, or another OSError."""
    if not parts:
        raise NotRegular(str(base), FileKind.FOLDER)
    with open_folder(base, parts[:-1]) as folder:
        return os.fdopen(_open_in(folder, parts[-1], os.O_RDONLY), "rb")


def read_contents(base: Path, parts: Sequence[str], limit_bytes: int) -> FileContents:
    """All of it. Raises FileTooLarge beyond `limit_bytes`, else as `open_regular`."""
    with open_regular(base, parts) as file:
        return _contents(file, limit_bytes)


def replace_file(base: Path, parts: Sequence[str], raw: bytes, *, was: FileContents | None) -> None:
    """Makes `raw` the file's content. `was` None: it must not exist yet, and missing parent folders are made.

    Raises FileChanged when the file is not what `was` says, ReadOnlyPath, PathMoved, or another OSError; the file is
    then as it was, and no temporary file stays.
    """
    if not parts:
        raise NotRegular(str(base), FileKind.FOLDER)
    with open_folder(base, parts[:-1], Missing.CREATE if was is None else Missing.FAIL) as folder:
        if _is_marked_read_only(os.fstat(folder.fd).st_mode) or not os.access(".", os.W_OK, dir_fd=folder.fd):
            raise ReadOnlyPath(str(base.joinpath(*parts[:-1])), FileKind.FOLDER)
        if was is None:
            _create(folder, parts[-1], raw)
        else:
            _replace(folder, parts[-1], raw, was=was)
        os.fsync(folder.fd)


def write_new_file(path: Path, text: str) -> None:
    """Readable by the user alone; what can't be encoded is replaced. Raises FileExistsError, OSError.

    Nothing that stands at `path` is touched, nor what a link there names; a file that could not be written whole goes.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(path, flags, 0o600)
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), repr(str(path))) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError:
        path.unlink(missing_ok=True)
        raise


def write_state_file(path: Path, raw: bytes) -> None:
    """Writes one of paicli's own files: whole or not at all, readable by the user alone.

    Where the new content depends on the old, or others may write too, inside `locks.file_lock.locked(path)`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = temporary_name(path.name)
    with open_folder(path.parent.resolve(), ()) as folder, _Temporary(folder, raw, 0o600, name=name) as temporary:
        os.replace(temporary.name, path.name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
        os.fsync(folder.fd)


def keep_private(folder: Path) -> None:
    """Takes the rights of everybody else off one of paicli's own folders, where it is the user's to change."""
    status = folder.stat()
    if status.st_uid == os.geteuid() and status.st_mode & 0o077:
        folder.chmod(stat.S_IMODE(status.st_mode) & ~0o077)


def write_all(fd: int, raw: bytes) -> None:
    """However many steps the system takes for it. Raises OSError."""
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(fd, rest) :]


_UNNAMED: int | None = getattr(os, "O_TMPFILE", None)


class _Temporary:
    """A new file beside the target that holds `raw`, on disk; gone afterwards unless it was renamed."""

    def __init__(self, folder: OpenFolder, raw: bytes, mode: int, *, name: str = "") -> None:
        self.name = name or f".paicli-{os.urandom(8).hex()}.tmp"
        self._folder = folder
        self._raw = raw
        self._mode = mode

    def __enter__(self) -> "_Temporary":
        unnamed = self._written_without_name()
        if unnamed is not None:
            self.fd = unnamed
            return self
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        self.fd = os.open(self.name, flags, self._mode, dir_fd=self._folder.fd)
        try:
            write_all(self.fd, self._raw)
            os.fsync(self.fd)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _written_without_name(self) -> int | None:
        """Linux: it gets its name when it is whole, so that a kill while it is written leaves nothing behind."""
        if _UNNAMED is None:
            return None
        fd = -1
        try:
            fd = os.open(".", _UNNAMED | os.O_WRONLY | os.O_CLOEXEC, self._mode, dir_fd=self._folder.fd)
            write_all(fd, self._raw)
            os.fsync(fd)
            os.link(f"/proc/self/fd/{fd}", self.name, dst_dir_fd=self._folder.fd)
        except OSError:
            if fd >= 0:
                os.close(fd)
            return None  # not every file system can; what else is wrong shows with a name, too
        except BaseException:
            if fd >= 0:
                os.close(fd)
            raise
        return fd

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)
        with suppress(FileNotFoundError):  # it has become the target
            os.unlink(self.name, dir_fd=self._folder.fd)


def _create(folder: OpenFolder, name: str, raw: bytes) -> None:
    # The system takes the umask and a folder's default rights off 0666 as for any new file.
    with _Temporary(folder, raw, 0o666) as temporary:
        try:
            # A link, unlike a rename, never replaces what someone else created meanwhile.
            os.link(temporary.name, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
        except FileExistsError:
            raise FileChanged(errno.EEXIST, "exists now", name) from None
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}:
                raise
            _check_absent(folder, name)  # a file system without hard links
            os.replace(temporary.name, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)


def _check_absent(folder: OpenFolder, name: str) -> None:
    try:
        folder.stat(name)
    except FileNotFoundError:
        return
    raise FileChanged(errno.EEXIST, "exists now", name)


def _replace(folder: OpenFolder, name: str, raw: bytes, *, was: FileContents) -> None:
    try:
        old_fd = _open_in(folder, name, os.O_RDONLY)
    except (FileNotFoundError, NotRegular) as error:
        raise FileChanged(errno.ESTALE, "is gone", name) from error
    with os.fdopen(old_fd, "rb") as old:
        status = os.fstat(old_fd)
        if _is_marked_read_only(status.st_mode) or not os.access(name, os.W_OK, dir_fd=folder.fd):
            raise ReadOnlyPath(name, FileKind.FILE)
        with _Temporary(folder, raw, 0o600) as temporary:
            is_like_the_old = status.st_nlink == 1 and _took_attributes(temporary.fd, old_fd, status)
            _check_unchanged(old, was)
            if not is_like_the_old:
                _overwrite(folder, name, raw, was=was)
            elif folder.stat(name).st_ino != status.st_ino:
                raise FileChanged(errno.ESTALE, "was replaced", name)
            else:
                os.replace(temporary.name, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)


def _check_unchanged(file: BinaryIO, was: FileContents) -> None:
    if file.read(len(was.raw) + 1) != was.raw:
        raise FileChanged(errno.ESTALE, "changed", "")


def _took_attributes(fd: int, old_fd: int, status: os.stat_result) -> bool:
    """Gives the new file the old one's owner, mode and extended attributes; False where that is not allowed."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(fd, status.st_uid, status.st_gid)
        except OSError:  # not allowed, or an owner this user namespace does not know
            return False
    os.fchmod(fd, stat.S_IMODE(status.st_mode))  # after the owner: a change of owner drops setuid
    return not hasattr(os, "listxattr") or _took_extended_attributes(fd, old_fd)


def _took_extended_attributes(fd: int, old_fd: int) -> bool:
    try:
        wanted = os.listxattr(old_fd)
        for name in set(os.listxattr(fd)) - set(wanted):  # a folder's default rights, for example
            os.removexattr(fd, name)
    except OSError as error:
        return error.errno in {errno.EOPNOTSUPP, errno.ENOSYS}
    for name in wanted:
        try:
            os.setxattr(fd, name, os.getxattr(old_fd, name))
        except OSError:
            # Labels of the system's own ("security.…") are set anew by the system; what people set must stay.
            if not name.startswith("security."):
                return False
    return True


def _overwrite(folder: OpenFolder, name: str, raw: bytes, *, was: FileContents) -> None:
    """In place; the temporary file with the new content stands beside it while this can be cut short."""
    fd = _open_in(folder, name, os.O_RDWR)
    try:
        if os.read(fd, len(was.raw) + 1) != was.raw:
            raise FileChanged(errno.ESTALE, "changed", name)
        try:
            _write_at_start(fd, raw)
        except OSError:
            _write_at_start(fd, was.raw)  # a full disk: the old blocks are still the file's own
            raise
    finally:
        os.close(fd)


def _write_at_start(fd: int, raw: bytes) -> None:
    os.lseek(fd, 0, os.SEEK_SET)
    write_all(fd, raw)
    os.ftruncate(fd, len(raw))
    os.fsync(fd)


def _contents(file: BinaryIO, limit_bytes: int) -> FileContents:
    status = os.fstat(file.fileno())
    if status.st_size > limit_bytes:
        raise FileTooLarge(str(file.name), status.st_size)
    raw = file.read(limit_bytes + 1)
    if len(raw) > limit_bytes:
        raise FileTooLarge(str(file.name), len(raw))
    return FileContents(raw, status)


def _open_in(folder: OpenFolder, name: str, flags: int) -> int:
    # Looked at before it is opened (opening a device can do something) and after (it may have been swapped).
    kind = folder.kind_of(name)
    if kind is FileKind.LINK:
        raise PathMoved(errno.ELOOP, "is a link", name)
    if kind is not FileKind.FILE:
        raise NotRegular(name, kind)
    try:
        fd = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder.fd)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise PathMoved(error.errno, "is a link", name) from None
        raise
    kind = kind_of_mode(os.fstat(fd).st_mode)
    if kind is not FileKind.FILE:
        os.close(fd)
        raise NotRegular(name, kind)
    return fd


def _is_marked_read_only(mode: int) -> bool:
    """Nobody may write it: holds for root too, whom the system would let pass."""
    return not mode & 0o222
