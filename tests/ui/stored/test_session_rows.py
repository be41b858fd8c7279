from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import (
    ConversationCleared,
    ConversationRewound,
    Event,
    EventBody,
    Origin,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.ops import Mode, TurnKind
from paicli.ui.facts import EarlierSession
from paicli.ui.stored.session_rows import earlier_lines, size_text

EN = Texts(Language.EN)


def turn(number: int, text: str, answer: str, kind: TurnKind = TurnKind.REACT) -> list[tuple[str, EventBody]]:
    name = f"turn_{number}"
    return [(name, TurnStarted(kind, text, Mode.AUTO)), (name, TurnFinished(TurnStatus.COMPLETED, answer))]


def shown(*told: tuple[str, EventBody], turns: int) -> list[str]:
    events = tuple(Event(seq, 1.0, "s1", Origin(turn_id), body) for seq, (turn_id, body) in enumerate(told, 1))
    earlier = EarlierSession("s1", "my\x1b[31m title", turns, 8, 2, 12_345, events)
    return [line.text for line in earlier_lines(earlier, EN)]


def test_the_last_two_turns_are_shown_short_and_what_came_back() -> None:
    long = "\n".join(str(number) for number in range(20))
    told = [
        *turn(1, "one", "a"),
        *turn(2, "goal", long, TurnKind.PLAN),
        *turn(3, "ls", "x\x1b]0;t\x07", TurnKind.SHELL),
    ]
    lines = shown(*told, turns=3)
    assert lines[:2] == ["(1 earlier turn)", "> /plan goal"]
    assert lines[2:14] == [*(str(number) for number in range(11)), "…"]
    assert lines[14] == "> !ls"
    assert "\x1b" not in "".join(lines)
    assert lines[-1].startswith("Session s1 restored · my")
    assert lines[-1].endswith("· 3 turns · 8 messages · 2 to-dos · 12,345 tokens")


def test_a_turn_that_a_kill_cut_off_is_shown_as_such() -> None:
    told = [*turn(1, "one", ""), ("turn_2", TurnStarted(TurnKind.REACT, "two", Mode.AUTO))]
    assert shown(*told, turns=2)[:-1] == ["> one", "> two", "(interrupted before it ended)"]


def test_turns_that_were_taken_back_or_cleared_are_not_shown() -> None:
    rewound = ConversationRewound("turn_2", TurnKind.REACT, "two")
    told = [*turn(1, "one", "a"), *turn(2, "two", "b"), *turn(3, "three", "c"), ("", rewound)]
    assert shown(*told, turns=1)[:-1] == ["> one", "a"]
    assert shown(*told, ("", ConversationCleared()), turns=0)[:-1] == []


def test_a_size_is_short() -> None:
    assert [size_text(size) for size in (0, 999, 1_000, 999_949, 1_000_000, 25_300_000)] == [
        "0 B",
        "999 B",
        "1.0 KB",
        "999.9 KB",
        "1.0 MB",
        "25.3 MB",
    ]


def test_on_a_screen_an_earlier_answer_is_shown_as_markdown_and_elsewhere_as_it_came() -> None:
    answer = "## Title\n\n```py\nx = 1\n```"
    events = tuple(
        Event(seq, 1.0, "s1", Origin(turn_id), body) for seq, (turn_id, body) in enumerate(turn(1, "a", answer))
    )
    earlier = EarlierSession("s1", "t", 1, 2, 0, 5, events)
    assert [row.text for row in earlier_lines(earlier, EN, columns=40)][:6] == [
        "> a", "Title", "", "╭─ py", "x = 1", "╰─",
    ]  # fmt: skip
    assert [row.text for row in earlier_lines(earlier, EN)][:6] == ["> a", *answer.split("\n")]
