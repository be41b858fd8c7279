"""Command patterns of approval rules: what they cover, and the pattern that "always" would store."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.script import SimpleCommand, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import SHELLS, inner_commands, shell_texts
from paicli.policy.verdict import Match

_ANY_ARGUMENTS = ":*"
_MOST_NESTED = 8
_HARMLESS_GIT_OPTIONS = frozenset({"--no-pager", "-P", "--no-optional-locks"})

_WITH_VERBS = frozenset(
    {"git", "npm", "npx", "pnpm", "yarn", "bun", "docker", "cargo", "go", "pip", "pip3", "uv", "poetry", "mvn",
     "gradle", "make", "kubectl", "helm", "gh", "terraform", "brew", "dotnet", "conda", "rustup", "systemctl", "apt"}
)  # fmt: skip
"""Programs whose second word says what they do."""

_READERS = frozenset(
    {"ls", "cat", "head", "tail", "wc", "grep", "rg", "pwd", "diff", "stat", "file", "du", "df", "tree", "pytest",
     "ruff", "pyright", "mypy", "tsc", "eslint", "javac", "gcc", "cmake", "ctest"}
)  # fmt: skip
"""Programs for which any arguments may be granted at once; all others are granted word for word."""


class CommandPattern(NamedTuple):
    """Whole words a call has to begin with, or to consist of."""

    words: tuple[str, ...]
    is_prefix: bool

    @classmethod
    def parse(cls, pattern: str) -> "CommandPattern | None":
        """None for a pattern no simple command can match."""
        is_prefix = pattern.endswith(_ANY_ARGUMENTS)
        simple = _only_command(pattern.removesuffix(_ANY_ARGUMENTS))
        if simple is None or not _is_plain(simple) or any(word.has_glob for word in simple.words):
            return None
        return cls(tuple(word.text for word in simple.words), is_prefix)

    def covers(self, texts: Sequence[str]) -> bool:
        given = tuple(texts)
        return given[: len(self.words)] == self.words if self.is_prefix else given == self.words

    def may_cover(self, texts: Sequence[str]) -> bool:
        """As `covers`, where UNKNOWN in a word may be anything."""
        if not any(UNKNOWN in text for text in texts[: len(self.words)]):
            return False
        pairs = zip(self.words, texts, strict=False)
        return all(UNKNOWN in text or word == text for word, text in pairs)


def is_allowed_by(patterns: Sequence[CommandPattern], command: str) -> bool:
    """Whether every simple command in the text, in wrappers too, is covered and has plain arguments.

    No redirections, assignments, substitutions, variables, functions, background jobs, or git options before its verb.
    """
    return _is_allowed(patterns, command, 0)


def _is_allowed(patterns: Sequence[CommandPattern], command: str, depth: int) -> bool:
    try:
        script = parse(command)
    except Unparsable:
        return False
    if not script.commands or script.functions or not all(map(_is_plain, script.commands)):
        return False
    calls = [call for simple in script.commands for call in calls_in(simple.words)]
    if not all(call and any(_grants(pattern, call) for pattern in patterns) for call in calls):
        return False
    texts = [text for call in calls for text in texts_in(call)]
    return not texts or (
        depth < _MOST_NESTED and all(text and _is_allowed(patterns, text, depth + 1) for text in texts)
    )


def command_match(patterns: Sequence[CommandPattern], command: str) -> Match:
    """Whether any simple command in the text, in wrappers too, is what one of the patterns means."""
    return _match(patterns, command, 0)


def _match(patterns: Sequence[CommandPattern], command: str, depth: int) -> Match:
    try:
        script = parse(command)
    except Unparsable:
        return Match.MAYBE
    found = Match.NO
    for call in [call for simple in script.commands for call in calls_in(simple.words)]:
        matches = [_match_call(patterns, call)]
        for text in texts_in(call):
            matches.append(_match(patterns, text, depth + 1) if text and depth < _MOST_NESTED else Match.MAYBE)
        if Match.YES in matches:
            return Match.YES
        found = Match.MAYBE if Match.MAYBE in matches else found
    return found


def _match_call(patterns: Sequence[CommandPattern], call: Sequence[Word]) -> Match:
    if not call or UNKNOWN in call[0].text:
        return Match.MAYBE
    forms = _forms([word.text for word in call])
    if any(pattern.covers(form) for pattern in patterns for form in forms):
        return Match.YES
    return Match.MAYBE if any(p.may_cover(form) for p in patterns for form in forms) else Match.NO


def pattern_for(command: str) -> str | None:
    """The pattern that "always" would store for this command, to be shown before it is; None: there is no safe one.

    `git status -s` gives `git status:*`; most programs are granted word for word; a compound gives none.
    """
    simple = _only_command(command)
    if simple is None or not _is_plain(simple) or any(word.has_glob for word in simple.words):
        return None
    if len(calls_in(simple.words)) > 1 or texts_in(simple.words):
        return None
    texts = [word.text for word in simple.words]
    if texts[0] in _READERS:
        pattern = texts[0] + _ANY_ARGUMENTS
    elif texts[0] in _WITH_VERBS and len(texts) > 1 and texts[1].replace("-", "").isalnum() and texts[1][0] != "-":
        pattern = f"{texts[0]} {texts[1]}{_ANY_ARGUMENTS}"
    else:
        pattern = command.strip()
    parsed = CommandPattern.parse(pattern)
    return pattern if parsed is not None and is_allowed_by([parsed], command) else None


def _grants(pattern: CommandPattern, words: Sequence[Word]) -> bool:
    texts = [word.text for word in words]
    if texts[0] == "git":
        own_options = texts[1 : subcommand_at(words)]
        if len(pattern.words) <= len(own_options) and not _HARMLESS_GIT_OPTIONS.issuperset(own_options):
            return False
    return pattern.covers(texts)


def _forms(texts: list[str]) -> list[list[str]]:
    """A call as written, with the bare program name, and for git without its own options."""
    bare = [texts[0].rsplit("/", 1)[-1], *texts[1:]] if texts else texts
    forms = [texts, bare]
    if bare and bare[0] == "git":
        forms.append([bare[0], *bare[subcommand_at([Word(text) for text in bare]) :]])
    return forms


def _only_command(text: str) -> SimpleCommand | None:
    try:
        script = parse(text)
    except Unparsable:
        return None
    return script.commands[0] if len(script.commands) == 1 and not script.functions else None


def _is_plain(simple: SimpleCommand) -> bool:
    is_bare = not simple.assignments and not simple.redirects and not simple.in_background
    return is_bare and bool(simple.words) and all(word.is_plain and not word.feeds for word in simple.words)


def calls_in(words: Sequence[Word]) -> list[Sequence[Word]]:
    """The call and those inside its wrappers; an empty one stands for what is wrapped too deep to be read."""
    found: list[Sequence[Word]] = [words] if words else []
    waiting = [(words, 0)] if words else []
    while waiting:
        current, depth = waiting.pop()
        for inner in inner_commands(current):
            found.append(inner.words if depth < _MOST_NESTED else ())
            if depth < _MOST_NESTED:
                waiting.append((inner.words, depth + 1))
    return found


def texts_in(call: Sequence[Word]) -> list[str]:
    """Shell texts the call hands on; "" for one that is not known from the text."""
    programs = [program for program in shell_texts(call) if program.is_shell]
    given = [program.text for program in programs if program.text is not None]
    read = ["" for program in programs if program.is_from_input and program.runner in SHELLS]
    return [text.text if text.is_known else "" for text in given] + read
