"""From a line of input to what it means: an op for the engine, an act of the ui, or an answer. A pure function."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, assert_never

from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import AppendRule, Cancel, ClearConversation, Mode, Op, Queue, RunShell, SetMode, Submit, TurnKind

if TYPE_CHECKING:
    from paicli.ui.command import Command

_COMMAND = re.compile(r"/(?P<name>\w[\w:-]*)?(?:\s+(?P<argument>.*))?", re.DOTALL)
"""`/word` and its argument; `/usr/bin/x is slow` is no command."""


class InputState(NamedTuple):
    """What routing needs to know of the session."""

    is_running: bool = False
    """A turn runs."""
    is_plan_armed: bool = False
    """`/plan` alone was given: the next text is planned."""
    custom: Mapping[str, CustomCommand] = {}
    """The person's own commands, by name."""
    is_page: bool = False
    """It begins with a pasted text of several lines: words, whatever they look like."""


class Act(StrEnum):
    """What the ui does itself."""

    SHOW_MODE = "show_mode"
    ARM_PLAN = "arm_plan"
    OPEN_EDITOR = "open_editor"
    SET_THEME = "set_theme"
    """To the argument; without one: show it."""
    REWIND = "rewind"
    """To before the turn of that number; without one: show the turns."""
    LEAVE = "leave"


class Send(NamedTuple):
    op: Op


class Perform(NamedTuple):
    act: Act
    argument: str = ""


class Answer(NamedTuple):
    """The command's own `answer` says what to show."""

    command: "Command"
    argument: str = ""


class Say(NamedTuple):
    """A short answer from the catalogue."""

    code: str
    fields: tuple[tuple[str, str], ...] = ()


class Ignore(NamedTuple):
    """Nothing was typed."""


Route = Send | Perform | Answer | Say | Ignore


def route(text: str, state: InputState) -> Route:
    """What a line of input asks for. An unknown `/word` is answered and never sent."""
    text = text.strip()
    if not text:
        return Ignore()
    if state.is_page:
        return _route_words(text, state)
    if text.startswith("#") and "\n" not in text:
        rule = text[1:].strip()
        return Send(AppendRule(rule)) if rule.strip("#") else Say("rule.empty")
    if text.startswith("!") and text[1:].strip():
        return Say("session.busy") if state.is_running else Send(RunShell(text[1:].strip()))
    found = _COMMAND.fullmatch(text)
    if found is None:
        return _route_words(text, state)
    return _route_slash(found["name"] or "", (found["argument"] or "").strip(), state, text=text)


def _route_slash(name: str, argument: str, state: InputState, *, text: str) -> Route:
    # start-up: the table with what answers is 10 ms, and most of what is typed is no command
    from paicli.ui.commands import command_named

    command = command_named(name)
    if command is None:
        own = state.custom.get(name.lower())
        return _route_words(own.filled(argument), state, words=argument) if own else _unknown(name, state)
    if argument and not command.arguments:
        # A pasted page that begins with "/exit" is a page; "/exit now" is a slip.
        is_page = "\n" in text
        return _route_words(text, state) if is_page else Say("session.no_argument", (("name", name),))
    return _route_command(command, argument, state)


def _route_words(text: str, state: InputState, *, words: str | None = None) -> Route:
    """`words`: what of it the person typed, where not all."""
    if state.is_plan_armed:
        return Send(Submit(text, TurnKind.PLAN, words=words))
    return Send(Queue(text, words) if state.is_running else Submit(text, words=words))


def _route_command(command: "Command", argument: str, state: InputState) -> Route:
    from paicli.ui.command import Handler  # start-up: as above

    match command.handler:
        case Handler.PLAN:
            return _route_plan(argument)
        case Handler.MODE:
            return _route_mode(argument)
        case Handler.APPROVALS:
            modes = {"on": Mode.ASK, "default": Mode.AUTO}
            wanted = modes.get(argument.lower())
            return Send(SetMode(wanted)) if wanted else Say("session.hitl_usage")
        case Handler.INIT:
            return Send(Submit(argument, TurnKind.INIT))
        case Handler.COMPACT:
            return Send(Submit(argument, TurnKind.COMPACT))
        case Handler.EDITOR:
            return Perform(Act.OPEN_EDITOR)
        case Handler.THEME:
            return Perform(Act.SET_THEME, argument)
        case Handler.ANSWER:
            if command.is_idle_only and state.is_running:
                return Say("session.busy")
            return Answer(command, argument)
        case Handler.CLEAR:
            return Say("session.busy") if state.is_running else Send(ClearConversation())
        case Handler.REWIND:
            return Say("session.busy") if state.is_running else Perform(Act.REWIND, argument)
        case Handler.CANCEL:
            return Send(Cancel()) if state.is_running else Say("session.nothing_runs")
        case Handler.LEAVE:
            return Perform(Act.LEAVE)
        case Handler.NOT_YET:
            return Say("session.not_yet", (("name", command.name),))
        case _:
            assert_never(command.handler)


def _route_plan(goal: str) -> Route:
    from paicli.ui.commands import PLANNED_PLAN_WORDS  # start-up: as above

    if goal.lower() == "resume":
        return Send(Submit("", TurnKind.PLAN_RESUME))
    if goal.lower() in PLANNED_PLAN_WORDS:
        return Say("session.not_yet", (("name", f"plan {goal.lower()}"),))
    return Send(Submit(goal, TurnKind.PLAN)) if goal else Perform(Act.ARM_PLAN)


def _route_mode(argument: str) -> Route:
    if not argument:
        return Perform(Act.SHOW_MODE)
    if argument.lower() not in set(Mode):
        return Say("session.mode_usage", (("mode", argument),))
    return Send(SetMode(Mode(argument.lower())))


def _unknown(name: str, state: InputState) -> Route:
    from paicli.ui.commands import nearest_names  # start-up: as above

    nearest = nearest_names(name, state.custom)
    if not nearest:
        return Say("session.unknown_command", (("name", name),))
    return Say("session.unknown_command_near", (("name", name), ("nearest", " ".join(f"/{near}" for near in nearest))))
