"""Where a session lives on disk: its journal, its results folder, all private from the first moment."""

import os
import re
import time
from pathlib import Path
from typing import NamedTuple

from paicli.core.errors import SettingsError, reason_of


class SessionFolder(NamedTuple):
    id: str
    journal: Path
    results: Path
    """Made when the first large result comes."""


def new_session_id() -> str:
    """Sorts by time of start: "20261130-184210-3fa9c1"."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.urandom(3).hex()}"


def session_start(session_id: str) -> float:
    """When it began, by its id (seconds since the epoch); 0 where that says nothing."""
    import calendar  # start-up: 2 ms, and only /audit needs it

    try:
        return float(calendar.timegm(time.strptime(session_id[:15], "%Y%m%d-%H%M%S")))
    except ValueError:
        return 0.0


def open_session_folder(home: Path, project_root: Path, session_id: str) -> SessionFolder:
    """Makes `home`/sessions/{project} (0700). Raises SettingsError when that is not possible."""
    folder = home / "sessions" / project_key(project_root)
    try:
        make_private_folder(folder)
    except OSError as error:
        raise SettingsError("settings.home_unwritable", path=str(folder), reason=reason_of(error)) from None
    return SessionFolder(session_id, folder / f"{session_id}.jsonl", folder / f"{session_id}.results")


def project_key(project_root: Path) -> str:
    """A file name for a project's path: readable, and distinct for distinct paths."""
    path = str(project_root)
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", path).strip("-")[-60:]
    return f"{readable or 'root'}-{_short_hash(path)}"


def make_private_folder(folder: Path) -> None:
    """The folder and its missing parents, each 0700 whatever the umask. Raises OSError."""
    missing = [candidate for candidate in (folder, *folder.parents) if not candidate.exists()]
    for candidate in reversed(missing):
        try:
            os.mkdir(candidate, 0o700)
        except FileExistsError:
            continue
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder")


def _short_hash(text: str) -> str:
    import hashlib  # start-up: 2 ms, and only a session on disk needs it

    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
