"""Who runs code: shells, interpreters, and the code they are handed."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.policy.shell.words import Word

SHELLS = frozenset(
    {"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "yash", "pwsh", "iex"}
)
INTERPRETERS = frozenset(
    {"python", "python2", "python3", "pypy", "pypy3", "perl", "ruby", "node", "nodejs", "bun", "deno", "php", "lua",
     "luajit", "R", "Rscript", "osascript", "tclsh", "guile", "ts-node", "tsx", "ipython", "ipython3", "julia",
     "elixir", "iex", "erl", "groovy", "scala", "jshell", "ghc", "runghc", "ocaml", "racket", "sbcl", "octave",
     "clojure", "clj", "raku", "swift", "crystal"}
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


_SHELL_VALUED = "oO"
_CODE_OPTIONS = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython", "ipython3", "guile"), "c"),
    **dict.fromkeys(
        (
            "julia",
            "elixir",
            "groovy",
            "scala",
            "ghc",
            "ocaml",
            "racket",
            "clojure",
            "clj",
            "raku",
            "swift",
            "perl",
            "ruby",
            "lua",
            "luajit",
            "R",
            "Rscript",
            "osascript",
        ),
        "eE",
    ),
    **dict.fromkeys(("node", "nodejs", "bun", "ts-node", "tsx"), "ep"),
    "php": "rR",
}
_LONG_CODE_OPTIONS = frozenset({"--eval", "--print", "--command", "--run", "--test", "--version", "--help", "-eval"})
_INTERPRETER_VALUED = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3"), "WX"),
    "perl": "IMmCDF",
    "ruby": "IrCEFTW",
    "node": "rC",
    "nodejs": "rC",
    "php": "dcz",
}


def shell_program(name: str, words: Sequence[Word]) -> Program:
    """`bash -lc TEXT`, `bash FILE`, `bash -s`, `bash`."""
    at = 1
    wants_text = False
    while at < len(words):
        text = words[at].text
        if text == "--" or not text.startswith(("-", "+")) or text == "-":
            at += text in {"--", "-"}
            break
        is_long = text.startswith("--")
        if text.startswith(("--command=", "--init-command=")):
            return Program(name, text=words[at]._replace(text=text.partition("=")[2]))
        wants_text = wants_text or text == "--command" or (not is_long and text[0] == "-" and "c" in text)
        if not is_long and "s" in text and not wants_text:
            return Program(name)
        at += 2 if text in {"--rcfile", "--init-file"} or (not is_long and text[-1] in _SHELL_VALUED) else 1
    rest = words[at:]
    if wants_text:
        return Program(name, text=rest[0] if rest else Word(""))
    return Program(name, file=rest[0] if rest else None)


def interpreter_program(name: str, words: Sequence[Word]) -> list[Program]:
    """Where its program comes from; nothing when that is a module or a subcommand (`python -m`, `deno test`)."""
    code, valued = _CODE_OPTIONS.get(name, ""), _INTERPRETER_VALUED.get(name, "")
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "-" or not text.startswith("-"):
            break
        if name.startswith(("python", "pypy")) and text.startswith("-m"):
            return _module_programs(name, [words[at]._replace(text=text[2:]), *words[at + 1 :]][text == "-m" :])
        if text in _LONG_CODE_OPTIONS:
            return [Program(name, text=words[at + 1], is_shell=False)] if at + 1 < len(words) else []
        letter_at = _code_letter_at(text, code, valued)
        if letter_at is not None:
            attached = text[letter_at + 1 :]
            following = words[at + 1] if at + 1 < len(words) else words[at]
            return [Program(name, text=words[at]._replace(text=attached) if attached else following, is_shell=False)]
        at += 2 if len(text) == 2 and text[1] in valued else 1
    rest = words[at:]
    if name in {"deno", "bun"} and rest:
        files = [word for word in rest[1:] if not word.text.startswith("-") or word.text == "-"]
        is_file = rest[0].text == "run" and bool(files)
        if rest[0].text == "eval" and len(rest) > 1:
            return [Program(name, text=rest[-1], is_shell=False)]
        return [Program(name, file=files[0], is_shell=False)] if is_file else []
    asks_only = len(words) == 2 and words[1].text in {"-V", "-v", "-h"}
    return [] if asks_only else [Program(name, file=rest[0] if rest else None, is_shell=False)]


_CODE_MODULES = frozenset({"timeit", "pdb", "trace", "profile", "cProfile", "IPython", "code", "runpy"})


def _module_programs(name: str, words: Sequence[Word]) -> list[Program]:
    """`python -m timeit CODE`: modules that run what their arguments hold."""
    if not words or words[0].text not in _CODE_MODULES:
        return []
    codes = [word for word in words[1:] if any(sign in word.text for sign in "(;=")]
    return [Program(name, text=word, is_shell=False) for word in codes]


def _code_letter_at(cluster: str, code: str, valued: str) -> int | None:
    """Where in `-lane` the letter stands that code follows; what comes behind a letter with a value is that value."""
    if cluster.startswith("--"):
        return None
    for place, letter in enumerate(cluster[1:], 1):
        if letter in code:
            return place
        if letter in valued or letter == "i":  # `-i.bak`
            return None
    return None
