"""Lines of a text: they end with LF (a CR before it belongs to the end), or with CR where a text has no LF at all.

The same rule as ripgrep's, so that a line has one number in every tool; U+2028 and its kin end nothing (R3).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence


def split_lines(text: str) -> list[str]:
    """The lines with their ends; joined they are the text again."""
    end = "\n" if "\n" in text or "\r" not in text else "\r"
    lines = [line + end for line in text.split(end)]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def without_end(line: str) -> str:
    if line.endswith("\n"):
        line = line[:-1]
    return line[:-1] if line.endswith("\r") else line


def line_starts(lines: Sequence[str]) -> list[int]:
    """Where each line begins in the text."""
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line)
    return starts


def line_number(starts: Sequence[int], position: int) -> int:
    """The line, from 1, that holds `position`."""
    return max(1, bisect_right(starts, position))


def end_at(text: str, position: int) -> str:
    """How lines end around `position`: CRLF, LF or CR; LF for a text of one line."""
    at = text.find("\n", position)
    if at < 0:
        at = text.rfind("\n", 0, position)
    if at < 0:
        return "\r" if "\r" in text else "\n"
    return "\r\n" if text[at - 1 : at] == "\r" else "\n"


def with_ends(text: str, end: str) -> str:
    """`text` with each bare LF turned into `end`; what it already ends with CRLF stays."""
    return text if end == "\n" else re.sub(r"(?<!\r)\n", lambda _: end, text)
