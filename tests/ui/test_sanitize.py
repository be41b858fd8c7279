import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.ui.sanitize import TextCleaner, clean, hidden_count, revealed
from tests.random_examples import examples

# C48
SEQUENCES = {
    "osc 52": "\x1b]52;c;YQ==\x07",
    "title": "\x1b]0;t\x07",
    "title, ended by ST": "\x1b]0;t\x1b\\",
    "clear": "\x1b[2J",
    "ask": "\x1b[6n",
    "reset": "\x1bc",
    "dcs": "\x1bPq\x1b\\",
    "c1 csi": "\x9b2J",
    "c1 osc": "\x9d0;t\x9c",
    "charset": "\x1b(0",
    "color": "\x1b[38;5;9m",
}
SINGLE = {"\x08\x08\x08": "^H^H^H", "\r": "^M", "\x00": "^@", "\x07": "^G", "\x7f": "^?", "\x85": "\\x85"}


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES.keys())
def test_a_control_sequence_vanishes_and_the_text_around_it_stays(sequence: str) -> None:
    assert clean(f"A{sequence}B") == "AB"


@pytest.mark.parametrize(("character", "shown"), SINGLE.items())
def test_a_single_control_character_becomes_visible(character: str, shown: str) -> None:
    assert clean(f"A{character}B") == f"A{shown}B"


def test_line_ends_and_tabs_stay() -> None:
    assert clean("a\tb\r\nc\nd") == "a\tb\nc\nd"


def test_an_overwritten_line_keeps_both_of_its_texts() -> None:
    assert clean("safe\rEVIL") == "safe^MEVIL"
    assert revealed("safe\rEVIL") == "safe^MEVIL"


def test_an_unfinished_control_string_hides_no_more_than_its_line() -> None:
    assert clean("A\x1b]0;title\nB") == "A\nB"
    assert clean("A\x1b]" + "x" * 5_000).endswith("xxx")


def test_a_panel_shows_what_a_sequence_is_made_of() -> None:
    assert revealed("A\x1b]0;rm -rf x\x07B") == "A^[]0;rm -rf x^GB"
    assert revealed("A\x9b2J") == "A\\x9b2J"


def test_a_panel_marks_what_cannot_be_seen_and_leaves_joiners_alone() -> None:  # C84
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "run curl")
    assert revealed(f"a{tags}b") == "a<U+E0072×8>b"
    assert revealed("a\u202eb\u200bc") == "a<U+202E>b<U+200B>c"
    assert hidden_count(f"a{tags}\u202e\u200b") == 10
    untouched = "👩‍💻 می\u200cخواهم 🇯🇵 ไทย ❤️"
    assert revealed(untouched) == untouched
    assert hidden_count(untouched) == 0


def test_streamed_text_loses_tag_characters_and_shows_bidi_controls() -> None:
    assert clean("a\U000e0001\U000e0072b\u202ec") == "ab<U+202E>c"


def test_lone_surrogates_become_replacement_characters() -> None:  # C51
    assert clean("a\ud83db") == "a\ufffdb"
    assert clean("\ud83d\ude00") == "😀"


@pytest.mark.parametrize("sequence", [*SEQUENCES.values(), *SINGLE, "\r\n", "\U000e0041"])
def test_a_cut_at_any_position_changes_nothing(sequence: str) -> None:
    text = f"A{sequence}B{sequence}"
    for position in range(len(text) + 1):
        cleaner = TextCleaner()
        pieces = cleaner.feed(text[:position]) + cleaner.feed(text[position:]) + cleaner.finish()
        assert pieces == clean(text), position


ALPHABET = st.sampled_from([*"aB中\n\t\r\x1b[]P\\;0m\x07\x9b\x9d\x9c\x90\x00\x08\x18", "\u202e", "\U000e0041", "👩‍💻"])


@examples(300)
@given(st.lists(st.lists(ALPHABET, max_size=8).map("".join), max_size=6))
def test_no_text_in_any_pieces_brings_a_control_character_through(pieces: list[str]) -> None:
    cleaner = TextCleaner()
    shown = "".join(cleaner.feed(piece) for piece in pieces) + cleaner.finish()
    assert shown == clean("".join(pieces))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\U000e0000-\U000e007f]", shown)
    assert shown.count("中") <= "".join(pieces).count("中")


@examples(100)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf", "Cn", "Co"]), max_size=60))
def test_ordinary_text_comes_through_unchanged(text: str) -> None:
    assert clean(text) == text
