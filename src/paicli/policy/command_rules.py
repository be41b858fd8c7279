"""Command patterns of approval rules: what they cover, and the pattern that "always" would store."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.policy.grants.limits import goes_beyond
from paicli.policy.grants.proposals import prefix_length
from paicli.policy.shell.code import findings_in_code
from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.script import SimpleCommand, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import SHELLS, inner_commands, shell_texts
from paicli.policy.verdict import Match

_ANY_ARGUMENTS = ":*"
_MOST_NESTED = 8
_HARMLESS_GIT_OPTIONS = frozenset({"--no-pager", "-P", "--no-optional-locks"})


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

    def grants(self, texts: Sequence[str]) -> bool:
        """As `covers`, without what would write, delete or start something else (see grants.limits)."""
        return self.covers(texts) and not (self.is_prefix and goes_beyond(texts, len(self.words)))

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
    calls = [call for simple in script.commands for call in _calls_to_grant(patterns, simple.words)]
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
        matches.extend(_match(patterns, text, depth + 1) for text in _started_by(call) if depth < _MOST_NESTED)
        if Match.YES in matches:
            return Match.YES
        found = Match.MAYBE if Match.MAYBE in matches else found
    return found


def _match_call(patterns: Sequence[CommandPattern], call: Sequence[Word]) -> Match:
    if not call or UNKNOWN in call[0].text:
        return Match.MAYBE
    written = [word.text for word in call]
    forms = [*_forms(written), *_forms_behind_options(written)]
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
    if texts_in(simple.words):
        return None
    exact = command.strip()
    texts = [word.text for word in simple.words]
    start = _innermost_at(simple.words)
    length = prefix_length(texts[start:])
    candidates = [" ".join(texts[: start + length]) + _ANY_ARGUMENTS] if length and _reads_as(texts[:start]) else []
    for pattern in (*candidates, exact):
        parsed = CommandPattern.parse(pattern)
        if parsed is not None and is_allowed_by([parsed], command):
            return pattern
    return None


def _reads_as(wrapper: Sequence[str]) -> bool:
    """Whether a prefix rule through this wrapper is sure: a project's runner, without options of its own."""
    return not wrapper or (len(wrapper) == 2 and wrapper[1] in {"run", "exec"} and wrapper[0] != "npm")


def _innermost_at(words: Sequence[Word]) -> int:
    """Where the innermost wrapped command begins, as far as it stands at the end of the words as it is."""
    at = 0
    for _ in range(_MOST_NESTED):
        inner = _wrapped_as_it_stands(words[at:])
        if inner is None:
            break
        at = len(words) - len(inner)
    return at


def _wrapped_as_it_stands(words: Sequence[Word]) -> Sequence[Word] | None:
    """The one wrapped command, if it is a tail of the words; xargs and find change what they run."""
    inner = inner_commands(words)
    if len(inner) != 1 or inner[0].takes_input or inner[0].is_remote:
        return None
    tail = inner[0].words
    return tail if len(tail) < len(words) and tuple(words[len(words) - len(tail) :]) == tuple(tail) else None


def _calls_to_grant(patterns: Sequence[CommandPattern], words: Sequence[Word]) -> list[Sequence[Word]]:
    """The call and what it wraps; what a rule names through its wrapper (`uv run pytest:*`) is granted with it."""
    inner = _wrapped_as_it_stands(words) if words else None
    if inner is None:
        return calls_in(words)
    start = len(words) - len(inner)
    texts = [word.text for word in words]
    named = [pattern for pattern in patterns if len(pattern.words) > start and pattern.covers(texts)]
    for pattern in named:
        deeper = start + _innermost_at(inner)
        is_named = len(pattern.words) > deeper
        if is_named and not (pattern.is_prefix and goes_beyond(texts[deeper:], len(pattern.words) - deeper)):
            return [words]
    return [words, *_calls_to_grant(patterns, inner)]


def _grants(pattern: CommandPattern, words: Sequence[Word]) -> bool:
    texts = [word.text for word in words]
    if texts[0] == "git":
        own_options = texts[1 : subcommand_at(words)]
        if len(pattern.words) <= len(own_options) and not _HARMLESS_GIT_OPTIONS.issuperset(own_options):
            return False
    return pattern.grants(texts)


def _forms(texts: list[str]) -> list[list[str]]:
    """A call as written, with the bare program name, and for git without its own options."""
    bare = [texts[0].rsplit("/", 1)[-1], *texts[1:]] if texts else texts
    forms = [texts, bare]
    if bare and bare[0] == "git":
        forms.append([bare[0], *bare[subcommand_at([Word(text) for text in bare]) :]])
    return forms


def _forms_behind_options(texts: list[str]) -> list[list[str]]:
    """A restriction holds whatever options stand before the verb: `kubectl -n x delete`, `python3 -m pip install`."""
    name = texts[0].rsplit("/", 1)[-1]
    if name.startswith("python") and texts[1:2] == ["-m"] and len(texts) > 2:
        return [texts[2:], *_forms_behind_options(texts[2:])]
    if len(texts) < 3 or texts[1][:1] not in {"-", "+"}:
        return []
    end = next((at for at in range(1, len(texts)) if texts[at][:1] not in {"-", "+"}), len(texts))
    # whether the word behind the last option is its value only the program knows
    return [[name, *texts[start:]] for start in (end, end + 1) if start < len(texts)]


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


def _started_by(call: Sequence[Word]) -> list[str]:
    """Shell texts that the code of an interpreter would start, as far as they stand in it."""
    codes = [(each.runner, each.text.text) for each in shell_texts(call) if not each.is_shell and each.text is not None]
    return [text for runner, code in codes for text in findings_in_code(runner, code).started]


def texts_in(call: Sequence[Word]) -> list[str]:
    """Shell texts the call hands on; "" for one that is not known from the text."""
    programs = [program for program in shell_texts(call) if program.is_shell]
    given = [program.text for program in programs if program.text is not None]
    read = ["" for program in programs if program.is_from_input and program.runner in SHELLS]
    return [text.text if text.is_known else "" for text in given] + read
