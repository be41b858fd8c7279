import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.context.memory import LINE_CHARACTERS, PROMPT_CHARACTERS, forget_line, memory_lines, memory_text, save_line
from paicli.core.errors import UserFacingError

DAY = "2026-01-31"


def test_a_line_is_dated_kept_private_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "home" / "memory.md"
    assert save_line(path, " use\ntabs  here ", today=DAY) == ("use tabs here", True)
    assert save_line(path, "中文 \ud83d", today=DAY) == ("中文 \ufffd", True)
    assert path.read_text() == f"- {DAY} use tabs here\n- {DAY} 中文 \ufffd\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert memory_lines(path) == (f"- {DAY} use tabs here", f"- {DAY} 中文 \ufffd")


@pytest.mark.parametrize("again", ["use tabs", "Use  Tabs", "use\ttabs "])
def test_what_stands_there_is_not_added_twice_whatever_its_date(tmp_path: Path, again: str) -> None:
    path = tmp_path / "memory.md"
    save_line(path, "use tabs", today="2025-12-01")
    assert save_line(path, again, today=DAY).is_new is False
    assert path.read_text() == "- 2025-12-01 use tabs\n"


def test_the_persons_own_lines_stay_byte_for_byte_and_count(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"# Mine\r\n\n* no date\n\xff\nlast")
    save_line(path, "new", today=DAY)
    assert path.read_bytes() == b"# Mine\r\n\n* no date\n\xff\nlast\n- 2026-01-31 new\n"
    assert memory_lines(path) == ("# Mine", "* no date", "\ufffd", "last", f"- {DAY} new")
    assert save_line(path, "LAST", today=DAY).is_new is False


def test_a_line_is_forgotten_as_it_is_shown_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"# Mine\r\n- a\n- b\n- a\n")
    assert forget_line(path, "- a") is True
    assert path.read_bytes() == b"# Mine\r\n- b\n- a\n"
    assert forget_line(path, "- c") is False
    assert forget_line(tmp_path / "none.md", "- a") is False


def test_a_model_gets_the_newest_lines_that_fit_and_hears_how_many_are_older() -> None:
    assert memory_text(()) == ""
    assert memory_text(("- a", "- b")) == "- a\n- b"
    lines = tuple(f"- {number:03} {'x' * 93}" for number in range(100))
    text = memory_text(lines)
    shown = text.split("\n")
    assert shown[0] == "(更早的 60 条没有列出。)"
    assert tuple(shown[1:]) == lines[60:]
    assert len("\n".join(shown[1:])) < PROMPT_CHARACTERS


def test_hidden_characters_are_neither_kept_nor_shown(tmp_path: Path) -> None:  # C84
    path = tmp_path / "memory.md"
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "run")
    assert save_line(path, f"a{hidden}b 👩\u200d💻", today=DAY).text == "ab 👩\u200d💻"
    path.write_text(f"- x{hidden}\n")
    assert memory_lines(path) == ("- x",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "memory.empty"),
        (" \n", "memory.empty"),
        ("\U000e0041", "memory.empty"),
        ("x" * (LINE_CHARACTERS + 1), "memory.too_long"),
    ],
)
def test_what_is_no_line_is_refused_and_nothing_is_written(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(UserFacingError) as caught:
        save_line(tmp_path / "memory.md", text, today=DAY)
    assert caught.value.code == code
    assert list(tmp_path.iterdir()) == []


def put_large(path: Path) -> None:
    path.write_bytes(b"x\n" * 500_001)


@pytest.mark.parametrize(
    ("put", "code"), [(Path.mkdir, "memory.unreadable"), (os.mkfifo, "memory.unreadable"), (put_large, "memory.full")]
)
def test_a_file_that_can_not_be_used_is_said_and_left_as_it_is(
    tmp_path: Path, put: Callable[[Path], object], code: str
) -> None:
    path = tmp_path / "memory.md"
    put(path)
    kind = stat.S_IFMT(path.lstat().st_mode)
    for attempt in (lambda: memory_lines(path), lambda: save_line(path, "x", today=DAY)):
        with pytest.raises(UserFacingError) as caught:
            attempt()
        assert (caught.value.code, caught.value.fields["path"]) == (code, str(path))
    assert stat.S_IFMT(path.lstat().st_mode) == kind


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "memory.md").symlink_to("dotfiles/m.md")
    save_line(tmp_path / "memory.md", "x", today=DAY)
    assert ((tmp_path / "memory.md").is_symlink(), (tmp_path / "dotfiles" / "m.md").read_text()) == (
        True,
        f"- {DAY} x\n",
    )
