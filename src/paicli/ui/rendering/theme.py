"""What each style looks like, as data: one table per theme, for printed lines (SGR) and for the live rows below them.

`none` has no look at all: NO_COLOR, TERM=dumb, pipes. Colours of the 256 are used where the 16 are unreadable on a
light or a dark ground; a terminal that knows only 16 shows the nearest.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Style(StrEnum):
    """What a piece of text means to the eye."""

    PLAIN = "plain"
    DIM = "dim"
    BOLD = "bold"
    ITALIC = "italic"
    HEADING = "heading"
    ACCENT = "accent"
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    ADDED = "added"
    REMOVED = "removed"
    ECHO = "echo"
    CODE = "code"
    KEYWORD = "keyword"
    STRING = "string"
    NUMBER = "number"
    COMMENT = "comment"
    NAME = "name"
    """A function, class or decorator where code is highlighted."""


class Look(NamedTuple):
    printed: str = ""
    """Parameters of SGR; empty: the terminal's own."""
    live: str = ""
    """The same for prompt_toolkit."""


class Theme(NamedTuple):
    name: str
    looks: Mapping[Style, Look]

    def printed(self, style: Style) -> str:
        return self.looks[style].printed

    def live(self, style: Style) -> str:
        return self.looks[style].live


DARK = Theme(
    "dark",
    {
        Style.PLAIN: Look(),
        Style.DIM: Look("2", "ansibrightblack"),
        Style.BOLD: Look("1", "bold"),
        Style.ITALIC: Look("3", "italic"),
        Style.HEADING: Look("1;36", "bold ansicyan"),
        Style.ACCENT: Look("36", "ansicyan"),
        Style.GOOD: Look("32", "ansigreen"),
        Style.BAD: Look("31", "ansired"),
        Style.WARNING: Look("33", "ansiyellow"),
        Style.ADDED: Look("38;5;34", "#00af00"),
        Style.REMOVED: Look("38;5;160", "#d70000"),
        Style.ECHO: Look("1;34", "bold ansiblue"),
        Style.CODE: Look("38;5;37", "#00afaf"),
        Style.KEYWORD: Look("38;5;175", "#d787af"),
        Style.STRING: Look("38;5;108", "#87af87"),
        Style.NUMBER: Look("38;5;173", "#d7875f"),
        Style.COMMENT: Look("3;38;5;245", "italic #8a8a8a"),
        Style.NAME: Look("38;5;110", "#87afd7"),
    },
)

LIGHT = Theme(
    "light",
    {
        Style.PLAIN: Look(),
        Style.DIM: Look("38;5;242", "#6c6c6c"),
        Style.BOLD: Look("1", "bold"),
        Style.ITALIC: Look("3", "italic"),
        Style.HEADING: Look("1;38;5;24", "bold #005f87"),
        Style.ACCENT: Look("38;5;24", "#005f87"),
        Style.GOOD: Look("38;5;22", "#005f00"),
        Style.BAD: Look("38;5;124", "#af0000"),
        Style.WARNING: Look("38;5;94", "#875f00"),
        Style.ADDED: Look("38;5;22", "#005f00"),
        Style.REMOVED: Look("38;5;124", "#af0000"),
        Style.ECHO: Look("1;38;5;25", "bold #005faf"),
        Style.CODE: Look("38;5;23", "#005f5f"),
        Style.KEYWORD: Look("38;5;90", "#870087"),
        Style.STRING: Look("38;5;28", "#008700"),
        Style.NUMBER: Look("38;5;130", "#af5f00"),
        Style.COMMENT: Look("3;38;5;242", "italic #6c6c6c"),
        Style.NAME: Look("38;5;25", "#005faf"),
    },
)

NONE = Theme("none", dict.fromkeys(Style, Look()))

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (DARK, LIGHT, NONE)}
