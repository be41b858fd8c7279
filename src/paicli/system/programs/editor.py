"""The person's editor on a file, in the terminal of this process."""

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from paicli.core.errors import reason_of

_FALLBACKS = ("nano", "vim", "vi")


class NoEditor(OSError):
    """Neither $VISUAL nor $EDITOR is set, and none of the usual ones is there."""


class EditorFailed(OSError):
    """`args` are the editor and why."""


def edit_file(path: Path, environment: Mapping[str, str]) -> None:
    """Blocks until the editor is closed; it has the terminal meanwhile. Raises NoEditor, EditorFailed."""
    command = editor_command(environment)
    try:
        done = subprocess.run([*command, str(path)], env=dict(environment), check=False)
    except OSError as error:
        raise EditorFailed(command[0], reason_of(error)) from error
    if done.returncode != 0:
        raise EditorFailed(command[0], f"exit {done.returncode}")


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """$VISUAL, else $EDITOR, with their options; else what is there. Raises NoEditor, EditorFailed."""
    for variable in ("VISUAL", "EDITOR"):
        wish = environment.get(variable, "").strip()
        if not wish:
            continue
        try:
            return shlex.split(wish)
        except ValueError as error:
            raise EditorFailed(wish, str(error)) from error
    found = (shutil.which(name, path=environment.get("PATH")) for name in _FALLBACKS)
    command = next((program for program in found if program), None)
    if command is None:
        raise NoEditor
    return [command]
