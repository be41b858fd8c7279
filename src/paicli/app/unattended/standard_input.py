"""What comes through standard input of a run without a person: never waited for longer than it is worth."""

import os
import select
import stat
from typing import NamedTuple, TextIO

from paicli.core.unicode import decoded

FIRST_BYTE_S = 1.0
"""A pipe that says nothing for this long is left alone: it may stay open for ever (C52)."""
LIMIT_BYTES = 1_000_000


class PipedText(NamedTuple):
    text: str = ""
    is_cut: bool = False
    """There was more than LIMIT_BYTES."""


def read_beside(stdin: TextIO | None) -> PipedText:
    """Text that came with a prompt: empty for a terminal, /dev/null, or a pipe without a first byte in time."""
    descriptor = _descriptor(stdin)
    if descriptor is None or os.isatty(descriptor):
        return PipedText()
    ready, _, _ = select.select([descriptor], [], [], FIRST_BYTE_S)
    return _read(descriptor) if ready else PipedText()


def read_as_prompt(stdin: TextIO | None) -> PipedText:
    """Text that is the prompt itself: waits for its end, as the caller asked for it. Empty for a terminal."""
    descriptor = _descriptor(stdin)
    if descriptor is None or os.isatty(descriptor):
        return PipedText()
    return _read(descriptor)


def _read(descriptor: int) -> PipedText:
    parts: list[bytes] = []
    size_bytes = 0
    while size_bytes <= LIMIT_BYTES:
        try:
            part = os.read(descriptor, 65_536)
        except BlockingIOError:  # the pipe's other owner made it non-blocking
            select.select([descriptor], [], [])
            continue
        except OSError:
            break
        if not part:
            break
        parts.append(part)
        size_bytes += len(part)
    raw = b"".join(parts)
    text = decoded(_whole_characters(raw[:LIMIT_BYTES]) if len(raw) > LIMIT_BYTES else raw)
    return PipedText(text.removeprefix("\ufeff"), len(raw) > LIMIT_BYTES)


def _whole_characters(raw: bytes) -> bytes:
    """`raw` without the beginning of a character at its end."""
    for back in range(1, min(4, len(raw)) + 1):
        byte = raw[-back]
        if byte < 0x80:
            return raw
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return raw if back >= needed else raw[:-back]
    return raw


def _descriptor(stdin: TextIO | None) -> int | None:
    try:
        descriptor = stdin.fileno() if stdin is not None else None
        if descriptor is not None and stat.S_ISDIR(os.fstat(descriptor).st_mode):
            return None
    except (OSError, ValueError):
        return None
    return descriptor
