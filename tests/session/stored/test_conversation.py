from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import model_text
from paicli.core.events import (
    CompactionFinished,
    ConversationCleared,
    ConversationRewound,
    EventBody,
    FilesRestored,
    MessageAppended,
    ModeChanged,
    ModelChanged,
    ModelReplyReceived,
    ModelRequestStarted,
    SessionRenamed,
    SessionResumed,
    TodoUpdated,
    ToolFinished,
    TurnFinished,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.messages import (
    AssistantMessage,
    ChatResponse,
    Image,
    Message,
    SystemMessage,
    TodoItem,
    ToolOutcome,
    Usage,
    UserMessage,
)
from paicli.core.ops import Mode, TurnKind
from paicli.session.stored.conversation import TurnMark, rebuilt
from paicli.session.stored.restored import restored_state
from tests.session.stored.samples import STARTED, Written

SYSTEM = SystemMessage("be good")


@pytest.fixture
def session(tmp_path: Path) -> Written:
    written = Written(tmp_path / "s1.jsonl")
    written.say(STARTED)
    return written


def turn(session: Written, number: int, *messages: Message, kind: TurnKind = TurnKind.REACT) -> None:
    session.begin(number, f"turn {number}", kind)
    session.say(*(MessageAppended(message) for message in messages), turn=f"turn_{number}", actor="react")
    session.end(number)


def own_command(session: Written, number: int, command: str, output: str) -> None:
    session.begin(number, command, TurnKind.SHELL)
    result = ToolFinished(f"user_{number}", "execute_command", ToolOutcome.OK, output, None, 0.1)
    session.say(result, turn=f"turn_{number}", actor="user")
    session.end(number)


def said(*texts: str) -> list[Message]:
    return [UserMessage(text) if at % 2 == 0 else AssistantMessage(text) for at, text in enumerate(texts)]


def test_the_agents_messages_come_back_and_those_of_others_do_not(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.say(MessageAppended(UserMessage("plan this")), turn="turn_2", actor="planner")
    session.say(MessageAppended(UserMessage("do this")), turn="turn_2", actor="task_1")
    turn(session, 3, *said("c", "d"))
    assert list(rebuilt(session.events).messages) == [SYSTEM, *said("a", "b", "c", "d")]


def test_a_newer_system_message_takes_the_place_of_the_first(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    turn(session, 2, SystemMessage("be better"), *said("c", "d"))
    assert list(rebuilt(session.events).messages) == [SystemMessage("be better"), *said("a", "b", "c", "d")]


def test_a_clear_and_a_rewind_take_out_what_they_took_out(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("old", "gone"))
    session.say(ConversationCleared())
    turn(session, 2, SYSTEM, *said("a", "b"))
    turn(session, 3, *said("c", "d"))
    turn(session, 4, *said("e", "f"))
    session.say(ConversationRewound("turn_3", TurnKind.REACT, "turn 3"))
    turn(session, 5, *said("g", "h"))
    found = rebuilt(session.events)
    assert list(found.messages) == [SYSTEM, *said("a", "b", "g", "h")]
    assert found.marks == (TurnMark("turn_2", 0, ()), TurnMark("turn_5", 3, ()))


def test_a_rewind_to_the_first_turn_leaves_nothing_not_even_the_system_message(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.say(ConversationRewound("turn_1", TurnKind.REACT, "turn 1"))
    assert rebuilt(session.events) == ((), (), (), ())


def test_after_a_compaction_the_conversation_is_what_was_appended_since(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.begin(2, "go on")
    session.say(CompactionFinished(900, is_summarised=True), turn="turn_2", actor="react")
    session.say(*(MessageAppended(each) for each in said("summary", "c")), turn="turn_2", actor="react")
    found = rebuilt(session.events)
    assert list(found.messages) == [SYSTEM, *said("summary", "c")]
    assert found.marks == ()


KEPT = (SYSTEM, *said("summary", "c", "d"))


@pytest.mark.parametrize("came", range(len(KEPT) + 1))
def test_killed_behind_any_message_that_a_compaction_keeps_nothing_of_the_conversation_is_lost(
    session: Written, came: int
) -> None:  # C66, C70
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.begin(2, "go on")
    session.say(CompactionFinished(900, is_summarised=True, message_count=len(KEPT)), turn="turn_2", actor="react")
    session.say(*(MessageAppended(each) for each in KEPT[:came]), turn="turn_2", actor="react")
    left = [SYSTEM, *said("a", "b")] if came < len(KEPT) else list(KEPT)
    assert list(rebuilt(session.events).messages) == left
    session.say(SessionResumed(len(session.events)))
    turn(session, 3, *said("e", "f"))
    assert list(rebuilt(session.events).messages) == [*left, *said("e", "f")]


@pytest.mark.parametrize("goes_on", [ModelRequestStarted(1, 3, ()), TurnFinished(TurnStatus.COMPLETED, "")])
def test_a_damaged_line_among_what_a_compaction_keeps_costs_itself_only(session: Written, goes_on: EventBody) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.begin(2, "go on")
    session.say(CompactionFinished(900, is_summarised=True, message_count=len(KEPT)), turn="turn_2", actor="react")
    session.say(*(MessageAppended(each) for each in KEPT[:-1]), turn="turn_2", actor="react")
    session.say(goes_on, turn="turn_2", actor="react")
    turn(session, 3, *said("e", "f"))
    assert list(rebuilt(session.events).messages) == [*KEPT[:-1], *said("e", "f")]


@pytest.mark.parametrize(
    ("body", "actor"),
    [
        (CompactionFinished(900, is_summarised=False, fault=Fault("x")), "react"),
        (CompactionFinished(900, is_summarised=True), "task_1"),
    ],
)
def test_a_compaction_that_failed_or_is_a_tasks_changes_nothing(session: Written, body: EventBody, actor: str) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.say(body, turn="turn_1", actor=actor)
    assert list(rebuilt(session.events).messages) == [SYSTEM, *said("a", "b")]


def test_what_a_persons_command_gave_out_waits_for_their_next_message(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    own_command(session, 2, "ls", "x.py")
    note = model_text("loop.person_ran", command="ls", output="x.py")
    assert rebuilt(session.events).notes == (note,)
    turn(session, 3, *said("goal", "summary"), kind=TurnKind.PLAN)  # a plan takes no notes along
    assert rebuilt(session.events).notes == (note,)
    turn(session, 4, UserMessage(f"{note}\n\nc"), AssistantMessage("d"))
    assert rebuilt(session.events).notes == ()


def test_files_that_the_person_put_back_are_told_with_their_next_message(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    session.say(FilesRestored("s1", ("x.py",)), turn="turn_1")  # the model's own: it knows of it
    session.say(FilesRestored("s2", ("y.py",)))
    found = rebuilt(session.events, lambda restored: ",".join(restored.written))
    assert found.notes == ("y.py",)


def test_a_rewind_brings_the_notes_of_that_time_back(session: Written) -> None:
    own_command(session, 1, "ls", "x.py")
    turn(session, 2, SYSTEM, *said("a", "b"))
    session.say(ConversationRewound("turn_2", TurnKind.REACT, "turn 2"))
    assert rebuilt(session.events).notes == (model_text("loop.person_ran", command="ls", output="x.py"),)


def test_an_image_is_replaced_by_a_note_of_its_path(session: Written) -> None:
    turn(session, 1, SYSTEM, UserMessage("look", (Image("a.png", "image/png", "QUJD", 3),)), AssistantMessage("a cat"))
    _, shown, _ = rebuilt(session.events).messages
    assert isinstance(shown, UserMessage)
    assert shown.images == ()
    assert shown.content.startswith("look\n")
    assert "a.png" in shown.content


def test_the_state_is_what_the_session_had_come_to(session: Written) -> None:
    turn(session, 1, SYSTEM, *said("a", "b"))
    items = (TodoItem("x", "pending"),)
    session.say(
        ModelReplyReceived(ChatResponse("b", usage=Usage(10, 4, 2, 1)), 0.1),
        ModelReplyReceived(ChatResponse("b", usage=Usage(20, 0, 3, 0)), 0.1),
        ModelReplyReceived(ChatResponse("b"), 0.1),
        ModeChanged(Mode.ASK),
        ModelChanged("glm", "glm-5"),
        SessionRenamed("my work"),
        TodoUpdated(items),
    )
    turn(session, 7, *said("c", "d"))
    turn(session, 12, *said("e", "f"))
    session.say(ConversationRewound("turn_7", TurnKind.REACT, "turn 7"))
    state = restored_state(session.events)
    assert (state.mode, state.provider, state.model, state.title) == (Mode.ASK, "glm", "glm-5", "my work")
    assert (state.todos, state.usage, state.first_words) == (items, Usage(30, 4, 5, 1), "turn 1")
    assert state.last_turn == 12
    assert [turn_id for turn_id, _ in state.turns] == ["turn_1"]
