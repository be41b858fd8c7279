import os
from pathlib import Path

import pytest

from paicli.context.custom_commands import LIMIT_BYTES, MOST_COMMANDS, LoadedCommands, load_custom_commands
from paicli.core.faults import Fault
from paicli.core.input_syntax.custom_commands import CustomCommand


def load(folder: Path, **files: str | bytes) -> LoadedCommands:
    for name, content in files.items():
        raw = content.encode() if isinstance(content, str) else content
        (folder / f"{name}.md").write_bytes(raw)
    return load_custom_commands(folder, taken={"help"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndescription: Look closer\n---\nLook at $1\n", CustomCommand("x", "Look closer", "Look at $1")),
        ("---\ndescription: >\n  Look\n  closer\n---\nLook\n", CustomCommand("x", "Look closer", "Look")),
        ("---\r\ndescription: 'a: b'\r\nmodel: y\r\n---\r\ntext\r\n", CustomCommand("x", "a: b", "text")),
        ("\ufeff---\n---\ntext", CustomCommand("x", "", "text")),
        ("just text\n---\nmore", CustomCommand("x", "", "just text\n---\nmore")),
        ("--- not front matter", CustomCommand("x", "", "--- not front matter")),
    ],
)
def test_a_file_is_its_front_matter_and_its_text(tmp_path: Path, text: str, expected: CustomCommand) -> None:
    assert load(tmp_path, x=text) == LoadedCommands((expected,))


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("Big", "x", "bad_name"),
        ("-x", "x", "bad_name"),
        ("a.b", "x", "bad_name"),
        ("审查", "x", "bad_name"),
        ("a" * 65, "x", "bad_name"),
        ("help", "x", "shadows"),
        ("x", b"\xff\xfe", "not_utf8"),
        ("x", "y" * (LIMIT_BYTES + 1), "too_large"),
        ("x", " \n", "empty"),
        ("x", "---\ndescription: never closed\ntext", "open_front_matter"),
    ],
)
def test_a_broken_file_is_one_warning_and_the_others_load(
    tmp_path: Path, name: str, content: str | bytes, what: str
) -> None:
    (tmp_path / "good.md").write_text("fine")
    loaded = load(tmp_path, **{name: content})
    assert loaded.commands == (CustomCommand("good", "", "fine"),)
    assert [(fault.code, fault.fields[0]) for fault in loaded.faults] == [
        (f"custom.{what}", ("path", str(tmp_path / f"{name}.md")))
    ]


def test_a_pipe_and_a_folder_are_no_commands_and_nobody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert [fault.code for fault in load(tmp_path).faults] == ["custom.unreadable", "custom.unreadable"]


def test_no_folder_is_no_commands_and_too_many_are_said(tmp_path: Path) -> None:
    assert load_custom_commands(tmp_path / "none", taken=()) == LoadedCommands()
    for number in range(MOST_COMMANDS + 1):
        (tmp_path / f"c{number:03d}.md").write_text("x")
    loaded = load_custom_commands(tmp_path, taken=())
    assert len(loaded.commands) == MOST_COMMANDS
    assert loaded.faults == (Fault("custom.too_many", (("path", str(tmp_path)), ("limit", str(MOST_COMMANDS)))),)
