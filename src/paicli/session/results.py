"""Tool results too large for a conversation, kept beside the session's journal."""

import os
import re
import threading
from pathlib import Path

from paicli.session.folder import make_private_folder


class ResultFiles:
    """Numbers and writes results into one folder, which is made when the first one comes (0700, files 0600)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._count = 0

    def save(self, name: str, text: str) -> Path:
        """Writes `text` to a new file; `name` says in its file name what it is. Raises OSError."""
        with self._lock:
            self._count += 1
            number = self._count
        make_private_folder(self.folder)
        path = self.folder / f"{number:03d}-{re.sub(r'[^A-Za-z0-9_-]+', '-', name)[:40] or 'result'}.txt"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
        return path
