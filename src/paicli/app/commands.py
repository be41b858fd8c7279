"""Carries out what the command line asked for: settings first, then the engine, then a turn or a session on it."""

import gc
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from paicli.app.attended import Assembled, run_one_turn, run_session
from paicli.app.command_line import CommandLine
from paicli.app.config.resolution import resolve_settings
from paicli.app.options import Command, ExitStatus, OutputFormat
from paicli.app.plan_commands import PlanFile, read_stored_plan
from paicli.app.settings import SessionKind, Settings
from paicli.app.streams import Streams
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


class Assemble(Protocol):
    """Builds everything for one session and starts its engine."""

    def __call__(self, settings: Settings, *, session_kind: SessionKind) -> Assembled: ...


class Call(NamedTuple):
    """One call of paicli, ready to be carried out."""

    line: CommandLine
    settings: Settings
    texts: Texts
    streams: Streams
    environ: Mapping[str, str]
    assemble: Assemble


def run_command(line: CommandLine, environ: Mapping[str, str], *, streams: Streams, assemble: Assemble) -> int:
    """Returns the exit status. Raises SettingsError for what the person must mend before anything can run."""
    configured = resolve_settings(line, environ)
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
            _check_output(call)
            with assembled(call, SessionKind.INTERACTIVE) as session:
                return run_session(session, streams, environ)


@contextmanager
def assembled(call: Call, kind: SessionKind) -> Generator[Assembled]:
    """An engine that runs, and is closed whatever happens."""
    # No pipe is coloured; progress on stderr decides for itself.
    color = call.settings.color and (call.settings.is_color_forced or call.streams.is_output_terminal)
    session = call.assemble(call.settings._replace(color=color), session_kind=kind)
    _warn(call, session.warnings)
    # What was imported stays: the collector, off since the start, need never look at it again.
    gc.freeze()
    gc.enable()
    try:
        yield session
    finally:
        session.close()


def _print(call: Call) -> ExitStatus:
    _check_output(call)
    op = _turn_of(call)
    with assembled(call, SessionKind.UNATTENDED) as session:
        return _unattended(call, session, UnattendedTurn(op, _review(call)))


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
            return TextOutput(call.streams, call.texts)
        case OutputFormat.JSON:
            return JsonOutput(call.streams, call.texts, session_id)
        case OutputFormat.STREAM_JSON:
            return StreamJsonOutput(call.streams, call.texts, session_id=session_id, started=_started(call, session))


def _started(call: Call, session: Assembled) -> SessionStarted:
    """The session as its first line describes it."""
    facts = session.facts
    return SessionStarted(
        facts.version, facts.provider, facts.model, facts.mode, facts.project, facts.language, session.tool_names
    )


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
