from pathlib import Path

from paicli.agent.react import ReActAgent
from paicli.core.history import CheckedHistory
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from tests.fakes.house import House, calls, says


def sent(house: House) -> list[tuple[str, str]]:
    """(role, text) of the last request."""
    return [
        (type(message).__name__.removesuffix("Message"), message.content)
        for message in house.client.requests[-1].messages
    ]


def test_going_back_leaves_the_conversation_as_it_was_before_that_turn(tmp_path: Path) -> None:
    house = House(tmp_path, [says("one"), calls(("look", '{"path":"a"}')), says("two"), says("three"), says("anew")])
    agent = ReActAgent(house.parts, system_prompt=lambda: "rules")

    def turn(turn_id: str, text: str) -> None:
        agent.begin_turn(turn_id)
        agent.take_turn(UserMessage(text), house.actor, take_queued=tuple)

    turn("turn_1", "first")
    agent.ledger.note("/p/a", "seen in turn 1")
    agent.begin_turn("turn_2")
    agent.remember_command("ls", "a b")
    turn("turn_3", "second")
    agent.ledger.note("/p/b", "seen in turn 3")
    assert agent.rewind("turn_3")
    assert agent.ledger.paths() == {"/p/a": "seen in turn 1"}
    turn("turn_4", "other")
    assert sent(house) == [
        ("System", "rules"),
        ("User", "first"),
        ("Assistant", "one"),
        ("User", "用户自己执行了命令:\n$ ls\na b\n\nother"),
    ]
    assert agent.rewind("turn_2")
    assert agent.rewind("turn_1")
    assert [agent.rewind(gone) for gone in ("turn_1", "turn_3", "turn_9")] == [False, False, False]
    turn("turn_5", "from the start")
    assert sent(house) == [("System", "rules"), ("User", "from the start")]


def test_there_is_no_way_back_past_a_new_start(tmp_path: Path) -> None:
    house = House(tmp_path, [says("one"), says("two")])
    agent = ReActAgent(house.parts, system_prompt=lambda: "rules")
    agent.begin_turn("turn_1")
    agent.take_turn(UserMessage("first"), house.actor, take_queued=tuple)
    agent.forget()
    assert not agent.rewind("turn_1")


def test_a_cut_in_the_middle_of_a_step_stays_sendable() -> None:  # R2
    history = CheckedHistory(lambda call: f"none of {call.name}")
    messages: list[Message] = [
        SystemMessage("s"),
        UserMessage("u"),
        AssistantMessage("", "", (ToolCall("a", "look", "{}"), ToolCall("b", "look", "{}"))),
        ToolMessage("a", "look", "1"),
        ToolMessage("b", "look", "2"),
    ]
    for message in messages:
        history.append(message)
    history.keep(4)
    assert history.messages == (*messages[:4], ToolMessage("b", "look", "none of look"))
    history.keep(2)
    history.append(AssistantMessage("", "", (ToolCall("a", "look", "{}"),)))
    assert history.messages[2:] == (
        AssistantMessage("", "", (ToolCall("a", "look", "{}"),)),
        ToolMessage("a", "look", "none of look"),
    )
