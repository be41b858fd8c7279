"""The clipboard, by a program found on this machine."""

import shutil
import subprocess
import time
from binascii import unhexlify
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import reason_of
from paicli.system.captured import Captured, run_captured

_PROGRAMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("wl-copy", ()),
    ("xclip", ("-selection", "clipboard")),
    ("xsel", ("--clipboard", "--input")),
    ("pbcopy", ()),
    ("clip.exe", ()),
)
_TIMEOUT_S = 3.0
_PICTURE_TIMEOUT_S = 2.0
_PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What is asked for where the clipboard offers several, in this order."""
_LIST_BYTES = 20_000
_NOTHING_THERE = ("not available", "nothing is copied", "no selection", "no suitable type")
"""How wl-paste and xclip say, in English whatever the locale, that the clipboard is empty."""
_WHY_CHARACTERS = 200
_APPLE_PICTURE = b"data PNGf"


class NoClipboardProgram(OSError):
    """None of the known programs is there."""


class ClipboardFailed(OSError):
    """A program was there and did not do it; `args` are its name and why."""


class NoPicture(OSError):
    """The clipboard can be read, and holds no picture."""


class PictureTooLarge(OSError):
    """It is larger than what was asked for at most."""


def copy_to_clipboard(text: str, environment: Mapping[str, str]) -> str:
    """Returns the name of the program that took it: the first that works. Raises NoClipboardProgram, ClipboardFailed.

    The programs on X11 and Wayland leave a process behind that hands the text out: they get a session of their own.
    """
    failure: ClipboardFailed | None = None
    for name, options in _PROGRAMS:
        program = shutil.which(name, path=environment.get("PATH"))
        if program is None:
            continue
        encoding = "utf-16" if name == "clip.exe" else "utf-8"
        try:
            done = subprocess.run(
                [program, *options],
                input=text.encode(encoding, "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(environment),
                start_new_session=True,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            failure = ClipboardFailed(name, f"> {_TIMEOUT_S:g} s")
        except OSError as error:
            failure = ClipboardFailed(name, reason_of(error))
        else:
            if done.returncode == 0:
                return name
            failure = ClipboardFailed(name, f"exit {done.returncode}")
    raise failure or NoClipboardProgram


def read_picture(environment: Mapping[str, str], *, max_bytes: int) -> bytes:
    """The picture in the clipboard, from the first program that has one, as that program gives it.

    Raises NoPicture, NoClipboardProgram, ClipboardFailed or PictureTooLarge; 2 seconds for all programs together.
    """
    deadline = time.monotonic() + _PICTURE_TIMEOUT_S
    failure: OSError | None = None
    for name, read in _READERS.items():
        path = shutil.which(name, path=environment.get("PATH"))
        if path is None:
            continue
        try:
            picture = read(_Program(name, path, environment, deadline, max_bytes))
        except NoPicture as empty:
            failure = empty  # says more than another program's failure
        except ClipboardFailed as failed:
            failure = failure or failed
        else:
            if len(picture) > max_bytes:
                raise PictureTooLarge(name)
            return picture
    raise failure or NoClipboardProgram


class _Program(NamedTuple):
    """One that may know the clipboard."""

    name: str
    path: str
    environment: Mapping[str, str]
    deadline: float
    """By the monotonic clock."""
    max_bytes: int
    """Of a picture."""

    def output(self, *options: str, max_bytes: int) -> bytes:
        """What it wrote, one byte more than `max_bytes` at most. Raises NoPicture, ClipboardFailed."""
        left_s = self.deadline - time.monotonic()
        if left_s <= 0:
            raise ClipboardFailed(self.name, f"> {_PICTURE_TIMEOUT_S:g} s")
        try:
            done = run_captured(
                [self.path, *options],
                CancellationToken(),
                cwd=Path("/"),
                timeout_s=left_s,
                max_bytes=max_bytes + 1,
                environment=self.environment,
            )
        except OSError as error:
            raise ClipboardFailed(self.name, reason_of(error)) from None
        if done.timed_out:
            raise ClipboardFailed(self.name, f"> {_PICTURE_TIMEOUT_S:g} s")
        if done.exit_code and not done.is_cut:
            raise _refusal(self.name, done)
        return done.output


def _refusal(name: str, done: Captured) -> OSError:
    why = done.errors.decode("utf-8", "replace").strip()
    if any(words in why.lower() for words in _NOTHING_THERE):
        return NoPicture(name)
    return ClipboardFailed(name, " ".join(why.split())[:_WHY_CHARACTERS] or f"exit {done.exit_code}")


def _wayland_picture(program: _Program) -> bytes:
    kind = _offered(program.output("--list-types", max_bytes=_LIST_BYTES))
    return program.output("--no-newline", "--type", kind, max_bytes=program.max_bytes)


def _x11_picture(program: _Program) -> bytes:
    asked = ("-selection", "clipboard", "-o", "-t")
    kind = _offered(program.output(*asked, "TARGETS", max_bytes=_LIST_BYTES))
    return program.output(*asked, kind, max_bytes=program.max_bytes)


def _offered(listed: bytes) -> str:
    types = listed.decode("utf-8", "replace").split()
    kind = next((kind for kind in _PICTURE_TYPES if kind in types), None)
    if kind is None:
        raise NoPicture
    return kind


def _pasted_png(program: _Program) -> bytes:
    try:
        return program.output("-", max_bytes=program.max_bytes)
    except ClipboardFailed as failed:
        raise NoPicture from failed  # all it ever fails with


def _apple_picture(program: _Program) -> bytes:
    """AppleScript writes data as `«data PNGf…»`, in hexadecimal."""
    try:
        shown = program.output("-e", "the clipboard as «class PNGf»", max_bytes=2 * program.max_bytes + 100)
    except ClipboardFailed as failed:
        raise NoPicture from failed  # the clipboard can't be made one
    _, found, rest = shown.partition(_APPLE_PICTURE)
    digits = rest.partition("»".encode())[0].strip()
    try:
        return unhexlify(digits if found else b"-")
    except ValueError:
        raise NoPicture from None


_READERS: dict[str, Callable[[_Program], bytes]] = {
    "wl-paste": _wayland_picture,
    "xclip": _x11_picture,
    "pngpaste": _pasted_png,
    "osascript": _apple_picture,
}
