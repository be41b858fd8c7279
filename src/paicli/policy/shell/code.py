"""What code of an interpreter, awk or sed would start, delete or write, as far as its text tells.

No parser of five languages: the texts that stand directly behind a call that starts, deletes or writes something. What
calls like that get from elsewhere is unknown.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from paicli.policy.shell.words import Word

_MOST_CALLS = 20
_SPAN = 400
"""Characters behind a call that may be its arguments."""
_AWKS = frozenset({"awk", "gawk", "mawk", "nawk"})


_EVALUATING = frozenset(
    {"test", "[", "[[", "let", "declare", "typeset", "local", "export", "readonly", "unset", "read", "mapfile",
     "readarray", "wait", "getopts"}
)  # fmt: skip
"""Builtins that evaluate an index in a quoted name: `test -v 'a[$(id)]'` runs `id`."""


def evaluates_a_word(words: Sequence[Word]) -> bool:
    """Whether a builtin of the shell would run what stands in one of its quoted words."""
    name = words[0].text
    if name == "enable" and any(word.text.startswith("-f") for word in words[1:]):
        return True  # loads a builtin from a library
    if name not in _EVALUATING and not (name == "printf" and any(word.text.startswith("-v") for word in words[1:])):
        return False
    return any("[" in word.text and ("$(" in word.text or "`" in word.text) for word in words[1:])


class CodeFindings(NamedTuple):
    """What stands in the code."""

    started: tuple[str, ...] = ()
    """Shell texts."""
    deleted: tuple[str, ...] = ()
    """Paths that are deleted with all below them."""
    written: tuple[str, ...] = ()
    """Files."""
    maybe_written: tuple[str, ...] = ()
    """Paths that stand in code which writes something; which of them, its text does not tell."""
    starts_programs: bool = False
    """It starts programs, runs text as code, or deletes what it does not name."""
    is_fork_bomb: bool = False


class _Patterns(NamedTuple):
    starters: re.Pattern[str]
    deleters: re.Pattern[str]
    writers: re.Pattern[str]
    openers: re.Pattern[str]
    literal: re.Pattern[str]
    fork: re.Pattern[str]
    endless: re.Pattern[str]
    piped: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    # compiled with the first code: 5 ms that no other command needs
    return _Patterns(
        starters=re.compile(
            r"\b(?:system|popen\w*|Popen|subprocess(?:\.\w+)?|check_(?:output|call)|getoutput|spawn\w*|exec\w*|eval"
            r"|child_process|shell_exec|passthru|proc_open|pcntl_exec|Deno\.Command|Bun\.spawn\w*|do shell script"
            r"|__import__|posix_spawn\w*|shell-command\S*|qx|os:cmd|callCommand|readProcess|Sys\.command|run-program|System\.cmd"
            r"|getRuntime|(?:sys\.process\.)?Process(?=\s*\()|TO PROGRAM|FROM PROGRAM|get_ipython)\b"
        ),
        deleters=re.compile(
            r"\b(?:rmtree|rmSync|rmdirSync|rmdir|rm_rf|rm_r|remove_entry_secure|remove_tree|removeSync|rimraf|Deno\.remove"
            r"|delete-directory(?:-and-files)?)\b|\brm(?=\s*\()|\bunlink(?=\s*\([^)]*\brecursive)"
        ),
        writers=re.compile(
            r"\b(?:write_text|writeFile\w*|appendFile\w*|file_put_contents|File\.(?:write|open)|createWriteStream"
            r"|copyfile|copy|copy2|move|rename\w*|renameSync|copyFileSync|symlink\w*|write-region)\b"
        ),
        openers=re.compile(r"\bopen\s*\((?P<arguments>[^)]*)"),
        literal=re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|`([^`]*)`", re.DOTALL),
        fork=re.compile(r"\bfork\b"),
        endless=re.compile(r"\b(?:while|loop|until)\b|for\s*\(\s*;\s*;"),
        piped=re.compile(r"\|&?\s*\"((?:[^\"\\]|\\.)*)\"|\"((?:[^\"\\]|\\.)*)\"\s*\|&?\s*getline"),
    )


def findings_in_code(runner: str, code: str) -> CodeFindings:
    """What the code of `runner` (python3, node, perl, awk, sed, …) would start, delete and write."""
    if runner in {"sed", "gsed"}:
        return _in_sed(code)
    patterns = _patterns()
    started = [text for span in _spans(patterns.starters, code) for text in _commands_in(span)]
    starts_programs = patterns.starters.search(code) is not None
    if runner in _AWKS:
        piped = [_unescaped(next(filter(None, found.groups()), "")) for found in patterns.piped.finditer(code)]
        started.extend(piped)
        starts_programs = starts_programs or bool(piped) or re.search(r"\|\s*[a-z$(]", code) is not None
        written = tuple(_unescaped(found[1]) for found in re.finditer(r">\s*\"((?:[^\"\\]|\\.)*)\"", code))
        return CodeFindings(tuple(started), (), written, starts_programs=starts_programs)
    if runner in {"bun", "node", "tsx"}:
        started.extend(re.findall(r"\$`([^`]+)`", code))
    if runner.startswith("ipython"):
        started.extend(line.lstrip()[1:] for line in code.split("\n") if line.lstrip().startswith("!"))
    if runner in {"groovy", "scala"}:
        started.extend(found[1] for found in re.finditer(r"\"([^\"]+)\"\s*\.\s*(?:execute\b|!)", code))
    if runner in {"perl", "ruby", "php", "julia", "elixir"}:
        quoted = re.findall(r"`([^`]+)`", code)
        started.extend(quoted)
        starts_programs = starts_programs or bool(quoted)
    deletions = [(span, _literals(span)) for span in _spans(patterns.deleters, code)]
    deleted = [_deleted(span, literals) for span, literals in deletions if literals or "home" in span.lower()]
    deleted.extend(_deleted_one_by_one(code))
    has_fork = patterns.fork.search(code) is not None
    return CodeFindings(
        tuple(started),
        tuple(deleted),
        tuple(_written(code)),
        tuple(_maybe_written(code)),
        starts_programs or has_fork or not all(literals or "home" in span.lower() for span, literals in deletions),
        has_fork and patterns.endless.search(code) is not None,
    )


_HOME_NAMES = frozenset({"HOME", "USERPROFILE"})


def _deleted(span: str, literals: Sequence[str]) -> str:
    """The path, or `~` for a call that asks for the home folder by name."""
    return literals[0] if literals and literals[0] not in _HOME_NAMES else "~"


_REMOVES = re.compile(r"\b(?:unlink\w*|remove|rm)\b")
_GOES_THROUGH = re.compile(r"\b(?:listdir|scandir|i?glob|rglob|iterdir|walk|readdir\w*|Dir\.\w+)\b")


def _deleted_one_by_one(code: str) -> Iterator[str]:
    """The folders that code goes through which also removes files: `os.remove(f) for f in os.listdir("/")`."""
    if _REMOVES.search(code) and _GOES_THROUGH.search(code):
        yield from (literal for literal in _literals(code) if literal.startswith(("/", "~")))


def _spans(calls: re.Pattern[str], code: str) -> Iterator[str]:
    """What stands behind each call, up to the end of its statement."""
    for number, found in enumerate(calls.finditer(code)):
        if number >= _MOST_CALLS:
            return
        yield re.split(r"[;\n]", code[found.end() : found.end() + _SPAN], maxsplit=1)[0]


def _commands_in(span: str) -> list[str]:
    """`("rm -rf x")` and `(["rm", "-rf", "x"])`."""
    literals = _literals(span)
    if not literals:
        return []
    is_list = len(literals) > 1 and re.match(r"[\w.\s]*\(?\s*\[?\s*[\"']", span) is not None
    return [literals[0], *([" ".join(literals)] if is_list else [])]


def _literals(span: str) -> list[str]:
    return [
        _unescaped(next((group for group in found.groups() if group is not None), ""))
        for found in _patterns().literal.finditer(span)
    ]


def _written(code: str) -> Iterator[str]:
    patterns = _patterns()
    for span in _spans(patterns.writers, code):
        yield from _literals(span)
    for found in patterns.openers.finditer(code):
        literals = _literals(found["arguments"] + ")")
        if len(literals) > 1 and literals[1][:1] in {"w", "a", "x", "r"} and literals[1] not in {"r", "rb", "rt"}:
            yield literals[0]
    # Path("…").write_text(…): the path stands before the call
    yield from (found[1] for found in re.finditer(r"Path\(\s*[\"']([^\"']*)[\"']\s*\)\.write_", code))


_MODES = frozenset({"w", "a", "x", "wb", "ab", "xb", "wt", "at", "w+", "a+", "r+", "wb+", "ab+", "rb+", ">", ">>"})


def _maybe_written(code: str) -> Iterator[str]:
    """Every literal that looks like a path, in code that opens a file for writing or calls what writes one."""
    literals = _literals(code)
    if _MODES.isdisjoint(literals) and _patterns().writers.search(code) is None:
        return
    asks_for_home = "home" in code.lower() or "expanduser" in code
    for literal in literals:
        if literal.startswith((".", "/", "~")):
            yield literal
            if asks_for_home:
                yield f"~/{literal.lstrip('/')}"


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text, flags=re.DOTALL)


_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\]|\\.)*/[IM]*|\\(?P<mark{0}>.)(?:(?!(?P=mark{0})).)*(?P=mark{0})[IM]*)"


@cache
def _addresses() -> re.Pattern[str]:
    return re.compile(rf"(?:{_ADDRESS.format(1)}(?:\s*,\s*(?:{_ADDRESS.format(2)}|[+~]\d+))?)?\s*!?\s*")


def _in_sed(script: str) -> CodeFindings:
    """`e` and `s///e` run a text, `w` and `s///w` write a file; both only at the place of a command."""
    started: list[str] = []
    written: list[str] = []
    starts_programs = False
    at = 0
    while at < len(script):
        if script[at] in " \t\n;{}":
            at += 1
            continue
        lead = _addresses().match(script, at)
        at = lead.end() if lead is not None else at
        command = script[at : at + 1]
        end = script.find("\n", at) if "\n" in script[at:] else len(script)
        if command in {"s", "y"}:
            replacement, flags, at = _substitution(script, at + 1)
            if command == "s" and "e" in re.split("[wW]", flags, maxsplit=1)[0]:
                started.append(replacement)
                starts_programs = True
            if command == "s" and "w" in flags:
                written.append(flags.split("w", 1)[1].strip())
        elif command == "e":
            started.append(script[at + 1 : end].strip())
            starts_programs, at = True, end
        elif command in {"w", "W"}:
            written.append(script[at + 1 : end].strip())
            at = end
        elif command in {"a", "i", "c", "r", "R", "#", ":"}:
            at = end
        else:
            at += 1
    return CodeFindings(tuple(filter(None, started)), (), tuple(written), starts_programs=starts_programs)


def _substitution(script: str, at: int) -> tuple[str, str, int]:
    """The replacement, the flags, and where the next command begins."""
    delimiter = script[at : at + 1]
    fields: list[str] = []
    field = ""
    at += 1
    while at < len(script) and len(fields) < 2:
        if script[at] == "\\":
            field += script[at + 1 : at + 2] if script[at + 1 : at + 2] == delimiter else script[at : at + 2]
            at += 2
            continue
        if script[at] == delimiter:
            fields.append(field)
            field = ""
        else:
            field += script[at]
        at += 1
    rest = re.match(r"[gpiImMe0-9]*(?:w[^\n]*)?", script[at:])
    flags = rest[0] if rest is not None else ""
    return (fields[1] if len(fields) > 1 else ""), flags, at + len(flags)
