"""Tool results too large for a conversation, kept beside the session's journal."""

import itertools
import os
import re
from pathlib import Path

from paicli.session.folder import make_private_folder


class ResultFiles:
    """Numbers and writes results into one folder, which is made when the first one comes (0700, files 0600)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count(1)

    def save(self, name: str, text: str) -> Path:
        """Writes `text` to a new file; `name` says in its file name what it is. Raises OSError."""
        return self.save_bytes(name, text.encode("utf-8", "replace"), ending="txt")

    def save_bytes(self, name: str, raw: bytes, *, ending: str) -> Path:
        """As `save`; the file's name ends with a dot and `ending`."""
        make_private_folder(self.folder)
        while True:
            path = self._next_path(name, ending)
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            except FileExistsError:  # from an earlier run of this session
                continue
            with os.fdopen(handle, "wb") as file:
                file.write(raw)
            return path

    def _next_path(self, name: str, ending: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:40] or "result"
        return self.folder / f"{next(self._numbers):03d}-{readable}.{ending}"
