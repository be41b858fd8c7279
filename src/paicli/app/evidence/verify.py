"""`paicli verify SESSION|FILE [--json]`: whether a run kept the rules, told from its journal alone."""

import json
from collections.abc import Mapping

from paicli.app.command_line import CommandLine
from paicli.app.config.environment import error_language, home_folder
from paicli.app.evidence.journals import find_journal
from paicli.app.evidence.packed import journal_text
from paicli.app.evidence.replayer import Judgement, judge
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError, reason_of
from paicli.ui.sanitize import clean


def run_verify(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """DONE without a violation, FAILED with one, USAGE where no verdict is possible."""
    texts = Texts(error_language(line.language, environ))
    path = find_journal(line.argument, home_folder(environ))
    try:
        text = journal_text(path.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError("cli.file_unreadable", path=str(path), what=reason_of(error)) from error
    judgement = judge(text)
    said = _as_json(judgement, str(path)) if line.is_json else clean(_as_text(judgement, str(path), texts))
    is_told = streams.answer(said)
    if judgement.unjudgeable:
        return ExitStatus.USAGE
    return ExitStatus.DONE if is_told and not judgement.violations else ExitStatus.FAILED


def _as_text(judgement: Judgement, path: str, texts: Texts) -> str:
    if judgement.unjudgeable:
        return texts.screen("evidence.unjudgeable", path=path, why=judgement.unjudgeable) + "\n"
    if not judgement.violations:
        return texts.screen("evidence.kept", path=path, events=judgement.events) + "\n"
    head = texts.screen("evidence.broken", path=path, count=len(judgement.violations))
    rows = [
        texts.screen("evidence.violation", seq=violation.seq, rule=violation.rule, what=violation.what)
        for violation in judgement.violations
    ]
    return "\n".join((head, *rows)) + "\n"


def _as_json(judgement: Judgement, path: str) -> str:
    verdict = "unjudgeable" if judgement.unjudgeable else "violated" if judgement.violations else "ok"
    record = {
        "verdict": verdict,
        "path": path,
        "events": judgement.events,
        "why": judgement.unjudgeable,
        "violations": [{"rule": each.rule, "seq": each.seq, "what": each.what} for each in judgement.violations],
    }
    return json.dumps(record, ensure_ascii=False) + "\n"
