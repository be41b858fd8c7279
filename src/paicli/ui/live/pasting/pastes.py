"""Long pastes and pictures, kept aside: the input shows a placeholder, sending puts the text back.

What stands for a picture is a mention of its file: from there on it is an image that was named by path.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.core.ops import Submit

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
    """Keeps the session's long pastes, and where its pasted pictures stand."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._pastes: dict[str, str] = {}
        self._pictures: dict[str, str] = {}
        """Mentions."""
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

    def picture(self, path: str) -> str:
        """What goes into the input for the picture in that file."""
        from paicli.core.input_syntax.mentions import written_mention  # start-up: 2 ms, and few paste a picture

        placeholder = self._texts.screen("picture.placeholder", number=len(self._pictures) + 1)
        self._pictures[placeholder] = written_mention(path)
        return placeholder

    def placeholder_at_end(self, text: str) -> str:
        """The one that `text` ends with; empty: none."""
        return next((name for name in (*self._pastes, *self._pictures) if text.endswith(name)), "")

    def expanded(self, text: str) -> str:
        """`text` with every placeholder replaced by its paste; what looks like one inside of a paste is its text."""
        return self._put_back(text, {**self._pastes, **self._pictures})

    def split(self, text: str) -> Typed:
        """The words and the pastes apart: pastes are data and never the policy's words."""
        found = dict.fromkeys(_pattern(self._pastes).findall(text)) if self._pastes else {}
        pieces = [f"{placeholder}\n{self._pastes[placeholder]}" for placeholder in found]
        is_page = bool(self._page_start) and text.lstrip().startswith(self._page_start)
        self._page_start = ""
        return Typed(text, "\n\n".join(pieces), is_page)

    def completed(self, op: Submit, typed: Typed) -> Submit:
        """With the pastes beside its words and the pictures named in them; the policy hears what was typed."""
        text = self._put_back(op.text, self._pictures)
        words = op.text if op.words is None and text != op.text else op.words
        return op._replace(text=text, words=words, attachments=typed.attachments)

    def _put_back(self, text: str, kept: Mapping[str, str]) -> str:
        def value(found: re.Match[str]) -> str:
            mention = self._pictures.get(found[0])
            if mention is None:
                return kept[found[0]]
            # A mention ends where the word ends.
            before, behind = text[: found.start()][-1:], text[found.end() :][:1]
            return f"{' ' * bool(before.strip())}{mention}{' ' * bool(behind.strip())}"

        return _pattern(kept).sub(value, text) if kept else text


def _pattern(kept: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, kept)))
