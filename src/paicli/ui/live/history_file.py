"""What was typed, kept per project: 0600, one JSON string a line; lines that begin with a space are left out."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit.history import History

from paicli.core.unicode import decoded, well_formed

READ_BYTES = 1_000_000
"""Only the newest part of a long history is read."""
ENTRY_CHARACTERS = 20_000
"""An entry that is longer is kept as it was shown, with its pastes folded."""


class HistoryFile(History):
    """Reads and appends; a file that can't be read or written costs the history and nothing else."""

    def __init__(self, path: Path | None, *, expand: Callable[[str], str]) -> None:
        """`expand` puts the pastes back in place of their placeholders."""
        super().__init__()
        self._path = path
        self._expand = expand

    def append_string(self, string: str) -> None:
        if string.strip() and not string.startswith(" "):
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """The newest first."""
        if self._path is None:
            return []
        try:
            with self._path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - READ_BYTES))
                raw = file.read().split(b"\n")
        except OSError:
            return []
        whole = raw if size <= READ_BYTES else raw[1:]
        return [entry for entry in map(_entry, reversed(whole)) if entry]

    def store_string(self, string: str) -> None:
        if self._path is None:
            return
        expanded = self._expand(string)
        kept = expanded if len(expanded) <= ENTRY_CHARACTERS else string
        record = json.dumps(well_formed(kept), ensure_ascii=False) + "\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "ab") as file:
                file.write(record.encode())
        except OSError:
            self._path = None


def _entry(raw: bytes) -> str:
    try:
        value: object = json.loads(decoded(raw))
    except (ValueError, RecursionError):
        return ""
    return well_formed(value) if isinstance(value, str) else ""
