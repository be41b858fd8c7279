import os
from pathlib import Path

import pytest

from paicli.system.programs.clipboard import ClipboardFailed, NoClipboardProgram, copy_to_clipboard


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def environment(folder: Path) -> dict[str, str]:
    return {"PATH": f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin", "OUT": str(folder / "out")}


def test_the_first_program_that_works_gets_the_text(tmp_path: Path) -> None:
    program(tmp_path, "wl-copy", "exit 1")
    program(tmp_path, "xclip", 'echo "$@" >"$OUT.options"; cat >"$OUT"')
    assert copy_to_clipboard("多行\ntext", environment(tmp_path)) == "xclip"
    assert (tmp_path / "out").read_text() == "多行\ntext"
    assert (tmp_path / "out.options").read_text() == "-selection clipboard\n"


def test_a_helper_that_stays_behind_is_not_waited_for(tmp_path: Path) -> None:
    program(tmp_path, "xsel", 'cat >"$OUT"; tail -f "$OUT" >/dev/null & echo $! >"$OUT.pid"')
    assert copy_to_clipboard("x", environment(tmp_path)) == "xsel"
    os.kill(int((tmp_path / "out.pid").read_text()), 9)  # it is there to hand the text out


def test_without_a_program_or_with_broken_ones_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoClipboardProgram):
        copy_to_clipboard("x", {"PATH": str(tmp_path)})
    program(tmp_path, "pbcopy", "exit 3")
    with pytest.raises(ClipboardFailed) as failed:
        copy_to_clipboard("x", environment(tmp_path) | {"PATH": str(tmp_path)})
    assert failed.value.args == ("pbcopy", "exit 3")
