"""`--record FILE` and `--model replay:FILE`: what is written down, and what is told of a replay."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from paicli.app.settings import Settings
from paicli.core.errors import SettingsError, reason_of
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.llm.client import LlmClient

if TYPE_CHECKING:
    from paicli.llm.recorded.client import Divergence

Warn = Callable[[Fault], None]
Wrap = Callable[[LlmClient], LlmClient]
"""Gives a client whose requests are recorded where they are to be."""


def nameless_folders(settings: Settings) -> tuple[str, ...]:
    """Folders whose names make no difference between a recording and its replay."""
    folders = {str(settings.project_root), str(settings.home), str(Path.home())}
    return tuple(sorted(folders, key=len, reverse=True))


def recording_of(settings: Settings, client: LlmClient, *, masker: SecretMasker, warn: Warn) -> Wrap:
    """Raises SettingsError when the file exists or can't be made."""
    if settings.record is None:
        return lambda client: client
    # start-up: 1 ms, and only a recorded session needs it
    from paicli.llm.recorded.recorder import Recorder, RecordingClient

    lines = _RecordingFile(settings.record, warn)
    recorder = Recorder(
        lines.add,
        model=client.model,
        window_tokens=client.capabilities.window_tokens,
        mask=masker.mask,
        folders=nameless_folders(settings),
    )
    return lambda client: RecordingClient(client, recorder)


def divergence_fault(divergence: "Divergence") -> Fault:
    recorded, now = divergence.recorded, divergence.now
    fields = {
        "actor": divergence.actor,
        "position": str(divergence.position),
        "recorded_messages": str(recorded.messages),
        "recorded": recorded.last,
        "now_messages": str(now.messages),
        "now": now.last,
    }
    return Fault("llm.replay_differs", tuple(fields.items()))


class _RecordingFile:
    """Private, new, and whole lines only; a full disk is said once and stops the recording, not the session."""

    def __init__(self, path: Path, warn: Warn) -> None:
        self._path, self._warn = path, warn
        self._is_broken = False
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            os.close(os.open(path, flags, 0o600))
        except FileExistsError:
            raise SettingsError("settings.record_exists", path=str(path)) from None
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise SettingsError("settings.record_unwritable", path=str(path), reason=reason) from None

    def add(self, line: str) -> None:
        # start-up: 1 ms, and only a recorded session needs it
        from paicli.system.line_files import append_line

        if self._is_broken:
            return
        try:
            append_line(self._path, line.encode("utf-8", "replace"))
        except OSError as error:
            self._is_broken = True
            reason = reason_of(error)
            self._warn(Fault("llm.record_stopped", (("path", str(self._path)), ("reason", reason))))
