"""Who runs code: shells, interpreters, and the code they are handed."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.policy.shell.words import Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "yash", "pwsh"})
INTERPRETERS = frozenset(
    {"python", "python2", "python3", "pypy", "pypy3", "perl", "ruby", "node", "nodejs", "bun", "deno", "php", "lua",
     "luajit", "Rscript", "osascript", "tclsh", "guile", "ts-node", "tsx"}
)  # fmt: skip
STDIN_FILES = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


class Program(NamedTuple):
    """Code a shell or interpreter gets, and where from."""

    runner: str
    text: Word | None = None
    """Given as an argument (`-c`, `eval`)."""
    file: Word | None = None
    """Read from this file."""
    is_shell: bool = True

    @property
    def is_from_input(self) -> bool:
        return self.text is None and (self.file is None or self.file.text in STDIN_FILES)


def name_of(words: Sequence[Word]) -> str:
    """The program's name without its folder; "" where there is none, UNKNOWN in it where only the shell knows."""
    return words[0].text.rsplit("/", 1)[-1] if words else ""


def family(name: str) -> str:
    """`python3.12` is a python3."""
    return name.rstrip("0123456789.") + "3" if name.startswith(("python3", "pypy3")) else name


def joined(words: Sequence[Word]) -> Word:
    """Words as one text, as `eval` and ssh read them."""
    feeds = tuple(feed for word in words for feed in word.feeds)
    return Word(" ".join(word.text for word in words), is_plain=all(word.is_plain for word in words), feeds=feeds)
