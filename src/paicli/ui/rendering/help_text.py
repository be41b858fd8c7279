"""The session's first lines and its help, from the one table of commands."""

from collections.abc import Iterable

from paicli.core.catalogue.lookup import Texts
from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.ui.command import Command, CommandContext, Handler
from paicli.ui.facts import SessionFacts
from paicli.ui.rendering.styled import Line, Style, cut, line, padded, prose, width

_USAGE_COLUMNS = 36
"""A longer usage line pushes its help to the right and not everyone's."""
_DESCRIPTION_COLUMNS = 100


def banner_lines(facts: SessionFacts, texts: Texts) -> list[Line]:
    banner = texts.screen(
        "session.banner", version=facts.version, provider=facts.provider, model=facts.model, project=facts.project
    )
    return [*prose(banner, Style.BOLD), *prose(texts.screen("session.hint"), Style.DIM)]


def help_lines(commands: Iterable[Command], context: CommandContext) -> list[Line]:
    """Every command with its one-line help; the person's own; those not there yet in one line."""
    texts = context.texts
    listed = list(commands)
    rows = [(usage_of(command), texts.screen(command.help_key)) for command in listed if is_ready(command)]
    own = [(usage_of(command), described(command, texts)) for command in context.custom.values()]
    columns = max((width(usage) for usage, _ in (*rows, *own) if width(usage) <= _USAGE_COLUMNS), default=0)
    shown = [line(texts.screen("session.help_title"), Style.BOLD)]
    shown += _in_columns(rows, columns)
    if own:
        shown.append(line(texts.screen("session.help_own"), Style.BOLD))
        shown += _in_columns(own, columns)
    if context.queries.has_project_commands():
        shown += prose(texts.screen("session.help_project_commands"), Style.WARNING)
    planned = [f"/{command.name}" for command in listed if not is_ready(command)]
    return [
        *shown,
        *prose(texts.screen("session.help_shell"), hang=2),
        *prose(texts.screen("session.help_keys"), hang=2),
        *prose(texts.screen("session.help_not_yet", names=" ".join(planned)), Style.DIM),
    ]


def command_help(command: Command | CustomCommand | None, context: CommandContext) -> list[Line]:
    """One command: how it is written, what it does, its other names."""
    texts = context.texts
    match command:
        case Command():
            shown = [line(usage_of(command), Style.BOLD), *prose(f"  {texts.screen(command.help_key)}", hang=2)]
            if texts.has(f"{command.help_key}.more"):
                more = texts.screen(f"{command.help_key}.more").split("\n")
                shown += [row for text in more for row in prose(f"  {text}", hang=2)]
            if command.aliases:
                names = " ".join(f"/{alias}" for alias in command.aliases)
                shown.append(line(texts.screen("session.help_aliases", names=names), Style.DIM))
            return shown if is_ready(command) else [*shown, *context.wrong("session.not_yet", name=command.name)]
        case CustomCommand():
            return [line(usage_of(command), Style.BOLD), *prose(f"  {described(command, texts)}", hang=2)]
        case None:
            return []


def _in_columns(rows: Iterable[tuple[str, str]], columns: int) -> list[Line]:
    return [row for usage, text in rows for row in prose(f"  {padded(usage, columns)}  {text}", hang=columns + 4)]


def usage_of(command: Command | CustomCommand) -> str:
    if isinstance(command, Command):
        return command.usage
    return f"/{command.name} […]" if command.takes_arguments else f"/{command.name}"


def described(command: CustomCommand, texts: Texts) -> str:
    """Its description, else its first line."""
    text = " ".join((command.description or command.body.strip().split("\n", 1)[0]).split())
    return cut(text, _DESCRIPTION_COLUMNS) if text else texts.screen("session.own_command")


def is_ready(command: Command) -> bool:
    return command.handler is not Handler.NOT_YET
