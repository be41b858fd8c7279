"""`paicli doctor`: prints the findings as they come, and says by its exit status whether paicli can work."""

from collections.abc import Mapping

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import read_config
from paicli.app.config.environment import error_language, home_folder, wants_color
from paicli.app.config.resolution import project_root
from paicli.app.doctor.examination import examine
from paicli.app.doctor.subject import Subject, terminal_facts
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.trust.decision import stored_trust
from paicli.app.trust.project_trust import NOTHING_BROUGHT
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.core.faults import Finding, Verdict, fault_of
from paicli.core.masking import SecretMasker
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.styled import Line, Painter
from paicli.ui.setup.finding_lines import finding_line, verdict_line


def run_doctor(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """DONE where paicli is usable, FAILED where something must be mended first. A broken configuration is a finding."""
    home = home_folder(environ)
    texts = Texts(error_language(line.language, environ))
    painter = _painter(environ, streams)
    bad_count = 0
    is_told = True
    try:
        trust = stored_trust(line.folder, environ)
    except SettingsError as error:  # a folder's file that was trusted, and is wrong
        finding = Finding(Verdict.BAD, fault_of(error, SecretMasker()))
        bad_count, is_told = 1, streams.answer(_written(painter, finding_line(finding, texts)))
        trust = NOTHING_BROUGHT
    subject = Subject(
        environ,
        home,
        project_root(line.folder),
        terminal_facts(streams),
        model_option=line.model,
        base_url_option=line.base_url,
        is_offline=line.is_offline,
        trust=trust,
    )
    for finding in examine(subject, CancellationToken()):
        bad_count += finding.verdict is Verdict.BAD
        is_told = streams.answer(_written(painter, finding_line(finding, texts))) and is_told
    is_told = streams.answer(_written(painter, verdict_line(bad_count, texts))) and is_told
    return ExitStatus.FAILED if bad_count or not is_told else ExitStatus.DONE


def _written(painter: Painter, line: Line) -> str:
    return painter.line(line) + "\n"


def _painter(environ: Mapping[str, str], streams: Streams) -> Painter:
    is_ascii = False
    is_colored = streams.is_output_terminal and wants_color(environ)
    try:
        config = read_config(home_folder(environ) / "config.toml")
    except SettingsError:
        pass  # the examination tells it
    else:
        is_ascii = bool(config.get("ui.ascii"))
        is_colored = is_colored and wants_color(environ, config)
    return Painter(ColorUse.ALLOWED if is_colored else ColorUse.NEVER, is_ascii=is_ascii)
