import pytest

from paicli.session.snapshots.records import SnapshotNote, note_text, read_note


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"kind": ', "7"])
def test_a_note_that_can_not_be_read_is_an_empty_one(text: str) -> None:
    assert read_note(text) == SnapshotNote()


def test_a_note_is_read_as_it_was_written() -> None:
    assert read_note(note_text(SnapshotNote())) == SnapshotNote()
