"""The session's first lines and its help, from the one table of commands."""

from paicli.core.catalogue.lookup import Texts
from paicli.ui.commands import COMMANDS, Command, Handler
from paicli.ui.facts import SessionFacts
from paicli.ui.rendering.styled import Line, Style, line, padded


def banner_lines(facts: SessionFacts, texts: Texts) -> list[Line]:
    banner = texts.screen(
        "session.banner", version=facts.version, provider=facts.provider, model=facts.model, project=facts.project
    )
    return [line(banner, Style.BOLD), line(texts.screen("session.hint"), Style.DIM)]


def usage(command: Command) -> str:
    return f"/{command.name} {command.arguments}".rstrip()


def help_lines(texts: Texts) -> list[Line]:
    """Every command with its one-line help; those not there yet in one line."""
    ready = [command for command in COMMANDS.values() if command.handler is not Handler.NOT_YET]
    columns = max(len(usage(command)) for command in ready)
    shown = [line(texts.screen("session.help_title"), Style.BOLD)]
    for command in ready:
        shown.append(line(f"  {padded(usage(command), columns)}  {texts.screen(command.help_key)}"))
    planned = [f"/{command.name}" for command in COMMANDS.values() if command.handler is Handler.NOT_YET]
    return [
        *shown,
        line(texts.screen("session.help_shell")),
        line(texts.screen("session.help_keys")),
        line(texts.screen("session.help_not_yet", names=" ".join(planned)), Style.DIM),
    ]
