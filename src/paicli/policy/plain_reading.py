"""Commands that only read inside the project: a fixed list, each with the options that would make it write or run.

The review skips these, so in doubt the answer is no.
"""

import posixpath
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from paicli.policy.secret_files import is_secret, may_name_secret
from paicli.policy.shell.calls import has_abbreviation
from paicli.policy.shell.places import Ground
from paicli.policy.shell.script import Redirect, SimpleCommand, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.words import HOME, WORKING_FOLDER, Word

_READERS = frozenset(
    {"ls", "cat", "head", "tail", "wc", "pwd", "basename", "dirname", "realpath", "readlink", "stat", "du", "df",
     "nl", "tac", "rev", "cut", "paste", "tr", "fold", "column", "comm", "cmp", "diff", "md5sum", "sha1sum",
     "sha256sum", "cksum", "od", "which", "type", "whoami", "id", "uname", "uptime",
     "nproc", "arch"}
)  # fmt: skip
"""Whatever their options are, they write nothing and run nothing."""

_SPEAKERS = frozenset({"echo", "printf", "true", "false", ":", "test", "[", "[[", "seq", "expr"})
"""Their words are text, not paths."""

_VERSIONED = frozenset(
    {"python", "python3", "pip", "pip3", "node", "npm", "npx", "yarn", "pnpm", "java", "javac", "mvn", "gradle",
     "gcc", "g++", "clang", "go", "cargo", "rustc", "git", "docker", "make", "cmake", "ruby", "perl", "php",
     "uv", "ruff", "pytest", "tsc"}
)  # fmt: skip
_VERSION_OPTIONS = frozenset({"--version", "-V", "-version"})

_FIND_ACTIONS = frozenset(
    {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls", "-files0-from"}
)
_SED_PRINT = re.compile(r"(?:\d+(?:,(?:\d+|\$))?p;?)+|\$p")
_BLANK_TARGETS = frozenset({"/dev/null"})

_GIT_LOOKING = frozenset(
    {"status", "log", "diff", "show", "blame", "shortlog", "ls-files", "ls-tree", "rev-parse", "describe",
     "cat-file", "name-rev", "merge-base", "rev-list", "for-each-ref", "show-ref", "diff-tree", "count-objects",
     "version", "grep"}
)  # fmt: skip
_GIT_STARTERS = ("output", "ext-diff", "output-directory", "textconv", "filters", "help", "show-signature")
"""Options that write a file, or start a program that the repository's own settings may name."""
_BEYOND_TRACKED = ("no-index", "no-exclude-standard", "untracked", "file")
"""With these `git grep` reads what is ignored, `.env` among it, as do patterns from a file."""
_GIT_LISTS: dict[str, frozenset[str]] = {
    "stash": frozenset({"list", "show"}),
    "worktree": frozenset({"list"}),
    "reflog": frozenset({"show"}),
    "remote": frozenset({"get-url"}),
}
_GIT_LIST_OPTIONS = frozenset(
    {"-a", "-r", "-v", "-vv", "-l", "-n", "--all", "--remotes", "--verbose", "--list", "--show-current",
     "--no-color", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort", "--format",
     "--column", "--color", "--ignore-case", "-i"}
)  # fmt: skip
_GIT_LIST_ASKING = frozenset(
    {"-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"}
)  # fmt: skip


def is_plain_reading(command: str, *, root: Path | None = None) -> bool:
    """Whether every command in the text only reads, and only what lies in the folder it starts in.

    Absolute paths count as outside unless they lie in `root`; so do `~` and `..` that leave the folder. The files in
    `.git` are left to git. Judged by the text alone: a link inside that leads outside is not seen.
    """
    try:
        script = parse(command)
    except Unparsable:
        return False
    if not script.commands or script.functions:
        return False
    ground = Ground(root, Path("/")) if root is not None else None
    return all(_is_plain(simple, ground) for simple in script.commands)


def _is_plain(command: SimpleCommand, ground: Ground | None) -> bool:
    words = command.words
    if command.assignments or command.in_background or not words:
        return False
    if not all(_is_harmless(redirect, ground) for redirect in command.redirects):
        return False
    if not all(_stands_there(word) for word in words):
        return False
    name = words[0].text
    if name in _SPEAKERS:
        texts = [word.text for word in words]
        return not _sets_a_variable(texts) and all(_lies_inside(word, ground) for word in words if word.has_glob)
    if name in _VERSIONED and [word.text for word in words[1:]] in ([option] for option in _VERSION_OPTIONS):
        return True
    rule = _RULES.get(name, _any_options if name in _READERS else None)
    if rule is None or not rule([word.text for word in words]):
        return False
    paths = words[1:] if name not in _PATTERN_FIRST else _without_pattern(words)
    return all(_lies_inside(word, ground) for word in paths)


_NUMBER_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_NUMBER = re.compile(r"[+-]?\d+")


def _sets_a_variable(words: list[str]) -> bool:
    """`printf -v PATH x`, `test -v 'a[PATH=1]'` and `[[ PATH=1 -eq 1 ]]` do, and run a `$(…)` in the quotes, too."""
    name = words[0]
    if name == "printf":
        return len(words) > 1 and words[1].startswith("-v")
    if name not in {"test", "[", "[["}:
        return False
    texts = [text.strip("\"'()") for text in " ".join(words[1:]).split()]  # the tree takes a test for one word
    compared = [
        operand
        for place, text in enumerate(texts)
        if text in _NUMBER_TESTS
        for operand in (*texts[max(0, place - 1) : place], *texts[place + 1 : place + 2])
    ]
    return not {"-v", "-R"}.isdisjoint(texts) or not all(map(_NUMBER.fullmatch, compared))


def _stands_there(word: Word) -> bool:
    return word.is_plain and not word.feeds and HOME not in word.text and WORKING_FOLDER not in word.text


def _is_harmless(redirect: Redirect, ground: Ground | None) -> bool:
    target = redirect.target
    if not _stands_there(target):
        return False
    if redirect.operator == "<":
        return _lies_inside(target, ground)
    if redirect.operator in {">&", "<&"}:
        return target.text.isdigit()
    return ">" in redirect.operator and target.text in _BLANK_TARGETS


def _lies_inside(word: Word, ground: Ground | None) -> bool:
    """An option's value counts too. What holds secrets is outside wherever it lies."""
    text = _named_by(word.text)
    if is_secret(word.text) or is_secret(text):
        return False
    if text.startswith("/"):
        return ground is not None and ground.is_inside_root(posixpath.normpath(text)) and ".git" not in text.split("/")
    parts = posixpath.normpath(text).casefold().split("/")
    hides_dots = word.has_glob and any(part.startswith(".") and len(part) > 1 for part in parts)
    return parts[0] not in {"..", "~"} and ".git" not in parts and not hides_dots


_ATTACHED = re.compile(r"-[A-Za-z0-9]+(?=[/.~].)")


def _named_by(text: str) -> str:
    """The value in `--option=value` and in `-xvalue` where it can be a path; `-d/` only says what parts fields."""
    if text.startswith("--"):
        return text.partition("=")[2] or text
    attached = _ATTACHED.match(text)
    return text[attached.end() :] if attached is not None else text


_PATTERN_OPTIONS = ("regexp", "files", "type-list")


def _without_pattern(words: Sequence[Word]) -> Sequence[Word]:
    """The words of grep or jq without the pattern, which may look like a path; an option may have given it."""
    texts = [word.text for word in words]
    has_letter = words[0].text != "jq" and "e" in _short_letters(texts)
    if has_letter or has_abbreviation(texts, _PATTERN_OPTIONS):
        return words[1:]
    first = next((at for at, text in enumerate(texts) if at and not text.startswith("-")), len(words))
    return [*words[1:first], *words[first + 1 :]]


# One rule per command: may these words (the command's name first) run without a look?


def _any_options(words: list[str]) -> bool:
    return True


def _short_letters(words: list[str]) -> str:
    return "".join(word[1:] for word in words[1:] if word.startswith("-") and not word.startswith("--"))


def _without(letters: str, *names: str) -> Callable[[list[str]], bool]:
    """No short option with one of `letters`, no long one of `names` or a beginning of it."""

    def is_free(words: list[str]) -> bool:
        return not any(letter in _short_letters(words) for letter in letters) and not has_abbreviation(words, names)

    return is_free


def _no_operands(words: list[str]) -> bool:
    return len(words) == 1


def _at_most_one_file(words: list[str]) -> bool:
    """`uniq IN OUT` writes OUT."""
    return sum(not word.startswith("-") for word in words[1:]) <= 1 and not any(w in {"-f", "-s", "-w"} for w in words)


def _cd(words: list[str]) -> bool:
    return len(words) == 2 and not words[1].startswith("-")


def _find(words: list[str]) -> bool:
    return _FIND_ACTIONS.isdisjoint(words)


def _sed(words: list[str]) -> bool:
    """`sed -n '1,20p' FILE` and nothing else: sed can write and run."""
    is_printing = len(words) > 2 and words[1] == "-n" and _SED_PRINT.fullmatch(words[2]) is not None
    return is_printing and not any(word.startswith("-") for word in words[3:])


def _ps(words: list[str]) -> bool:
    """`ps e` and `ps -E` print what stands in the environments."""
    return not any("e" in word.lower() if word[0] != "-" else "E" in word for word in words[1:] if word)


def _grep(words: list[str]) -> bool:
    """Through a whole folder it reads `.env` too, unless it is told which files."""
    if not _without("f", "file")(words):
        return False
    options = [word for word in words[1:] if word.startswith("-")]
    is_recursive = has_abbreviation(options, ("recursive", "dereference-recursive", "directories")) or any(
        letter in option for option in options if option[:2] != "--" for letter in "rRd"
    )
    if not is_recursive:
        return True
    included = [option.partition("=")[2] for option in options if option.startswith("--include=")]
    if included:
        return not any(map(may_name_secret, included))
    folders = [word for word in words[1:] if not word.startswith("-")][1:]
    return bool(folders) and not any(folder.startswith("/") or posixpath.normpath(folder) == "." for folder in folders)


_RG_NO_GLOBS = _without("fu.z", "file", "pre", "hostname-bin", "search-zip", "hidden", "unrestricted", "no-ignore",
                        "type-add", "ignore-file")  # fmt: skip


def _rg(words: list[str]) -> bool:
    """A glob takes hidden files in again that it names."""
    globs = [
        given or (words[place + 1] if place + 1 < len(words) else "")
        for place, word in enumerate(words)
        for option in ("-g", "--glob", "--iglob")
        for given in [word.removeprefix(option).removeprefix("=")]
        if word.startswith(option)
    ]
    return _RG_NO_GLOBS(words) and not any(may_name_secret(glob) for glob in globs if not glob.startswith("!"))


def _strings(words: list[str]) -> bool:
    """`@file` stands for the options in it."""
    return not any(word.startswith("@") for word in words)


_JQ_MEANS = re.compile(r"\benv\b|\$ENV\b|\b(?:import|include)\b")


def _jq(words: list[str]) -> bool:
    return _without("fL", "from-file")(words) and not any(_JQ_MEANS.search(word) for word in words[1:])


def _command(words: list[str]) -> bool:
    return len(words) == 3 and words[1] in {"-v", "-V"}


def _git(words: list[str]) -> bool:
    rest = words[1:]
    while rest and rest[0] in {"--no-pager", "-P", "--no-optional-locks"}:
        rest = rest[1:]
    if not rest:
        return False
    verb, arguments = rest[0], rest[1:]
    if verb in _GIT_LOOKING:
        opens = verb == "grep" and (
            any(a.startswith(("-O", "--open", "-f")) for a in arguments) or has_abbreviation(arguments, _BEYOND_TRACKED)
        )
        signs = any("%G" in argument for argument in arguments)  # asks gpg, or what the repository names for it
        return not opens and not signs and not has_abbreviation(rest, _GIT_STARTERS)
    if verb in {"branch", "tag"}:
        return _only_lists(arguments)
    if verb in _GIT_LISTS and arguments and not arguments[0].startswith("-"):
        return arguments[0] in _GIT_LISTS[verb] and not has_abbreviation(arguments, ("output", "ext-diff"))
    return verb in {"remote", "reflog"} and all(argument in {"-v", "--verbose"} for argument in arguments)


def _only_lists(arguments: list[str]) -> bool:
    options = [argument.split("=", 1)[0] for argument in arguments if argument.startswith("-")]
    has_operands = len(options) < len(arguments)
    is_listing = not _GIT_LIST_ASKING.isdisjoint(options)
    return all(option in _GIT_LIST_OPTIONS for option in options) and (is_listing or not has_operands)


_PATTERN_FIRST = frozenset({"grep", "egrep", "fgrep", "rg", "jq"})

_RULES: dict[str, Callable[[list[str]], bool]] = {
    "cd": _cd,
    "command": _command,
    "date": _without("sf", "set", "file"),
    "du": _without("", "files0-from"),
    "egrep": _grep,
    "fd": _without("xX", "exec", "exec-batch"),
    "fgrep": _grep,
    "file": _without("Cfm", "compile", "files-from", "magic-file"),
    "find": _find,
    "git": _git,
    "grep": _grep,
    "hexdump": _without("f"),
    "hostname": _no_operands,
    "jq": _jq,
    "ps": _ps,
    "rg": _rg,
    "sed": _sed,
    "sort": _without("oT", "output", "compress-program", "temporary-directory", "files0-from"),
    "strings": _strings,
    "tree": _without("oR", "output"),
    "wc": _without("", "files0-from"),
    "uniq": _at_most_one_file,
}
