"""The clipboard, by a program found on this machine."""

import shutil
import subprocess
from collections.abc import Mapping

_PROGRAMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("wl-copy", ()),
    ("xclip", ("-selection", "clipboard")),
    ("xsel", ("--clipboard", "--input")),
    ("pbcopy", ()),
    ("clip.exe", ()),
)
_TIMEOUT_S = 3.0


class NoClipboardProgram(OSError):
    """None of the known programs is there."""


class ClipboardFailed(OSError):
    """A program was there and did not take the text; `args` are its name and why."""


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
            failure = ClipboardFailed(name, error.strerror or str(error))
        else:
            if done.returncode == 0:
                return name
            failure = ClipboardFailed(name, f"exit {done.returncode}")
    raise failure or NoClipboardProgram
