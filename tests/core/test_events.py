import json
import threading
from contextlib import suppress
from typing import get_args

from paicli.core.errors import LlmUnreachable, SettingsError
from paicli.core.event_codec import plain, to_record, type_name
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    Event,
    EventBody,
    MessageAppended,
    Notice,
    Origin,
    ToolFinished,
    TurnStarted,
)
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import AssistantMessage, FileRead, Image, ToolCall, ToolOutcome, UserMessage
from paicli.core.ops import Mode, Op, TurnKind
from tests.fakes.recording_listener import RecordingListener
from tests.patience import PATIENCE_S


def test_numbers_and_order_are_the_same_for_every_listener_from_many_threads() -> None:
    stream = EventStream("s", clock=lambda: 1.0)
    first, second = RecordingListener(), RecordingListener()
    stream.subscribe(first)
    stream.subscribe(second)
    barrier = threading.Barrier(4)

    def publish(name: str) -> None:
        barrier.wait(PATIENCE_S)
        for number in range(50):
            stream.publish(Notice(Fault(f"{name}{number}")), Origin(actor=name))

    threads = [threading.Thread(target=publish, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [event.seq for event in first.events] == list(range(1, 201))
    assert first.events == second.events


def test_a_broken_listener_breaks_nobody_else() -> None:
    errors: list[Exception] = []
    stream = EventStream("s", on_listener_error=errors.append)
    fault = ValueError("broken")

    def broken(event: Event) -> None:
        raise fault

    listener = RecordingListener()
    stream.subscribe(broken)
    unsubscribe = stream.subscribe(listener)
    stream.publish(Notice(Fault("a")), Origin())
    unsubscribe()
    stream.publish(Notice(Fault("b")), Origin())
    assert (listener.bodies, errors) == ([Notice(Fault("a"))], [fault, fault])


def test_a_listener_that_leaves_while_it_is_told_costs_the_next_one_nothing() -> None:
    stream, listener = EventStream("s"), RecordingListener()
    leave = stream.subscribe(lambda event: leave())
    stream.subscribe(listener)
    stream.publish(Notice(Fault("a")), Origin())
    assert listener.bodies == [Notice(Fault("a"))]


def test_what_a_listener_publishes_is_heard_after_its_cause_by_everyone() -> None:
    stream, first, last = EventStream("s"), RecordingListener(), RecordingListener()

    def answer(event: Event) -> None:
        if event.body == Notice(Fault("question")):
            for code in ("one", "two"):
                stream.publish(Notice(Fault(code)), Origin())

    for listener in (first, answer, last):
        stream.subscribe(listener)
    stream.publish(Notice(Fault("question")), Origin())
    stream.publish(Notice(Fault("next")), Origin())
    assert first.events == last.events
    assert [event.seq for event in last.events] == [1, 2, 3, 4]
    assert [body.fault.code for body in last.of(Notice)] == ["question", "one", "two", "next"]


def test_a_listener_for_a_while_hears_what_is_said_meanwhile_however_that_ends() -> None:
    stream, listener = EventStream("s"), RecordingListener()
    stream.publish(Notice(Fault("before")), Origin())
    with suppress(KeyError), stream.heard_by(listener):
        stream.publish(Notice(Fault("meanwhile")), Origin())
        raise KeyError
    stream.publish(Notice(Fault("after")), Origin())
    assert listener.bodies == [Notice(Fault("meanwhile"))]


def test_events_of_a_closed_turn_are_dropped() -> None:
    stream, listener = EventStream("s"), RecordingListener()
    stream.subscribe(listener)
    stream.publish(Notice(Fault("in")), Origin("turn_1"))
    stream.close_turn(Notice(Fault("last")), Origin("turn_1"))
    assert stream.publish(Notice(Fault("late")), Origin("turn_1")) is None
    stream.close_turn(Notice(Fault("once more")), Origin("turn_1", "react"))
    stream.publish(Notice(Fault("next")), Origin("turn_2"))
    assert listener.bodies == [Notice(Fault("in")), Notice(Fault("last")), Notice(Fault("next"))]


def test_a_record_is_flat_and_leaves_out_an_empty_origin() -> None:
    event = Event(3, 12.5, "s1", Origin("turn_1", "react"), TurnStarted(TurnKind.REACT, "hi", Mode.AUTO))
    assert to_record(event) == {
        "seq": 3,
        "time": 12.5,
        "session_id": "s1",
        "turn_id": "turn_1",
        "actor": "react",
        "type": "turn_started",
        "kind": "react",
        "text": "hi",
        "mode": "auto",
    }


def test_messages_and_details_inside_a_record_carry_their_type() -> None:
    message = AssistantMessage("x", "", (ToolCall("1", "read_file", "{}"),))
    record = to_record(Event(1, 0.0, "s", Origin(), MessageAppended(message)))
    assert record["message"] == {
        "type": "assistant_message",
        "content": "x",
        "thinking": "",
        "tool_calls": [{"id": "1", "name": "read_file", "arguments": "{}"}],
    }
    finished = ToolFinished("1", "read_file", ToolOutcome.OK, "…", FileRead("a", 1, 2), 0.1)
    assert to_record(Event(1, 0.0, "s", Origin(), finished))["detail"]["type"] == "file_read"


def test_a_record_names_an_image_and_leaves_out_its_bytes() -> None:
    message = UserMessage("see", (Image("a.png", "image/png", "AAAA" * 1_000_000, 3_000_000),))
    assert to_record(Event(1, 0.0, "s", Origin(), MessageAppended(message)))["message"] == {
        "type": "user_message",
        "content": "see",
        "images": [{"path": "a.png", "media_type": "image/png", "size_bytes": 3_000_000}],
    }


def test_every_event_and_op_has_a_name_of_its_own_and_no_field_hides_the_header() -> None:
    header = {"seq", "time", "session_id", "type", *Origin._fields}
    kinds = get_args(EventBody)
    assert len({type_name(kind) for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert not header & set(kind._fields), kind
    assert len({kind.__name__ for kind in get_args(Op)}) == len(get_args(Op))


def test_what_is_plain_is_json() -> None:
    assert json.loads(json.dumps(plain({"a": (1, Mode.AUTO, Origin("t"))}))) == {
        "a": [1, "auto", {"turn_id": "t", "actor": "engine", "plan_id": "", "round": 0, "task_id": ""}]
    }


def test_a_fault_carries_masked_text_and_whether_trying_again_may_help() -> None:
    masker = SecretMasker(["sk-canary-1"])
    assert fault_of(SettingsError("settings.x", key="sk-canary-1"), masker) == Fault("settings.x", (("key", "***"),))
    assert fault_of(LlmUnreachable("llm.down", status=503), masker) == Fault("llm.down", (("status", "503"),), True)
    unexpected = fault_of(ValueError("sk-canary-1 " + "x" * 5000), masker)
    assert unexpected.code == "error.unexpected"
    assert dict(unexpected.fields)["what"].startswith("*** x")
    assert len(dict(unexpected.fields)["what"]) == 2_000


def test_the_masker_knows_configured_values_and_well_known_shapes() -> None:
    masker = SecretMasker(["hunter22", "abc"])
    assert masker.mask("hunter22 abc") == "*** abc"
    assert masker.mask("Authorization: Bearer eyJhbGciOi.x.y") == "Authorization: Bearer ***"
    assert masker.mask("key=sk-proj-0123456789abcdef!") == "key=***!"
    assert masker.mask("sk-it is no key") == "sk-it is no key"
