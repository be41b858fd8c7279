import pytest

from paicli.context.token_estimate import estimated_tokens


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("a", 1, 1),
        ("The quick brown fox jumps over the lazy dog.", 9, 13),
        ("敏捷的棕色狐狸跳过了那只懒狗。", 9, 16),
        ("def add(a: int, b: int) -> int:\n    return a + b\n", 11, 20),
    ],
)
def test_an_estimate_is_near_what_tokenizers_count(text: str, low: int, high: int) -> None:
    assert low <= estimated_tokens(text) <= high
