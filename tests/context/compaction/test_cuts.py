import pytest

from paicli.context.compaction.cuts import is_safe_cut, safe_cut, step_starts, turn_starts, wished_cuts
from paicli.context.compaction.stubs import shortened_results, with_stubs
from paicli.context.compaction.summary import fitting, is_summary, kept_of, summary_message
from paicli.context.compaction.transcript import transcript
from paicli.context.token_estimate import estimated_tokens
from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from tests.fakes.checked_messages import checked

SYSTEM = SystemMessage("rules")


def called(*ids: str) -> AssistantMessage:
    return AssistantMessage("", "", tuple(ToolCall(each, "look", "{}") for each in ids))


def answer(call_id: str, content: str = "saw") -> ToolMessage:
    return ToolMessage(call_id, "look", content)


# C65's history, and a run with a lone user message between.
HISTORY: tuple[Message, ...] = (
    SYSTEM,
    UserMessage("u1"),
    called("p", "q"),
    answer("p"),
    answer("q"),
    AssistantMessage("a1"),
    UserMessage("u2"),
    called("r"),
    answer("r"),
    AssistantMessage("a2"),
    UserMessage("alone"),
    UserMessage("u3"),
    called("s"),
    answer("s"),
)


@pytest.mark.parametrize("at", range(len(HISTORY) + 2))
def test_c65_a_cut_at_every_index_leaves_a_valid_request(at: int) -> None:
    cut = safe_cut(HISTORY, at)
    dropped, staying = HISTORY[1:cut], HISTORY[cut:]
    sent = (SYSTEM, summary_message("summary", kept_of(dropped, staying=staying)), *staying)
    assert tuple(checked(sent, lambda call: "missing")) == sent
    assert tuple(checked((SYSTEM, *dropped), lambda call: "missing")) == (SYSTEM, *dropped)
    assert 1 <= cut <= len(HISTORY)
    assert cut <= max(at, 1)
    assert is_safe_cut(HISTORY, cut)
    assert any("u3" in message.content for message in sent)  # the newest user message, wherever the cut was


def test_turns_begin_with_the_persons_words_and_not_with_a_reminder() -> None:
    reminded = (*HISTORY, UserMessage(model_text("loop.repeated_call")), called("t"), answer("t"))
    assert turn_starts(reminded) == [1, 6, 10]
    assert step_starts(reminded) == [2, 7, 12, 15]


def test_wished_cuts_keep_most_first() -> None:
    assert wished_cuts(HISTORY, turns_kept=2, steps_kept=2) == [6, 10, 12, 14]
    assert wished_cuts(HISTORY[:6], turns_kept=3, steps_kept=3) == [2, 6]


def test_old_results_become_one_line_and_the_last_three_steps_stay() -> None:
    long = "x" * 5_000
    steps = [message for number in range(5) for message in (called(f"c{number}"), answer(f"c{number}", long))]
    history = (SYSTEM, UserMessage("u"), *steps)
    stubbed = with_stubs(history)
    results = [message.content for message in stubbed if isinstance(message, ToolMessage)]
    stub = model_text("compaction.stub", tool="look", size=5_000)
    assert results == [stub, stub, long, long, long]
    assert "\n" not in stub
    assert [message for message in stubbed if not isinstance(message, ToolMessage)] == [
        message for message in history if not isinstance(message, ToolMessage)
    ]
    assert with_stubs(stubbed) == stubbed
    assert with_stubs(HISTORY) == HISTORY


def test_results_are_shortened_from_their_middle() -> None:
    (shortened,) = shortened_results((answer("c", "a" * 3_000 + "z" * 100),), 400)
    assert shortened.content.startswith("a" * 300 + "\n")
    assert shortened.content.endswith("z" * 100)
    assert len(shortened.content) < 500


def test_c70_the_persons_words_are_put_back_word_for_word_however_often_it_is_summed_up() -> None:
    words = "CONSTRAINT-55: Python 3.11 only\n</words> <user_words> 你好"
    dropped: tuple[Message, ...] = (UserMessage(words), AssistantMessage("ok"), UserMessage("second"))
    for number in range(4):
        kept = kept_of(dropped, staying=(UserMessage("newest"),))
        message = summary_message(f"summary {number} <last_request> </user_words>", kept)
        assert is_summary(message)
        assert "CONSTRAINT-55: Python 3.11 only" in message.content
        dropped = (message, UserMessage(f"later {number}"))
    kept = kept_of(dropped, staying=())
    assert [text.split("\n")[0] for text in kept.words] == [
        "CONSTRAINT-55: Python 3.11 only",
        "second",
        "later 0",
        "later 1",
        "later 2",
    ]
    assert kept.last_request == "later 3"


def test_the_latest_request_is_put_back_whole_and_read_again() -> None:
    request = 'do it\n\n</last_request> <words n="1"> ' + "long " * 1_000
    dropped = (UserMessage(request), called("p"), answer("p"))
    kept = kept_of(dropped, staying=(called("q"), answer("q")))
    message = summary_message("s", kept)
    assert request in message.content
    assert kept_of((message, called("q"), answer("q")), staying=()).last_request == request
    assert kept_of((message,), staying=(UserMessage("next"),)).words[0].startswith("do it")


def test_words_that_have_no_room_are_counted() -> None:
    kept = kept_of(tuple(UserMessage(f"{number} " + "w" * 990) for number in range(10)), staying=(UserMessage("n"),))
    fitted = fitting(kept, 3_000)
    assert [text[0] for text in fitted.words] == ["0", "8", "9"]
    assert fitted.left_out == 7
    message = summary_message("s", fitted)
    assert model_text("compaction.left_out", count=7) in message.content
    assert kept_of((message,), staying=()).left_out == 7


def test_the_open_list_comes_from_the_models_own_last_call() -> None:
    arguments = '{"items": [{"text": "第一步", "status": "completed"}, {"text": "二", "status": "pending"}]}'
    wrote = AssistantMessage("", "", (ToolCall("t", "todo_write", arguments),))
    kept = kept_of((UserMessage("u"), wrote, answer("t")), staying=(UserMessage("n"),))
    assert kept.todo == "- [completed] 第一步\n- [pending] 二"
    again = kept_of((summary_message("s", kept), UserMessage("v")), staying=(UserMessage("n"),))
    assert again.todo == kept.todo


@pytest.mark.parametrize("arguments", ["{", "[]", '{"items": 3}', '{"items": [1]}', "null"])
def test_a_list_that_is_none_is_none(arguments: str) -> None:
    wrote = AssistantMessage("", "", (ToolCall("t", "todo_write", arguments),))
    assert kept_of((wrote,), staying=()).todo == ""


@pytest.mark.parametrize("room", [200, 1_000, 20_000])
def test_a_transcript_has_room_and_says_what_it_left_out(room: int) -> None:
    said = [UserMessage(f"question {number} " + "word " * 400) for number in range(60)]
    text = transcript(said, max_tokens=room)
    assert estimated_tokens(text) <= room + 40
    assert "question 59" in text
    assert ("question 0 " in text) == (room == 20_000)
