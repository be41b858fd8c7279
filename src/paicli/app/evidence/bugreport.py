"""`paicli bugreport [SESSION|FILE] [--out FILE]`: one masked file that shows a fault and replays. Nothing is sent."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import read_config
from paicli.app.config.environment import error_language, home_folder
from paicli.app.config.resolution import known_secrets
from paicli.app.evidence.journals import find_journal
from paicli.app.evidence.packed import journal_text, pack
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError, reason_of
from paicli.core.masking import SecretMasker
from paicli.core.unicode import well_formed
from paicli.system.files import write_new_file
from paicli.ui.sanitize import clean

_SHOWN_CHARACTERS = 60


def run_bugreport(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """Writes a new file and says how to replay it. Raises SettingsError and SessionNotFound."""
    texts = Texts(error_language(line.language, environ))
    home = home_folder(environ)
    path = find_journal(line.arguments[0] if line.arguments else "", home)
    try:
        text = journal_text(path.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError("cli.file_unreadable", path=str(path), what=reason_of(error)) from error
    masker = _masker(environ, home)
    packed = pack(text)
    if not packed.replies:
        raise SettingsError("evidence.nothing_to_report", path=str(path))
    target = Path(line.out or f"paicli-bugreport-{path.stem}.jsonl").expanduser()
    _write_new(target, "".join(masker.mask(well_formed(row)) + "\n" for row in packed.lines))
    said = texts.screen("evidence.reported", path=str(target), turns=len(packed.turns), replies=packed.replies)
    first = masker.mask(packed.turns[0]["text"])[:_SHOWN_CHARACTERS] if packed.turns else ""
    command = f"paicli -p {shlex.quote(first)} --model replay:{shlex.quote(str(target))}"
    is_told = streams.answer(clean(said + "\n" + texts.screen("evidence.replay_by", command=command) + "\n"))
    return ExitStatus.DONE if is_told else ExitStatus.FAILED


def _masker(environ: Mapping[str, str], home: Path) -> SecretMasker:
    try:
        return SecretMasker(known_secrets(environ, read_config(home / "config.toml")))
    except SettingsError:  # a broken file may well be what is reported
        return SecretMasker(known_secrets(environ))


def _write_new(path: Path, text: str) -> None:
    try:
        write_new_file(path, text)
    except FileExistsError:
        raise SettingsError("evidence.report_exists", path=str(path)) from None
    except OSError as error:
        raise SettingsError("cli.file_unwritable", path=str(path), what=reason_of(error)) from error
