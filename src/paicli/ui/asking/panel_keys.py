"""From keys to panels: which key is an answer, and which belongs to typing, to a paste, or to an Alt chord."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.document import Document
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

from paicli.ui.asking.panel_desk import PanelDesk
from paicli.ui.live.bursts import KeyBursts
from paicli.ui.live.composer import Composer

ESCAPE_S = 0.05
"""A key this soon after ESC makes an Alt chord of it."""
ESCAPES_WITHIN_S = 0.5
"""Two lone ESC within this time open the list of earlier turns."""
QUIET_S = 0.5
"""While text stands in the input, a panel takes keys only after such a pause: half a word must not answer it."""
TYPING_S = 0.3
"""Letters this close together are somebody's writing and no answers."""


class SessionKeys(Protocol):
    """Keys that mean the same whether a panel is open or not."""

    def press_enter(self, event: KeyPressEvent) -> None: ...
    def press_interrupt(self) -> None: ...
    def cycle_mode(self) -> None: ...


class PanelKeys:
    def __init__(
        self, desk: PanelDesk, composer: Composer, session: SessionKeys, *, clock: Callable[[], float]
    ) -> None:
        self._desk = desk
        self._composer = composer
        self._session = session
        self._clock = clock
        self._typed_at = self._letter_at = float("-inf")
        self._escape: asyncio.TimerHandle | None = None
        self._bursts = KeyBursts(clock)

    def is_asked(self) -> bool:
        """A panel waits for a key. Keys of someone who is just typing are not its."""
        if self._desk.current is None or self._composer.is_lent:
            return False
        is_quiet = not self._composer.buffer.text or self._clock() - self._typed_at >= QUIET_S
        return is_quiet or self._desk.was_opened_by_person

    def note_typing(self, sender: object) -> None:
        """Some key was pressed."""
        if not self.is_asked():
            self._typed_at = self._clock()

    def press(self, key: str, event: KeyPressEvent) -> None:
        """A key while a panel waits for one."""
        if self._escape is not None:
            self._escape.cancel()
            self._escape = None
            if key != "escape":
                return  # ESC and a key within 50 ms are Alt+key: neither an ESC nor that key
        is_inside_burst = self._bursts.is_inside(event)
        if not self._desk.was_opened_by_person and self._is_writing(key):
            self._typed_at = self._clock()
            self._composer.buffer.insert_text(event.data)
            return
        match key:
            case "enter" if self._composer.buffer.text and not self._desk.was_opened_by_person:
                self._session.press_enter(event)  # what is written is sent; a written line is never a yes
            case "escape":
                self._escape = asyncio.get_running_loop().call_later(ESCAPE_S, self._press_lone_escape)
            case "c-c":
                self._session.press_interrupt()
            case "c-z":
                event.app.suspend_to_background()
            case "s-tab":
                self._session.cycle_mode()
            case "c-t":
                pass  # what stands there now is more urgent than the plan
            case _ if self._desk.starts_typing and (is_inside_burst or key == Keys.BracketedPaste.value):
                self._desk.press("paste")  # the beginning of an answer in the person's own words
                self._composer.paste(event.data)
            case _ if is_inside_burst:
                pass  # a paste is one wrong key, when it ends, and never an answer
            case _:
                asked = self._desk.current
                self._desk.press("paste" if self._bursts.ends() else key)
                if len(key) == 1 and self._desk.current is asked and not self._composer.is_lent:
                    self._letter_at = self._clock()  # it was no answer: perhaps the first letter of a sentence

    def _is_writing(self, key: str) -> bool:
        """A letter right behind one that was no answer: the person had begun to write when the question came."""
        return len(key) == 1 and self._clock() - self._letter_at < TYPING_S

    def _press_lone_escape(self) -> None:
        self._escape = None
        self._desk.press("escape")


class EscapePair:
    """Tells the second of two lone ESC with nothing typed in between. (A key sequence would need 50 ms, by hand.)"""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._at = float("-inf")
        self._on = Document()

    def is_second(self, document: Document) -> bool:
        """Of an ESC pressed now over that input."""
        now = self._clock()
        is_same = document.text == self._on.text and document.cursor_position == self._on.cursor_position
        is_second = is_same and now - self._at <= ESCAPES_WITHIN_S
        self._at, self._on = float("-inf") if is_second else now, document
        return is_second
