"""Slash commands as one types: names with their one-line help."""

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from paicli.core.catalogue.lookup import Texts
from paicli.ui.commands import COMMANDS
from paicli.ui.rendering.help_text import usage


class CommandCompleter(Completer):
    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if not is_command_start(typed):
            return
        for command in COMMANDS.values():
            if command.name.startswith(typed[1:].lower()):
                help_text = self._texts.screen(command.help_key)
                yield Completion(f"/{command.name}", -len(typed), display=usage(command), display_meta=help_text)


def is_command_start(typed: str) -> bool:
    """A slash and a word that is not finished yet."""
    return typed.startswith("/") and not any(character.isspace() for character in typed)
