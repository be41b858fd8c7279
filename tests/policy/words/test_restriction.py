import pytest

from paicli.policy.words.restriction import Restriction, asks_to_remember, restrictions_in
from tests.policy.words.phrases import NO_ORDERS, ORDERS


@pytest.mark.parametrize(("words", "expected"), ORDERS)
def test_an_order_restricts(words: str, expected: tuple[str, ...]) -> None:
    assert restrictions_in(words) == expected


@pytest.mark.parametrize("words", NO_ORDERS)
def test_a_description_a_quotation_or_a_part_is_no_order(words: str) -> None:
    assert restrictions_in(words) == ()


def test_the_tables_are_large_enough() -> None:
    assert len({words for words, _ in ORDERS}) >= 60
    assert len(set(NO_ORDERS)) >= 60


def test_an_order_stands_beside_long_text_without_trouble() -> None:
    padding = "这里是一段很长的说明, it goes on and on. " * 2_000
    assert restrictions_in(f"{padding}\n不要联网。\n{padding}") == (Restriction.NO_NETWORK,)


@pytest.mark.parametrize(
    "words", ['"' * 5_000, "`" * 5_000, "不" * 20_000, "don't " * 5_000, "'a" * 5_000, "「" * 5_000]
)
def test_odd_words_cost_no_time_and_forbid_nothing(words: str) -> None:
    assert restrictions_in(words) == ()


@pytest.mark.parametrize(
    "words",
    [
        "记住:测试用 pytest",
        "请记住我喜欢 tabs",
        "把这个结论记下来",
        "顺便记一下这个版本号",
        "存到记忆里",
        "remember that we use pnpm",
        "Please remember this.",
        "fetch it and remember the version",
        "save this to your memory",
    ],
)
def test_words_that_ask_to_remember(words: str) -> None:
    assert asks_to_remember(words)


@pytest.mark.parametrize(
    "words",
    [
        "总结这个页面",
        "不要记住这个",
        "don't remember this",
        "add a remember me checkbox",
        "do you remember the last bug?",
        "I remember that it worked",
        "实现记住密码功能",
        "翻译“请记住我”",
        "the page says `remember this`",
        "find the memory leak",
    ],
)
def test_words_that_ask_for_no_memory(words: str) -> None:
    assert not asks_to_remember(words)
