"""Markdown as it streams: the same lines however it is cut, and nothing lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import DeltaKind
from paicli.ui.rendering.answer_stream import THINKING_LINES, AnswerStream
from paicli.ui.rendering.folds import FoldShelf
from paicli.ui.rendering.markdown.blocks import MarkdownLines
from paicli.ui.rendering.renderer import StreamEnd, StreamText
from paicli.ui.rendering.styled import Line, Span, Style, line, prose, width, wrapped
from tests.random_examples import examples

EN = Texts(Language.EN)

PIECES = (
    "# title",
    "- item",
    "1. one",
    "> quote",
    "> > deeper",
    "| a | b |",
    "|---|--:|",
    "| 你好 | `x|y` |",
    "a | b",
    "```python",
    "```",
    "````md",
    "````",
    "~~~",
    "> ```js",
    "def f(x): return 'y'",
    '"""',
    "**bold** and *so* and `code`",
    "[text](http://x/(y))",
    "你好，👩‍💻🇯🇵 ｶﾅ",
    "plain",
    "",
    "\x1b[31mred\x1b[0m",
    "tail\r",
    "---",
)
documents = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=14).map("\n".join)


def streamed(pieces: list[str], *, kind: DeltaKind = DeltaKind.TEXT, columns: int = 40) -> list[Line]:
    stream = AnswerStream(EN, columns=lambda: columns)
    printed = [row for piece in pieces for row in stream.accept(StreamText(kind, piece))]
    printed += stream.accept(StreamEnd())
    assert stream.tail == []
    return printed


@given(documents, st.lists(st.integers(0, 400), max_size=12), st.sampled_from(list(DeltaKind)))
@examples(200)
def test_any_text_cut_anywhere_shows_the_same_lines_as_in_one_piece(
    text: str, cuts: list[int], kind: DeltaKind
) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert streamed(pieces, kind=kind) == streamed([text] if text else [], kind=kind)
    assert streamed(list(text), kind=kind) == streamed([text] if text else [], kind=kind)


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from([12, 40, 80, 200]))
@examples(150)
def test_every_word_of_a_document_is_shown_as_often_as_it_stands_there(pieces: list[str], columns: int) -> None:
    numbered = [f"{piece} w{number:03}" for number, piece in enumerate(pieces) if "---" not in piece]
    shown = "".join("".join(row.text.split()) for row in streamed(["\n".join(numbered)], columns=columns))
    for number in range(len(pieces)):
        marker = f"w{number:03}"
        assert shown.count(marker) == sum(marker in text for text in numbered)


def rendered(text: str, columns: int = 80) -> list[Line]:
    markdown = MarkdownLines(lambda: columns)
    return [*(shown for part in text.split("\n") for shown in markdown.feed(part)), *markdown.finish()]


def texts(text: str, columns: int = 80) -> list[str]:
    return [row.text for row in rendered(text, columns)]


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_table_is_no_wider_than_the_screen_and_loses_nothing(columns: int) -> None:
    rows = ["| 名称 | what it is for | n |", "|---|:-:|--:|", "| 终端 | the prompt, 输入 and output, 👩‍💻 | 1,000 |"]
    shown = rendered("\n".join(rows), columns)
    assert max(width(piece.text) for row in shown for piece in wrapped(row, columns)) <= columns
    assert all(row.hang or width(row.text) <= columns for row in shown)
    letters = "".join("".join(row.text.split()) for row in shown)
    for part in ("名称", "终端", "1,000"):
        assert part in letters


def test_a_narrow_screen_wraps_the_cells_of_a_table() -> None:
    text = "| k | long |\n|---|---|\n| a | one two three four five |\n| b | 你好你好你好你好你好你好 |"
    assert texts(text, 20) == [
        "k │ long",
        "──┼─────────────────",
        "a │ one two three",
        "  │ four five",
        "b │ 你好你好你好你好",
        "  │ 你好你好",
    ]


def test_a_table_of_too_many_columns_becomes_records() -> None:
    head = "|" + "|".join(f"column {n}" for n in range(4)) + "|"
    text = f"{head}\n|-|-|-|-|\n| a | b | c | d |"
    assert texts(text, 20) == ["column 0: a", "column 1: b", "column 2: c", "column 3: d", ""]


def test_columns_stand_on_the_side_their_rule_says() -> None:
    text = "| l | c | r |\n|:--|:-:|--:|\n| 1 | 1 | 1 |\n| aaa | bbb | ccc |"
    assert texts(text) == [
        "l   │  c  │   r",
        "────┼─────┼────",
        "1   │  1  │   1",
        "aaa │ bbb │ ccc",
    ]


def test_marks_inside_cells_are_styled_and_bars_in_them_are_text() -> None:
    shown = rendered("| a | b |\n|---|---|\n| **x** | `p|q` \\| r |")[2]
    assert shown.text == "x │ p|q | r"
    assert (Span("x", Style.BOLD) in shown.spans, Span("p|q", Style.CODE) in shown.spans) == (True, True)


def test_a_long_table_is_printed_in_parts_with_the_same_columns_and_each_row_once() -> None:
    rows = ["| n |", "|---|", *(f"| {number} |" for number in range(450))]
    markdown = MarkdownLines()
    printed = [row.text for text in rows for row in markdown.feed(text)]
    assert printed == ["n", "───", *(str(number) for number in range(450))]
    assert markdown.finish() == []


def test_rows_with_bars_but_no_rule_are_no_table() -> None:
    assert texts("| a | b |\n| c | d |") == ["| a | b |", "| c | d |"]


def test_code_of_a_known_language_is_coloured_letter_for_letter() -> None:
    code = ['def f(x):  # "no string"', '\t"""doc', '    more"""', "    return  1"]
    shown = rendered("\n".join(["```python", *code, "```"]))
    assert [row.text for row in shown] == ["╭─ python", *code, "╰─"]
    assert Span("def", Style.KEYWORD) in shown[1].spans
    assert shown[1].spans[-1] == Span('# "no string"', Style.COMMENT)
    assert shown[3].spans == (Span('    more"""', Style.STRING),)


def test_code_of_an_unknown_language_and_of_none_has_one_colour() -> None:
    for head in ("```", "```brandnew"):
        assert rendered(f"{head}\nif x\n```")[1] == line("if x", Style.CODE)


def test_long_code_is_printed_in_parts_that_know_what_stood_before() -> None:
    code = ['"""doc', *(f"line {number}" for number in range(60)), '"""', "return"]
    markdown = MarkdownLines()
    shown = [row for text in ["```python", *code, "```"] for row in markdown.feed(text)]
    assert [row.text for row in shown] == ["╭─ python", *code, "╰─"]
    assert {row.spans[0].style for row in shown[2 + 40 : 2 + 60]} == {Style.STRING}
    assert shown[-2].spans == (Span("return", Style.KEYWORD),)


def test_a_fence_inside_a_fence_of_markdown_does_not_end_it() -> None:
    text = "```md\n# not ours\n```py\nx\n```\nstill inside\n```\n# ours"
    assert texts(text) == ["╭─ md", "# not ours", "```py", "x", "```", "still inside", "╰─", "ours"]


def test_a_fence_in_a_quotation_ends_with_it() -> None:
    assert texts("> ```py\n> x = 1\nafter **all**") == ["│ ╭─ py", "│ x = 1", "│ ╰─", "after all"]


def test_a_fence_in_a_list_keeps_its_place_and_one_without_an_end_gets_it_with_the_answer() -> None:
    assert texts("- item\n  ```sh {1}\n  ls\n  ```\n~~~\nrest") == [
        "• item", "  ╭─ sh {1}", "  ls", "  ╰─", "╭─", "rest", "╰─",
    ]  # fmt: skip


def test_quotes_in_quotes_and_lists_in_quotes() -> None:
    assert texts("> > two\n> - item") == ["│ │ two", "│ • item"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [ ] open", "○ open"),
        ("  - [x] done", "  ✓ done"),
        ("12. twelve", "12. twelve"),
        ("***both***", "***both***"),
        ("[a](http://x/(y))", "a (http://x/(y))"),
        ('[a](http://x "title")', 'a (http://x "title")'),
        ("[http://x](http://x)", "http://x"),
        ("![alt](p.png)", "alt (p.png)"),
        ("<https://a.b/c>", "https://a.b/c"),
        ("`` a`b ``", "a`b"),
        ("\\*not\\* and \\[x]", "\\*not\\* and \\[x]"),
        ("__init__ and _x_", "__init__ and _x_"),
        ("C:\\dir\\*.py", "C:\\dir\\*.py"),
    ],
)
def test_a_line_reads(text: str, expected: str) -> None:
    assert texts(text) == [expected]


def test_no_hyperlink_of_the_terminal_is_ever_made() -> None:
    shown = streamed(["\x1b]8;;http://evil\x1b\\here\x1b]8;;\x1b\\ [a](http://b)"])
    assert [row.text for row in shown] == ["here a (http://b)"]


def test_what_waits_for_its_block_stands_in_the_tail_meanwhile() -> None:
    stream = AnswerStream(EN)
    assert stream.accept(StreamText(DeltaKind.TEXT, "| a | b |\n|---|---|\n| 1 |")) == []
    assert [row.text for row in stream.tail] == ["| a | b |", "|---|---|", "| 1 |"]
    assert [row.text for row in stream.accept(StreamText(DeltaKind.TEXT, " 2 |\n\n"))] == [
        "a │ b",
        "──┼──",
        "1 │ 2",
        "",
    ]
    assert stream.accept(StreamText(DeltaKind.TEXT, "```py\nx = 1\ny")) == [line("╭─ py", Style.DIM)]
    assert stream.tail == [line("x = 1", Style.CODE), line("y", Style.CODE)]


def test_no_mark_of_a_fence_is_seen_while_it_streams() -> None:
    stream = AnswerStream(EN)
    seen: list[list[str]] = []
    for character in "> ```sh\n> ls `x`\n> ```\n":
        stream.accept(StreamText(DeltaKind.TEXT, character))
        seen.append([row.text for row in stream.tail])
    assert seen[:8] == [["│ "], ["│ "], [], [], ["│ ╭─"], ["│ ╭─ s"], ["│ ╭─ sh"], []]
    assert [rows for rows in seen[8:] if any("```" in row for row in rows)] == []
    assert seen[-3:] == [["│ ls `x`"]] * 2 + [[]]


def test_an_unfinished_line_looks_as_it_will_when_it_is_whole() -> None:
    stream = AnswerStream(EN)
    stream.accept(StreamText(DeltaKind.TEXT, "- **so** it g"))
    assert [row.text for row in stream.tail] == ["• so it g"]


def test_long_thinking_shows_its_first_lines_and_unfolds_whole() -> None:
    shelf = FoldShelf()
    stream = AnswerStream(EN, shelf=shelf)
    thoughts = "\n".join(f"thought {number}" for number in range(20))
    printed = stream.accept(StreamText(DeltaKind.THINKING, thoughts))
    assert [row.text for row in printed] == ["🧠 thought 0", *(f"thought {n}" for n in range(1, THINKING_LINES))]
    assert stream.tail[-1] == line("thought 19", Style.DIM)
    ended = stream.accept(StreamText(DeltaKind.TEXT, "yes\n"))
    assert [row.text for row in ended] == ["… 17 more lines (Ctrl+O unfolds)", "yes"]
    assert [row.text for row in shelf.unfold()] == ["🧠 thought 0", *(f"thought {n}" for n in range(1, 20))]


def test_a_thought_without_end_is_cut_and_unfolds_whole() -> None:
    shelf = FoldShelf()
    stream = AnswerStream(EN, shelf=shelf)
    stream.accept(StreamText(DeltaKind.THINKING, "x" * 1_000))
    printed = stream.accept(StreamEnd())
    assert [len(row.text) for row in printed] == [240, len("… 1 more line (Ctrl+O unfolds)")]
    assert shelf.unfold() == prose("🧠 " + "x" * 1_000, Style.DIM)


def test_short_thinking_is_not_folded() -> None:
    assert [row.text for row in streamed(["one\ntwo\n\n\n"], kind=DeltaKind.THINKING)][:2] == ["🧠 one", "two"]
    assert "…" not in str(streamed(["one\ntwo\n\n\n"], kind=DeltaKind.THINKING))
