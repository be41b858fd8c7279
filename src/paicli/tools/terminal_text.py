"""From what a program writes to a terminal to what stands there at the end: plain lines without control characters."""

import re

_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erase
    r"|\x1b[\]PX^_][^\x1b\x07\n]{0,4096}(?:\x07|\x1b\\)"  # OSC, DCS, SOS, PM, APC up to their end
    r"|\x1b[ -/]*[0-~]"  # the other two- and three-character sequences
    r"|\x9b[0-?]*[ -/]*[@-~]"  # CSI as one character
    r"|\x1b"
)
_MOVES = re.compile(r"(\r|\x08|\x1b\[[02]?K)")
"""Back to the start, one back, erase to the end of the line or all of it."""
_SPECIAL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")


def plain_text(text: str) -> str:
    r"""`text` as a terminal would show it in the end.

    A line overwritten by `\r` or `\b` is folded to its last state. Escape sequences and control characters vanish, a
    NUL becomes `␀`; tabs and line ends (`\r\n` as `\n`) stay. Movements to other lines are ignored.
    """
    if not _SPECIAL.search(text):
        return text
    return "\n".join(map(_plain_line, text.split("\n")))


def last_lines(text: str, count: int, width: int) -> str:
    """The last `count` lines that hold something, each at most `width` characters."""
    lines = [line for line in text.rstrip().rsplit("\n", count * 4) if line.strip()]
    return "\n".join(line if len(line) <= width else line[: width - 1] + "…" for line in lines[-count:])


def _plain_line(line: str) -> str:
    if not _SPECIAL.search(line):
        return line
    line = line.rstrip("\r")
    if _MOVES.search(line):
        line = _folded(line)
    return _INVISIBLE.sub("", _ESCAPE.sub("", line).replace("\0", "␀"))


def _folded(line: str) -> str:
    """What a line looks like after its cursor movements: `abc\\rX` is `Xbc`."""
    cells: list[str] = []
    column = 0
    for number, piece in enumerate(_MOVES.split(line)):
        if number % 2:
            column = _moved(piece, cells, column)
        elif piece:
            written = _ESCAPE.sub("", piece) if "\x1b" in piece else piece
            cells[column : column + len(written)] = written
            column += len(written)
    return "".join(cells).rstrip(" ")


def _moved(move: str, cells: list[str], column: int) -> int:
    """The column after `move`, which may erase cells."""
    if move == "\r":
        return 0
    if move == "\b":
        return max(0, column - 1)
    if move.startswith("\x1b"):
        if "2K" in move:
            cells[:] = [" "] * column
        else:
            del cells[column:]
    return column
