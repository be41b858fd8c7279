"""Text folded for a lenient comparison, and the way back to the place in the original.

Folded away: how a line ends, blanks at its end, compatibility forms (full width, composed or decomposed), typographic
quotes, dashes, odd spaces. Indentation, case and everything else count.
"""

import unicodedata
from typing import NamedTuple

_QUOTES_AND_DASHES = str.maketrans(
    dict.fromkeys("‘’‚‛", "'") | dict.fromkeys("“”„‟", '"') | dict.fromkeys("‐‑‒–—―−", "-")
)
_BLANKS = " \t\f\v\r\n"


class FoldedLine(NamedTuple):
    text: str
    """Folded, without the blanks at the end."""
    trailing: int
    """How many blanks were taken off it."""


def fold(text: str) -> str:
    """Decomposed on both sides of a comparison: as good as NFKC there, and it can be done piece by piece."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKD", text).translate(_QUOTES_AND_DASHES)


def fold_line(line: str) -> FoldedLine:
    """`line` without its end."""
    whole = fold(line)
    text = whole.rstrip(_BLANKS)
    return FoldedLine(text, len(whole) - len(text))


def unfolded_offset(line: str, offset: int) -> int | None:
    """Where in `line` the folded `offset` lies; None when it lies within one folded character."""
    if line.isascii():
        return offset
    folded = at = 0
    for cluster in _clusters(line):
        if folded >= offset:
            break
        folded += len(fold(cluster))
        at += len(cluster)
    return at if folded == offset else None


def _clusters(line: str) -> list[str]:
    """Each character with the marks that combine with it: they can change places when they are decomposed."""
    clusters: list[str] = []
    for character in line:
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters
