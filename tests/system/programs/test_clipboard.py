import os
from pathlib import Path

import pytest

from paicli.system.programs.clipboard import (
    ClipboardFailed,
    NoClipboardProgram,
    NoPicture,
    PictureTooLarge,
    copy_to_clipboard,
    read_picture,
)


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


XCLIP = """
case "$*" in
  *TARGETS) printf 'TARGETS\\nimage/jpeg\\nimage/png\\n' ;;
  *image/png) printf 'PNG \\000bytes' ;;
  *) exit 9 ;;
esac"""


def alone(folder: Path) -> dict[str, str]:
    """No clipboard program but the folder's own."""
    return environment(folder) | {"PATH": f"{folder}{os.pathsep}/bin"}


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("xclip", XCLIP),
        ("wl-paste", XCLIP.replace("*TARGETS", "--list-types")),
        ("pngpaste", "[ \"$1\" = - ] && printf 'PNG \\000bytes'"),
        ("osascript", "echo '«data PNGf504E4720006279746573»'"),
    ],
)
def test_a_picture_comes_from_whatever_program_there_is(tmp_path: Path, name: str, script: str) -> None:
    program(tmp_path, name, script)
    assert read_picture(alone(tmp_path), max_bytes=10) == b"PNG \0bytes"


def test_a_program_without_a_picture_leaves_it_to_the_next(tmp_path: Path) -> None:
    program(tmp_path, "wl-paste", "echo 'no display' >&2; exit 1")
    program(tmp_path, "xclip", XCLIP)
    assert read_picture(alone(tmp_path), max_bytes=10) == b"PNG \0bytes"


@pytest.mark.parametrize(
    ("name", "script", "failure"),
    [
        ("xclip", "echo UTF8_STRING", NoPicture),
        ("xclip", "echo 'Error: target TARGETS not available' >&2; exit 1", NoPicture),
        ("wl-paste", "echo 'Nothing is copied' >&2; exit 1", NoPicture),
        ("pngpaste", "exit 1", NoPicture),
        ("osascript", "exit 1", NoPicture),
        ("osascript", "echo text", NoPicture),
        ("xclip", 'echo "Error: Can\'t open display: (null)" >&2; exit 1', ClipboardFailed),
        ("other", "exit 0", NoClipboardProgram),
    ],
)
def test_why_there_is_no_picture_is_told_apart(
    tmp_path: Path, name: str, script: str, failure: type[Exception]
) -> None:
    program(tmp_path, name, script)
    with pytest.raises(failure):
        read_picture({"PATH": str(tmp_path)} if name == "other" else alone(tmp_path), max_bytes=10)


def test_a_picture_is_read_no_further_than_it_may_be(tmp_path: Path) -> None:
    program(tmp_path, "xclip", XCLIP)
    with pytest.raises(PictureTooLarge):
        read_picture(alone(tmp_path), max_bytes=9)
    program(tmp_path, "xclip", XCLIP.replace("printf 'PNG \\000bytes'", "yes"))
    with pytest.raises(PictureTooLarge):
        read_picture(alone(tmp_path), max_bytes=9)


def test_an_owner_of_the_clipboard_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paicli.system.programs.clipboard._PICTURE_TIMEOUT_S", 0.1)
    program(tmp_path, "xclip", "exec tail -f /dev/null")
    with pytest.raises(ClipboardFailed) as failed:
        read_picture(alone(tmp_path), max_bytes=9)
    assert failed.value.args == ("xclip", "> 0.1 s")
