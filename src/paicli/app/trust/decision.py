"""Whether a folder's own files are used by this run: by the answer that is kept, else by one that is asked for."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import ConfigFile, config_of, read_config
from paicli.app.config.environment import choose_language, home_folder
from paicli.app.config.resolution import project_root
from paicli.app.options import Command
from paicli.app.streams import Streams
from paicli.app.trust.dotenv import settings_of
from paicli.app.trust.folder_files import Brought, files_brought
from paicli.app.trust.project_trust import BroughtKind, ProjectTrust, named
from paicli.app.trust.store import Answered, Changes, StoredAnswer, TrustStore, changes_since
from paicli.core.catalogue.lookup import Texts
from paicli.core.faults import Fault
from paicli.ui.rendering.fault_texts import fault_text

_MAY_BRING = (
    *("model.", "models.", "providers.", "session.", "plan.", "limits.", "ui.", "permissions.", "hooks"),
    "web.search",
)
"""What a folder may say of itself, by how its keys begin: not what holds it (sandbox, network), not what is kept."""
_MOST_NAMED = 6


class Standing(NamedTuple):
    """A folder, what it brings, and what was said of it."""

    root: Path
    brought: Brought
    store: TrustStore
    answered: Answered | None

    @property
    def changes(self) -> Changes:
        """Against what was agreed to."""
        if self.answered is None or self.answered.answer is not StoredAnswer.YES:
            return Changes()
        return changes_since(self.answered, self.brought.files)

    @property
    def is_trusted(self) -> bool:
        return (
            self.answered is not None
            and self.answered.answer is StoredAnswer.YES
            and self.changes == Changes()
            and bool(self.brought.files)
        )

    @property
    def is_refused(self) -> bool:
        return self.answered is not None and self.answered.answer is StoredAnswer.NEVER


def standing_of(folder: str, environ: Mapping[str, str]) -> Standing:
    """`folder`: the value of `-C`. Nothing is asked, kept or used. Raises SettingsError where there is no folder."""
    home, root = home_folder(environ), project_root(folder)
    user_home = Path(environ.get("HOME") or Path.home())
    brought = files_brought(root, home=home, user_home=user_home)
    store = TrustStore(home / "trust.json")
    return Standing(root, brought, store, store.answer(root) if brought.files else None)


def stored_trust(folder: str, environ: Mapping[str, str]) -> ProjectTrust:
    """By the kept answer alone. Raises SettingsError as `trusted` does."""
    standing = standing_of(folder, environ)
    return trusted(standing) if standing.is_trusted else left_aside(standing)


def decide_trust(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ProjectTrust:
    """Asks where a person sits at the session's terminal, else says what is left aside.

    Raises KeyboardInterrupt or EOFError when the person leaves, SettingsError for a trusted file that is wrong.
    """
    standing = standing_of(line.folder, environ)
    if not standing.brought.files and not standing.brought.faults:
        return left_aside(standing)
    config = read_config(home_folder(environ) / "config.toml")
    texts = Texts(choose_language(line.language, environ, config))
    for fault in standing.brought.faults:
        _tell(fault, streams, texts)
    if standing.is_trusted:
        return trusted(standing)
    if line.command is Command.SESSION and streams.is_terminal and standing.brought.files:
        if not standing.is_refused and _asks(standing, config, texts, streams=streams, environ=environ):
            return trusted(standing)
    elif standing.brought.files:
        _tell(_ignored(standing), streams, texts)
    return left_aside(standing)


def trusted(standing: Standing) -> ProjectTrust:
    """With the settings of the folder's files. Raises SettingsError with path, line, column and key."""
    trust = ProjectTrust(standing.root, is_trusted=True, files=standing.brought.files)
    layers = [settings_of(path, raw) for path, raw in trust.contents(BroughtKind.ENV).items()]
    layers += [_without_own(config_of(path, raw)) for path, raw in trust.contents(BroughtKind.CONFIG).items()]
    return trust._replace(layers=tuple(layers))


def left_aside(standing: Standing) -> ProjectTrust:
    return ProjectTrust(standing.root, is_trusted=False, files=standing.brought.files)


def _without_own(config: ConfigFile) -> ConfigFile:
    own = [key for key in config.values if not key.startswith(_MAY_BRING)]
    if not own:
        return config
    told = (Fault("settings.config_key_own_only", (("path", str(config.path)), ("key", key))) for key in own)
    values = {key: value for key, value in config.values.items() if key not in own}
    return config._replace(values=values, warnings=(*config.warnings, *told))


def _asks(
    standing: Standing, config: ConfigFile, texts: Texts, *, streams: Streams, environ: Mapping[str, str]
) -> bool:
    # prompt_toolkit costs 140 ms at start-up, and a folder is asked about once
    from paicli.app.trust.question import ask_about

    return ask_about(standing, config, texts, streams=streams, environ=environ)


def _ignored(standing: Standing) -> Fault:
    names = named(left_aside(standing).ignored, _MOST_NAMED)
    new, changed, gone = standing.changes
    differing = (*new, *changed, *gone)
    if differing:
        return Fault("trust.ignored_changed", (("names", names), ("changed", named(differing, _MOST_NAMED))))
    return Fault("trust.ignored", (("names", names),))


def _tell(fault: Fault, streams: Streams, texts: Texts) -> None:
    streams.tell(texts.screen("cli.warning", text=" ".join(fault_text(fault, texts).split("\n"))))
