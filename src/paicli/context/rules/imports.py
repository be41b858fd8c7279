"""Finds the `@path` imports in the text of a rules file; what stands in code is no import."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_CLOSERS = "\u3001\u3002\u300a\u300b\u300c\u300d\u300e\u300f\u201c\u201d\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
"""Full-width punctuation: Chinese text has no blanks around a path."""
_IMPORT = re.compile(rf"(?<![A-Za-z0-9_.%+/@-])@(?P<path>(?!@)(?:\\ |[^\s`\"'{_CLOSERS}])+)")
_PUNCTUATION = ".,;:!?)]}>*"
_SUFFIX = re.compile(r"[^/.][^/]*\.[A-Za-z][A-Za-z0-9]{0,9}")
MOST_CHARACTERS = 500
"""Of one path; what is longer names no file."""


def imports_in(text: str) -> Iterator[str]:
    """The paths as they are written, without escapes and the sentence's own punctuation, each once."""
    seen: set[str] = set()
    for paragraph in _paragraphs(text):
        for match in _IMPORT.finditer(_without_spans(paragraph)):
            path = match["path"].rstrip(_PUNCTUATION).replace("\\ ", " ")
            if path and len(path) <= MOST_CHARACTERS and path not in seen:
                seen.add(path)
                yield path


def means_a_file(path: str) -> bool:
    """Whether a person who wrote that meant a file, and not a decorator, a user or a package."""
    return path.startswith(("./", "../", "~/", "/")) or _SUFFIX.fullmatch(path.rpartition("/")[2]) is not None


def _paragraphs(text: str) -> Iterator[str]:
    """What stands between blank lines, fenced code left out."""
    fence = ""
    lines: list[str] = []
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            stripped = line.strip()
            if opening and len(stripped) >= len(fence) and set(stripped) == {fence[0]}:
                fence = ""
            continue
        if opening:
            fence = opening["fence"]
        if not opening and line.strip():
            lines.append(line)
            continue
        yield "\n".join(lines)
        lines = []
    yield "\n".join(lines)


def _without_spans(paragraph: str) -> str:
    """The paragraph with its code spans blanked: text between two runs of as many backticks (linear in its length)."""
    runs = [match.span() for match in re.finditer("`+", paragraph)]
    if not runs:
        return paragraph
    following: list[int | None] = [None] * len(runs)
    latest: dict[int, int] = {}
    for number in reversed(range(len(runs))):
        length = runs[number][1] - runs[number][0]
        following[number] = latest.get(length)
        latest[length] = number
    kept: list[str] = []
    position = number = 0
    while number < len(runs):
        closing = following[number]
        if closing is None:
            number += 1
            continue
        kept.append(paragraph[position : runs[number][0]])
        position, number = runs[closing][1], closing + 1
    kept.append(paragraph[position:])
    return "`".join(kept)
