"""`paicli trust`: shows what the folder brings and how it stands, and keeps or forgets an answer."""

from collections.abc import Mapping

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.config.environment import choose_language, home_folder
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.trust.decision import Standing, standing_of
from paicli.app.trust.question import ask_about, rows_of
from paicli.app.trust.store import Changes, StoredAnswer
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.sanitize import clean


def run_trust(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """Returns the exit status. Raises SettingsError for wrong words, UserFacingError where an answer can't be kept."""
    config = read_config(home_folder(environ) / "config.toml")
    texts = Texts(choose_language(line.language, environ, config))
    standing = standing_of(line.folder, environ)
    match line.arguments:
        case ():
            return _show(standing, config, texts, streams=streams, environ=environ)
        case ("yes",):
            if not standing.brought.files:
                return _answer(texts.screen("trust.none", path=standing.root), streams)
            standing.store.keep(standing.root, StoredAnswer.YES, standing.brought.files)
            shown = [*rows_of(standing._replace(answered=None), texts)]
            return _answer("\n".join((*shown, texts.screen("trust.kept_yes", path=standing.root))), streams)
        case ("no",):
            standing.store.keep(standing.root, StoredAnswer.NEVER)
            return _answer(texts.screen("trust.kept_no", path=standing.root), streams)
        case ("forget",):
            standing.store.forget(standing.root)
            return _answer(texts.screen("trust.kept_forgotten", path=standing.root), streams)
        case ("list",):
            return _list(standing, texts, streams)
        case _:
            raise SettingsError("trust.usage")


def _show(
    standing: Standing, config: ConfigFile, texts: Texts, *, streams: Streams, environ: Mapping[str, str]
) -> ExitStatus:
    for fault in standing.brought.faults:
        streams.tell(texts.screen("cli.warning", text=fault_text(fault, texts)))
    if not standing.brought.files:
        return _answer(texts.screen("trust.none", path=standing.root), streams)
    if streams.is_terminal and not standing.is_trusted:
        try:
            is_trusted = ask_about(standing, config, texts, streams=streams, environ=environ)
        except (KeyboardInterrupt, EOFError):
            return ExitStatus.CANCELLED
        code = "trust.kept_yes" if is_trusted else "trust.kept_no"
        return _answer(texts.screen(code, path=standing.root), streams)
    rows = [str(standing.root), *rows_of(standing, texts), texts.screen(_state(standing))]
    return _answer("\n".join(rows), streams)


def _state(standing: Standing) -> str:
    if standing.is_trusted:
        return "trust.state_yes"
    if standing.is_refused:
        return "trust.state_never"
    return "trust.state_changed" if standing.changes != Changes() else "trust.state_open"


def _list(standing: Standing, texts: Texts, streams: Streams) -> ExitStatus:
    answers = standing.store.answers()
    rows = [
        texts.screen("trust.list_row", answer=answered.answer.value, path=path)
        for path, answered in sorted(answers.items())
    ]
    return _answer("\n".join(rows) or texts.screen("trust.list_none"), streams)


def _answer(text: str, streams: Streams) -> ExitStatus:
    return ExitStatus.DONE if streams.answer(f"{clean(text)}\n") else ExitStatus.FAILED
