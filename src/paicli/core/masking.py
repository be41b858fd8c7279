"""One masker for every way out: screen, journal, log, audit, error, export."""

import json
import re
from collections.abc import Iterable, Iterator

MASK = "***"

_MIN_LENGTH = 6
"""Shorter configured values would mask ordinary words."""

_KNOWN_SHAPES = re.compile(
    r"(?:\b|(?<=\\[nrtbf]))"  # in JSON text the letter of an escape stands before a key that begins its line
    r"(?:sk-[A-Za-z0-9_-]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|glpat-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{20,})"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/-]{8,}=*"
)


class SecretMasker:
    """Replaces known secrets, and what has the shape of a well-known key, by `***`."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._known: frozenset[str] = frozenset()
        self._values: re.Pattern[str] | None = None
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """Masks these too from now on (a key that came during the session)."""
        self._known |= {spelt for secret in secrets if len(secret) >= _MIN_LENGTH for spelt in _spellings(secret)}
        known = sorted(self._known, key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, known))) if known else None

    def mask(self, text: str) -> str:
        """`text` without secrets. Works on text as it is and inside JSON text alike."""
        if self._values is not None:
            text = self._values.sub(MASK, text)
        return _KNOWN_SHAPES.sub(MASK, text)


def _spellings(secret: str) -> Iterator[str]:
    """As it is, inside a JSON string, and inside JSON inside a JSON string (a call's arguments in the journal)."""
    for is_ascii in (False, True):
        spelt = secret
        for _ in range(3):
            yield spelt
            spelt = json.dumps(spelt, ensure_ascii=is_ascii)[1:-1]
