"""What a session can show before its engine stands, and what must be right before anything is shown."""

import os
from typing import TYPE_CHECKING, NamedTuple

from paicli.app.config.environment import folds_rows
from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.guarding.places import guarded_paths
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.recording import divergence_fault, nameless_folders
from paicli.app.wiring.own_commands import own_commands
from paicli.app.wiring.project_facts import session_facts
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import Notice, NoticeLevel, Origin
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.llm.client import LlmClient
from paicli.policy.path_guard import PathGuard
from paicli.session.folder import SessionFolder, new_session_id, open_session_folder
from paicli.ui.facts import SessionFacts
from paicli.ui.input_sources import InputSources

if TYPE_CHECKING:
    from paicli.app.wiring.resume import Resumption
    from paicli.session.stored.opening import OpenedSession


class Front(NamedTuple):
    """Cheap to make: no tool, no guard of commands and nothing that plans is loaded for it."""

    settings: Settings
    kind: SessionKind
    texts: Texts
    masker: SecretMasker
    folder: SessionFolder
    stream: EventStream
    paths: PathGuard
    client: LlmClient
    """Of the settings' model, as it was opened."""
    facts: SessionFacts
    faults: tuple[Fault, ...]
    """Of the person's own commands."""
    resumed: "OpenedSession | None"
    earlier: "Resumption | None"
    """What a stored session brings back."""

    def warn(self, fault: Fault) -> None:
        self.stream.publish(Notice(fault, NoticeLevel.WARNING), Origin())


def open_front(settings: Settings, kind: SessionKind, resumed: "OpenedSession | None" = None) -> Front:
    """Raises SettingsError for a home that can't be written to, an added folder that is none, a broken replay."""
    masker = SecretMasker(settings.secrets)
    if resumed is None:
        folder, earlier = open_session_folder(settings.home, settings.project_root, new_session_id()), None
    else:
        # start-up: a new session reads no old one
        from paicli.app.wiring.resume import resumption_of

        folder, earlier = resumed.folder, resumption_of(resumed, settings.mode)
    stream = EventStream(folder.id, masker=masker, after_seq=resumed.stored.last_seq if resumed else 0)
    client = open_client(
        settings.model,
        kind,
        folders=nameless_folders(settings),
        on_divergence=lambda divergence: front.warn(divergence_fault(divergence)),
    )
    paths = guarded_paths(settings, (folder.results, *(resumed.earlier_results if resumed else ())))
    own = own_commands(settings)
    facts = session_facts(settings, client)._replace(
        sources=_sources(settings, paths, folder=folder, masker=masker)
        if kind is SessionKind.INTERACTIVE
        else InputSources(),
        custom_commands=own.commands,
        folds_rows=folds_rows(os.environ),
        earlier=earlier.facts if earlier is not None else None,
    )
    texts = Texts(settings.language)
    front = Front(
        settings, kind, texts, masker, folder, stream, paths, client, facts, own.faults, resumed, earlier
    )  # fmt: skip
    return front


def _sources(settings: Settings, paths: PathGuard, *, folder: SessionFolder, masker: SecretMasker) -> InputSources:
    from paicli.app.wiring.input_wiring import input_sources  # start-up: 3 ms, and nobody types where no person is

    return input_sources(settings.home, paths, os.environ, results=folder.results, mask=masker.mask_known)
