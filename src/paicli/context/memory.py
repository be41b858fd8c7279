"""What the person asked to be remembered: dated lines in `~/.paicli/memory.md`, which the next conversation knows."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from paicli.context.reading import NoRegularFile, read_regular
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import UserFacingError, reason_of
from paicli.core.unicode import decoded, well_formed, without_tags

FILE_NAME = "memory.md"
PROMPT_CHARACTERS = 4_000
"""Of the newest lines, which a model gets; older ones stay in the file."""
LINE_CHARACTERS = 1_000
_MOST_BYTES = 1_000_000
_DATE_LENGTH = len("2026-01-31 ")


class SavedLine(NamedTuple):
    text: str
    """As it was kept: on one line."""
    is_new: bool
    """False: it stands there already."""


def memory_lines(path: Path) -> tuple[str, ...]:
    """Every line that says something, oldest first, as the file has it. Raises UserFacingError."""
    return tuple(shown for shown in map(_shown, _read(path).split(b"\n")) if shown)


def memory_text(lines: tuple[str, ...]) -> str:
    """What a model gets of them: the newest that fit, and how many were left out; "" for none."""
    kept: list[str] = []
    left = PROMPT_CHARACTERS
    for line in reversed(lines):
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    older = len(lines) - len(kept)
    shown = [model_text("memory.older", count=older)] if older else []
    return "\n".join((*shown, *reversed(kept))) if lines else ""


def save_line(path: Path, text: str, *, today: str) -> SavedLine:
    """Adds `text` with the date `today` (ISO 8601) at the end, unless it stands there.

    Raises UserFacingError, and the file then is as it was.
    """
    line = " ".join(without_tags(well_formed(text))[0].split())
    if not line:
        raise UserFacingError("memory.empty")
    if len(line) > LINE_CHARACTERS:
        raise UserFacingError("memory.too_long", count=len(line), limit=LINE_CHARACTERS)

    def add(raw: bytes) -> bytes | None:
        if any(_words(_shown(each)) == line.casefold() for each in raw.split(b"\n")):
            return None
        gap = b"\n" if raw and not raw.endswith(b"\n") else b""
        return raw + gap + f"- {today} {line}\n".encode()

    return SavedLine(line, _change(path, add))


def forget_line(path: Path, line: str) -> bool:
    """Takes out the first line that is shown so; False when there is none. Raises UserFacingError as `save_line`."""

    def remove(raw: bytes) -> bytes | None:
        lines = raw.split(b"\n")
        number = next((number for number, each in enumerate(lines) if _shown(each) == line), None)
        return None if number is None else b"\n".join((*lines[:number], *lines[number + 1 :]))

    return _change(path, remove)


def _change(path: Path, change: Callable[[bytes], bytes | None]) -> bool:
    """Writes what `change` makes of the content, and says whether it made anything of it."""
    # start-up: what writes files is 2 ms of modules, and most sessions save nothing
    from paicli.system.files import write_state_file
    from paicli.system.locks.file_lock import locked

    try:
        with locked(path):
            after = change(_read(path))
            if after is None:
                return False
            if len(after) > _MOST_BYTES:
                raise UserFacingError("memory.full", path=str(path), limit=f"{_MOST_BYTES:,}")
            write_state_file(Path(os.path.realpath(path)), after)  # a link, as dotfile managers make them, stays one
            return True
    except OSError as error:
        raise UserFacingError("memory.unwritable", path=str(path), reason=reason_of(error)) from None


def _read(path: Path) -> bytes:
    try:
        raw = read_regular(path, _MOST_BYTES + 1)
    except FileNotFoundError:
        return b""
    except (NoRegularFile, IsADirectoryError):
        raise UserFacingError("memory.unreadable", path=str(path), reason="no regular file") from None
    except OSError as error:
        raise UserFacingError("memory.unreadable", path=str(path), reason=reason_of(error)) from None
    if len(raw) > _MOST_BYTES:
        raise UserFacingError("memory.full", path=str(path), limit=f"{_MOST_BYTES:,}")
    return raw


def _shown(raw: bytes) -> str:
    return without_tags(decoded(raw).removeprefix("\ufeff"))[0].strip()


def _words(line: str) -> str:
    """The line without its bullet and date, for comparing."""
    bare = line.removeprefix("- ")
    is_dated = len(bare) > _DATE_LENGTH and bare[:4].isdigit() and bare[4:8:3] == "--" and bare[10] == " "
    return (bare[_DATE_LENGTH:] if is_dated else bare).casefold()
