"""Long pastes, kept aside: the input shows a placeholder, sending puts the text back (SPEC 2.2)."""

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


class PasteShelf:
    """Keeps the session's long pastes."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._pastes: dict[str, str] = {}

    def shown(self, pasted: str) -> str:
        """What goes into the input for a paste: itself, or a placeholder. Line ends become LF."""
        text = pasted.replace("\r\n", "\n").replace("\r", "\n")
        count = text.count("\n") + (not text.endswith("\n"))
        if count <= FOLD_LINES and len(text) <= FOLD_CHARACTERS:
            return text
        code, size = ("session.paste", count) if count > FOLD_LINES else ("session.long_paste", len(text))
        placeholder = self._texts.screen(code, number=len(self._pastes) + 1, count=size)
        self._pastes[placeholder] = text
        return placeholder

    def expanded(self, text: str) -> str:
        """`text` with every placeholder replaced by its paste."""
        for placeholder in self._in_order(text):
            text = text.replace(placeholder, self._pastes[placeholder])
        return text

    def split(self, text: str) -> Typed:
        """The words and the pastes apart: pastes are data and never the policy's words."""
        pieces = [f"{placeholder}\n{self._pastes[placeholder]}" for placeholder in self._in_order(text)]
        return Typed(text, "\n\n".join(pieces))

    def _in_order(self, text: str) -> list[str]:
        found = [(text.index(placeholder), placeholder) for placeholder in self._pastes if placeholder in text]
        return [placeholder for _, placeholder in sorted(found)]
