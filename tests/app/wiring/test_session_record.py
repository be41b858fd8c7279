from paicli.app.wiring.session_record import RunningTask, SessionRecord
from paicli.context.token_estimate import CALL_TOKENS, IMAGE_TOKENS, MESSAGE_TOKENS, estimated_tokens
from paicli.core.event_bodies.plans import TaskCompleted, TaskStarted
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ConversationCleared,
    ConversationRewound,
    EventBody,
    MessageAppended,
    ModeChanged,
    ModelReplyReceived,
    Origin,
    SessionRenamed,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.messages import AssistantMessage, ChatResponse, Image, SystemMessage, ToolCall, Usage, UserMessage
from paicli.core.ops import Mode, TurnKind

REACT = Origin("turn_1", "react")
CALL = ToolCall("c1", "read_file", '{"path": "a.txt"}')


def record_of(*events: tuple[Origin, EventBody]) -> SessionRecord:
    record = SessionRecord(Mode.AUTO, clock=lambda: 7.0)
    stream = EventStream("s")
    stream.subscribe(record)
    for origin, body in events:
        stream.publish(body, origin)
    return record


def test_the_conversation_is_counted_and_that_of_tasks_is_not() -> None:
    record = record_of(
        (REACT, MessageAppended(SystemMessage("s" * 400))),
        (REACT, MessageAppended(UserMessage("u" * 40))),
        (REACT, MessageAppended(AssistantMessage("", tool_calls=(CALL,)))),
        (Origin("turn_1", "task_1"), MessageAppended(UserMessage("t" * 4_000))),
        (REACT, ModelReplyReceived(ChatResponse("x", usage=Usage(100, 10, 5)), 0.1)),
        (Origin("turn_1", "task_1"), ModelReplyReceived(ChatResponse("x", usage=Usage(9, 9, 9)), 0.1)),
    )
    of_call = estimated_tokens(CALL.name) + estimated_tokens(CALL.arguments)
    assert record.system_tokens == 100
    assert record.conversation == (2, 2 * MESSAGE_TOKENS + 10 + CALL_TOKENS + of_call)
    assert record.last_usage == Usage(100, 10, 5)


def test_an_image_counts_with_its_message() -> None:
    shot = Image("a.png", "image/png", "AAAA" * 1_000, 3_000)
    record = record_of((REACT, MessageAppended(UserMessage("u" * 40, (shot, shot)))))
    assert record.conversation == (1, MESSAGE_TOKENS + 10 + 2 * IMAGE_TOKENS)


def test_a_way_back_and_a_new_start_are_counted_too() -> None:
    first = (REACT, MessageAppended(UserMessage("one")))
    later = (Origin("turn_2", "react"), MessageAppended(UserMessage("two")))
    back = record_of(first, later, (Origin(), ConversationRewound("turn_2", TurnKind.REACT, "two")))
    assert back.conversation[0] == 1
    cleared = record_of((REACT, MessageAppended(SystemMessage("s"))), first, (Origin(), ConversationCleared()))
    assert (cleared.conversation, cleared.system_tokens, cleared.last_usage) == ((0, 0), None, None)


def test_the_last_answer_is_a_models_and_no_commands_output() -> None:
    record = record_of(
        (Origin("turn_1"), TurnStarted(TurnKind.REACT, "hi", Mode.AUTO)),
        (Origin("turn_1"), TurnFinished(TurnStatus.COMPLETED, "answer")),
        (Origin("turn_2"), TurnStarted(TurnKind.SHELL, "ls", Mode.AUTO)),
        (Origin("turn_2"), TurnFinished(TurnStatus.COMPLETED, "a.txt")),
        (Origin("turn_3"), TurnStarted(TurnKind.REACT, "x", Mode.AUTO)),
        (Origin("turn_3"), TurnFinished(TurnStatus.FAILED, "")),
        (Origin(), ModeChanged(Mode.ASK)),
        (Origin(), SessionRenamed("title")),
    )
    assert (record.last_answer, record.mode, record.title) == ("answer", Mode.ASK, "title")


def test_running_tasks_come_and_go() -> None:
    first, second = Origin("turn_1", "task_1", task_id="task_1"), Origin("turn_1", "task_2", task_id="task_2")
    started = [(first, TaskStarted("read", False)), (second, TaskStarted("list", False))]
    record = record_of(*started, (first, TaskCompleted("done")))
    assert record.running_tasks == (RunningTask("task_2", "list", 7.0),)
    assert record_of(*started, (Origin("turn_1"), TurnFinished(TurnStatus.CANCELLED, ""))).running_tasks == ()
