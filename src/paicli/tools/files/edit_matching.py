"""Where an edit applies: exactly once, else once after folding, else once without read_file's line numbers.

Pure: text in, places out. A text is never searched as a pattern, a replacement never read as a template (R6).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind
from paicli.tools.files.encoding import TextEncoding
from paicli.tools.files.folding import FoldedLine, fold_line, unfolded_offset
from paicli.tools.files.lines import end_at, line_number, line_starts, split_lines, with_ends, without_end
from paicli.tools.files.nearest import describe_nearest

_LINE_NUMBER = re.compile(r"^ *\d+\t")
_MAX_COUNTED = 1_000
_MAX_LINES_NAMED = 10


class Edit(NamedTuple):
    """One replacement as it was asked for."""

    old_text: str
    new_text: str
    replace_all: bool = False


class Splice(NamedTuple):
    """`new_text` in place of text[start:end]."""

    start: int
    end: int
    new_text: str


class Located(NamedTuple):
    """Where one edit goes."""

    splices: tuple[Splice, ...]
    """In order, not overlapping."""
    is_corrected: bool
    """It matched only after folding or without line numbers."""


class Edited(NamedTuple):
    """A file's content after all edits."""

    raw: bytes
    lines: tuple[int, ...]
    """The line at which each splice began when it was made."""
    is_corrected: bool


def locate(text: str, edit: Edit, *, where: str = "") -> Located:
    """Raises ToolFailed that says what to do; `where` names the edit when there are several."""
    if not edit.old_text:
        raise ToolFailed("edit.old_empty", kind=ErrorKind.INVALID_ARGUMENT, where=where)
    if edit.old_text == edit.new_text:
        raise ToolFailed("edit.same", kind=ErrorKind.INVALID_ARGUMENT, where=where)
    if edit.replace_all:
        return _all_exact(text, edit, where)
    exact = _overlapping(text, edit.old_text)
    if exact:
        return _only(text, exact, edit.new_text, where=where, is_corrected=False)
    folded = _folded_spans(text, edit.old_text)
    if folded:
        new_text = edit.new_text.replace("\r\n", "\n") if "\r\n" in edit.old_text else edit.new_text
        return _only(text, folded, new_text, where=where, is_corrected=True)
    bare = _without_line_numbers(edit)
    if bare is not None:
        spans = _overlapping(text, bare.old_text) or _folded_spans(text, bare.old_text)
        if spans:
            return _only(text, spans, bare.new_text, where=where, is_corrected=True)
    raise _not_found(text, edit, where)


def apply_edits(raw: bytes, encoding: TextEncoding, edits: Sequence[Edit], *, where: Sequence[str]) -> Edited:
    """Each edit sees what the ones before it left. All of them or none: raises ToolFailed for the first that fails.

    `where`: a name for each edit. Every byte outside the replaced spans is copied as it is.
    """
    text, lines, is_corrected = encoding.decode(raw), list[int](), False
    for edit, name in zip(edits, where, strict=True):
        located = locate(text, edit, where=name)
        starts = line_starts(split_lines(text))
        lines += [line_number(starts, splice.start) for splice in located.splices]
        is_corrected = is_corrected or located.is_corrected
        raw, text = splice_bytes(raw, text, encoding, splices=located.splices)
    return Edited(raw, tuple(lines), is_corrected)


def splice_bytes(raw: bytes, text: str, encoding: TextEncoding, *, splices: Sequence[Splice]) -> tuple[bytes, str]:
    """New bytes and new text. Raises ToolFailed for a character the encoding lacks, or when the bytes don't tally."""
    pieces, texts = [raw[: len(encoding.bom)]], list[str]()
    byte_at, at = len(encoding.bom), 0
    for splice in splices:
        kept_to = byte_at + len(_encoded(text[at : splice.start], encoding))
        pieces += [raw[byte_at:kept_to], _encoded(splice.new_text, encoding)]
        texts += [text[at : splice.start], splice.new_text]
        byte_at = kept_to + len(_encoded(text[splice.start : splice.end], encoding))
        at = splice.end
    new_raw, new_text = b"".join((*pieces, raw[byte_at:])), "".join((*texts, text[at:]))
    try:
        is_faithful = encoding.decode(new_raw) == new_text
    except UnicodeDecodeError:
        is_faithful = False
    if not is_faithful:  # two byte sequences for one character: the lengths above were not those in the file
        raise ToolFailed("edit.not_faithful", encoding=encoding.codec)
    return new_raw, new_text


def _encoded(text: str, encoding: TextEncoding) -> bytes:
    try:
        return text.encode(encoding.codec)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise ToolFailed(
            "edit.not_encodable", kind=ErrorKind.INVALID_ARGUMENT, encoding=encoding.codec, character=character
        ) from None


def _all_exact(text: str, edit: Edit, where: str) -> Located:
    spans = _disjoint(text, edit.old_text)
    if not spans:
        raise _not_found(text, edit, where)
    return Located(tuple(_spliced(text, span, edit.new_text) for span in spans), is_corrected=False)


def _only(text: str, spans: Sequence[tuple[int, int]], new_text: str, *, where: str, is_corrected: bool) -> Located:
    if len(spans) == 1:
        return Located((_spliced(text, spans[0], new_text),), is_corrected)
    starts = line_starts(split_lines(text))
    numbers = [str(line_number(starts, start)) for start, _ in spans[:_MAX_LINES_NAMED]]
    raise ToolFailed(
        "edit.several",
        kind=ErrorKind.INVALID_ARGUMENT,
        where=where,
        count=len(spans) if len(spans) < _MAX_COUNTED else f"{_MAX_COUNTED}+",
        lines=", ".join(numbers) + (", …" if len(spans) > _MAX_LINES_NAMED else ""),
    )


def _spliced(text: str, span: tuple[int, int], new_text: str) -> Splice:
    start, end = span
    return Splice(start, end, with_ends(new_text, end_at(text, start)))


def _overlapping(text: str, wanted: str) -> list[tuple[int, int]]:
    """Every place, also those that share characters; at most 1,000, enough to say that it is not one."""
    spans: list[tuple[int, int]] = []
    at = text.find(wanted)
    while at >= 0 and len(spans) < _MAX_COUNTED:
        spans.append((at, at + len(wanted)))
        at = text.find(wanted, at + 1)
    return spans


def _disjoint(text: str, wanted: str) -> list[tuple[int, int]]:
    """Every place from the left, none sharing a character with the one before."""
    spans: list[tuple[int, int]] = []
    at = text.find(wanted)
    while at >= 0:
        spans.append((at, at + len(wanted)))
        at = text.find(wanted, at + len(wanted))
    return spans


def _folded_spans(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where `wanted` stands when both are folded: its first line may begin, its last may end within a line."""
    pieces = [fold_line(piece) for piece in wanted.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if not any(piece.text for piece in pieces):
        return []
    lines = split_lines(text)
    bare = [without_end(line) for line in lines]
    folded = [fold_line(line) for line in bare]
    starts = [*line_starts(lines), len(text)]
    if lines and lines[-1] != bare[-1]:  # the text ends with a line end: an empty last piece stands behind it
        bare.append("")
        folded.append(FoldedLine("", 0))
    found: list[tuple[int, int]] = []
    for first in range(len(folded) - len(pieces) + 1):
        last = first + len(pieces) - 1
        if len(pieces) == 1:
            within = _within_line(bare[first], folded[first].text, pieces[0])
        else:
            within = _across_lines(bare[first : last + 1], folded[first : last + 1], pieces)
        found += [(starts[first] + start, starts[last] + end) for start, end in within]
        if len(found) >= _MAX_COUNTED:
            break
    return found


def _within_line(line: str, folded: str, piece: FoldedLine) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in _overlapping(folded, piece.text):
        first = unfolded_offset(line, start)
        last = _end_in(line, folded, piece, end=end)
        if first is not None and last is not None:
            spans.append((first, last))
    return spans


def _across_lines(
    lines: Sequence[str], folded: Sequence[FoldedLine], pieces: Sequence[FoldedLine]
) -> list[tuple[int, int]]:
    """At most one span: its start within the first line and its end within the last."""
    head, tail = pieces[0].text, pieces[-1].text
    if not folded[0].text.endswith(head) or not folded[-1].text.startswith(tail):
        return []
    if any(line.text != piece.text for line, piece in zip(folded[1:-1], pieces[1:-1], strict=True)):
        return []
    start = unfolded_offset(lines[0], len(folded[0].text) - len(head)) if head else len(lines[0])
    end = _end_in(lines[-1], folded[-1].text, pieces[-1], end=len(tail))
    return [] if start is None or end is None else [(start, end)]


def _end_in(line: str, folded: str, piece: FoldedLine, *, end: int) -> int | None:
    """Blanks after the last wanted character fold only at the end of a line: never in the middle of one."""
    if not piece.trailing:
        return unfolded_offset(line, end)
    return len(line) if end == len(folded) else None


def _without_line_numbers(edit: Edit) -> Edit | None:
    """The edit without the numbers read_file puts before lines; None where not every line has one."""
    old_lines, new_lines = edit.old_text.split("\n"), edit.new_text.split("\n")
    if not all(_LINE_NUMBER.match(line) for line in old_lines if line) or not edit.old_text.strip():
        return None
    old = "\n".join(_LINE_NUMBER.sub("", line) for line in old_lines)
    if all(_LINE_NUMBER.match(line) for line in new_lines if line):
        new_lines = [_LINE_NUMBER.sub("", line) for line in new_lines]
    new = "\n".join(new_lines)
    return None if not old or old == new else Edit(old, new)


def _not_found(text: str, edit: Edit, where: str) -> ToolFailed:
    code = "edit.not_found_for_all" if edit.replace_all else "edit.not_found"
    return ToolFailed(code, kind=ErrorKind.NOT_FOUND, where=where, nearest=describe_nearest(text, edit.old_text))
