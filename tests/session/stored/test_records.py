import json
from typing import Any, cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.event_codec import to_record, type_name
from paicli.core.events import Event, EventBody, MessageAppended, Origin
from paicli.core.messages import Image, UserMessage
from paicli.session.stored.records import NotOurs, UnknownEvent, event_of
from tests.random_examples import examples

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(float, NUMBER)
st.register_type_strategy(str, TEXT)
st.register_type_strategy(Image, st.builds(Image, TEXT, TEXT, st.just(""), st.integers()))
ORIGIN = st.builds(Origin, TEXT, TEXT, TEXT, st.integers(0, 9), TEXT)


def round_trip(event: Event) -> Event:
    return event_of(json.loads(json.dumps(to_record(event), ensure_ascii=False))).event


@pytest.mark.parametrize("kind", get_args(EventBody), ids=type_name)
@examples(8)
@given(data=st.data(), origin=ORIGIN)
def test_every_event_comes_back_from_its_record_as_it_was(kind: type, data: st.DataObject, origin: Origin) -> None:
    body: Any = data.draw(cast(Any, st).from_type(kind))
    event = Event(7, 12.5, "s1", origin._replace(actor=origin.actor or "engine"), body)
    assert round_trip(event) == event
    assert not event_of(to_record_of(event)).has_unknown_fields


def to_record_of(event: Event) -> Any:
    return json.loads(json.dumps(to_record(event)))


def test_an_image_comes_back_without_its_bytes() -> None:
    with_bytes = MessageAppended(UserMessage("look", (Image("a.png", "image/png", "QUJD", 3),)))
    event = Event(1, 1.0, "s1", Origin("turn_1", "react"), with_bytes)
    assert round_trip(event).body == MessageAppended(UserMessage("look", (Image("a.png", "image/png", "", 3),)))


def record(**changes: Any) -> dict[str, Any]:
    base = {"seq": 3, "time": 1.0, "session_id": "s", "turn_id": "turn_1", "actor": "engine", "type": "mode_changed"}
    return {**base, "mode": "ask", **changes}


def test_a_field_that_is_not_known_is_left_out_and_told() -> None:
    known, more = event_of(record()), event_of(record(colour="red", deeper={"a": 1}))
    assert (known.event, known.has_unknown_fields) == (more.event, False)
    assert more.has_unknown_fields


def test_a_type_that_is_not_known_is_another_versions() -> None:
    for kind in ("mode_painted", None, 7, {"a": 1}, "x" * 1000):
        with pytest.raises(UnknownEvent):
            event_of(record(type=kind))


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": "purple"},
        {"mode": 7},
        {"mode": ["ask"]},
        {"seq": "3"},
        {"seq": True},
        {"time": None},
        {"time": 10**400},
        {"time": float("nan")},
        {"time": float("inf")},
        {"time": 1e300},
        {"time": -1.0},
        {"type": "snapshot_taken", "snapshot": "1", "duration_s": float("nan")},
        {"session_id": 5},
        {"round": "2"},
        {"type": "turn_finished"},
        {"type": "message_appended", "message": {"type": "space_message", "content": ""}},
        {"type": "message_appended", "message": {"type": "user_message", "content": "", "images": [7]}},
        {"type": "message_appended", "message": None},
        {"type": "todo_updated", "items": {"text": "a", "status": "pending"}},
        {"type": "file_overlapped", "path": "a", "task_ids": ["one"]},
        {"type": "tool_started", "call_id": "a", "name": "b", "arguments": "{}", "is_parallel": 1},
    ],
)
def test_a_shape_that_does_not_fit_is_no_event(changes: dict[str, Any]) -> None:
    with pytest.raises(NotOurs):
        event_of(record(**changes))


def test_surrogates_from_a_damaged_escape_become_the_replacement_character() -> None:
    body = {"type": "message_appended", "message": {"type": "user_message", "content": "a\ud83d"}}
    assert event_of(record(**body)).event.body == MessageAppended(UserMessage("a\ufffd"))
