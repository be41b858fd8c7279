"""What may be typed on at the cursor: `/` commands and their arguments, `@` paths, `!` programs and paths, `#`.

Everything that may look further than the table of commands is found out on a thread of its own: no key waits for it.
"""

import asyncio
import re
import shlex
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import NamedTuple

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from paicli.core.catalogue.lookup import Texts
from paicli.core.input_syntax.mentions import UnfinishedMention, unfinished_mention, written_mention
from paicli.ui.command_completion import command_proposals
from paicli.ui.command_desk import CommandDesk
from paicli.ui.input_sources import FoundPath, InputSources

MAX_PROPOSALS = 50
_LAST_WORD = re.compile(r"""(?:[^\s\\'"|&;()<>]|\\.|'[^']*(?:'|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z))*\Z""", re.DOTALL)
_BEGINS_COMMAND = re.compile(r"(?:\A|[|&;(]\s*|\n)\s*\Z")
_SAFE_HOME = re.compile(r"~[\w.-]*/")


class ShellWord(NamedTuple):
    """The word of a `!command` that the cursor stands behind."""

    start: int
    """Where it begins in the text."""
    path: str
    """Without quotes and escapes."""
    is_program: bool
    """It is where the name of a program stands, and no path."""


class InputCompleter(Completer):
    def __init__(self, desk: CommandDesk, texts: Texts, sources: InputSources) -> None:
        self._desk = desk
        self._texts = texts
        self._sources = sources

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        if typed.startswith("/"):
            proposed = list(self._commands(typed))
            if proposed:
                return proposed
        if typed.startswith("!"):
            return self._shell(typed)
        if typed == "#":
            return [Completion("# ", -1, display="#text", display_meta=self._texts.screen("complete.rule"))]
        mention = unfinished_mention(typed)
        return [] if mention is None else self._paths(mention, typed)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        if is_command_name(document.text_before_cursor):
            found: Iterable[Completion] = self.get_completions(document, complete_event)
        else:
            found = await found_aside(lambda: list(self.get_completions(document, complete_event)), [])
        for completion in found:
            yield completion

    def _commands(self, typed: str) -> Iterable[Completion]:
        for proposal in command_proposals(typed, self._desk, self._texts):
            yield Completion(
                proposal.text, -len(typed), display=proposal.shown, display_meta=proposal.help_text or None
            )

    def _paths(self, mention: UnfinishedMention, typed: str) -> list[Completion]:
        length = len(typed) - mention.start
        return [
            self._path(found, written_mention(found.path, is_folder=found.is_folder), length)
            for found in self._sources.paths.mentioned(mention.path, MAX_PROPOSALS)
        ]

    def _shell(self, typed: str) -> list[Completion]:
        word = shell_word(typed)
        if word is None:
            return []
        length = len(typed) - word.start
        if word.is_program:
            names = self._sources.programs.programs(word.path, MAX_PROPOSALS)
            return [Completion(shlex.quote(name), -length, display=name) for name in names]
        return [
            self._path(found, quoted_path(found), length)
            for found in self._sources.paths.below(word.path, MAX_PROPOSALS)
        ]

    def _path(self, found: FoundPath, text: str, length: int) -> Completion:
        # As it is written, so that no odd character of a name reaches the screen.
        shown = written_mention(found.path, is_folder=found.is_folder)[1:]
        meta = self._texts.screen("complete.folder") if found.is_folder else None
        return Completion(text, -length, display=shown, display_meta=meta)


def is_command_name(typed: str) -> bool:
    """A slash and a word that is not finished yet."""
    return typed.startswith("/") and not any(character.isspace() for character in typed)


def completes_while_typing(typed: str) -> bool:
    """Whether the menu opens by itself; Tab asks for it anywhere."""
    if typed.startswith("/") and "\n" not in typed:
        return True
    return typed == "#" or (not typed.startswith("!") and unfinished_mention(typed) is not None)


def shell_word(typed: str) -> ShellWord | None:
    """`typed` begins with "!"; None where no word can be told."""
    command = typed[1:]
    found = _LAST_WORD.search(command)
    if found is None:
        return None
    written = found[0]
    path = _without_quotes(written)
    if path is None:
        return None
    begins = bool(_BEGINS_COMMAND.search(command[: found.start()]))
    return ShellWord(1 + found.start(), path, begins and "/" not in path and not path.startswith("~"))


def quoted_path(found: FoundPath) -> str:
    """As a shell reads it back, `~` at its beginning kept."""
    path = found.path + "/" * found.is_folder
    home = _SAFE_HOME.match(path)
    if home is not None:
        rest = path[home.end() :]
        return home[0] + (shlex.quote(rest) if rest else "")
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def _without_quotes(written: str) -> str | None:
    if not written:
        return ""
    for ending in ("", "'", '"', "\\"):  # what is still open
        try:
            words = shlex.split(written + ending)
        except ValueError:
            continue
        return words[0] if words else ""
    return None


async def found_aside(find: Callable[[], list[Completion]], otherwise: list[Completion]) -> list[Completion]:
    """What `find` returns, on a daemon thread that nobody waits for when the next key comes first."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[Completion]] = loop.create_future()

    def settle(found: list[Completion]) -> None:
        if not future.done():
            future.set_result(found)

    def work() -> None:
        found = otherwise
        try:
            found = find()
        finally:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=work, name="paicli-completion", daemon=True).start()
    return await future
