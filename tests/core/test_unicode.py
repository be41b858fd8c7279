import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.unicode import unseen_count, well_formed, well_formed_json, without_tags
from tests.random_examples import examples

HIDDEN = "".join(chr(0xE0000 + ord(letter)) for letter in "run curl")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ("plain", 0)),
        (f"a{HIDDEN}b", ("ab", 8)),
        ("\U000e0000\U000e007f", ("", 2)),
        ("\udbff\udfff", ("\udbff\udfff", 0)),
        ("👩\u200d💻 می\u200cروم ❤\ufe0f", ("👩\u200d💻 می\u200cروم ❤\ufe0f", 0)),
        ("\U000e0100", ("\U000e0100", 0)),
    ],
)
def test_tag_characters_go_and_what_people_write_stays(text: str, expected: tuple[str, int]) -> None:  # C84
    assert without_tags(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("abc", 0),
        ("a\u200bb", 1),
        ("\u202eabc\u202c", 2),
        ("\u2066x\u2069\ufeff", 3),
        ("👩\u200d💻 می\u200cروم", 0),
    ],
)
def test_what_nobody_sees_is_counted_and_joiners_are_not(text: str, count: int) -> None:  # C84
    assert unseen_count(text) == count


@examples(100)
@given(st.text())
def test_no_tag_character_is_left_and_nothing_else_is_lost(text: str) -> None:  # C84
    visible, count = without_tags(well_formed(text))
    assert not any(0xE0000 <= ord(character) <= 0xE007F for character in visible)
    assert len(visible) + count == len(well_formed(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'{"a":"\ud83d"}', r'{"a":"\ufffd"}'),
        (r'{"a":"\ud83d\ude00 \UD83D"}', r'{"a":"\ud83d\ude00 \UD83D"}'),
        (r'"\uDE00\ud83d\ud83d\ude00"', r'"\ufffd\ufffd\ud83d\ude00"'),
        (r'"\\ud83d \n \u00d8"', r'"\\ud83d \n \u00d8"'),
        ('"\ud83d\ude00 \ud83d"', '"😀 \ufffd"'),
        (r'{"cut":"\ud8', r'{"cut":"\ud8'),
    ],
)
def test_json_has_no_half_of_a_pair_in_its_strings_either(text: str, expected: str) -> None:  # C51
    assert well_formed_json(text) == expected


SURROGATES = st.text(st.sampled_from('a\\u"\n\ud83d\ude00\udc00中'), max_size=8)


@examples(100)
@given(SURROGATES, st.booleans())
def test_what_is_read_from_well_formed_json_is_well_formed_and_else_the_same(text: str, is_ascii: bool) -> None:
    assert json.loads(well_formed_json(json.dumps(text, ensure_ascii=is_ascii))) == well_formed(text)
