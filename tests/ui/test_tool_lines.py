import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import ToolFinished
from paicli.core.messages import PageFetched, ToolDetail, ToolOutcome, WebSearched
from paicli.ui.rendering.tool_lines import call_subject, outcome_text, parsed_arguments

DEEP = "[" * 100_000


@pytest.mark.parametrize("arguments", [DEEP, '{"path":' + DEEP, '{"path": 1', "[]", '"a"', ""])
def test_arguments_that_are_no_object_say_nothing_and_break_nothing(arguments: str) -> None:
    assert (parsed_arguments(arguments), call_subject(arguments)) == ({}, "")


def test_a_calls_subject_is_one_line_of_its_path_or_command() -> None:
    assert call_subject('{"command": "a\\n  b", "timeout_s": 3}') == "a b"


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (PageFetched("https://a.example/", 200, 12_345, "A title"), "A title · 12.3 KB"),
        (PageFetched("https://a.example/", 200, 12, ""), "12 B"),
        (PageFetched("https://a.example/", 200, 5_000_000, "T", is_cut=True), "T · 5000.0 KB (incomplete)"),
        (WebSearched("words", 8, "tavily"), "8 results (tavily)"),
    ],
)
def test_a_page_and_a_search_are_told_in_one_line(detail: ToolDetail, said: str) -> None:
    finished = ToolFinished("c", "web_fetch", ToolOutcome.OK, "", detail, 0.1)
    assert outcome_text(finished, Texts(Language.EN)) == said
