"""From argv to an exit status: reads the command line, and says in one line what a person must mend."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from paicli import version
from paicli.app.command_line import CommandLine, language_wish, parse_command_line
from paicli.app.config.environment import error_language
from paicli.app.help_text import help_text
from paicli.app.options import Command, ExitStatus, Start
from paicli.app.settings import SessionKind, Settings
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SessionNotFound, SettingsError, UserFacingError

if TYPE_CHECKING:
    from paicli.app.attended import Assembled
    from paicli.app.trust.project_trust import ProjectTrust
    from paicli.session.stored.opening import OpenedSession


def main(argv: list[str], environ: Mapping[str, str], streams: Streams) -> int:
    """Runs what argv asks for and returns the exit status. What it raises is a fault of paicli's own."""
    try:
        line = parse_command_line(argv)
        match line.command:
            case Command.VERSION:
                return streams.end_with(f"paicli {version.VERSION}\n")
            case Command.HELP:
                texts = Texts(error_language(line.language, environ))
                return streams.end_with(help_text(texts, columns=streams.output_columns))
            case _:
                return _run(line, environ, streams)
    except UserFacingError as error:
        # start-up: `--help` and `--version` end before any error needs words
        from paicli.ui.rendering.fault_texts import code_text

        texts = Texts(error_language(language_wish(argv), environ))
        for each in (error, *error.others) if isinstance(error, SettingsError) else (error,):
            fields = {name: str(value) for name, value in each.fields.items()}
            streams.tell(texts.screen("cli.error", text=code_text(each.code, fields, texts)))
        return ExitStatus.USAGE if isinstance(error, SettingsError | SessionNotFound) else ExitStatus.FAILED


def _run(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> int:
    if line.command is Command.DEMO:
        from paicli.app.demo import run_demo  # start-up: `--help` loads none of this

        return run_demo(line, environ, streams=streams, assemble=_assemble)
    if line.command is Command.CONFIG:
        from paicli.app.config.command import run_config  # start-up: as above

        return run_config(line, environ, streams)
    if line.command is Command.TRUST:
        from paicli.app.trust.command import run_trust  # start-up: as above

        return run_trust(line, environ, streams)
    if line.command is Command.SESSIONS:
        from paicli.app.stored.command import run_sessions  # start-up: as above

        return run_sessions(line, environ, streams)
    if line.command is Command.DOCTOR:
        from paicli.app.doctor.command import run_doctor  # start-up: as above

        return run_doctor(line, environ, streams)
    if line.command is Command.VERIFY:
        from paicli.app.evidence.verify import run_verify  # start-up: as above

        return run_verify(line, environ, streams)
    if line.command is Command.BUGREPORT:
        from paicli.app.evidence.bugreport import run_bugreport  # start-up: as above

        return run_bugreport(line, environ, streams)
    from paicli.app.trust.decision import decide_trust  # start-up: as above

    try:
        trust = decide_trust(line, environ, streams)
    except (KeyboardInterrupt, EOFError):
        return ExitStatus.CANCELLED
    except SettingsError as error:
        from paicli.app.config.complaints import with_others  # start-up: only an error needs it

        raise with_others(error, line, environ) from None
    return _run_in_folder(line, environ, streams=streams, trust=trust)


def _run_in_folder(line: CommandLine, environ: Mapping[str, str], *, streams: Streams, trust: "ProjectTrust") -> int:
    from paicli.app.commands import run_command  # start-up: `--help` loads none of this

    def run() -> int:
        return run_command(line, environ, streams=streams, assemble=_assemble, trust=trust)

    try:
        return run()
    except SettingsError as error:
        from paicli.app.config.complaints import with_others  # start-up: only an error needs it

        error = with_others(error, line, environ, trust=trust)
        if not _can_be_asked(error, line, streams=streams, environ=environ):
            raise
        # start-up: httpx and prompt_toolkit, which the start with a model loads later or not at all
        from paicli.app.demo import run_demo
        from paicli.app.setup.first_start import run_first_start  # start-up: as above

        return run_first_start(
            line,
            environ,
            provider=str(error.fields.get("provider", "")),
            brought=trust.layers,
            go_on=run,
            show_demo=lambda: run_demo(line, environ, streams=streams, assemble=_assemble),
        )


def _can_be_asked(error: SettingsError, line: CommandLine, *, streams: Streams, environ: Mapping[str, str]) -> bool:
    """No model or no key is named, all else is right, and a person who wants a session sits at a terminal."""
    is_missing = error.code in {"settings.no_model", "settings.no_key"} and not error.others
    is_session = line.command is Command.SESSION and streams.is_terminal
    return is_missing and is_session and environ.get("TERM", "dumb") != "dumb"


def _assemble(
    settings: Settings,
    *,
    session_kind: SessionKind,
    resumed: "OpenedSession | None" = None,
    start: Start = Start.WHOLE,
) -> "Assembled":
    if start is Start.BEHIND_PROMPT:
        # start-up: a session without a terminal never needs it
        from paicli.app.wiring.beginning.behind_prompt import assemble_behind_prompt

        return assemble_behind_prompt(settings)
    # start-up: wrong settings are said 150 ms earlier, before the engine's rooms are loaded
    from paicli.app.wiring.assembly import assemble

    return assemble(settings, session_kind=session_kind, resumed=resumed)
