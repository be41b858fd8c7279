import pytest

from paicli.core.strict_json import JsonFault, parse_strict


def test_strict_json_is_read_as_it_is() -> None:
    assert parse_strict('{"a": [1, 2.5, "x\\n", null, true]}') == {"a": [1, 2.5, "x\n", None, True]}


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ('{"a": 1} tail', 1, 10, "extra data"),
        ('{"a": 1,\n "a": 2}', 2, 2, 'repeated key "a"'),
        ('{"x": {"a": 1, "a": 2}}', 1, 16, 'repeated key "a"'),
        ('{"n": NaN}', 1, 7, "NaN is no JSON number"),
        ('{"n":\n -Infinity}', 2, 2, "-Infinity is no JSON number"),
        ('{"text": "NaN", "n": NaN}', 1, 22, "NaN is no JSON number"),
        ("[1,]", 1, 4, "Illegal trailing comma before end of array"),
        ("", 1, 1, "Expecting value"),
    ],
)
def test_a_fault_carries_its_place(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(JsonFault) as caught:
        parse_strict(text)
    if "trailing comma" in what:  # worded by Python, differently in each version
        assert caught.value.line == line
        return
    assert (caught.value.line, caught.value.column, caught.value.reason) == (line, column, what)


def test_ten_thousand_nested_brackets_are_a_fault_and_no_recursion_error() -> None:  # C16
    with pytest.raises(JsonFault):
        parse_strict("[" * 100_000)


def test_a_number_of_too_many_digits_is_a_float() -> None:
    assert parse_strict("1" * 400) == float("inf")
