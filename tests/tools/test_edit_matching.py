from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.tools.files.edit_matching import Edit, Located, Splice, apply_edits, locate
from paicli.tools.files.encoding import TextEncoding
from paicli.tools.files.folding import fold, fold_line, unfolded_offset
from paicli.tools.files.lines import split_lines
from tests.random_examples import examples

T = TypeVar("T")

CODECS = {
    "utf-8": TextEncoding("utf-8"),
    "utf-8 with mark": TextEncoding("utf-8", b"\xef\xbb\xbf"),
    "gb18030": TextEncoding("gb18030"),
    "utf-16-le": TextEncoding("utf-16-le", b"\xff\xfe"),
    "latin-1": TextEncoding("latin-1"),
    "big5": TextEncoding("big5"),
}
LINE = st.text(st.sampled_from("abc é“”中文界\t x=1;{}\\$"), max_size=8)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def replaced(text: str, old: str, new: str) -> str:
    (splice,) = locate(text, Edit(old, new)).splices
    return text[: splice.start] + splice.new_text + text[splice.end :]


def attempt(work: Callable[[], T]) -> T | str:
    """What it returns, or the code of its refusal."""
    try:
        return work()
    except ToolFailed as error:
        return error.code


def refused(text: str, edit: Edit) -> tuple[str, str]:
    with pytest.raises(ToolFailed) as caught:
        locate(text, edit)
    return caught.value.code, model_text(caught.value.code, **{"path": "f", **caught.value.fields})


@examples(300)
@given(
    lines=st.lists(st.tuples(LINE, ENDS), max_size=8),
    tail=LINE,
    span=st.tuples(st.integers(0, 80), st.integers(1, 20)),
    new=st.text(st.sampled_from("xyz \n中"), max_size=8),
    codec=st.sampled_from(sorted(CODECS)),
)
def test_a_random_edit_changes_no_byte_outside_its_span(
    lines: list[tuple[str, str]], tail: str, span: tuple[int, int], new: str, codec: str
) -> None:
    encoding = CODECS[codec]
    text = "".join(line + end for line, end in lines) + tail
    if codec in {"latin-1", "big5"}:
        text, new = text.encode("latin-1", "ignore").decode("latin-1"), new.replace("中", "")
    if codec == "big5":
        text = text.encode("big5", "ignore").decode("big5")
    start = min(span[0], len(text))
    old = text[start : start + span[1]]
    raw = encoding.encode(text)
    edited = attempt(lambda: apply_edits(raw, encoding, [Edit(old, new)], where=[""]))
    if isinstance(edited, str):
        assert edited in {"edit.old_empty", "edit.same", "edit.several"}
        return
    assert not edited.is_corrected
    head = encoding.bom + text[:start].encode(encoding.codec)
    rest = text[start + len(old) :].encode(encoding.codec)
    assert edited.raw.startswith(head)
    assert edited.raw.endswith(rest)
    middle = edited.raw[len(head) : len(edited.raw) - len(rest)].decode(encoding.codec)
    assert middle.replace("\r\n", "\n").replace("\r", "\n") == new.replace("\r\n", "\n")


@examples(200)
@given(
    lines=st.lists(LINE, min_size=1, max_size=6),
    blanks=st.lists(st.sampled_from(["", " ", "\t", "\u00a0"]), min_size=6, max_size=6),
    end=ENDS,
)
def test_a_folded_match_replaces_whole_characters_of_the_file(lines: list[str], blanks: list[str], end: str) -> None:
    text = "".join(line + blank + end for line, blank in zip(lines, blanks, strict=False))
    old = "\n".join(line.replace("“", '"').replace("”", '"') for line in lines)
    located = attempt(lambda: locate(text, Edit(old, "NEW")))
    if isinstance(located, str):
        assert located in {"edit.old_empty", "edit.several", "edit.not_found"}
        return
    (splice,) = located.splices
    taken = text[splice.start : splice.end]
    wanted = [fold_line(line).text for line in old.split("\n")]
    got = [fold_line(line).text for line in taken.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    assert got == wanted


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("x = “a”\n", 'x = "a"', "y", "y\n"),
        ("  print(“a”)  # c\n", 'print("a")', "p()", "  p()  # c\n"),
        ("a\u00a0=\u30001\n", "a = 1", "b", "b\n"),
        ("cafe\u0301 x\n", "caf\u00e9 x", "y", "y\n"),
        ("1–2\n", "1-2", "y", "y\n"),
        ("a\r\nb\r\n", "a\nb\n", "c\nd\n", "c\r\nd\r\n"),
        ("a\nb\n", "a\r\nb\r\n", "c\r\nd\r\n", "c\nd\n"),
        ("a\t \nb\n", "a\nb", "c", "c\n"),
        ("if x:  \n    y\t\nz\n", "if x:\n    y\n", "w\n", "w\nz\n"),
        ("\na = １\n", "\na = 1", "\nb", "\nb\n"),
    ],
)
def test_odd_writing_is_folded(text: str, old: str, new: str, after: str) -> None:
    assert replaced(text, old, new) == after
    assert locate(text, Edit(old, new)).is_corrected


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("foobar\n", "foo "),  # blanks at the end fold at the end of a line only
        ("    x = 1\n", "\tx = 1"),  # indentation counts
        ("x = 1\n", "X = 1"),
        ("\u00e9\n", "e\u0302"),
        ("e\u0301x “\n", 'e"'),
        ("a\n\nb\n", "   \n  x"),
    ],
)
def test_what_means_something_else_is_not_folded(text: str, old: str) -> None:
    assert refused(text, Edit(old, "y"))[0] == "edit.not_found"


def test_part_of_a_character_is_never_replaced() -> None:
    assert refused("caf\u00e9 “\n", Edit('cafe "', "y"))[0] == "edit.not_found"
    assert refused("ﬁ “\n", Edit('i "', "y"))[0] == "edit.not_found"
    assert replaced("ﬁ “\n", 'fi "', "y") == "y\n"


def test_an_exact_match_beats_a_folded_one() -> None:
    assert replaced('“a”\n"a"\n', '"a"', "b") == "“a”\nb\n"


def test_two_folded_matches_are_two() -> None:
    assert refused("“a”\n„a“\n", Edit('"a"', "b")) == (
        "edit.several",
        "old_text 匹配了 2 处(第 1, 2 行),没有修改。请加上前后文使它唯一,或用 replace_all。",
    )


def test_replace_all_takes_places_from_the_left() -> None:
    assert locate("aaaaa", Edit("aa", "b", replace_all=True)) == Located((Splice(0, 2, "b"), Splice(2, 4, "b")), False)


@pytest.mark.parametrize(
    ("text", "old", "after"),
    [
        ("a\nb\n", "1\ta\n2\tb", "N\n"),
        ("“a”\nb\n", '  9\t"a"\n 10\tb', "N\n"),
        ("a\n\nb\n", "1\ta\n2\t\n3\tb\n", "N"),
        ("1\ta\n", "1\ta", "N\n"),  # numbers that stand in the file are text
    ],
)
def test_line_numbers_are_taken_off_when_all_else_fails(text: str, old: str, after: str) -> None:
    assert replaced(text, old, "N") == after


def test_line_numbers_on_some_lines_only_are_text() -> None:
    assert refused("a\nb\n", Edit("1\ta\nb", "y"))[0] == "edit.not_found"


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("def f(x):\n        return 1", "最接近的是:\n1\tdef f(x):\n2\t    return 1\n3\tx = 2\n第 2 行不同:缩进不同"),
        ("def F(x):", "第 1 行不同:大小写不同"),
        ("def f(y):\n    return 1", "第 1 行不同:从第 7 个字符起,文件中是 x):,old_text 中是 y):"),
        ("    return 1\nx = 3", "第 3 行不同:从第 5 个字符起,文件中是 2,old_text 中是 3"),
        ("x = 2\nmore", "第 3 行不同:文件到此结束"),
        ("something entirely different", "文件里也没有相近的行。"),
    ],
)
def test_a_miss_shows_the_nearest_lines_and_the_difference(old: str, told: str) -> None:
    code, text = refused("def f(x):\n    return 1\nx = 2\n", Edit(old, "new"))
    assert (code, told in text) == ("edit.not_found", True), text


def test_a_miss_in_a_large_file_is_told_soon() -> None:
    text = "".join(f"value_{n} = compute({n * 7919 % 1000})\n" for n in range(100_000))
    assert refused(text, Edit("value_x = compute(1234567)", "y"))[0] == "edit.not_found"


@examples(200)
@given(line=st.text(st.sampled_from("ab é“”ﬁ½界\u0301\u0327\u00a0…"), max_size=12))
def test_folding_a_line_and_finding_the_way_back(line: str) -> None:
    offsets = [unfolded_offset(line, at) for at in range(len(fold_line(line).text) + 1)]
    known = [offset for offset in offsets if offset is not None]
    assert known == sorted(known)
    assert offsets[0] == 0
    assert [len(fold(line[:offset])) for offset in known] == [
        at for at, offset in enumerate(offsets) if offset is not None
    ]


@examples(200)
@given(text=st.text(st.sampled_from("ab\n\r\u2028\x0b\x85"), max_size=20))
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line and "\n" not in line[:-1] for line in lines)
