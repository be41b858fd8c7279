"""The append-only record of a session: one line of JSON per event, but for what is only shown live."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paicli.core.errors import SettingsError, reason_of
from paicli.core.event_bodies.plans import RoundCommitted
from paicli.core.event_codec import to_record
from paicli.core.events import TRANSIENT, Event, SessionFinished, TurnFinished
from paicli.core.masking import SecretMasker
from paicli.core.unicode import well_formed
from paicli.system.locks.sole_writer import claim

VERSION = 1

_DURABLE = (RoundCommitted, TurnFinished, SessionFinished)


class Journal:
    """A listener: writes each event at once, flushed; on disk (fsync) at the end of rounds, turns and the session.

    The file is made at once, 0600, and is this process' alone to write. A line that a crash cut in it is ended first.
    When the disk is full the session goes on without it.
    """

    def __init__(
        self,
        path: Path,
        *,
        masker: SecretMasker,
        on_fault: Callable[[OSError], None] = lambda error: None,
        file: int | None = None,
    ) -> None:
        """`file`: what `open_journal` gave; None: it is opened here. `on_fault` hears once why nothing more is written.

        Raises what `open_journal` does.
        """
        self.path = path
        self._on_fault = on_fault
        self.fault: OSError | None = None
        self._masker = masker
        self._file = open_journal(path) if file is None else file
        self._is_on_disk = False
        """Whether the folder's entry for the file is: a power cut may lose a file whose own bytes are safe."""
        if _ends_in_a_cut_line(self._file):
            self._write_line(b"")
        self._write({"type": "journal", "version": VERSION})

    def __call__(self, event: Event) -> None:
        if isinstance(event.body, TRANSIENT):
            return
        self._write(to_record(event))
        if isinstance(event.body, _DURABLE):
            self._sync()

    def close(self) -> None:
        """Nothing is written afterwards."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, record: dict[str, Any]) -> None:
        if self._file < 0 or self.fault is not None:
            return
        text = well_formed(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        self._write_line(self._masker.mask(text).encode("utf-8"))

    def _write_line(self, text: bytes) -> None:
        line = text + b"\n"
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            self._stop(error)  # a torn line may stand at the end: nothing is glued to it

    def _sync(self) -> None:
        if self._file < 0 or self.fault is not None:
            return
        try:
            if not os.fstat(self._file).st_nlink:  # it would be written to the end, and be nowhere
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            os.fsync(self._file)
            if not self._is_on_disk:
                _sync_folder(self.path.parent)
                self._is_on_disk = True
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        self.fault = error
        self._on_fault(error)


class JournalTaken(Exception):
    """Another process writes this journal now."""


def open_journal(path: Path) -> int:
    """A descriptor that nobody else has for writing as long as it is open; the file is made (0600) where it is missing.

    Raises SettingsError when that is not possible, JournalTaken when somebody writes it.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise SettingsError("settings.home_unwritable", path=str(path), reason=reason_of(error)) from None
    try:
        is_ours = claim(file)
    except OSError as error:
        os.close(file)
        raise SettingsError("settings.home_unwritable", path=str(path), reason=reason_of(error)) from None
    if not is_ours:
        os.close(file)
        raise JournalTaken(str(path))
    return file


def _ends_in_a_cut_line(file: int) -> bool:
    size_bytes = os.fstat(file).st_size
    return size_bytes > 0 and os.pread(file, 1, size_bytes - 1) != b"\n"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
