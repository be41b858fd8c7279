"""Scripts in the languages of tools (make, ed, vim, sqlite3, psql, gdb, expect, …): the shell texts they would run."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from paicli.policy.shell.programs import STDIN_FILES, name_of
from paicli.policy.shell.words import Word

_SIGNS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("vim", "nvim", "vi", "ex", "view", "ed", "less", "ftp", "lftp"),
        (":!", "!", ":r!", ":r !", ":w !", "r !", "w !", ":silent !", "silent !", ":term "),
    ),
    "psql": ("\\!",),
    **dict.fromkeys(("mysql", "mariadb"), ("\\!", "system ")),
    "sqlite3": (".shell ", ".system "),
    **dict.fromkeys(("gdb", "lldb"), ("shell ", "!", "platform shell ")),
    "expect": ("spawn ", "exec ", "system "),
}
"""What stands before a shell text, at the beginning of a line."""

_RECIPE_MARKS = "@-+ \t"
_ASSIGNED = ("?=", ":=", "+=")


def speaks_a_language(name: str) -> bool:
    """Whether the program reads such a script from an option or its input."""
    return name in _SIGNS


def reads_script_from_input(words: Sequence[Word]) -> bool:
    """Whether it runs what comes in by its standard input."""
    name = name_of(words)
    if name not in {"make", "gmake"}:
        return name in _SIGNS
    texts = [word.text for word in words]
    given = [text[2:] for text in texts if text.startswith("-f") and len(text) > 2]
    following = [after for option, after in pairwise(texts) if option in {"-f", "--file"}]
    named = [text.partition("=")[2] for text in texts if text.startswith(("--file=", "--makefile="))]
    return not STDIN_FILES.isdisjoint((*given, *following, *named))


def shell_texts_in(name: str, script: Word) -> Iterator[Word]:
    """The shell texts in a script for `name`, one by one."""
    lines = script.text.split("\n")
    found = _recipes(lines) if name in {"make", "gmake"} else _escaped(lines, _SIGNS.get(name, ()))
    yield from (script._replace(text=text) for text in found if text)


def _escaped(lines: Sequence[str], signs: Sequence[str]) -> Iterator[str]:
    for line in lines:
        text = line.lstrip("+ \t")
        sign = next((sign for sign in signs if text.startswith(sign)), None)
        if sign is not None:
            yield text.removeprefix(sign)


def _recipes(lines: Sequence[str]) -> Iterator[str]:
    """Lines behind a tab, what stands behind `target: … ;`, and `$(shell …)`."""
    for line in lines:
        if "$(shell " in line:
            yield line.partition("$(shell ")[2].rpartition(")")[0]
        if line.startswith("\t"):
            yield line.lstrip(_RECIPE_MARKS).replace("$$", "$")
        elif ":" in line and ";" in line and not any(sign in line for sign in _ASSIGNED):
            yield line.partition(";")[2].lstrip(_RECIPE_MARKS).replace("$$", "$")
