"""For an edit whose text is not there: the lines that come closest, and what differs."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from paicli.core.catalogue.lookup import model_text
from paicli.core.unicode import clipped
from paicli.tools.files.folding import fold_line
from paicli.tools.files.lines import split_lines, without_end

_MAX_LINES_COMPARED = 10_000
_MAX_COMPARED_CHARACTERS = 300
_MIN_RATIO = 0.5
_SHOWN_LINES = 3
_SHOWN_CHARACTERS = 200


def describe_nearest(text: str, wanted: str) -> str:
    """For the model: up to three numbered lines of the file, and the first difference."""
    ends = split_lines(text)
    lines = [without_end(line) for line in ends]
    pieces = [without_end(line) for line in split_lines(wanted)]
    if not any(pieces):
        return model_text("edit.nearest_none")
    anchor = max(range(len(pieces)), key=lambda index: len(pieces[index].strip()))
    found = _nearest(lines, pieces[anchor])
    if found is None:
        return model_text("edit.nearest_none")
    first = max(0, found - anchor)
    at, what = _first_difference(lines[first:], pieces, anchor - (found - first))
    shown = range(max(first, first + at - 1), min(len(lines), max(first, first + at - 1) + _SHOWN_LINES))
    numbered = "\n".join(f"{index + 1}\t{clipped(lines[index], _SHOWN_CHARACTERS)}" for index in shown)
    return model_text("edit.nearest", lines=numbered, number=first + at + 1, what=what)


def _nearest(lines: Sequence[str], wanted: str) -> int | None:
    """Index of the line most like `wanted`; None when none is half like it."""
    if wanted in lines:
        return lines.index(wanted)
    folded = fold_line(wanted.strip()).text.casefold()[:_MAX_COMPARED_CHARACTERS]
    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    best, best_ratio = None, _MIN_RATIO
    for index, line in enumerate(lines[:_MAX_LINES_COMPARED]):
        candidate = fold_line(line.strip()).text.casefold()[:_MAX_COMPARED_CHARACTERS]
        if candidate == folded:
            return index
        matcher.set_seq1(candidate)
        if matcher.real_quick_ratio() > best_ratio and matcher.quick_ratio() > best_ratio:
            ratio = matcher.ratio()
            if ratio > best_ratio:
                best, best_ratio = index, ratio
    return best


def _first_difference(lines: Sequence[str], pieces: Sequence[str], skipped: int) -> tuple[int, str]:
    """Which of `lines` differs first from its piece, and how. `skipped` pieces would stand before the file."""
    for index, piece in enumerate(pieces[skipped:]):
        if index >= len(lines):
            return index - 1, model_text("edit.differs_end")
        if lines[index] != piece:
            return index, _difference(lines[index], piece)
    return 0, model_text("edit.differs_ends")


def _difference(line: str, piece: str) -> str:
    if line.strip() == piece.strip():
        code = "edit.differs_indent" if line.rstrip() != piece.rstrip() else "edit.differs_trailing"
        return model_text(code)
    if line.casefold() == piece.casefold():
        return model_text("edit.differs_case")
    if not piece.strip() or not line.strip():
        return model_text("edit.differs_blank")
    column = next(
        (at for at, (mine, theirs) in enumerate(zip(line, piece, strict=False)) if mine != theirs),
        min(len(line), len(piece)),
    )
    return model_text(
        "edit.differs_at",
        column=column + 1,
        file=clipped(line[column:], 40) or "∅",
        given=clipped(piece[column:], 40) or "∅",
    )
