from hypothesis import given
from hypothesis import strategies as st

from paicli.core.history import CheckedHistory
from paicli.core.messages import AssistantMessage, Image, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from tests.fakes.checked_messages import checked
from tests.random_examples import examples


def missing(call: ToolCall) -> str:
    return f"missing {call.name}"


def call(call_id: str, name: str = "read_file", arguments: str = "{}") -> ToolCall:
    return ToolCall(call_id, name, arguments)


def test_a_whole_conversation_passes_unchanged() -> None:
    messages: list[Message] = [
        SystemMessage("s"),
        UserMessage("u"),
        AssistantMessage("", "thought", (call("a"), call("b"))),
        ToolMessage("a", "read_file", "1"),
        ToolMessage("b", "read_file", "2"),
        AssistantMessage("done"),
    ]
    assert list(checked(messages, missing)) == messages


def test_a_call_without_an_answer_is_answered_directly_after_its_message() -> None:
    messages = [
        UserMessage("u"),
        AssistantMessage("", "", (call("p"), call("q"))),
        ToolMessage("p", "read_file", "1"),
        UserMessage("go on"),
    ]
    assert list(checked(messages, missing)) == [
        *messages[:3],
        ToolMessage("q", "read_file", "missing read_file"),
        UserMessage("go on"),
    ]


def test_an_answer_to_no_call_and_a_second_answer_have_no_place() -> None:
    history = CheckedHistory(missing)
    assert history.append(ToolMessage("x", "read_file", "?")) is None
    history.append(AssistantMessage("", "", (call("a"),)))
    assert history.append(ToolMessage("a", "read_file", "1")) == ToolMessage("a", "read_file", "1")
    assert history.append(ToolMessage("a", "read_file", "2")) is None
    assert len(history.messages) == 2


def test_an_empty_assistant_message_has_no_place_even_with_thinking() -> None:  # C17
    history = CheckedHistory(missing)
    assert history.append(AssistantMessage("", "only thoughts")) is None
    assert history.messages == ()


def test_ids_that_repeat_over_turns_within_one_or_are_empty_become_unique_and_keep_their_answers() -> None:  # C15
    history = CheckedHistory(missing)
    for number in range(3):
        history.append(AssistantMessage("", "", (call("call_0", arguments=f'{{"n":{number}}}'),)))
        history.append(ToolMessage("call_0", "read_file", str(number)))
    twice = history.append(AssistantMessage("", "", (call("call_0"), call("call_0"), call(""), call(""))))
    assert isinstance(twice, AssistantMessage)
    for number, stored in enumerate(twice.tool_calls):
        history.append(ToolMessage(stored.id, stored.name, f"answer {number}"))
    calls = [c for m in history.messages if isinstance(m, AssistantMessage) for c in m.tool_calls]
    answers = [m for m in history.messages if isinstance(m, ToolMessage)]
    assert len({c.id for c in calls}) == len(calls) == 7
    assert [m.call_id for m in answers] == [c.id for c in calls]
    assert [m.content for m in answers] == ["0", "1", "2", "answer 0", "answer 1", "answer 2", "answer 3"]


def test_lone_surrogates_become_replacement_characters_and_pairs_are_joined() -> None:  # C51
    stored = checked([UserMessage("\ud83d\ude00 \ud83d")], missing)
    assert stored == (UserMessage("\U0001f600 \ufffd"),)
    (asked, _) = checked([AssistantMessage("", "", (call("a", arguments=r'{"path":"\ud83d"}'),))], missing)
    assert asked == AssistantMessage("", "", (call("a", arguments=r'{"path":"\ufffd"}'),))


MESSAGES = st.one_of(
    st.builds(UserMessage, st.text(max_size=3)),
    st.builds(
        AssistantMessage,
        st.text(max_size=2),
        st.just(""),
        st.lists(st.builds(call, st.sampled_from(["", "a", "b"])), max_size=3).map(tuple),
    ),
    st.builds(ToolMessage, st.sampled_from(["", "a", "b", "zz"]), st.just("read_file"), st.text(max_size=3)),
)


@given(st.lists(MESSAGES, max_size=15))
@examples(200)
def test_any_list_becomes_sendable_and_stays_so_when_checked_again(messages: list[Message]) -> None:
    once = checked(messages, missing)
    ids: set[str] = set()
    position = 0
    while position < len(once):
        message = once[position]
        position += 1
        assert not isinstance(message, ToolMessage)
        if isinstance(message, AssistantMessage):
            assert not message.is_empty
            wanted = [c.id for c in message.tool_calls]
            assert len(set(wanted)) == len(wanted)
            assert not ids & set(wanted)
            ids |= set(wanted)
            answers = once[position : position + len(wanted)]
            assert sorted(m.call_id for m in answers if isinstance(m, ToolMessage)) == sorted(wanted)
            position += len(wanted)
    assert checked(once, missing) == once


def test_images_stay_with_their_message() -> None:
    image = Image("a.png", "image/png", "AAAA", 3)
    assert checked([UserMessage("see \ud83d", (image,))], missing) == (UserMessage("see \ufffd", (image,)),)
