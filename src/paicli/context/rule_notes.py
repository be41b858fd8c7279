"""Adds a line to PAI.md at the person's word: `#text`."""

import errno
import os
from pathlib import Path

from paicli.context.project_rules import FILE_NAME, load_project_rules
from paicli.core.errors import reason_of
from paicli.core.unicode import well_formed
from paicli.system.files import FileChanged, read_contents, replace_file
from paicli.system.folders import NotRegular, PathMoved
from paicli.system.locks.file_lock import locked

_MAX_BYTES = 5_000_000
_TRIES = 3
"""Someone else may write the file at the same moment."""


def append_rule(project_root: Path, text: str) -> Path:
    """The file it now stands in: the PAI.md that is in force, else the project's own, which is made.

    The file keeps its line ends, mode and place behind a link. Raises OSError, whose `filename` is that file, when
    nothing was written: no text stands there, or a link leads out of the project.
    """
    loaded = load_project_rules(project_root)
    shown = Path(loaded.path) if loaded.path else project_root / FILE_NAME
    # What was loaded has been checked to lie inside; anything else must not be followed.
    real = Path(os.path.realpath(shown)) if loaded.path else Path(os.path.realpath(project_root)) / FILE_NAME
    for left in reversed(range(_TRIES)):
        try:
            with locked(real.parent):  # the folder: no lock file in somebody's project
                _append(real, " ".join(well_formed(text).split()))
        except FileChanged as error:
            if not left:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(shown)) from error
        except (PathMoved, NotRegular) as error:
            raise OSError(errno.EINVAL, "not a regular file", str(shown)) from error
        except OSError as error:
            raise OSError(error.errno or errno.EIO, reason_of(error), str(shown)) from error
        else:
            break
    return shown


def _append(path: Path, line: str) -> None:
    try:
        was = read_contents(path.parent, [path.name], _MAX_BYTES)
    except FileNotFoundError:
        was = None
    raw = was.raw if was is not None else b""
    if b"\0" in raw:
        raise OSError(errno.EINVAL, "not a text file", str(path))
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    gap = end if raw and not raw.endswith((b"\n", b"\r")) else b""
    replace_file(path.parent, [path.name], raw + gap + line.encode() + end, was=was)
