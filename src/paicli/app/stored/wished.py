"""Which stored session is to go on, and with which settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.app.command_line import CommandLine
from paicli.app.settings import ModelSettings, ReplaySettings, SessionKind, Settings
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.switcher import ModelSwitcher
from paicli.core.errors import PaiError, SessionNotFound
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.llm.switching_client import SwitchingClient
from paicli.session.stored.finding import find_session, newest_session, sessions_folder
from paicli.session.stored.opening import OpenedSession, fork_stored, open_moved, open_stored
from paicli.session.stored.restored import RestoredState, restored_state
from paicli.ui.command import GoOn


class WishedSession(NamedTuple):
    opened: OpenedSession
    settings: Settings
    """With the session's own mode and model, where no option says otherwise."""
    faults: tuple[Fault, ...] = ()


def wished_session(line: CommandLine, settings: Settings, environ: Mapping[str, str]) -> WishedSession | None:
    """What `-c` or `-r ID` asks for; None: a new session. Raises SessionNotFound."""
    if line.resumed:
        journal = find_session(settings.home, settings.project_root, line.resumed)
    elif line.is_continued:
        newest = newest_session(sessions_folder(settings.home, settings.project_root))
        if newest is None:
            raise SessionNotFound("stored.none_here", project=str(settings.project_root))
        journal = newest
    else:
        return None
    return _with_its_settings(_opened(journal, settings), settings, line, environ=environ)


def next_session(go_on: GoOn, settings: Settings, environ: Mapping[str, str]) -> WishedSession:
    """What a person asked for within a session, which has been left. Raises SessionNotFound."""
    journal = find_session(settings.home, settings.project_root, go_on.session)
    opened = fork_stored(journal) if go_on.is_fork else _opened(journal, settings)
    return _with_its_settings(opened, settings, CommandLine(), environ=environ)


def _opened(journal: Path, settings: Settings) -> OpenedSession:
    if journal.parent == sessions_folder(settings.home, settings.project_root):
        return open_stored(journal)
    return open_moved(journal, settings.home, settings.project_root)


def _with_its_settings(
    opened: OpenedSession, settings: Settings, line: CommandLine, *, environ: Mapping[str, str]
) -> WishedSession:
    state = restored_state(opened.stored.events)
    if not line.mode:
        settings = settings._replace(mode=state.mode)
    if line.model or line.base_url or isinstance(settings.model, ReplaySettings):
        return WishedSession(opened, settings)
    if not state.model or (state.provider, state.model) == (settings.model.provider, settings.model.model):
        return WishedSession(opened, settings)
    return _with_its_model(opened, settings, settings.model, state=state, environ=environ)


def _kept(name: str, current: ModelSettings) -> Fault:
    return Fault("stored.model_kept", (("model", name), ("current", f"{current.provider}/{current.model}")))


def _with_its_model(
    opened: OpenedSession,
    settings: Settings,
    current: ModelSettings,
    *,
    state: RestoredState,
    environ: Mapping[str, str],
) -> WishedSession:
    masker = SecretMasker(settings.secrets)
    client = SwitchingClient(open_client(current, SessionKind.INTERACTIVE))
    path = settings.home / "config.toml"
    switcher = ModelSwitcher(client, current, config_path=path, environ=environ, masker=masker)
    name = f"{state.provider}/{state.model}"
    try:
        chosen = switcher.chosen(name)
    except PaiError as error:
        return WishedSession(opened, settings, (_kept(name, current), fault_of(error, masker)))
    finally:
        client.close()
    secrets = tuple(dict.fromkeys((*settings.secrets, *filter(None, [chosen.api_key]))))
    return WishedSession(opened, settings._replace(model=chosen, secrets=secrets))
