import pytest

from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import AppendRule, Cancel, ClearConversation, Mode, Queue, RunShell, SetMode, Submit, TurnKind
from paicli.ui.commands import BUILT_IN_NAMES, COMMANDS, nearest_names
from paicli.ui.routing import Act, Answer, Ignore, InputState, Perform, Route, Say, Send, route

IDLE = InputState()
RUNNING = InputState(is_running=True)
ARMED = InputState(is_plan_armed=True)


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("", IDLE, Ignore()),
        ("  \n", IDLE, Ignore()),
        ("fix the bug", IDLE, Send(Submit("fix the bug"))),
        ("fix the bug", RUNNING, Send(Queue("fix the bug"))),
        ("fix the bug", ARMED, Send(Submit("fix the bug", TurnKind.PLAN))),
        ("  keep\n  lines ", IDLE, Send(Submit("keep\n  lines"))),
        ("/plan make a blog", IDLE, Send(Submit("make a blog", TurnKind.PLAN))),
        ("/plan two\nlines", IDLE, Send(Submit("two\nlines", TurnKind.PLAN))),
        ("/PLAN make", IDLE, Send(Submit("make", TurnKind.PLAN))),
        ("/plan", IDLE, Perform(Act.ARM_PLAN)),
        ("/plan x", RUNNING, Send(Submit("x", TurnKind.PLAN))),
        ("/plan resume", IDLE, Send(Submit("", TurnKind.PLAN_RESUME))),
        ("/mode plan", IDLE, Send(SetMode(Mode.PLAN))),
        ("/mode Ask", RUNNING, Send(SetMode(Mode.ASK))),
        ("/mode", IDLE, Perform(Act.SHOW_MODE)),
        ("/mode yolo", IDLE, Say("session.mode_usage", (("mode", "yolo"),))),
        ("/hitl on", IDLE, Send(SetMode(Mode.ASK))),
        ("/hitl default", IDLE, Send(SetMode(Mode.AUTO))),
        ("/hitl", IDLE, Say("session.hitl_usage")),
        ("/help", IDLE, Answer(COMMANDS["help"])),
        ("/help plan", RUNNING, Answer(COMMANDS["help"], "plan")),
        ("/model deepseek/x --save", IDLE, Answer(COMMANDS["model"], "deepseek/x --save")),
        ("/status now", IDLE, Say("session.no_argument", (("name", "status"),))),
        ("/init", IDLE, Send(Submit("", TurnKind.INIT))),
        ("/init mind the tests", ARMED, Send(Submit("mind the tests", TurnKind.INIT))),
        ("/editor", IDLE, Perform(Act.OPEN_EDITOR)),
        ("/theme", IDLE, Perform(Act.SET_THEME)),
        ("/theme light", RUNNING, Perform(Act.SET_THEME, "light")),
        ("/clear", IDLE, Send(ClearConversation())),
        ("/clear", RUNNING, Say("session.busy")),
        ("/cancel", RUNNING, Send(Cancel())),
        ("/cancel", IDLE, Say("session.nothing_runs")),
        ("/exit", RUNNING, Perform(Act.LEAVE)),
        ("/quit", IDLE, Perform(Act.LEAVE)),
        ("/exit now", IDLE, Say("session.no_argument", (("name", "exit"),))),
        ("/exit\nis what the page says", IDLE, Send(Submit("/exit\nis what the page says"))),  # C50: pasted
        ("!ls -l", IDLE, Send(RunShell("ls -l"))),
        ("! ls", IDLE, Send(RunShell("ls"))),
        ("!ls", RUNNING, Say("session.busy")),
        ("!", IDLE, Send(Submit("!"))),
        ("/team go", IDLE, Say("session.not_yet", (("name", "team"),))),
        ("/modl", IDLE, Say("session.unknown_command_near", (("name", "modl"), ("nearest", "/model /mode")))),
        ("/xyzzy do it", IDLE, Say("session.unknown_command", (("name", "xyzzy"),))),
        ("/", IDLE, Say("session.unknown_command", (("name", ""),))),
        ("/usr/bin/x is slow", IDLE, Send(Submit("/usr/bin/x is slow"))),
        ("/* a comment */", IDLE, Send(Submit("/* a comment */"))),
        ("#note", IDLE, Send(AppendRule("note"))),
        ("@src/a.py explain", IDLE, Send(Submit("@src/a.py explain"))),
        ("see /exit", IDLE, Send(Submit("see /exit"))),
    ],
)
def test_a_line_means(text: str, state: InputState, expected: Route) -> None:
    assert route(text, state) == expected


@pytest.mark.parametrize("name", [*COMMANDS, "nonsense", "exi"])
@pytest.mark.parametrize("state", [IDLE, RUNNING, ARMED])
def test_no_slash_word_ever_reaches_the_model_as_text(name: str, state: InputState) -> None:
    match route(f"/{name}", state):
        case Send(Submit(text) | Queue(text)) if text:
            raise AssertionError(f"sent {text!r}")
        case _:
            pass


def test_nearest_names_are_few_and_nearest_first() -> None:
    assert nearest_names("he") == ["help"]
    assert nearest_names("cleer") == ["clear"]
    assert nearest_names("") == []
    assert nearest_names("nope") == []


def test_every_command_of_the_specification_stands_in_the_table() -> None:
    named = (
        "help plan team mode hitl model clear compact context cost init memory save skill mcp policy audit undo "
        "restore snapshot diff sessions resume fork export tasks copy editor config permissions add-dir status "
        "rename doctor hooks theme lang bug cancel exit quit rewind"
    )
    assert set(named.split()) == BUILT_IN_NAMES


OWN = {"look": CustomCommand("look", "", "Look at $1, then: $ARGUMENTS"), "leave": CustomCommand("leave", "", "/exit")}


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("/look a.py b.py", InputState(custom=OWN), Send(Submit("Look at a.py, then: a.py b.py", words="a.py b.py"))),
        ("/LOOK a", InputState(is_running=True, custom=OWN), Send(Queue("Look at a, then: a", "a"))),
        ("/look", InputState(is_plan_armed=True, custom=OWN), Send(Submit("Look at , then:", TurnKind.PLAN, words=""))),
        ("/leave", InputState(custom=OWN), Send(Submit("/exit", words=""))),  # its text is data and not routed again
        (
            "/loo",
            InputState(custom=OWN),
            Say("session.unknown_command_near", (("name", "loo"), ("nearest", "/look"))),
        ),
    ],
)
def test_a_command_of_ones_own_sends_its_text(text: str, state: InputState, expected: Route) -> None:
    assert route(text, state) == expected
