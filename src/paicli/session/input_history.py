"""What a person typed in a project, kept across sessions: one JSON string a line."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from paicli.core.unicode import decoded, well_formed
from paicli.system.line_files import append_line, read_lines
from paicli.system.pool import DaemonPool

READ_BYTES = 1_000_000
"""Only the newest part of a long history is read."""
WAIT_S = 0.2
"""Longer than that nobody's key waits for the disk or for another process' lock."""
_BEHIND_THE_KEY_S = 60.0
"""Nobody waits there, so that a busy machine costs no line."""


class InputHistory:
    """A file that can't be read or written costs the history and nothing else. Processes may share the file."""

    def __init__(self, path: Path, *, mask: Callable[[str], str] = str) -> None:
        """`mask`: what never stands on disk is taken out; what was typed stays else."""
        self._mask = mask
        self._path = path
        self._writer = DaemonPool("paicli-history", 1)

    def entries(self) -> list[str]:
        """The newest first. Lines that are none of ours are passed over."""
        try:
            lines = read_lines(self._path, READ_BYTES)
        except OSError:
            return []
        return [entry for entry in map(_entry, reversed(lines)) if entry]

    def append(self, entry: str) -> None:
        """In order; returns when it is on disk, at the latest after 0.2 s."""
        record = json.dumps(self._mask(well_formed(entry)), ensure_ascii=False).encode()
        written = self._writer.submit(lambda: append_line(self._path, record, timeout_s=_BEHIND_THE_KEY_S))
        with suppress(OSError):  # a TimeoutError is one
            written.result(WAIT_S)


def _entry(raw: bytes) -> str:
    try:
        value: object = json.loads(decoded(raw))
    except (ValueError, RecursionError):
        return ""
    return well_formed(value) if isinstance(value, str) else ""
