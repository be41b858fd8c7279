"""What a write changes, as a unified diff; its cost stays bounded however different two files are."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from typing import NamedTuple

from paicli.core.unicode import clipped
from paicli.tools.files.lines import split_lines, without_end

MAX_DIFF_LINES = 2_000
_MAX_LINE_CHARACTERS = 2_000
_MAX_COMPARISONS = 60_000
"""Lines of one side times lines of the other up to which difflib looks at a stretch; its worst case is cubic."""

_NO_FINAL_NEWLINE = "\\ No newline at end of file"


class Diff(NamedTuple):
    """A unified diff and its counts."""

    text: str
    """At most 2,000 lines; then the last is "\\ … +N", N lines being left out."""
    added: int
    removed: int


def unified_diff(old: str | None, new: str, path: str) -> Diff:
    """From `old` (None: there was no file) to `new`. A changed line end shows as ␍, a missing last one by a note."""
    before, after = split_lines(old or ""), split_lines(new)
    shows_ends = len({line[len(without_end(line)) :] for line in (*before, *after)} - {""}) > 1
    matcher = _LineMatcher(before, after)
    lines = ["--- /dev/null" if old is None else f"--- a/{path}", f"+++ b/{path}"]
    added = removed = 0
    for group in matcher.get_grouped_opcodes(3):
        lines.append(_header(group))
        for tag, first, last, new_first, new_last in group:
            if tag == "equal":
                lines += _shown(" ", before[first:last], shows_ends)
                continue
            removed += last - first
            added += new_last - new_first
            lines += _shown("-", before[first:last], shows_ends)
            lines += _shown("+", after[new_first:new_last], shows_ends)
    if len(lines) > MAX_DIFF_LINES:
        lines[MAX_DIFF_LINES - 1 :] = [f"\\ … +{len(lines) - MAX_DIFF_LINES + 1}"]
    return Diff("\n".join(lines) if added or removed else "", added, removed)


def _header(group: Sequence[tuple[str, int, int, int, int]]) -> str:
    _, first, _, new_first, _ = group[0]
    _, _, last, _, new_last = group[-1]
    return f"@@ -{_range(first, last)} +{_range(new_first, new_last)} @@"


def _range(first: int, last: int) -> str:
    count = last - first
    return f"{first + 1 if count else first}" + (f",{count}" if count != 1 else "")


def _shown(sign: str, lines: Sequence[str], shows_ends: bool) -> Iterator[str]:
    for line in lines:
        bare = without_end(line)
        mark = "␍" if shows_ends and line.endswith(("\r\n", "\r")) else ""
        yield sign + clipped(bare, _MAX_LINE_CHARACTERS) + mark
        if bare == line:
            yield _NO_FINAL_NEWLINE


class _LineMatcher(SequenceMatcher[str]):
    """difflib's, but long stretches are first divided at lines that are unique on both sides."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        # difflib indexes its second sequence at once; ours is looked at piece by piece.
        super().__init__(None, "", "")
        self.a, self.b = before, after

    def get_matching_blocks(self) -> list[Match]:
        blocks = _merged(_matches(self.a, self.b, (0, len(self.a), 0, len(self.b))))
        return [*blocks, Match(len(self.a), len(self.b), 0)]


def _matches(before: Sequence[str], after: Sequence[str], stretch: tuple[int, int, int, int]) -> Iterator[Match]:
    """Equal runs in order; `stretch` is first, last of `before`, first, last of `after`."""
    first, last, new_first, new_last = stretch
    start = first
    while first < last and new_first < new_last and before[first] == after[new_first]:
        first, new_first = first + 1, new_first + 1
    if first > start:
        yield Match(start, new_first - (first - start), first - start)
    tail = 0
    while first < last - tail and new_first < new_last - tail and before[last - tail - 1] == after[new_last - tail - 1]:
        tail += 1
    yield from _inner_matches(before, after, (first, last - tail, new_first, new_last - tail))
    if tail:
        yield Match(last - tail, new_last - tail, tail)


def _inner_matches(before: Sequence[str], after: Sequence[str], stretch: tuple[int, int, int, int]) -> Iterator[Match]:
    first, last, new_first, new_last = stretch
    if first == last or new_first == new_last:
        return
    if (last - first) * (new_last - new_first) <= _MAX_COMPARISONS:
        matcher = SequenceMatcher(None, before[first:last], after[new_first:new_last], autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size:
                yield Match(first + block.a, new_first + block.b, block.size)
        return
    # Where no line is unique on both sides this is a replacement as a whole.
    anchors = _anchors(before[first:last], after[new_first:new_last])
    for at, new_at in anchors:
        yield from _matches(before, after, (first, stretch[0] + at, new_first, stretch[2] + new_at))
        yield Match(stretch[0] + at, stretch[2] + new_at, 1)
        first, new_first = stretch[0] + at + 1, stretch[2] + new_at + 1
    if anchors:
        yield from _matches(before, after, (first, last, new_first, new_last))


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The longest rising chain of lines that are unique on both sides."""
    counts, new_counts = Counter(before), Counter(after)
    places = {line: index for index, line in enumerate(after) if new_counts[line] == 1}
    pairs = [(index, places[line]) for index, line in enumerate(before) if counts[line] == 1 and line in places]
    ends: list[int] = []  # per length of chain: the smallest place one of it ends at, and that pair's index
    ends_at: list[int] = []
    previous: list[int] = []
    for index, (_, place) in enumerate(pairs):
        rank = bisect_left(ends, place)
        previous.append(ends_at[rank - 1] if rank else -1)
        if rank == len(ends):
            ends.append(place)
            ends_at.append(index)
        else:
            ends[rank], ends_at[rank] = place, index
    chain: list[tuple[int, int]] = []
    at = ends_at[-1] if ends_at else -1
    while at >= 0:
        chain.append(pairs[at])
        at = previous[at]
    return chain[::-1]


def _merged(matches: Iterator[Match]) -> list[Match]:
    """Runs that touch, as one."""
    blocks: list[Match] = []
    for match in matches:
        if blocks and blocks[-1].a + blocks[-1].size == match.a and blocks[-1].b + blocks[-1].size == match.b:
            blocks[-1] = Match(blocks[-1].a, blocks[-1].b, blocks[-1].size + match.size)
        else:
            blocks.append(match)
    return blocks
