import ast
import unicodedata
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import SCREEN, Language
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.diff_lines import diff_lines
from paicli.ui.rendering.glyphs import without_glyphs
from paicli.ui.rendering.styled import Painter, Style, width, wrapped
from paicli.ui.rendering.theme import DARK, LIGHT, NONE, THEMES
from tests.ui.golden_turn import COLUMNS, DIFF, path_of, shown

UI = Path(__file__).parent.parent.parent / "src" / "paicli" / "ui"
PUNCTUATION = frozenset("，。：；！？（）、「」《》“”‘’")
"""Of Chinese sentences: letters of a language, as its words are, and no glyphs."""


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("columns", COLUMNS)
def test_a_turn_reads_as_its_golden_file(language: Language, columns: int) -> None:
    golden = path_of(language, columns).read_text(encoding="utf-8")
    rows = golden.splitlines()
    assert shown(language, columns).splitlines() == rows
    assert max(map(width, rows)) <= columns


def is_letter(character: str) -> bool:
    return character.isascii() or character in PUNCTUATION or unicodedata.category(character).startswith("L")


def test_ascii_output_of_a_whole_turn_has_no_glyph_of_ours() -> None:
    assert [row for row in shown(Language.EN, 80, is_ascii=True).splitlines() if not all(map(is_letter, row))] == []


def test_every_text_of_the_screen_has_a_plain_form() -> None:
    left = {
        code: text for code, texts in SCREEN.items() for text in texts if not all(map(is_letter, without_glyphs(text)))
    }
    assert left == {}


def test_every_glyph_in_the_code_of_the_ui_has_a_plain_form() -> None:
    found = {
        (path.name, text)
        for path in UI.rglob("*.py")
        if path.name not in {"glyphs.py", "sanitize.py"}
        for text in strings(ast.parse(path.read_text(encoding="utf-8")))
        if not all(map(is_letter, without_glyphs(text)))
    }
    assert found == set()


def strings(tree: ast.Module) -> list[str]:
    """The constants, without docstrings."""
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
    ]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_a_theme_tells_what_matters_apart(theme: object) -> None:
    assert theme in (DARK, LIGHT)
    looks = DARK.looks if theme is DARK else LIGHT.looks
    assert set(looks) == set(Style)
    telling = (Style.PLAIN, Style.DIM, Style.GOOD, Style.BAD, Style.WARNING, Style.HEADING, Style.CODE)
    assert len({looks[style] for style in telling}) == len(telling)
    assert looks[Style.ADDED] != looks[Style.REMOVED]
    assert all(bool(look.printed) == bool(look.live) for look in looks.values())


def test_the_theme_none_and_no_color_write_no_sequence() -> None:
    for painter in (Painter(ColorUse.ALLOWED, theme="none"), Painter(ColorUse.NEVER, theme="light")):
        assert [painter.text("x", style) for style in Style] == ["x"] * len(Style)
        assert {painter.theme.live(style) for style in Style} == {""}


def test_a_painter_changes_its_theme() -> None:
    painter = Painter(ColorUse.ALLOWED)
    assert painter.text("x", Style.BAD) == "\x1b[31mx\x1b[0m"
    painter.use("light")
    assert painter.text("x", Style.BAD) == "\x1b[38;5;124mx\x1b[0m"
    assert list(THEMES.values()) == [DARK, LIGHT, NONE]


def test_a_diff_has_the_numbers_of_its_files_and_wraps_behind_them() -> None:
    rows = diff_lines(DIFF)
    assert [row.text[:8] for row in rows] == [
        "     8  ",
        "     9 -",
        "     9 +",
        "    10 +",
        "    11  ",
        "    12  ",
        "    ⋯",
        "    40 -",
        "    41 +",
    ]
    pieces = wrapped(rows[2], 40)
    assert all(width(piece.text) <= 40 for piece in pieces)
    assert all(piece.text.startswith(" " * rows[2].hang) for piece in pieces[1:])
    assert "".join(piece.text[rows[2].hang :] for piece in pieces) == rows[2].text[rows[2].hang :]
    assert Painter(ColorUse.ALLOWED).block([rows[1]], columns=40).count("\x1b[38;5;160m") == 3


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ("", []),
        ("@@ -1,2 +1,2 @@\n--- a\n+++ b\n x", ["    1 - -- a", "    1 + ++ b", "    2   x"]),
        (
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b",
            ["    1 - a", "    \\ No newline at end of file", "    1 + b"],
        ),
        ("@@ -0,0 +1 @@\n+a\r", ["    1 + a"]),
        ("+no hunk", ["    +no hunk"]),
    ],
)
def test_a_diff_reads(diff: str, expected: list[str]) -> None:
    assert [row.text for row in diff_lines(diff)] == expected
