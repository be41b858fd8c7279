# C72: what a crash, a full disk or a bad sector leaves of a journal.
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.errors import SessionNotFound
from paicli.core.events import Event, MessageAppended, ModeChanged, Origin, SessionRenamed, TurnStarted
from paicli.core.messages import AssistantMessage, ToolCall, UserMessage
from paicli.core.ops import Mode, TurnKind
from paicli.session.stored.reading import read_session, session_of
from tests.random_examples import examples
from tests.session.stored.samples import STARTED, Written, as_lines

HEADER = b'{"type":"journal","version":1}'


def events(count: int) -> list[Event]:
    bodies = [
        STARTED,
        TurnStarted(TurnKind.REACT, "你好 🚀", Mode.AUTO),
        MessageAppended(UserMessage('quoted "type":"turn_started" and {"seq":9')),
        MessageAppended(AssistantMessage("好", "想", (ToolCall("c1", "read_file", '{"path":"a"}'),))),
        SessionRenamed('{"seq":1,"time":2'),
        ModeChanged(Mode.ASK),
    ]
    return [Event(n + 1, float(n), "s", Origin("turn_1", "react"), bodies[n % len(bodies)]) for n in range(count)]


def journal_of(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in (HEADER, *lines))


def read(raw: bytes) -> tuple[list[int], int]:
    """(sequence numbers, damaged lines)"""
    stored = session_of(Path("s.jsonl"), raw)
    return [event.seq for event in stored.events], stored.skipped_lines


LINES = as_lines(events(6))


def test_a_journal_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    written = Written(tmp_path / "s1.jsonl")
    written.say(STARTED)
    written.begin(1, "你好")
    written.say(MessageAppended(UserMessage("你好")), turn="turn_1", actor="react")
    written.end(1, "好")
    written.close()
    stored = read_session(tmp_path / "s1.jsonl")
    assert stored.events == tuple(written.events)
    assert (stored.id, stored.last_seq, stored.version, stored.skipped_lines) == ("s1", 4, 1, 0)


def test_a_journal_that_is_not_there_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(SessionNotFound):
        read_session(tmp_path / "gone.jsonl")


DAMAGED: list[tuple[bytes, tuple[list[int], int]]] = [
    (b"", ([], 0)),
    (b"\xef\xbb\xbf", ([], 0)),
    (b"\n\n  \n", ([], 0)),
    (b"\xef\xbb\xbf" + journal_of(LINES), ([1, 2, 3, 4, 5, 6], 0)),
    (journal_of(LINES).replace(b"\n", b"\r\n"), ([1, 2, 3, 4, 5, 6], 0)),
    (journal_of(LINES)[:-30], ([1, 2, 3, 4, 5], 1)),
    (journal_of(LINES[:2]) + '{"seq":3,"time":1.0,"text":"你'.encode()[:-1], ([1, 2], 1)),
    (journal_of(LINES[:2]) + LINES[2][:40] + b"\n" + journal_of(LINES[3:]), ([1, 2, 4, 5, 6], 1)),
    (journal_of(LINES[:2]) + LINES[2][:40] + LINES[3] + b"\n" + LINES[4], ([1, 2, 4, 5], 1)),
    (journal_of(LINES[:2]) + LINES[2] + LINES[3] + b"\n" + LINES[4], ([1, 2, 3, 4, 5], 1)),
    (journal_of(LINES[:2]) + b"\0" * 4096 + LINES[3] + b"\n", ([1, 2, 4], 1)),
    (journal_of(LINES[:2]) + b"\0" * 4096, ([1, 2], 1)),
    (journal_of(LINES[:2]) + b"[" * 100_000 + b"\n" + LINES[3], ([1, 2, 4], 1)),
    (journal_of(LINES[:2]) + b'[1,2]\n"text"\n7\n' + LINES[3], ([1, 2, 4], 3)),
    (journal_of(LINES[:2]) + LINES[2].replace(b'"type":"user_message"', b'"type":7') + b"\n", ([1, 2], 1)),
]


@pytest.mark.parametrize(("raw", "expected"), DAMAGED, ids=lambda value: "")
def test_everything_whole_is_read_and_each_damaged_line_is_left_out_by_itself(
    raw: bytes, expected: tuple[list[int], int]
) -> None:
    assert read(raw) == expected


def test_a_newer_versions_events_and_fields_are_left_out_and_counted() -> None:
    newer = json.loads(LINES[5]) | {"colour": "red"}
    strange = {"seq": 7, "time": 1.0, "session_id": "s", "type": "tea_brewed", "cups": 2}
    lines = [b'{"type":"journal","version":9}', *(json.dumps(each).encode() for each in (newer, strange))]
    stored = session_of(Path("s.jsonl"), journal_of([*LINES[:5], *lines]))
    assert stored.events == tuple(events(6))
    assert (stored.unknown_events, stored.unknown_fields, stored.skipped_lines, stored.version) == (1, 1, 0, 9)


@pytest.mark.parametrize(("version", "counted"), [(1, (0, 1)), (2, (1, 0))])
def test_a_word_that_only_a_newer_version_has_is_no_damage_there(version: int, counted: tuple[int, int]) -> None:
    other_mode = {"seq": 7, "time": 1.0, "session_id": "s", "type": "mode_changed", "mode": "dream"}
    header = b'{"type":"journal","version":%d}' % version
    stored = session_of(Path("s.jsonl"), journal_of([header, *LINES, json.dumps(other_mode).encode()]))
    assert (stored.unknown_events, stored.skipped_lines) == counted
    assert stored.events == tuple(events(6))


@pytest.mark.parametrize("left_out", [{"type": "tea_brewed"}, {"type": "message_appended", "message": None}])
def test_what_is_written_next_is_numbered_after_what_was_left_out(left_out: dict[str, object]) -> None:
    line = json.dumps({"seq": 900, "time": 1.0, "session_id": "s"} | left_out).encode()
    stored = session_of(Path("s.jsonl"), journal_of([*LINES[:2], line]))
    assert ([event.seq for event in stored.events], stored.last_seq) == ([1, 2], 900)


@examples(150)
@given(cut=st.integers(0, 2_000), at=st.integers(0, 2_000))
def test_a_cut_anywhere_costs_the_line_it_is_in_and_no_other(cut: int, at: int) -> None:
    raw = journal_of(as_lines(events(12)))
    start, end = sorted((min(at, len(raw)), min(at + cut, len(raw))))
    left = raw[:start] + raw[end:]
    whole = [number for number, line in enumerate(as_lines(events(12)), 1) if line in left.split(b"\n")]
    found, _ = read(left)
    assert set(whole) <= set(found)


@examples(200)
@given(flips=st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 255)), min_size=1, max_size=6))
def test_flipped_bytes_cost_the_lines_they_are_in_and_raise_nothing(flips: list[tuple[int, int]]) -> None:
    raw = bytearray(journal_of(as_lines(events(12))))
    for position, value in flips:
        raw[position % len(raw)] = value
    left = bytes(raw)
    parts = left.split(b"\n")
    whole = [number for number, line in enumerate(as_lines(events(12)), 1) if line in parts]
    found, _ = read(left)
    assert set(whole) <= set(found)


def test_ten_thousand_events_are_read_in_linear_time() -> None:
    def seconds(count: int) -> float:
        raw = journal_of(as_lines(events(count)))
        before = time.process_time()
        assert len(session_of(Path("s.jsonl"), raw).events) == count
        return time.process_time() - before

    seconds(200)
    assert any(seconds(8_000) < 40 * seconds(1_000) for _ in range(5))  # the machine may be busy with something else
