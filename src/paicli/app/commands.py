"""Carries out what the command line asked for: settings first, then the engine, then a turn or a session on it."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from paicli.app.attended import Assembled, run_one_turn, run_session, takes_keys
from paicli.app.command_line import CommandLine
from paicli.app.config.resolution import resolve_settings
from paicli.app.options import Command, ExitStatus, OutputFormat, Start
from paicli.app.plan_commands import PlanFile, read_stored_plan
from paicli.app.settings import SessionKind, Settings
from paicli.app.streams import Streams
from paicli.app.trust.project_trust import NOTHING_BROUGHT, ProjectTrust
from paicli.app.unattended.print_mode import (
    Progress,
    Review,
    Thinking,
    UnattendedTurn,
    is_progress_of_plan,
    run_unattended,
)
from paicli.app.unattended.standard_input import LIMIT_BYTES, PipedText, read_as_prompt, read_beside
from paicli.app.unattended.stream_json import StreamJsonOutput
from paicli.app.unattended.turn_output import JsonOutput, PlanTextOutput, TextOutput, TurnOutput
from paicli.app.wiring.own_commands import own_commands
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.core.events import SessionStarted
from paicli.core.faults import Fault
from paicli.core.ops import RunShell, Submit, TurnKind
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.routing import InputState, Say, Send, route

if TYPE_CHECKING:
    from paicli.app.stored.wished import WishedSession
    from paicli.session.stored.opening import OpenedSession


class Assemble(Protocol):
    """Builds everything for one session and starts its engine."""

    def __call__(
        self,
        settings: Settings,
        *,
        session_kind: SessionKind,
        resumed: "OpenedSession | None" = None,
        start: Start = Start.WHOLE,
    ) -> Assembled:
        """`resumed`: a stored session that goes on. `start`: anything but WHOLE for a new interactive one."""
        ...


class Call(NamedTuple):
    """One call of paicli, ready to be carried out."""

    line: CommandLine
    settings: Settings
    texts: Texts
    streams: Streams
    environ: Mapping[str, str]
    assemble: Assemble


def run_command(
    line: CommandLine,
    environ: Mapping[str, str],
    *,
    streams: Streams,
    assemble: Assemble,
    trust: ProjectTrust = NOTHING_BROUGHT,
) -> int:
    """Returns the exit status. Raises SettingsError for what the person must mend before anything can run."""
    configured = resolve_settings(line, environ, trust=trust)
    texts = Texts(configured.settings.language)
    call = Call(line, configured.settings, texts, streams, environ, assemble)
    _warn(call, configured.warnings)
    match line.command:
        case Command.PRINT:
            return _print(call)
        case Command.PLAN:
            return _plan(call)
        case Command.RUN:
            return _run(call)
        case _:
            return _sessions(call)


def _sessions(call: Call) -> int:
    """One interactive session after the other, as the person goes from one to the next."""
    _check_output(call)
    stored = _stored(call)
    start = Start.BEHIND_PROMPT if takes_keys(call.streams, call.environ) else Start.WHOLE
    while True:
        with assembled(call, SessionKind.INTERACTIVE, stored, start=start) as session:
            ending = run_session(session, call.streams, call.environ)
        if ending.go_on is None:
            return ending.status
        from paicli.app.stored.wished import next_session  # start-up: as in _stored

        stored = next_session(ending.go_on, call.settings, call.environ)


def _stored(call: Call) -> "WishedSession | None":
    """What `-c` or `-r` asks for. Raises SessionNotFound."""
    if not (call.line.is_continued or call.line.resumed):
        return None
    from paicli.app.stored.wished import wished_session  # start-up: 15 ms that a new session does without

    return wished_session(call.line, call.settings, call.environ)


@contextmanager
def assembled(
    call: Call, kind: SessionKind, stored: "WishedSession | None" = None, *, start: Start = Start.WHOLE
) -> Generator[Assembled]:
    """An engine that runs, and is closed whatever happens. `stored`: the session that goes on; None: a new one.

    `start` holds for a new one: what a stored session shows at once must be read first.
    """
    # No pipe is coloured; progress on stderr decides for itself.
    color = call.settings.color and (call.settings.is_color_forced or call.streams.is_output_terminal)
    if stored is None and start is not Start.WHOLE:
        session = call.assemble(call.settings._replace(color=color), session_kind=kind, start=start)
    elif stored is None:
        session = call.assemble(call.settings._replace(color=color), session_kind=kind)
    else:
        _warn(call, stored.faults)
        session = call.assemble(stored.settings._replace(color=color), session_kind=kind, resumed=stored.opened)
    _warn(call, session.warnings)
    if kind is SessionKind.UNATTENDED:
        session.settle()
    try:
        yield session
    finally:
        session.close()


def _print(call: Call) -> ExitStatus:
    _check_output(call)
    op = _turn_of(call)
    with assembled(call, SessionKind.UNATTENDED, _stored(call)) as session:
        _tell_of_unfinished(call, session, op)
        return _unattended(call, session, UnattendedTurn(op, _review(call)))


def _tell_of_unfinished(call: Call, session: Assembled, op: Submit | RunShell) -> None:
    """Nobody is there to be asked: a plan that an earlier process left goes on only at the caller's word."""
    left = session.facts.earlier.unfinished if session.facts.earlier is not None else None
    if left is not None and not (isinstance(op, Submit) and op.kind is TurnKind.PLAN_RESUME):
        fields = (("done", str(left.completed_count)), ("count", str(len(left.view.tasks))))
        _warn(call, (Fault("resume.unattended", fields),))


def _plan(call: Call) -> ExitStatus:
    _check_output(call)
    target = PlanFile.at(call.line.out) if call.line.out else None
    with assembled(call, SessionKind.UNATTENDED) as session:
        output = PlanTextOutput(call.streams, call.texts)
        turn = UnattendedTurn(Submit(call.line.argument, TurnKind.PLAN_ONLY), is_shown=is_progress_of_plan)
        status = run_unattended(session, turn, output=output, progress=progress_of(call))
    if target is not None and output.plan is not None:
        target.write(output.plan)
        call.streams.tell(call.texts.screen("cli.plan_written", path=call.line.out))
    return status


def _run(call: Call) -> int:
    _check_output(call)
    op = Submit(read_stored_plan(call.line.argument, call.texts), TurnKind.PLAN_FILE)
    is_text = call.line.output_format is OutputFormat.TEXT
    if is_text and not call.line.is_yes and call.streams.is_input_terminal:
        with assembled(call, SessionKind.INTERACTIVE) as session:
            return run_one_turn(session, op, streams=call.streams, environ=call.environ)
    with assembled(call, SessionKind.UNATTENDED) as session:
        return _unattended(call, session, UnattendedTurn(op, _review(call)))


def _unattended(call: Call, session: Assembled, turn: UnattendedTurn) -> ExitStatus:
    output = _output(call, session)
    return run_unattended(session, turn, output=output, progress=progress_of(call))


def _output(call: Call, session: Assembled) -> TurnOutput:
    session_id = session.events.session_id
    match call.line.output_format:
        case OutputFormat.TEXT:
            return TextOutput(call.streams)
        case OutputFormat.JSON:
            return JsonOutput(call.streams, call.texts, session_id)
        case OutputFormat.STREAM_JSON:
            started = partial(_started, session)
            return StreamJsonOutput(call.streams, call.texts, session_id=session_id, started=started)


def _started(session: Assembled) -> SessionStarted:
    """The session as its first line describes it."""
    facts, tools = session.facts, session.offered_tools()
    return SessionStarted(facts.version, facts.provider, facts.model, facts.mode, facts.project, facts.language, tools)


def progress_of(call: Call) -> Progress:
    """On stderr, coloured where that is a terminal."""
    is_colored = call.settings.color and (call.settings.is_color_forced or call.streams.is_error_terminal)
    color = ColorUse.ALLOWED if is_colored and call.settings.theme != "none" else ColorUse.NEVER
    thinking = Thinking.SHOWN if call.settings.verbose else Thinking.HIDDEN
    return Progress(call.streams, call.texts, color=color, is_ascii=call.settings.is_ascii, thinking=thinking)


def _review(call: Call) -> Review:
    return Review.ACCEPT if call.line.is_yes else Review.STOP


def _turn_of(call: Call) -> Submit | RunShell:
    """The text of `-p`, routed like a line of the session, with what came through the pipe."""
    text = call.line.argument
    if text == "-":
        text, piped = _reported(call, read_as_prompt(call.streams.stdin)), ""
    else:
        piped = _reported(call, read_beside(call.streams.stdin)) if text.strip() else ""
    if not text.strip():
        raise SettingsError("cli.text_missing")
    custom = {command.name: command for command in own_commands(call.settings).commands}
    match route(text, InputState(custom=custom)):
        case Send(Submit() as op):
            return op._replace(attachments=piped)
        case Send(RunShell() as op):
            return op
        case Say(code, fields):
            raise SettingsError(code, **dict(fields))
        case _:
            raise SettingsError("cli.text_not_a_turn", text=text.strip())


def _reported(call: Call, piped: PipedText) -> str:
    if piped.is_cut:
        _warn(call, (Fault("cli.stdin_cut", (("limit", str(LIMIT_BYTES)),)),))
    return piped.text


def _warn(call: Call, faults: Iterable[Fault]) -> None:
    for fault in faults:
        call.streams.tell(call.texts.screen("cli.warning", text=fault_text(fault, call.texts)))


def _check_output(call: Call) -> None:
    """Before a model is asked: an answer needs somewhere to go."""
    if call.streams.stdout is None:
        raise SettingsError("cli.stdout_closed")
