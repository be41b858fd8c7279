"""Masks a text that comes in pieces: a secret that is cut in two shows neither half."""

from paicli.core.masking import SecretMasker

_MAX_HELD = 16_000
"""More is let go, masked as it stands: a private key without an end."""
_CONTEXT = 2
"""Characters before the rest that say whether a word begins there: `\\n` in JSON text."""


class StreamMasker:
    """Holds back, at the end of what came, only what could become a secret."""

    def __init__(self, masker: SecretMasker) -> None:
        self._masker = masker
        self._before = ""
        self._held = ""

    def feed(self, piece: str) -> str:
        """What may be shown now; the rest comes with the next piece or with `flush`."""
        text = self._before + self._held + piece
        at = max(len(self._before), self._masker.open_end(text))
        if len(text) - at > _MAX_HELD:
            at = len(text)
        return self._release(text, at)

    def flush(self) -> str:
        """What was held back: nothing follows."""
        text = self._before + self._held
        return self._release(text, len(text))

    def _release(self, text: str, at: int) -> str:
        shown = self._masker.mask(text[:at])[len(self._before) :] if at > len(self._before) else ""
        self._held = text[at:]
        before = text[:at]
        # Where a word goes on, the context must not look like its beginning.
        goes_on = before[-_CONTEXT - 1 : -_CONTEXT].isalnum() or before[-_CONTEXT - 1 : -_CONTEXT] == "_"
        self._before = ("_" if goes_on else "") + before[-_CONTEXT:]
        return shown
