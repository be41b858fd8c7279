"""From the path a model wrote to an open file, and from the system's errors to words a model can act on."""

import errno
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied, ToolFailed, reason_of
from paicli.core.messages import ErrorKind
from paicli.core.unicode import well_formed
from paicli.policy.path_guard import GuardedPath, PathGuard
from paicli.system.files import FileChanged, FileContents, FileTooLarge, ReadOnlyPath, open_regular, read_contents
from paicli.system.folders import FileKind, NotRegular, OpenFolder, PathMoved, open_folder
from paicli.tools.ledger import WRITABLE_BYTES


class FoundPath(NamedTuple):
    """A path that was looked for, and what was found under it."""

    guarded: GuardedPath
    shown: str
    """One line of valid UTF-8."""
    note: str = ""
    """Says that another name than the given one was taken; empty for an exact hit."""


def displayed(name: str) -> str:
    """A file name as one line of valid UTF-8: control characters escaped, bytes that are no UTF-8 as U+FFFD."""
    return "".join(_escaped(character) for character in well_formed(name))


def find_to_read(paths: PathGuard, text: str) -> FoundPath:
    """The exact name, else the only one that looks like it. Raises ToolFailed, or PolicyDenied by the guard."""
    guarded = paths.for_reading(text)
    shown = displayed(guarded.shown)
    _refuse_without_base(guarded, shown)
    with translated(shown):
        if _exists(guarded):
            return FoundPath(guarded, shown)
        parts = _look_alike(guarded)
    if parts is None:
        raise ToolFailed("files.not_found", kind=ErrorKind.NOT_FOUND, path=shown)
    found = paths.for_reading(str(guarded.base.joinpath(*parts)))  # a look-alike may be a link to elsewhere
    note = model_text("files.look_alike", given=shown, found=displayed(found.shown))
    return FoundPath(found, displayed(found.shown), note)


def similar_name(paths: PathGuard, text: str) -> str:
    """The only existing path that looks like `text`, as shown; empty when there is none."""
    try:
        return find_to_read(paths, text).shown
    except (ToolFailed, PolicyDenied):
        return ""


def find_to_write(paths: PathGuard, text: str) -> FoundPath:
    """The path itself, be there a file or not. Raises ToolFailed where the project's folder is gone."""
    guarded = paths.for_writing(text)
    shown = displayed(guarded.shown)
    _refuse_without_base(guarded, shown)
    return FoundPath(guarded, shown)


def open_to_read(found: FoundPath) -> BinaryIO:
    """Raises ToolFailed for what is no regular file, without blocking."""
    with translated(found.shown):
        return open_regular(found.guarded.base, found.guarded.parts)


def open_to_list(found: FoundPath) -> OpenFolder:
    """Raises ToolFailed for what is no folder."""
    with translated(found.shown):
        return open_folder(found.guarded.base, found.guarded.parts)


def current_contents(found: FoundPath) -> FileContents | None:
    """What the file holds now, None when there is none. Raises ToolFailed, also beyond 5 MB."""
    try:
        with translated(found.shown):
            return read_contents(found.guarded.base, found.guarded.parts, WRITABLE_BYTES)
    except ToolFailed as error:
        if error.code == "files.not_found":
            return None
        raise


@contextmanager
def translated(shown: str) -> Generator[None]:
    """Raises ToolFailed for an OSError inside."""
    try:
        yield
    except OSError as error:
        raise _failure(error, shown) from error


def _refuse_without_base(guarded: GuardedPath, shown: str) -> None:
    """A project that was moved away is not made anew, and "no such file" would send the model looking for a name."""
    with translated(shown):
        is_there = guarded.base.exists()
    if not is_there:
        raise ToolFailed("files.base_gone", kind=ErrorKind.NOT_FOUND, path=shown)


def _failure(error: OSError, shown: str) -> ToolFailed:
    match error:
        case NotRegular():
            code = "files.is_folder" if error.kind is FileKind.FOLDER else f"files.is_{error.kind}"
            return ToolFailed(code, kind=ErrorKind.INVALID_ARGUMENT, path=shown)
        case PathMoved():
            return ToolFailed("files.moved", path=shown)
        case FileChanged():
            return ToolFailed("files.changed_while_writing", path=shown)
        case FileTooLarge():
            size = size_text(error.size_bytes)
            return ToolFailed("files.too_large", kind=ErrorKind.INVALID_ARGUMENT, path=shown, size=size)
        case ReadOnlyPath():
            code = "files.read_only_folder" if error.kind is FileKind.FOLDER else "files.read_only"
            return ToolFailed(code, kind=ErrorKind.PERMISSION, path=shown)
        case FileNotFoundError():
            return ToolFailed("files.not_found", kind=ErrorKind.NOT_FOUND, path=shown)
        case NotADirectoryError():
            return ToolFailed("files.not_a_folder", kind=ErrorKind.INVALID_ARGUMENT, path=shown)
        case PermissionError():
            return ToolFailed("files.no_permission", kind=ErrorKind.PERMISSION, path=shown)
        case _:
            if error.errno == errno.EROFS:
                return ToolFailed("files.read_only", kind=ErrorKind.PERMISSION, path=shown)
            return ToolFailed("files.system_error", path=shown, what=reason_of(error))


def size_text(size_bytes: int) -> str:
    """Like "812 B", "1.5 KB", "5.0 GB"."""
    if size_bytes < 1_000:
        return f"{size_bytes} B"
    size = float(size_bytes)
    for unit in ("KB", "MB", "GB"):
        size /= 1_000
        if size < 999.95:
            return f"{size:.1f} {unit}"
    return f"{size / 1_000:.1f} TB"


def _exists(guarded: GuardedPath) -> bool:
    if not guarded.parts:
        return True
    try:
        with open_folder(guarded.base, guarded.parts[:-1]) as folder:
            folder.stat(guarded.parts[-1])
    except FileNotFoundError:
        return False
    return True


def _look_alike(guarded: GuardedPath) -> tuple[str, ...] | None:
    """The existing parts that differ from the wanted ones only in how they are written; None unless just one does."""
    found: list[str] = []
    for part in guarded.parts:
        with open_folder(guarded.base, found) as folder:
            names = [entry.name for entry in folder.entries()]
        wanted = _folded_name(part)
        alike = [part] if part in names else [name for name in names if _folded_name(name) == wanted]
        if len(alike) != 1:
            return None
        found += alike
    return tuple(found)


def _folded_name(name: str) -> str:
    # NFKC makes one of composed and decomposed letters, and of all kinds of space.
    return unicodedata.normalize("NFKC", displayed(name))


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in {"Cc", "Zl", "Zp"}:
        return character
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\u{ord(character):04x}")
