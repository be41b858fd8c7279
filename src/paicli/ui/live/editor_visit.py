"""The half-typed text in the person's own editor: Ctrl+G, or Ctrl+X then Ctrl+E."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document

from paicli.core.unicode import well_formed
from paicli.ui.input_sources import EditorEnding, TextEditor
from paicli.ui.live.event_feed import EventFeed

Found = TypeVar("Found")

CHORD_S = 2.0
"""How long Ctrl+X waits for its Ctrl+E. (The time-out of key sequences is 50 ms, too short for two keys by hand.)"""

_HOPS_OF_A_SIGNAL = 4
"""From the loop's pipe to its handler, from there to prompt_toolkit's, to the key; and one to spare."""


class Chord:
    """The state between the two keys of Ctrl+X Ctrl+E."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._begun_at = float("-inf")

    def begin(self) -> None:
        self._begun_at = self._clock()

    def is_begun(self) -> bool:
        return self._clock() - self._begun_at <= CHORD_S

    def end(self) -> None:
        self._begun_at = float("-inf")


class EditorVisit:
    """Belongs to the app's thread; the editor is waited for on another. Events wait until it is closed."""

    def __init__(self, editor: TextEditor, feed: EventFeed, *, say: Callable[..., None]) -> None:
        self._editor = editor
        self._feed = feed
        self._say = say
        self.is_open = False
        """The terminal is the editor's: whatever the session gets to know now, it must not draw."""

    def begin(self, app: Application[int], buffer: Buffer) -> None:
        """Returns at once; the text in `buffer` is replaced when the editor ended well. Pastes stay folded."""
        if not self.is_open and not buffer.read_only():
            self.is_open = True
            app.create_background_task(self._visit(buffer))

    def lend(self, app: Application[int], work: Callable[[], Found], on_end: Callable[[Found], None]) -> None:
        """Gives the terminal to `work`, which opens an editor on something else; `on_end` gets what it returned."""

        async def visit() -> None:
            found = await self._lent(work)
            if found is not None:
                on_end(found)

        if not self.is_open:
            self.is_open = True
            app.create_background_task(visit())

    async def _visit(self, buffer: Buffer) -> None:
        ending = await self._lent(lambda: self._editor.edit(buffer.text)) or EditorEnding()
        if ending.text is not None:
            text = well_formed(ending.text).removesuffix("\n")
            buffer.set_document(Document(text), bypass_readonly=True)
        elif not ending.editor:
            self._say("editor.none")
        else:
            self._say("editor.failed", editor=ending.editor, reason=ending.failure)

    async def _lent(self, work: Callable[[], Found]) -> Found | None:
        """What `work` returned, on a thread of its own while nothing else is drawn; None when it broke."""
        self._feed.hold()
        try:
            async with in_terminal():
                found = await _beside(work)
                await _until_signals_have_come()
                return found
        finally:
            self.is_open = False
            self._feed.release()


async def _until_signals_have_come() -> None:
    """A Ctrl+C that ends the editor goes to this process too: to the loop, and by the loop to the keys.

    The editor's end may overtake it where the machine is busy, and then it would cancel the turn that runs.
    """
    loop = asyncio.get_running_loop()
    for _ in range(_HOPS_OF_A_SIGNAL):
        hop: asyncio.Future[None] = loop.create_future()
        loop.call_soon(hop.set_result, None)
        await hop


async def _beside(work: Callable[[], Found]) -> Found | None:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Found | None] = loop.create_future()

    def settle(found: Found | None) -> None:
        if not future.done():
            future.set_result(found)

    def carry_out() -> None:
        found: Found | None = None
        try:
            found = work()
        finally:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=carry_out, name="paicli-editor", daemon=True).start()
    return await future
