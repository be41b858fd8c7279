import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.llm.openai.think_text import ThinkSplitter
from tests.random_examples import examples


def split(*pieces: str) -> tuple[str, str]:
    splitter = ThinkSplitter()
    parts = [splitter.push(piece) for piece in pieces]
    parts.append(splitter.finish())
    return "".join(thinking for thinking, _ in parts), "".join(answer for _, answer in parts)


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("plain", "", "plain"),
        ("", "", ""),
        ("<think>hm</think>\n\nyes", "hm", "yes"),
        ("\n <think>hm</think>yes </think>", "hm", "yes </think>"),
        ("a <think>b</think>", "", "a <think>b</think>"),
        ("<thin ice", "", "<thin ice"),
        ("<thi", "", "<thi"),
        ("<think>never closed </thi", "never closed </thi", ""),
        ("<think></think>{}", "", "{}"),
        ("<think>a<b</think>c", "a<b", "c"),
        ("  spaces first", "", "  spaces first"),
    ],
)
def test_only_a_leading_tag_is_thinking_however_it_is_cut(text: str, thinking: str, answer: str) -> None:
    assert split(text) == (thinking, answer)
    assert split(*text) == (thinking, answer)


def test_nothing_is_held_back_longer_than_it_may_become_a_tag() -> None:
    splitter = ThinkSplitter()
    assert splitter.push("<th") == ("", "")
    assert splitter.push("ink>so</") == ("so", "")
    assert splitter.push("b></think>") == ("</b>", "")
    assert splitter.push(" \n") == ("", "")
    assert splitter.push(" ok") == ("", "ok")
    assert splitter.push("</think>") == ("", "</think>")


@examples(100)
@given(st.text(alphabet="<>/think \nab"), st.lists(st.integers(1, 7), max_size=20))
def test_cuts_never_change_the_result(rest: str, sizes: list[int]) -> None:
    text = "<think>" + rest
    pieces, position = [], 0
    for size in sizes:
        pieces.append(text[position : position + size])
        position += size
    assert split(*pieces, text[position:]) == split(text)
