import json

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.event_bodies.plans import PlanCause, PlanReviewed, PlanReviewRequested
from paicli.core.events import (
    ApprovalRequested,
    CompactionFinished,
    ConversationCleared,
    ConversationRewound,
    Origin,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.messages import FileWritten
from paicli.core.ops import (
    AnswerQuestion,
    ApprovalDecision,
    Cancel,
    DecideApproval,
    Mode,
    ReviewDecision,
    Rewind,
    RewindScope,
    TurnKind,
)
from paicli.core.plan_view import UnfinishedPlan
from paicli.ui.asking.approval_panel import ApprovalPanel
from paicli.ui.asking.notifications import Notifications
from paicli.ui.asking.panel_desk import PanelDesk
from paicli.ui.asking.question_panel import QuestionPanel
from paicli.ui.asking.resume_panel import ResumePanel
from paicli.ui.asking.turn_history import TurnHistory
from paicli.ui.asking.turn_list import TurnListPanel
from paicli.ui.facts import NotifyBy
from paicli.ui.live.panels import Closed, Decided, Panel, StillOpen, WantsText
from paicli.ui.rendering.approval_lines import keys_line
from paicli.ui.rendering.folds import FoldShelf
from paicli.ui.rendering.styled import Style, width
from tests.ui.fake_engine import event_of, plan_of

TEXTS = Texts(Language.EN)


def approval(tool: str = "execute_command", arguments: str = '{"command":"make"}', **more: object) -> ApprovalPanel:
    request = ApprovalRequested("r1", "c1", tool, arguments)._replace(**more)
    return ApprovalPanel(event_of(request, Origin("turn_1", "task_2", "p", 1, "task_2")), request, TEXTS)


def question(*options: str, text: str = "which?") -> QuestionPanel:
    asked = QuestionAsked("r1", "c1", text, options)
    return QuestionPanel(event_of(asked), asked, TEXTS)


def shown(panel: Panel, columns: int = 80, height: int = 20) -> str:
    rows = panel.rows(columns, height)
    assert len(rows) <= height
    assert all(width(row.text) <= columns for row in rows)
    return "\n".join(row.text for row in rows)


def decided(decision: ApprovalDecision, **more: str) -> Decided:
    return Decided(DecideApproval("r1", decision)._replace(**more))


def test_an_approval_tells_the_dangers_the_rule_and_what_was_read() -> None:
    panel = approval(
        rule="execute_command(git clean:*)",
        dangers=("deletes", "network", "not_known_here"),
        files_read=("a.md", "b", "c", "d"),
    )
    text = shown(panel)
    for part in (
        "Approval needed: execute_command",
        "[task_2]",
        "command: make",
        "⚠ deletes files\n⚠ uses the network\n",
        "a.md, b, c and more, 4 files",
        "every execute_command(git clean:*) for this session",
    ):
        assert part in text
    assert "not_known_here" not in text


def test_an_approval_tells_that_content_from_outside_was_read_before() -> None:  # C84
    text = shown(approval(dangers=("foreign",), outside_read=("web_fetch", "mcp__a__b\u202e")))
    assert "content from outside was read before (by web_fetch, mcp__a__b<U+202E>)" in text
    assert "a tool of an MCP server" in text
    assert "outside" not in shown(approval())


def test_nothing_in_an_approval_is_invisible_and_it_is_counted() -> None:  # C84
    hidden = json.dumps({"command": "make \U000e0072\U000e006d \u202etxt\u200b 👩\u200d💻 می\u200cخواهم"})
    text = shown(approval(arguments=hidden, files_read=("\u202ea",)))
    assert "make <U+E0072×2> <U+202E>txt<U+200B> 👩\u200d💻 می\u200cخواهم" in text
    assert "⚠️ 4 invisible characters, marked above" in text
    assert not {"\u202e", "\u200b", "\U000e0072"} & set(text)


@pytest.mark.parametrize(("columns", "height"), [(80, 20), (40, 6)])
def test_a_diff_longer_than_the_panel_says_how_much_is_below_and_scrolls_to_its_end(columns: int, height: int) -> None:
    diff = "--- a\n+++ a\n@@ -0,0 +1,60 @@\n" + "".join(f"+line {number}\n" for number in range(1, 61))
    panel = approval("write_file", '{"path":"a"}', preview=FileWritten("a", diff, 60, 0), rule="write_file")
    assert "more lines below" in shown(panel, columns, height)
    pages = 0
    while "line 60" not in shown(panel, columns, height):
        assert panel.press("pagedown") == StillOpen()
        pages += 1
        assert pages < 70
    assert "more lines above" in shown(panel, columns, height)


def test_a_reason_goes_with_the_no_and_an_empty_one_goes_back() -> None:
    panel = approval()
    assert panel.press("r") == WantsText("approval.reason_prompt")
    assert panel.take_text("") == StillOpen()
    panel.press("r")
    assert panel.take_text("too wide") == decided(ApprovalDecision.DENY, reason="too wide")


def test_a_command_is_edited_as_it_stands_and_keeps_its_other_arguments() -> None:
    panel = approval(arguments='{"command":"make","timeout_s":5}')
    assert panel.press("m") == WantsText("approval.edit_prompt", "make")
    assert "Enter checks it" in shown(panel)
    changed = '{"command": "make test", "timeout_s": 5}'
    assert panel.take_text("make test") == decided(ApprovalDecision.EDIT, arguments=changed)


def test_other_arguments_are_edited_as_json_and_broken_json_is_told_and_kept() -> None:
    panel = approval("write_file", '{"path":"a","content":"x"}')
    assert panel.press("m") == WantsText("approval.edit_prompt", '{\n  "path": "a",\n  "content": "x"\n}')
    broken = '{"path": "b"'
    assert panel.take_text(broken) == WantsText("approval.edit_prompt", broken)
    assert "The arguments are no JSON object (line 1" in shown(panel)
    assert panel.take_text("[1]") == WantsText("approval.edit_prompt", "[1]")
    panel.stop_text()
    assert "have to be a JSON object" not in shown(panel)
    panel.press("m")
    assert panel.take_text('{"path":"b"}') == decided(ApprovalDecision.EDIT, arguments='{"path":"b"}')


def test_a_command_with_something_invisible_is_edited_with_its_escapes() -> None:  # C84
    wants = approval(arguments=json.dumps({"command": "ls \u202e"})).press("m")
    assert wants == WantsText("approval.edit_prompt", '{\n  "command": "ls \\u202e"\n}')


def test_arguments_too_long_for_the_input_line_are_not_edited_there() -> None:
    panel = approval("write_file", json.dumps({"path": "a", "content": "x" * 30_000}))
    assert panel.press("m") == StillOpen()
    assert "too many to change them" in shown(panel)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["2"], "b"),
        (["enter"], "a"),
        (["down", "enter"], "b"),
        (["up", "enter"], "c"),
        (["f5", "9", "pagedown", "1"], "a"),
    ],
)
def test_an_option_is_taken_by_its_number_or_as_the_chosen_one(keys: list[str], answer: str) -> None:
    panel = question("a", "b", "c")
    for key in keys[:-1]:
        assert panel.press(key) == StillOpen()
    assert panel.press(keys[-1]) == Decided(AnswerQuestion("r1", answer))


def test_any_other_character_begins_an_answer_in_own_words() -> None:
    panel = question("a", "b")
    assert panel.press("中") == WantsText("question.prompt", "中")
    assert panel.take_text("") == StillOpen()
    assert "Please type an answer" in shown(panel)
    assert panel.press("0") == WantsText("question.prompt")
    assert panel.take_text("2") == Decided(AnswerQuestion("r1", "b"))
    assert question().press("7") == WantsText("question.prompt", "7")
    assert question().press("enter") == WantsText("question.prompt")
    assert question("a").press("escape") == Decided(Cancel())


def test_the_chosen_option_is_in_sight_on_a_small_screen_and_hidden_text_is_marked() -> None:  # C84
    panel = question(*(f"option {number}\u202e" for number in range(1, 10)), text="which one of these\nnine?")
    for _ in range(7):
        panel.press("down")
        shown(panel, 40, 6)
    text = shown(panel, 40, 6)
    assert "› 8. option 8<U+202E>" in text
    assert "ESC cancels" in text


def history(*turns: tuple[str, TurnKind]) -> TurnHistory:
    kept = TurnHistory()
    for number, (text, kind) in enumerate(turns, 1):
        kept.accept(event_of(TurnStarted(kind, text, Mode.AUTO), Origin(f"turn_{number}")))
    return kept


def test_the_list_of_turns_begins_at_the_latest_and_keeps_within_a_small_screen() -> None:
    turns = [(f"\nturn {number} 汉字" + "长" * 60, TurnKind.REACT) for number in range(1, 31)]
    panel = TurnListPanel(history(*turns), TEXTS)
    assert "› 30. " in shown(panel, 40, 6)
    for key in ("up", "pageup", "home", "up", "down"):
        assert panel.press(key) == StillOpen()
    assert "›  2. " in shown(panel, 40, 6)  # under the numbers of two digits
    assert panel.press("q") == StillOpen()
    assert panel.press("escape") == Closed()
    assert panel.press("enter") == StillOpen()
    assert panel.press("escape") == StillOpen()  # back to the list
    assert panel.press("enter") == StillOpen()
    assert "› c  the conversation" in shown(panel, 60, 6)
    assert panel.press("enter") == Decided(Rewind("turn_2"))
    assert panel.press("f") == Decided(Rewind("turn_2", RewindScope.FILES))
    assert panel.press("up") == StillOpen()
    assert panel.press("enter") == Decided(Rewind("turn_2", RewindScope.BOTH))


def test_turns_are_listed_as_they_would_be_typed_until_the_conversation_goes_back_or_starts_anew() -> None:
    kept = history(
        ("a", TurnKind.REACT),
        ("b", TurnKind.PLAN),
        ("ls", TurnKind.SHELL),
        ("{}", TurnKind.PLAN_FILE),
        ("", TurnKind.INIT),
    )
    assert [turn.text for turn in kept.turns] == ["a", "/plan b", "!ls", "/init"]
    numbers = ("0", "1", "3", "5", "x", "²", "")
    assert [found.turn_id if (found := kept.numbered(each)) else None for each in numbers] == [
        None, "turn_1", "turn_3", None, None, None, None,
    ]  # fmt: skip
    kept.accept(event_of(ConversationRewound("turn_2", TurnKind.PLAN, "b")))
    assert [turn.turn_id for turn in kept.turns] == ["turn_1"]
    kept.accept(event_of(ConversationCleared()))
    assert kept.turns == []


def test_a_compaction_is_listed_once_it_has_compacted_something() -> None:
    kept = history(("a", TurnKind.REACT), ("", TurnKind.COMPACT), ("tests", TurnKind.COMPACT))
    kept.accept(event_of(CompactionFinished(9, True, Fault("compaction.nothing"))))
    assert [turn.text for turn in kept.turns] == ["a"]
    kept.accept(event_of(CompactionFinished(9, True)))
    kept.accept(event_of(CompactionFinished(9, True)))
    assert [turn.text for turn in kept.turns] == ["a", "/compact tests"]


class FakeLine:
    def __init__(self) -> None:
        self.is_lent = False
        self.typed = ""

    def lend(self, prompt_code: str, prefilled: str) -> None:
        self.is_lent, self.typed = True, prefilled

    def give_back(self) -> str:
        self.is_lent = False
        return self.typed


def test_questions_stand_in_line_and_one_answered_elsewhere_takes_no_key_and_lends_no_line() -> None:
    sent: list[object] = []
    line = FakeLine()
    desk = PanelDesk(
        TEXTS, line, history=TurnHistory(), submit=sent.append, show=lambda lines: None, show_first=sent.append,
        clock=lambda: 0.0,
    )  # fmt: skip
    for body in (
        ApprovalRequested("r1", "c1", "look", "{}"),
        PlanReviewRequested("r2", plan_of("x", {"task_1": ()}), PlanCause.GOAL),
        QuestionAsked("r3", "c3", "which?"),
    ):
        desk.accept(event_of(body))
    desk.press("r")
    assert line.is_lent
    desk.accept(event_of(PlanReviewed("r2", ReviewDecision.CANCEL)))
    assert line.is_lent, "another question was answered"
    line.typed = "no"
    desk.take_text()
    desk.press("x")
    line.typed = "because"
    desk.accept(event_of(QuestionAnswered("r3", "because", by="cancel")))
    assert not line.is_lent
    assert desk.current is None
    desk.press("y")
    assert sent == [DecideApproval("r1", ApprovalDecision.DENY, "no")]


@pytest.mark.parametrize(
    ("by", "rings"),
    [(NotifyBy.OFF, []), (NotifyBy.BELL, ["\a"]), (NotifyBy.ALL, ["\a\x1b]9;paicli: an approval waits\x1b\\"])],
)
def test_a_waiting_approval_calls_the_person_back(by: NotifyBy, rings: list[str]) -> None:
    rung: list[str] = []
    notifications = Notifications(by, TEXTS, rung.append, clock=lambda: 0.0)
    notifications.accept(event_of(ApprovalRequested("r1", "c1", "a\x1b]0;x", "{}")))
    assert rung == rings


@pytest.mark.parametrize(
    ("duration_s", "status", "rings"),
    [
        (9.0, TurnStatus.COMPLETED, 0),
        (11.0, TurnStatus.COMPLETED, 1),
        (11.0, TurnStatus.FAILED, 1),
        (11.0, TurnStatus.CANCELLED, 0),
    ],
)
def test_the_end_of_a_long_turn_calls_the_person_back(duration_s: float, status: TurnStatus, rings: int) -> None:
    rung: list[str] = []
    now = [100.0]
    notifications = Notifications(NotifyBy.BELL, TEXTS, rung.append, clock=lambda: now[0])
    notifications.accept(event_of(TurnStarted(TurnKind.REACT, "a", Mode.AUTO)))
    now[0] += duration_s
    notifications.accept(event_of(TurnFinished(status, "")))
    assert rung == ["\a"] * rings


MARKUP = ["[/nope]", "error [/x.csproj]", "{p}/{t}[/{n}...]/read", "a[0] [bold]x", "[link=http://x]y[/link]", "\\[x]"]
STEERING = "A\x1b]52;c;YQ==\x07B\x1b[2JC\x9b2JD\x08\rsafe\x00E"


def places(foreign: str) -> dict[str, Panel]:
    """A panel for each place of it that shows what others wrote."""
    arguments = json.dumps({"command": foreign, "path": foreign})
    plan = UnfinishedPlan(plan_of(foreign, {"task_1": ()}), interrupted=())
    return {
        "tool": approval(foreign),
        "argument": approval(arguments=arguments),
        "task": approval(description=foreign),
        "reason": approval(reason=foreign),
        "files": approval(files_read=(foreign,), outside_read=(foreign,)),
        "diff": approval("write_file", "{}", preview=FileWritten("a", f"@@ -0,0 +1 @@\n+{foreign}\n", 1, 0)),
        "rule": approval(rule=foreign),
        "question": question(text=foreign),
        "option": question(foreign, "b"),
        "turn": TurnListPanel(history((foreign, TurnKind.REACT)), TEXTS),
        "plan": ResumePanel(plan, TEXTS),
    }


@pytest.mark.parametrize("foreign", MARKUP)
def test_what_looks_like_markup_stands_in_every_panel_as_it_is(foreign: str) -> None:  # C47
    assert [place for place, panel in places(foreign).items() if foreign not in shown(panel)] == []


@pytest.mark.parametrize("place", places("x"))
def test_nothing_in_a_panel_steers_the_terminal_and_all_of_its_text_is_there(place: str) -> None:  # C48
    text = shown(places(STEERING)[place])
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert all(part in text for part in "ABCDE")
    assert "safe" in text


@pytest.mark.parametrize("columns", [40, 50, 60, 80])
def test_the_keys_of_an_approval_are_broken_between_words(columns: int) -> None:
    request = ApprovalRequested("r1", "c1", "execute_command", '{"command": "x"}', rule="execute_command(git diff:*)")
    keys = keys_line(request, TEXTS)
    rows = ApprovalPanel(event_of(request), request, TEXTS).rows(columns, 40)
    below = [row.text for row in rows if row.spans and row.spans[0].style is Style.ACCENT]
    assert " ".join(below).split() == keys.text.split()
    assert max(map(width, below)) <= columns


def test_of_a_decided_approval_a_long_diff_is_folded_and_unfolds() -> None:
    diff = "@@ -0,0 +1,40 @@\n" + "".join(f"+line {number}\n" for number in range(40))
    request = ApprovalRequested("r1", "c1", "write_file", '{"path": "a"}', FileWritten("a", diff, 40, 0, is_new=True))
    shelf = FoldShelf()
    panel = ApprovalPanel(event_of(request), request, TEXTS, shelf=shelf)
    assert "39" in "\n".join(row.text for row in panel.rows(80, 100))
    record = [row.text for row in panel.record()]
    assert record[-1] == "… 10 more lines (Ctrl+O unfolds)"
    assert not [row for row in record if "line 30" in row]
    assert len(shelf.unfold()) == 40
