"""`paicli sessions`: the stored sessions of this folder, newest first."""

import json
from collections.abc import Mapping

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import read_config
from paicli.app.config.environment import choose_language, home_folder
from paicli.app.config.resolution import project_root
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.session.stored.finding import SessionSummary, list_sessions, sessions_folder
from paicli.ui.queries import SessionRow
from paicli.ui.stored.session_rows import row_texts


def run_sessions(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """Needs no model. Raises SettingsError."""
    if streams.stdout is None:
        raise SettingsError("cli.stdout_closed")
    home = home_folder(environ)
    texts = Texts(choose_language(line.language, environ, read_config(home / "config.toml")))
    found = list_sessions(sessions_folder(home, project_root(line.folder)))
    if line.is_json:
        records = [summary._asdict() | {"journal": str(summary.journal)} for summary in found]
        return streams.end_with(json.dumps(records, ensure_ascii=False, indent=2) + "\n")
    if not found:
        streams.tell(texts.screen("stored.list_none"))
        return ExitStatus.DONE
    rows = row_texts([session_row(summary) for summary in found], texts)
    status = streams.end_with("".join(f"{row}\n" for row in rows))
    if streams.is_output_terminal:
        streams.tell(texts.screen("stored.cli_hint"))
    return status


def session_row(summary: SessionSummary, *, is_current: bool = False) -> SessionRow:
    """As the ui shows it."""
    return SessionRow(
        summary.id,
        summary.title,
        summary.changed_at,
        summary.turn_count,
        summary.model,
        summary.size_bytes,
        is_current,
    )
