import re
import time

import pytest

from paicli.core.catalogue.lookup import SCREEN, Language, Texts
from paicli.core.errors import UserFacingError
from paicli.core.faults import Fault
from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import (
    AddFolder,
    ChangeRule,
    CopyAnswer,
    ExportFormat,
    ExportSession,
    Mode,
    Op,
    Rename,
    RuleChange,
    SetLanguage,
    SetModel,
    StopCommand,
    Storing,
)
from paicli.ui.command import ChooseSession, Edit, EditedThing, GoOn, Handler
from paicli.ui.command_completion import command_proposals
from paicli.ui.command_desk import CommandDesk
from paicli.ui.commands import BUILT_IN_NAMES, COMMANDS, command_named
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.queries import AuditRow, EditedFile, ProjectDiff, RuleRow, RulesFile, RunningWork, SessionRow
from paicli.ui.rendering.styled import Painter, Style, prose
from paicli.ui.routing import Answer, Ignore, InputState, Perform, Say, Send, route
from tests.fakes.canned_queries import CannedQueries

OWN = CustomCommand("look", "look closer", "Look at $ARGUMENTS")
FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 100_000, Mode.AUTO, "en", custom_commands=(OWN,))


class Desk:
    """A desk with the ops it submitted."""

    def __init__(self, queries: CannedQueries | None = None, language: Language = Language.EN) -> None:
        self.ops: list[Op] = []
        self.texts = Texts(language)
        self.desk = CommandDesk(queries or CannedQueries(), submit=self.ops.append, texts=self.texts, facts=FACTS)

    def answer(self, text: str) -> str | Edit | GoOn:
        asked = route(text, InputState(custom=self.desk.custom))
        assert isinstance(asked, Answer), asked
        found = self.desk.answer(asked)
        if isinstance(found, Edit | GoOn):
            return found
        assert isinstance(found, list)
        return "\n".join(line.text for line in found)


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize("language", Language)
def test_each_command_has_help_and_help_of_its_own_in_both_languages(name: str, language: Language) -> None:
    desk = Desk(language=language)
    shown = desk.answer(f"/help {name}")
    assert isinstance(shown, str)
    assert COMMANDS[name].usage in shown
    assert SCREEN[COMMANDS[name].help_key][0 if language is Language.ZH else 1] in shown


@pytest.mark.parametrize("name", sorted(BUILT_IN_NAMES))
def test_each_command_is_handled(name: str) -> None:
    command = command_named(name)
    assert command is not None
    asked = route(f"/{name}", InputState())
    match command.handler:
        case Handler.ANSWER:
            assert asked == Answer(command)
            assert Desk().desk.answer(Answer(command)) is not None
        case Handler.NOT_YET:
            assert asked == Say("session.not_yet", (("name", name),))
        case _:
            assert isinstance(asked, Send | Perform | Say)
            assert not isinstance(asked, Ignore)
            assert asked != Say("session.not_yet", (("name", name),))


def test_an_answer_is_given_with_every_answering_command_and_no_other() -> None:
    for command in COMMANDS.values():
        assert (command.handler is Handler.ANSWER) == (command.answer is not None), command.name


def test_help_lists_the_table_ones_own_and_what_is_not_there_yet() -> None:
    shown = Desk(CannedQueries(brings_commands=True)).answer("/help")
    assert isinstance(shown, str)
    for command in COMMANDS.values():
        assert f"/{command.name}" in shown
    assert re.search(r"/look \[…\] +look closer", shown)
    assert "The project's .paicli/commands is not loaded: this folder is not trusted (paicli trust)" in shown
    assert "Not there yet: /team " in shown
    assert "is not loaded" not in str(Desk().answer("/help"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/help look", "/look […]\n  look closer"),
        ("/help /quit", "/exit\n  leave\n  also /quit"),
        ("/help modl", "Unknown command: /modl; did you mean: /model /mode"),
        ("/help fork", "/fork\n  copy the session"),
    ],
)
def test_help_of_one_name(text: str, expected: str) -> None:
    assert Desk().answer(text) == expected


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("/model deepseek/deepseek-chat", SetModel("deepseek/deepseek-chat")),
        ("/model glm-4.6 --save", SetModel("glm-4.6", Storing.SAVED)),
        ("/model --save glm-4.6", SetModel("glm-4.6", Storing.SAVED)),
        (
            "/permissions allow execute_command(git diff:*)",
            ChangeRule(RuleChange.ALLOW, "execute_command(git diff:*)"),
        ),
        ("/permissions DENY web_fetch --save", ChangeRule(RuleChange.DENY, "web_fetch", Storing.SAVED)),
        ("/permissions ask web_fetch", ChangeRule(RuleChange.ASK, "web_fetch")),
        ("/permissions remove read_file(a b)", ChangeRule(RuleChange.REMOVE, "read_file(a b)")),
        ("/add-dir ../other one", AddFolder("../other one")),
        ("/copy", CopyAnswer()),
        ("/rename  a   title ", Rename("a title")),
        ("/export md", ExportSession(ExportFormat.MARKDOWN)),
        ("/export mermaid", ExportSession(ExportFormat.MERMAID)),
        ("/export json out dir/x.json", ExportSession(ExportFormat.JSON, "out dir/x.json")),
        ("/lang ZH", SetLanguage("zh")),
    ],
)
def test_a_change_goes_by_an_op(text: str, op: Op) -> None:
    desk = Desk()
    assert desk.answer(text) == ""
    assert desk.ops == [op]


@pytest.mark.parametrize(
    "text",
    [
        "/model two words",
        "/model \x1b[31mred",
        "/model --save",
        "/permissions allow",
        "/permissions grant x",
        "/export",
        "/export pdf",
        "/rename",
        "/lang",
        "/lang fr",
        "/config set x",
        "/memory write",
        "/tasks stop",
        "/tasks start x",
    ],
)
def test_what_is_not_understood_says_how_it_is_written(text: str) -> None:
    desk = Desk()
    assert str(desk.answer(text)).startswith("Usage: /")
    assert desk.ops == []


def test_sessions_are_listed_in_columns_with_the_current_one_marked() -> None:
    shown = str(Desk().answer("/sessions")).split("\n")
    times = [time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) for at in (1_000_000, 900_000, 800_000)]
    assert shown == [
        f"●   1  20261130-1-aaa  {times[0]}    3 turns   12.3 KB  glm/glm-5    this one",
        f"    2  20261129-1-bbb  {times[1]}   12 turns     950 B  deepseek/ds  tidy the tests",
        f"    3  20261128-1-ccc  {times[2]}    1 turn     2.3 MB               (untitled)",
        "/resume NUMBER or ID goes on with one of them, /fork makes a copy from here",
    ]
    assert Desk(CannedQueries(stored=())).answer("/sessions") == "There are no sessions in this folder yet"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/resume 2", GoOn("20261129-1-bbb")),
        ("/resume 20261128", GoOn("20261128-1-ccc")),
        ("/fork", GoOn("20261130-1-aaa", is_fork=True)),
        ("/resume 1", "This is session 20261130-1-aaa"),
        ("/resume 9", "There is no session 9. `paicli sessions` (in a session /sessions) lists those there are"),
    ],
)
def test_another_session_is_gone_on_with_by_number_or_id(text: str, expected: GoOn | str) -> None:
    assert Desk().answer(text) == expected


def test_a_session_without_a_turn_can_not_be_forked() -> None:
    empty = CannedQueries(stored=(SessionRow("s1", "", 0.0, 0, "", 300, is_current=True),))
    assert Desk(empty).answer("/fork") == "There is nothing in this session to fork yet"


def test_model_lists_what_can_be_used_with_the_current_one_marked() -> None:
    assert Desk().answer("/model") == (
        "Models:\n● glm       glm-5  glm-4.6\n  deepseek  deepseek-chat\nNot set up: kimi\n"
        "/model [PROVIDER/]NAME switches; --save keeps it"
    )


def test_context_says_what_fills_the_window() -> None:
    assert Desk().answer("/context") == (
        "Window of 100,000 tokens, 7 messages (estimated):\n"
        "  system prompt  █░░░░░░░░░░░░░░░░░░░░░░░    300 tokens  0.3%\n"
        "  PAI.md         █░░░░░░░░░░░░░░░░░░░░░░░    200 tokens  0.2%\n"
        "  conversation   █░░░░░░░░░░░░░░░░░░░░░░░  1,500 tokens  1.5%\n"
        "  in all         █░░░░░░░░░░░░░░░░░░░░░░░  2,000 tokens  2.0%\n"
        "As the server counted last: 1,900 in (1,024 cached), 80 out"
    )


def test_status_leaves_out_what_there_is_not() -> None:
    assert Desk().answer("/status") == (
        "  version        0.1\n"
        "  project        /w/p\n"
        "  branch         main\n"
        "  model          glm/glm-5\n"
        "  mode           auto\n"
        "  sandbox        off\n"
        "  language       zh\n"
        "  project rules  /w/p/PAI.md (1,200 bytes, 1,100 characters)\n"
        "  running        0\n"
        "  journal        /h/j.jsonl"
    )


@pytest.mark.parametrize(
    ("loaded", "since", "told"),
    [
        (None, "", "no PAI.md"),
        (
            None,
            "/w/p/PAI.md",
            "/w/p/PAI.md (made since this conversation began; the next one has it: /clear begins one)",
        ),
        (
            RulesFile("/w/p/PAI.md", 9, 8),
            "/w/p/PAI.md",
            "/w/p/PAI.md (9 bytes, 8 characters), changed since; the next conversation has that: /clear begins one",
        ),
    ],
)
def test_status_tells_rules_that_the_conversation_does_not_have_yet(
    loaded: RulesFile | None, since: str, told: str
) -> None:
    shown = Desk(CannedQueries(loaded=loaded, rules_since=since)).answer("/status")
    assert isinstance(shown, str)
    assert f"  project rules  {told}\n" in shown


def test_resume_without_a_name_lets_choose_where_there_is_another_session() -> None:
    found = Desk().desk.answer(Answer(COMMANDS["resume"]))
    assert isinstance(found, ChooseSession)
    assert found.rows == CannedQueries().stored
    assert found.listed[-1].text == "/resume NUMBER or ID goes on with one of them, /fork makes a copy from here"
    alone = CannedQueries(stored=(CannedQueries().stored[0]._replace(is_current=True),))
    assert isinstance(Desk(alone).desk.answer(Answer(COMMANDS["resume"])), list)


AUDITED = (
    AuditRow("2026-11-30T12:00:01.250Z", "react", "write_file", "a.py", "allowed", "mode", "ok", 0.04, True),
    AuditRow(
        "2026-11-30T12:00:02.250Z", "task_1", "execute_command", "rm\nx", "denied", "reviewer", "denied", 1.2, True
    ),
    AuditRow("2026-11-30T12:00:03.250Z", "react", "later_tool", "x" * 200, "odd", "", "odd", 10, False),
)


def test_the_audit_is_a_table_and_says_where_it_is() -> None:
    assert Desk(CannedQueries(audited=AUDITED)).answer("/audit") == (
        "  time (UTC)      actor   tool             decision         outcome\n"
        "  11-30 12:00:01  react   write_file       allowed · mode   ok 0.0s      a.py\n"
        "  11-30 12:00:02  task_1  execute_command  denied · review  denied 1.2s  rm x\n"
        f"  11-30 12:00:03  react   later_tool       odd              odd 10.0s    {'x' * 99}…\n"
        "2 damaged lines were left out\n"
        "The record is in /h/audit, by UTC day; dimmed lines are other sessions' of today"
    )


@pytest.mark.parametrize(("argument", "count"), [("1", 1), ("2", 2), ("1000", 3)])
def test_the_audit_shows_as_many_as_asked_for(argument: str, count: int) -> None:
    shown = Desk(CannedQueries(audited=AUDITED)).answer(f"/audit {argument}")
    assert isinstance(shown, str)
    assert shown.count("11-30") == count


@pytest.mark.parametrize("argument", ["0", "-1", "1001", "x", "²", "99999999999999999999"])
def test_the_audit_wants_a_number(argument: str) -> None:
    assert Desk(CannedQueries(audited=AUDITED)).answer(f"/audit {argument}") == "Usage: /audit [N], N from 1 to 1000"


def test_an_audit_with_nothing_in_it_says_so() -> None:
    assert Desk().answer("/audit") == (
        "No write, command or outgoing call yet, in this session or today\n"
        "The record is in /h/audit, by UTC day; dimmed lines are other sessions' of today"
    )


def test_tasks_are_listed_and_only_a_running_command_is_stopped() -> None:
    work = (
        RunningWork("task_1", "read the\ncode", 3.2, False),
        RunningWork("bg_1", "npm run dev", 60.0, True),
        RunningWork("bg_2", "false", 1.0, True, 1, True),
    )
    desk = Desk(CannedQueries(work=work))
    assert desk.answer("/tasks") == (
        "  task_1  running 3 s  read the code\n"
        "  bg_1    running 60 s  npm run dev\n"
        "  bg_2    ended (exit 1)  false\n"
        "/tasks stop ID ends a background command"
    )
    assert desk.answer("/tasks stop bg_1") == ""
    assert "task of the plan" in str(desk.answer("/tasks stop task_1"))
    assert "ended already" in str(desk.answer("/tasks stop bg_2"))
    assert "no task bg_9" in str(desk.answer("/tasks stop bg_9"))
    assert desk.ops == [StopCommand("bg_1")]
    assert Desk().answer("/tasks") == "No background command and no task of a plan runs"


def test_permissions_are_listed_with_where_each_comes_from() -> None:
    booked = (RuleRow("deny", "execute_command(rm:*)", "file"), RuleRow("allow", "read_file", "session"))
    assert Desk(CannedQueries(booked=booked)).answer("/permissions") == (
        "Permission rules:\n"
        "  deny   execute_command(rm:*)  (config.toml)\n"
        "  allow  read_file  (this session)\n"
        "deny beats ask, ask beats allow"
    )
    assert str(Desk().answer("/permissions")).startswith("No permission rules\nUsage: ")


def test_diff_shows_changes_untracked_files_or_why_there_is_none() -> None:
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
    shown = str(Desk(CannedQueries(diff=ProjectDiff(diff, ("new.txt",)))).answer("/diff"))
    assert "two" in shown
    assert "one" in shown
    assert shown.endswith("Untracked files (1):\n    new.txt")
    assert Desk().answer("/diff") == "Nothing is uncommitted"
    missing = ProjectDiff(fault=Fault("session.diff_no_git"))
    assert Desk(CannedQueries(diff=missing)).answer("/diff") == "git was not found"


@pytest.mark.parametrize(
    ("text", "thing", "edits", "said"),
    [
        ("/config edit", EditedThing.CONFIG, ["config"], "/h/config.toml is fine; /model uses it at once"),
        ("/memory edit", EditedThing.PROJECT_RULES, ["rules"], "/h/config.toml is saved"),
    ],
)
def test_an_edit_asks_for_the_terminal_and_tells_what_became_of_it(
    text: str, thing: EditedThing, edits: list[str], said: str
) -> None:
    queries = CannedQueries()
    desk = Desk(queries)
    wanted = desk.answer(text)
    assert wanted == Edit(thing)
    assert queries.edits == []
    assert desk.desk.edit(Edit(thing))[0].text.startswith(said)
    assert queries.edits == edits
    queries.edited = EditedFile("/h/config.toml", Fault("session.no_editor"))
    assert [line.text for line in desk.desk.edit(Edit(thing))] == ["No editor: set $EDITOR"]


def test_an_answer_that_fails_is_one_line() -> None:
    class Failing(CannedQueries):
        def rules(self) -> tuple[RuleRow, ...]:
            raise UserFacingError("session.copy_no_program")

    assert str(Desk(Failing()).answer("/permissions")).startswith("No clipboard program was found")


def test_without_anyone_to_answer_a_command_says_so() -> None:
    desk = CommandDesk(None, submit=lambda op: None, texts=Texts(Language.EN), facts=FACTS)
    assert desk.answer(Answer(COMMANDS["status"])) == prose("/status can't be used here", Style.WARNING)


def test_a_theme_is_chosen_by_name() -> None:
    desk, painter = Desk().desk, Painter(ColorUse.ALLOWED)
    assert [line.text for line in desk.choose_theme("light", painter)] == ["Theme: light; there are dark light none"]
    assert painter.theme.name == "light"
    assert desk.choose_theme("neon", painter)[0].text == "No theme neon; there are dark light none"
    assert desk.choose_theme("", painter)[0].text == "Theme: light; there are dark light none"


def texts_for(typed: str, queries: CannedQueries | None = None) -> list[str]:
    desk = Desk(queries)
    return [proposal.text for proposal in command_proposals(typed, desk.desk, desk.texts)]


def test_names_and_arguments_are_completed_from_the_same_table() -> None:
    assert texts_for("/mo") == ["/mode", "/model"]
    assert texts_for("/qu") == ["/quit"]
    assert texts_for("/loo") == ["/look"]
    assert texts_for("/mode p") == ["/mode plan"]
    assert texts_for("/model ") == ["/model glm/glm-4.6", "/model deepseek/deepseek-chat"]
    assert texts_for("/tasks s", CannedQueries(work=(RunningWork("bg_1", "x", 1, True),))) == ["/tasks stop bg_1"]
    booked = (RuleRow("deny", "execute_command(rm:*)", "file"), RuleRow("allow", "read_file", "session"))
    assert texts_for("/permissions remove ", CannedQueries(booked=booked)) == [
        "/permissions remove execute_command(rm:*)",
        "/permissions remove read_file",
    ]
    assert "/help rename" in texts_for("/help ")
    assert texts_for("/status ") == texts_for("/nothing ") == texts_for("plain") == texts_for("/mode\n") == []


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.completer is not None])
def test_every_completer_proposes_words_that_go_on_from_what_was_typed(name: str) -> None:
    if name in {"rewind", "add-dir"}:
        return  # nothing was said yet, and there is no folder: see test_argument_completion
    proposed = texts_for(f"/{name} ", CannedQueries(work=(RunningWork("bg_1", "x", 1, True),)))
    assert proposed
    assert all(text.startswith(f"/{name} ") and len(text) > len(name) + 2 for text in proposed)


def test_the_policy_says_what_is_forbidden_offered_trusted_and_refused() -> None:
    assert str(Desk().answer("/policy")).split("\n") == [
        "Tool policy of this turn (of the last one when idle)",
        "  restrictions      no network",
        "  mode              auto",
        "  permission rules  2",
        "  offered           read_file",
        "Hidden from the model",
        "  web_fetch  no network",
        "Would refuse",
        "  no network   network tools; commands that go out or may (curl, git pull, pip install and the like)",
        "  URLs         URLs that are not trusted, in web_fetch and in commands (this machine excepted)",
        "  save_memory  content from outside is in the conversation, and you did not ask to remember",
        "Trusted URLs",
        "  https://example.com/a  your words",
        "Content from outside came by: web_search",
    ]


def test_the_policy_says_what_it_would_say_to_a_command() -> None:
    assert Desk().answer("/policy curl x") == "Would refuse curl x: no network in this turn, and it goes out"
    assert Desk().answer("/policy ls") == "Neither the guards nor the policy of this turn refuse: ls"
