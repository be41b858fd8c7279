"""What may be typed on behind a slash: names of commands, then what fits as their argument."""

from collections.abc import Iterator
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.ui.command import Choice
from paicli.ui.command_desk import CommandDesk
from paicli.ui.commands import COMMANDS, command_named
from paicli.ui.rendering.help_text import described, usage_of
from paicli.ui.rendering.question_lines import one_line


class Proposal(NamedTuple):
    """One way to go on."""

    text: str
    """In place of all that was typed."""
    shown: str
    help_text: str = ""


def command_proposals(typed: str, desk: CommandDesk, texts: Texts) -> Iterator[Proposal]:
    """Nothing where `typed`, all that stands before the cursor, is no command."""
    if not typed.startswith("/") or "\n" in typed:
        return
    name, space, argument = typed[1:].partition(" ")
    if not space:
        yield from _names(name.lower(), desk, texts)
        return
    command = command_named(name)
    sources = desk.argument_sources
    if command is None or command.completer is None or sources is None:
        return
    typed_argument = argument.lstrip()
    for each in command.completer(sources, typed_argument):
        choice = each if isinstance(each, Choice) else Choice(each)
        begins = choice.text.casefold().startswith(typed_argument.casefold())
        is_wanted = begins and choice.text != typed_argument
        if is_wanted and choice.text.isprintable():  # it goes into the input as it is
            yield Proposal(f"/{name} {choice.text}", choice.text, one_line(choice.help_text))


def _names(typed: str, desk: CommandDesk, texts: Texts) -> Iterator[Proposal]:
    for command in COMMANDS.values():
        names = (command.name, *command.aliases)
        for name in names:
            if name.startswith(typed):
                shown = usage_of(command) if name == command.name else f"/{name}"
                yield Proposal(f"/{name}", shown, texts.screen(command.help_key))
    for custom in desk.custom.values():
        if custom.name.startswith(typed):
            yield Proposal(f"/{custom.name}", usage_of(custom), described(custom, texts))
