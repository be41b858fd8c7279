from paicli.agent.conversation import Conversation
from paicli.agent.skills.arriving import ArrivingSkills
from paicli.core.events import EventBody, MessageAppended, SkillLoaded
from paicli.core.messages import AssistantMessage, ToolCall, ToolMessage, UserMessage
from paicli.tools.tool import SkillText

TIDY = SkillText("tidy", '<skill name="tidy">do</skill>', '<skill name="tidy"', "/s/tidy/SKILL.md")
OTHER = SkillText("tidy-up", '<skill name="tidy-up">up</skill>', '<skill name="tidy-up"')


def ignored(body: EventBody, /) -> None:
    pass


def conversation_with_a_call() -> Conversation:
    conversation = Conversation("s", emit=ignored)
    conversation.append(UserMessage("go"), ignored)
    conversation.append(AssistantMessage("", tool_calls=(ToolCall("1", "load_skill", "{}"),)), ignored)
    return conversation


def test_a_skill_waits_for_the_results_and_joins_once() -> None:
    conversation, skills, told = conversation_with_a_call(), ArrivingSkills(), list[EventBody]()
    skills.begin(conversation)
    assert (skills.take_in(TIDY), skills.take_in(TIDY), skills.take_in(OTHER)) == (True, False, True)
    conversation.append(ToolMessage("1", "load_skill", "ok"), ignored)
    skills.join(conversation, told.append)
    skills.join(conversation, told.append)
    assert [type(message).__name__ for message in conversation.messages[3:]] == ["ToolMessage"] + ["UserMessage"] * 2
    assert told == [
        MessageAppended(UserMessage(TIDY.text)),
        SkillLoaded("tidy", "/s/tidy/SKILL.md"),
        MessageAppended(UserMessage(OTHER.text)),
        SkillLoaded("tidy-up", ""),
    ]
    assert skills.take_in(TIDY) is False


def test_another_turn_knows_what_the_conversation_holds_and_what_was_taken_from_it() -> None:
    conversation = conversation_with_a_call()
    conversation.append(UserMessage(TIDY.text), ignored)
    later = ArrivingSkills()
    later.begin(conversation)
    assert (later.take_in(TIDY), later.take_in(OTHER)) == (False, True)
    conversation.rewrite([*conversation.messages[:1], UserMessage("summary")], ignored)
    summed_up = ArrivingSkills()
    summed_up.begin(conversation)
    assert summed_up.take_in(TIDY) is True


def test_asking_for_a_skill_leaves_open_calls_open() -> None:
    conversation, skills = conversation_with_a_call(), ArrivingSkills()
    skills.begin(conversation)
    skills.take_in(TIDY)
    conversation.append(ToolMessage("1", "load_skill", "the result"), ignored)
    assert conversation.messages[-1] == ToolMessage("1", "load_skill", "the result")
