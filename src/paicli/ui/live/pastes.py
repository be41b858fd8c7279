"""Long pastes, kept aside: the input shows a placeholder, sending puts the text back (SPEC 2.2)."""

import re
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts

FOLD_LINES = 20
FOLD_CHARACTERS = 10_000
"""A paste over so many lines or characters shows as a placeholder."""


class Typed(NamedTuple):
    """What was typed, and the long pastes in it."""

    words: str
    """The person's own words, placeholders included."""
    attachments: str
    """Each paste below its placeholder, in order."""
    is_page: bool = False
    """It begins with a pasted text of several lines: no command, whatever its first line looks like."""


class PasteShelf:
    """Keeps the session's long pastes."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._pastes: dict[str, str] = {}
        self._page_start = ""
        """What a paste of several lines put at the beginning of the input."""

    def shown(self, pasted: str, *, before: str = "x") -> str:
        """What goes into the input for a paste: itself, or a placeholder. Line ends become LF.

        `before` is what stands in front of it.
        """
        text = pasted.replace("\r\n", "\n").replace("\r", "\n")
        shown = self._folded(text)
        if "\n" in text and not before.strip():
            self._page_start = shown.strip()
        return shown

    def _folded(self, text: str) -> str:
        count = text.count("\n") + (not text.endswith("\n"))
        if count <= FOLD_LINES and len(text) <= FOLD_CHARACTERS:
            return text
        code, size = ("session.paste", count) if count > FOLD_LINES else ("session.long_paste", len(text))
        placeholder = self._texts.screen(code, number=len(self._pastes) + 1, count=size)
        self._pastes[placeholder] = text
        return placeholder

    def expanded(self, text: str) -> str:
        """`text` with every placeholder replaced by its paste; what looks like one inside of a paste is its text."""
        return self._pattern().sub(lambda found: self._pastes[found[0]], text) if self._pastes else text

    def split(self, text: str) -> Typed:
        """The words and the pastes apart: pastes are data and never the policy's words."""
        found = dict.fromkeys(self._pattern().findall(text)) if self._pastes else {}
        pieces = [f"{placeholder}\n{self._pastes[placeholder]}" for placeholder in found]
        is_page = bool(self._page_start) and text.lstrip().startswith(self._page_start)
        self._page_start = ""
        return Typed(text, "\n\n".join(pieces), is_page)

    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._pastes)))
