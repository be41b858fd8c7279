"""Slash commands as one types: names with their one-line help, and with Tab their arguments."""

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from paicli.core.catalogue.lookup import Texts
from paicli.ui.command_completion import command_proposals
from paicli.ui.command_desk import CommandDesk


class CommandCompleter(Completer):
    def __init__(self, desk: CommandDesk, texts: Texts) -> None:
        self._desk = desk
        self._texts = texts

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for proposal in command_proposals(typed, self._desk, self._texts):
            yield Completion(
                proposal.text, -len(typed), display=proposal.shown, display_meta=proposal.help_text or None
            )


def is_command_start(typed: str) -> bool:
    """A slash and a word that is not finished yet."""
    return typed.startswith("/") and not any(character.isspace() for character in typed)
