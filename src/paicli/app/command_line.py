"""Reads argv into a CommandLine, or says in one line what is wrong with it.

Written by hand because argparse costs 9 ms at each start and its errors are neither bilingual nor name the nearest
option.
"""

import re
from typing import NamedTuple

from paicli.app.options import (
    NOT_YET_COMMANDS,
    NOT_YET_OPTIONS,
    OPTIONS,
    REPEATABLE,
    SUBCOMMANDS,
    Command,
    Option,
    OutputFormat,
    ValueKind,
)
from paicli.core.errors import SettingsError
from paicli.core.unicode import well_formed

_LOOKS_LIKE_AN_OPTION = re.compile(r"(-[A-Za-z]\S*|--[A-Za-z][\w-]*(=.*)?)", re.DOTALL)
_LIST_PART = re.compile(r"(?:\([^()]*\)|[^,])+")

_BY_NAME: dict[str, Option] = {option.name: option for option in OPTIONS} | {
    option.short: option for option in OPTIONS if option.short
}


_WORDY = frozenset({Command.CONFIG, Command.TRUST, Command.BUGREPORT})
"""Commands that read their words themselves."""


class CommandLine(NamedTuple):
    """argv, understood. An empty value means: not given."""

    command: Command = Command.SESSION
    argument: str = ""
    """The text of `-p`, the goal of `plan`, the file of `run`."""
    arguments: tuple[str, ...] = ()
    """The words after `config`."""
    is_yes: bool = False
    is_offline: bool = False
    is_json: bool = False
    output_format: OutputFormat = OutputFormat.TEXT
    out: str = ""
    mode: str = ""
    sandbox: str = ""
    model: str = ""
    base_url: str = ""
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    append_system_prompt: str = ""
    added_folders: tuple[str, ...] = ()
    max_turns: int | None = None
    max_budget_usd: float | None = None
    fallback_model: str = ""
    record: str = ""
    folder: str = ""
    language: str = ""
    is_verbose: bool = False
    is_continued: bool = False
    """The newest stored session here goes on."""
    resumed: str = ""
    """The id, or its beginning, of the stored session that goes on."""


class _Given(NamedTuple):
    option: Option
    spelled: str
    """As the person wrote it."""
    values: tuple[str, ...] = ()


def parse_command_line(argv: list[str]) -> CommandLine:
    """Raises SettingsError naming the option or command, and the nearest one that exists."""
    given, positionals = _split([well_formed(argument) for argument in argv])
    if "--help" in given:
        return CommandLine(Command.HELP, language=_language(given))
    if "--version" in given:
        return CommandLine(Command.VERSION, language=_language(given))
    command, arguments = _command_of(given, positionals)
    for found in given.values():
        if found.option.commands and command not in found.option.commands:
            raise _misplaced(found)
    return CommandLine(
        command=command,
        argument=arguments[0] if arguments and command not in _WORDY else "",
        arguments=arguments if command in _WORDY else (),
        is_yes="--yes" in given,
        is_offline="--offline" in given,
        is_json="--json" in given,
        output_format=OutputFormat(_last(given, "--output-format") or OutputFormat.TEXT),
        out=_last(given, "--out"),
        mode=_last(given, "--mode"),
        sandbox=_last(given, "--sandbox"),
        model=_last(given, "--model"),
        base_url=_last(given, "--base-url"),
        allowed_tools=_all(given, "--allowed-tools"),
        disallowed_tools=_all(given, "--disallowed-tools"),
        tools=_all(given, "--tools") if "--tools" in given else None,
        append_system_prompt=_last(given, "--append-system-prompt"),
        added_folders=_all(given, "--add-dir"),
        max_turns=int(turns) if (turns := _last(given, "--max-turns")) else None,
        max_budget_usd=float(usd) if (usd := _last(given, "--max-budget-usd")) else None,
        fallback_model=_last(given, "--fallback-model"),
        record=_last(given, "--record"),
        folder=_last(given, "--cd"),
        language=_language(given),
        is_verbose="--verbose" in given,
        is_continued="--continue" in given,
        resumed=_last(given, "--resume"),
    )


def language_wish(argv: list[str]) -> str:
    """The value of `--lang` wherever it stands, for an error about the rest of the line; empty when there is none."""
    for index, argument in enumerate(argv):
        value = argument.partition("=")[2] if argument.startswith("--lang=") else ""
        if argument == "--lang" and index + 1 < len(argv):
            value = argv[index + 1]
        if value in {"zh", "en"}:
            return value
    return ""


def _split(argv: list[str]) -> tuple[dict[str, _Given], list[str]]:
    """Options by their long name, and everything else in order."""
    given: dict[str, _Given] = {}
    positionals: list[str] = []
    rest = list(argv)
    while rest:
        token = rest.pop(0)
        if token == "--":
            positionals += rest
            break
        if not _is_option(token):
            positionals.append(token)
            continue
        spelled, has_value, value = token.partition("=")
        option = _known(spelled)
        values = _values(option, spelled, inline=value if has_value else None, rest=rest)
        before = given[option.name].values if option.name in given and option.name in REPEATABLE else ()
        given[option.name] = _Given(option, spelled, (*before, *values))
    return given, positionals


def _is_option(token: str) -> bool:
    return _LOOKS_LIKE_AN_OPTION.fullmatch(token) is not None


def _known(spelled: str) -> Option:
    option = _BY_NAME.get(spelled)
    if option is not None:
        return option
    if spelled in NOT_YET_OPTIONS:
        raise SettingsError("cli.option_not_yet", option=spelled)
    raise _unknown("option", spelled, known=[option.name for option in OPTIONS])


def _values(option: Option, spelled: str, *, inline: str | None, rest: list[str]) -> tuple[str, ...]:
    """The option's value, taken from `--name=value` or from the front of `rest`."""
    if option.kind is ValueKind.NONE:
        if inline is not None:
            raise SettingsError("cli.value_unwanted", option=spelled)
        return ()
    if inline is None and option.name == "--print" and (not rest or rest[0] == "--" or _is_option(rest[0])):
        return ()  # the text comes later, or from a pipe
    if inline is None and (not rest or _is_option(rest[0])):
        raise SettingsError("cli.value_missing", option=spelled, metavar=option.metavar)
    value = rest.pop(0) if inline is None else inline
    if option.kind is ValueKind.LIST:
        return tuple(part.strip() for part in _LIST_PART.findall(value) if part.strip())
    if option.kind is ValueKind.CHOICE and value not in option.choices:
        raise SettingsError("cli.value_not_a_choice", option=spelled, value=value, choices=" | ".join(option.choices))
    if option.kind is ValueKind.COUNT and not re.fullmatch(r"0*[1-9][0-9]{0,8}", value):
        raise SettingsError("cli.value_not_a_count", option=spelled, value=value)
    if option.kind is ValueKind.AMOUNT and not (re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,9})?", value) and float(value)):
        raise SettingsError("budget.bad_amount", option=spelled, value=value)
    if not value.strip() and option.name not in {"--print", "--append-system-prompt"}:
        raise SettingsError("cli.value_missing", option=spelled, metavar=option.metavar)
    return (value,)


def _command_of(given: dict[str, _Given], positionals: list[str]) -> tuple[Command, tuple[str, ...]]:
    if "--print" in given:
        texts = [*given["--print"].values, *positionals]
        if len(texts) > 1:
            raise SettingsError("cli.argument_extra", argument=texts[1])
        return Command.PRINT, (texts[0] if texts else "-",)
    if not positionals:
        return Command.SESSION, ()
    name, *arguments = positionals
    if name in NOT_YET_COMMANDS:
        raise SettingsError("cli.command_not_yet", command=name)
    if name not in SUBCOMMANDS:
        raise _unknown("command", name, known=list(SUBCOMMANDS))
    command, metavar = SUBCOMMANDS[name]
    if metavar.startswith("["):
        return command, tuple(arguments)
    if metavar and (not arguments or not arguments[0].strip()):
        raise SettingsError("cli.argument_missing", command=name, metavar=metavar)
    if len(arguments) > (1 if metavar else 0):
        raise SettingsError("cli.argument_extra", argument=arguments[1 if metavar else 0])
    return command, tuple(arguments)


def _misplaced(found: _Given) -> SettingsError:
    names = {Command.SESSION: "paicli", Command.PRINT: "-p"}
    places = [names.get(command, command.value) for command in Command if command in found.option.commands]
    return SettingsError("cli.option_misplaced", option=found.spelled, commands=", ".join(places))


def _unknown(what: str, written: str, *, known: list[str]) -> SettingsError:
    nearest = _nearest(written, known)
    if nearest:
        return SettingsError(f"cli.{what}_unknown_nearest", **{what: written, "nearest": nearest})
    return SettingsError(f"cli.{what}_unknown", **{what: written})


def _nearest(written: str, known: list[str]) -> str:
    """The name that was meant, as far as one can tell: the only one that begins so, else one that is nearly spelled so.

    Dashes don't count: they made any two short options look alike.
    """
    from difflib import get_close_matches  # 4 ms at start-up, and only a wrong line needs it

    bare = written.lstrip("-").lower()
    names = {name.lstrip("-"): name for name in known}
    begun = [name for name in names if len(bare) > 1 and name.startswith(bare)]
    close = begun if len(begun) == 1 else get_close_matches(bare, list(names), n=1, cutoff=0.72)
    return names[close[0]] if close else ""


def _last(given: dict[str, _Given], name: str) -> str:
    return given[name].values[-1] if name in given and given[name].values else ""


def _all(given: dict[str, _Given], name: str) -> tuple[str, ...]:
    return given[name].values if name in given else ()


def _language(given: dict[str, _Given]) -> str:
    return _last(given, "--lang")
