import pytest

from paicli.core.input_syntax.custom_commands import CustomCommand


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        ("Review $ARGUMENTS now", "a.py b.py", "Review a.py b.py now"),
        ("$1 then $2, of $ARGUMENTS", 'one "two words"', 'one then two words, of one "two words"'),
        ("$1|$2|$9", "one", "one||"),
        ("costs $10 and $0 and $HOME", "x", "costs x0 and $0 and $HOME"),
        ("no places", "", "no places"),
        ("no places", "add this", "no places\n\nadd this"),
        ("$1 and $2", "it's fine", "it's and fine"),
        ("first: $1", "$ARGUMENTS $2", "first: $ARGUMENTS"),  # filled once: what came in is data
        ("all: $ARGUMENTS", "$1 {x} %s \\1", "all: $1 {x} %s \\1"),
        ("$ARGUMENTSX stays", "a", "$ARGUMENTSX stays\n\na"),
    ],
)
def test_a_text_is_filled_once(body: str, arguments: str, expected: str) -> None:
    assert CustomCommand("x", "", body).filled(arguments) == expected
