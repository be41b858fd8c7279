"""Thinking that a server sends as `<think>…</think>` at the start of the answer's text, told from the answer."""

from enum import StrEnum

_OPEN, _CLOSE = "<think>", "</think>"


class _Place(StrEnum):
    START = "start"
    THINKING = "thinking"
    GAP = "gap"
    """Between the closing tag and the answer's first character."""
    ANSWER = "answer"


class ThinkSplitter:
    """Takes text in pieces of any size and returns what of it is thinking and what is answer.

    Only what could still become a tag is held back.
    """

    def __init__(self) -> None:
        self._place = _Place.START
        self._held: str = ""

    def push(self, text: str) -> tuple[str, str]:
        """(thinking, answer) that are certain now."""
        thinking = ""
        text = self._held + text
        self._held = ""
        if self._place is _Place.START:
            opening = text.lstrip()
            if len(opening) < len(_OPEN) and _OPEN.startswith(opening):
                self._held = text
                return "", ""
            is_tagged = opening.startswith(_OPEN)
            text = opening.removeprefix(_OPEN) if is_tagged else text
            self._place = _Place.THINKING if is_tagged else _Place.ANSWER
        if self._place is _Place.THINKING:
            thinking, closing, text = text.partition(_CLOSE)
            if not closing:
                kept = _possible_start(thinking, _CLOSE)
                self._held = thinking[len(thinking) - kept :]
                return thinking[: len(thinking) - kept], ""
            self._place = _Place.GAP
        if self._place is _Place.GAP:
            text = text.lstrip()
            if text:
                self._place = _Place.ANSWER
        return thinking, text

    def finish(self) -> tuple[str, str]:
        """(thinking, answer) of what was still held back."""
        held = self._held
        self._held = ""
        return (held, "") if self._place is _Place.THINKING else ("", held)


def _possible_start(text: str, tag: str) -> int:
    """How many characters at the end of `text` could be the beginning of `tag`."""
    longest = min(len(text), len(tag) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(tag[:size])), 0)
