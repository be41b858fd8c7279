"""What the command line offers and answers, as data: the parser and `--help` both read these tables."""

from enum import IntEnum, StrEnum
from typing import NamedTuple


class ExitStatus(IntEnum):
    """What the process says at its end."""

    DONE = 0
    FAILED = 1
    """The turn failed or is only partly done, or its answer was not delivered."""
    USAGE = 2
    """Wrong usage or configuration."""
    STOPPED_FOR_REVIEW = 3
    UNREACHABLE = 75
    """The model could not be reached after all retries: worth trying again."""
    CANCELLED = 130


class Command(StrEnum):
    """What a call of paicli is to do."""

    SESSION = "session"
    PRINT = "print"
    PLAN = "plan"
    RUN = "run"
    DEMO = "demo"
    CONFIG = "config"
    TRUST = "trust"
    DOCTOR = "doctor"
    VERIFY = "verify"
    BUGREPORT = "bugreport"
    HELP = "help"
    SESSIONS = "sessions"
    VERSION = "version"


class Start(StrEnum):
    """When the parts of a session are put together."""

    WHOLE = "whole"
    """Before anything is shown."""
    BEHIND_PROMPT = "behind_prompt"
    """While the person looks at the prompt."""


class OutputFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    STREAM_JSON = "stream-json"


class ValueKind(StrEnum):
    """How an option's value is read; NONE for a switch."""

    NONE = "none"
    TEXT = "text"
    CHOICE = "choice"
    COUNT = "count"
    """A whole number from 1."""
    AMOUNT = "amount"
    """US dollars above 0."""
    LIST = "list"
    """Parts between commas, those inside brackets aside; may be repeated."""


class Option(NamedTuple):
    name: str
    """With its dashes; the catalogue's help text is `cli.help{name}`."""
    kind: ValueKind = ValueKind.NONE
    short: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    commands: frozenset[Command] = frozenset()
    """The commands it goes with; empty: all."""


_MODEL_COMMANDS = frozenset({Command.SESSION, Command.PRINT, Command.PLAN, Command.RUN})
_EXAMINED_COMMANDS = _MODEL_COMMANDS | {Command.DOCTOR}
_TOOL_COMMANDS = frozenset({Command.SESSION, Command.PRINT, Command.RUN})
_UNATTENDED = frozenset({Command.PRINT, Command.RUN})
_STORED = frozenset({Command.SESSION, Command.PRINT})
"""Commands that can go on with a stored session."""

OPTIONS: tuple[Option, ...] = (
    Option("--print", ValueKind.TEXT, short="-p", metavar="TEXT"),
    Option("--continue", short="-c", commands=_STORED),
    Option("--resume", ValueKind.TEXT, short="-r", metavar="ID", commands=_STORED),
    Option("--yes", short="-y", commands=_UNATTENDED | {Command.DEMO}),
    Option(
        "--output-format",
        ValueKind.CHOICE,
        metavar="FORMAT",
        choices=tuple(OutputFormat),
        commands=_UNATTENDED,
    ),
    Option("--out", ValueKind.TEXT, metavar="FILE", commands=frozenset({Command.PLAN, Command.BUGREPORT})),
    Option("--json", commands=frozenset({Command.VERIFY, Command.SESSIONS})),
    Option(
        "--mode",
        ValueKind.CHOICE,
        metavar="MODE",
        choices=("auto", "plan", "ask"),
        commands=_TOOL_COMMANDS,
    ),
    Option(
        "--model",
        ValueKind.TEXT,
        short="-m",
        metavar="[PROVIDER/]MODEL",
        commands=_EXAMINED_COMMANDS,
    ),
    Option("--base-url", ValueKind.TEXT, metavar="URL", commands=_EXAMINED_COMMANDS),
    Option("--offline", commands=frozenset({Command.DOCTOR})),
    Option(
        "--sandbox",
        ValueKind.CHOICE,
        metavar="MODE",
        choices=("off", "workspace", "strict"),
        commands=_TOOL_COMMANDS,
    ),
    Option("--allowed-tools", ValueKind.LIST, metavar="RULES", commands=_TOOL_COMMANDS),
    Option("--disallowed-tools", ValueKind.LIST, metavar="RULES", commands=_TOOL_COMMANDS),
    Option("--tools", ValueKind.LIST, metavar="LIST", commands=_TOOL_COMMANDS),
    Option("--append-system-prompt", ValueKind.TEXT, metavar="TEXT", commands=_TOOL_COMMANDS),
    Option("--add-dir", ValueKind.TEXT, metavar="DIR", commands=_TOOL_COMMANDS),
    Option("--max-turns", ValueKind.COUNT, metavar="N", commands=_TOOL_COMMANDS),
    Option("--max-budget-usd", ValueKind.AMOUNT, metavar="X", commands=_MODEL_COMMANDS),
    Option("--fallback-model", ValueKind.TEXT, metavar="[PROVIDER/]MODEL", commands=_MODEL_COMMANDS),
    Option("--record", ValueKind.TEXT, metavar="FILE", commands=_MODEL_COMMANDS),
    Option(
        "--cd",
        ValueKind.TEXT,
        short="-C",
        metavar="DIR",
        commands=_EXAMINED_COMMANDS | {Command.TRUST, Command.SESSIONS},
    ),
    Option("--lang", ValueKind.CHOICE, metavar="LANG", choices=("zh", "en")),
    Option("--verbose", commands=_UNATTENDED | {Command.PLAN}),
    Option("--version"),
    Option("--help", short="-h"),
)

REPEATABLE = frozenset({"--allowed-tools", "--disallowed-tools", "--tools", "--add-dir"})
"""Given again, these add up; of any other option the last one counts."""

SUBCOMMANDS: dict[str, tuple[Command, str]] = {
    "demo": (Command.DEMO, ""),
    "plan": (Command.PLAN, "GOAL"),
    "run": (Command.RUN, "FILE"),
    "config": (Command.CONFIG, "[path | get KEY | set KEY VALUE]"),
    "trust": (Command.TRUST, "[yes | no | forget | list]"),
    "doctor": (Command.DOCTOR, ""),
    "sessions": (Command.SESSIONS, ""),
    "verify": (Command.VERIFY, "SESSION|FILE"),
    "bugreport": (Command.BUGREPORT, "[SESSION|FILE]"),
}
"""Name → command, and what its one argument is called (empty: it takes none; in brackets: it reads its own)."""

NOT_YET_OPTIONS = frozenset({"--mcp-config"})
NOT_YET_COMMANDS = frozenset({"mcp"})
