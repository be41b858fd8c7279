import pytest

from paicli.ui.rendering.markdown.blocks import MarkdownLines
from paicli.ui.rendering.styled import Line, Span, Style, line


def rendered(text: str) -> list[Line]:
    markdown = MarkdownLines()
    shown = [*(shown for part in text.split("\n") for shown in markdown.feed(part)), *markdown.finish()]
    return [row._replace(hang=0, is_prose=False) for row in shown]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Title #", [line("Title", Style.HEADING)]),
        ("#hashtag", [line("#hashtag")]),
        ("- item", [Line((Span("• "), Span("item")))]),
        ("    * deep", [Line((Span("    • "), Span("deep")))]),
        ("> said", [Line((Span("│ ", Style.DIM), Span("said", Style.DIM)))]),
        ("---", [line("─" * 40, Style.DIM)]),
        ("a **b** c", [Line((Span("a "), Span("b", Style.BOLD), Span(" c")))]),
        ("这是**重点**。", [Line((Span("这是"), Span("重点", Style.BOLD), Span("。")))]),
        ("use `x * y * z`", [Line((Span("use "), Span("x * y * z", Style.CODE)))]),
        ("2 * 3 * 4", [line("2 * 3 * 4")]),
        ("snake_case_name", [line("snake_case_name")]),
        ("*so*", [Line((Span("so", Style.ITALIC),))]),
        (
            "[docs](https://evil.example/x)",
            [Line((Span("docs", Style.ACCENT), Span(" (https://evil.example/x)", Style.DIM)))],
        ),
        ("", [line("")]),
    ],
)
def test_a_line_is_styled(text: str, expected: list[Line]) -> None:
    assert rendered(text) == expected


def test_code_stays_as_it_is_until_its_own_fence_ends() -> None:
    text = "````\n# no heading\n```\n**x**\n````\n# heading"
    assert [(shown.text, shown.spans[0].style) for shown in rendered(text)] == [
        ("╭─", Style.DIM),
        ("# no heading", Style.CODE),
        ("```", Style.CODE),
        ("**x**", Style.CODE),
        ("╰─", Style.DIM),
        ("heading", Style.HEADING),
    ]


def test_a_table_is_aligned_by_columns_of_the_screen() -> None:
    assert [shown.text for shown in rendered("| 名称 | n |\n|---|---|\n| a | 10 |\n| 你好吗 |\nafter")] == [
        "名称   │ n",
        "───────┼───",
        "a      │ 10",
        "你好吗 │",
        "after",
    ]


def test_a_single_line_with_bars_is_no_table() -> None:
    assert rendered("| alone") == [line("| alone")]
