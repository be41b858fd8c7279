# C66: what a crash left unanswered, in a conversation that goes on in another process.
from pathlib import Path

from paicli.agent.conversation import missing_result
from paicli.agent.react import ReActAgent
from paicli.core.events import EventBody, MessageAppended
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from paicli.session.stored.conversation import RebuiltConversation, TurnMark
from tests.fakes.house import House, says

SYSTEM = SystemMessage("rules")
W, P, Q = (ToolCall(name, "write_file", "{}") for name in ("w", "p", "q"))


def asks(*calls: ToolCall) -> AssistantMessage:
    return AssistantMessage("", "", calls)


def unknown(call: ToolCall) -> ToolMessage:
    return ToolMessage(call.id, call.name, missing_result(call))


def answer(call: ToolCall) -> ToolMessage:
    return ToolMessage(call.id, call.name, "done")


class Restored:
    def __init__(self, root: Path, *messages: Message, notes: tuple[str, ...] = (), marks: tuple[TurnMark, ...] = ()):
        self.house = House(root, [says("ok"), says("ok again")])
        self.agent = ReActAgent(self.house.parts, system_prompt=lambda: "rules")
        self.agent.restore(RebuiltConversation(messages, notes, marks))

    def sent(self, text: str = "go on") -> list[Message]:
        """What the next request holds."""
        self.agent.take_turn(UserMessage(text), self.house.actor, take_queued=tuple)
        return list(self.house.client.requests[-1].messages)

    @property
    def told(self) -> list[EventBody]:
        return [body for body in self.house.listener.bodies if isinstance(body, MessageAppended)]


def test_a_call_that_nobody_answered_is_answered_behind_its_message_and_never_run(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SYSTEM, UserMessage("a"), asks(W))
    assert restored.sent() == [SYSTEM, UserMessage("a"), asks(W), unknown(W), UserMessage("go on")]
    assert restored.told[1:] == [
        MessageAppended(unknown(W)),
        MessageAppended(UserMessage("go on")),
        MessageAppended(AssistantMessage("ok")),
    ]
    assert "检查" in missing_result(W)


def test_of_two_calls_the_one_without_an_answer_is_answered(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SYSTEM, UserMessage("a"), asks(P, Q), answer(P))
    assert restored.sent()[2:] == [asks(P, Q), answer(P), unknown(Q), UserMessage("go on")]


def test_an_open_call_in_the_middle_is_answered_there(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SYSTEM, UserMessage("a"), asks(W), UserMessage("b"), AssistantMessage("c"))
    assert restored.sent()[2:] == [asks(W), unknown(W), UserMessage("b"), AssistantMessage("c"), UserMessage("go on")]


def test_a_result_without_a_call_and_an_empty_message_have_no_place(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SYSTEM, UserMessage("a"), answer(W), AssistantMessage(), AssistantMessage("b"))
    assert restored.sent()[1:] == [UserMessage("a"), AssistantMessage("b"), UserMessage("go on")]


def test_the_system_message_is_todays_and_told_when_it_is_another(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SystemMessage("old rules"), UserMessage("a"), AssistantMessage("b"))
    assert restored.sent()[0] == SYSTEM
    restored.sent("more")
    told = [body.message for body in restored.told if isinstance(body, MessageAppended)]
    assert told.count(SYSTEM) == 1


def test_notes_of_own_commands_join_the_next_message(tmp_path: Path) -> None:
    restored = Restored(tmp_path, SYSTEM, UserMessage("a"), AssistantMessage("b"), notes=("ran ls",))
    assert restored.sent()[-1] == UserMessage("ran ls\n\ngo on")


def test_the_way_back_to_turns_of_the_other_process_stays(tmp_path: Path) -> None:
    marks = (TurnMark("turn_1", 0, ()), TurnMark("turn_2", 3, ("note",)), TurnMark("turn_3", 5, ()))
    messages = (SYSTEM, UserMessage("a"), asks(W), UserMessage("b"), AssistantMessage("c"), UserMessage("d"))
    restored = Restored(tmp_path, *messages, marks=marks)
    assert restored.agent.rewind("turn_2")
    assert restored.sent() == [SYSTEM, UserMessage("a"), asks(W), unknown(W), UserMessage("note\n\ngo on")]
    assert not restored.agent.rewind("turn_3")
    assert restored.agent.rewind("turn_1")
    assert restored.sent("new") == [SYSTEM, UserMessage("new")]


def test_what_had_brought_content_from_outside_is_known_again(tmp_path: Path) -> None:
    house = House(tmp_path, [])
    agent = ReActAgent(house.parts, system_prompt=lambda: "rules")
    agent.restore(RebuiltConversation((SYSTEM, UserMessage("a"))), outside=("web_fetch", "mcp__x__y"))
    assert agent.outside.tools == ("web_fetch", "mcp__x__y")
    assert not agent.ledger.paths()
