"""Makes what changes a session while it runs, and what answers questions about it."""

import os
from pathlib import Path
from typing import NamedTuple

from paicli.agent.engine import Engine
from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.app.settings import Settings
from paicli.app.wiring.guarding.commands import command_guard
from paicli.app.wiring.guarding.policy_report import PolicySources
from paicli.app.wiring.knowledge.changes import KnowledgeChanges
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.app.wiring.model.switcher import ModelSwitcher
from paicli.app.wiring.queries import AskedParts, Queries
from paicli.app.wiring.rule_keeper import RuleKeeper
from paicli.app.wiring.session_changes import SessionChanges, SessionParts
from paicli.app.wiring.session_record import SessionRecord
from paicli.app.wiring.snapshots.session_snapshots import SessionSnapshots
from paicli.app.wiring.toolbox import Toolbox
from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.core.catalogue.lookup import Texts
from paicli.core.events import Event
from paicli.core.masking import SecretMasker
from paicli.llm.switching_client import SwitchingClient
from paicli.policy.path_guard import PathGuard
from paicli.policy.rule_book import RuleBook
from paicli.session.folder import SessionFolder
from paicli.session.stored.plans import PlanHistory
from paicli.session.usage import UsageTotals
from paicli.tools.registry import ToolRegistry


class ControlledParts(NamedTuple):
    """What the session was made from."""

    settings: Settings
    texts: Texts
    masker: SecretMasker
    client: SwitchingClient
    book: RuleBook
    paths: PathGuard
    toolbox: Toolbox
    registry: ToolRegistry
    prompts: SystemPrompts
    knowledge: SessionKnowledge
    folder: SessionFolder
    snapshots: SessionSnapshots
    policies: TurnPolicies
    totals: UsageTotals
    plans: PlanHistory
    earlier: tuple[Event, ...] = ()
    """What an earlier process had done in this session."""


def control_session(engine: Engine, parts: ControlledParts) -> Queries:
    """`engine` carries out ops on the session from now on; returns who answers. Before the engine starts."""
    settings = parts.settings
    config_path = settings.home / "config.toml"
    environ = dict(os.environ)
    # Editors and clipboards are the person's own programs and need their whole environment, but for the keys.
    environment = {name: value for name, value in environ.items() if name not in settings.secret_variables}
    record = SessionRecord(settings.mode)
    record.catch_up(parts.earlier)
    record.mode = settings.mode
    engine.stream.subscribe(record)
    models = ModelSwitcher(
        parts.client,
        settings.model,
        config_path=config_path,
        environ=environ,
        masker=parts.masker,
        brought=settings.trust.layers,
        is_limited=settings.max_budget_usd is not None,
    )
    rules = RuleKeeper(parts.book, config_path, brought=settings.trust.layers)
    changed = SessionParts(
        models=models,
        rules=rules,
        paths=parts.paths,
        background=parts.toolbox.background,
        texts=parts.texts,
        record=record,
        journal=parts.folder.journal,
        project_root=settings.project_root,
        environment=environment,
        change_files=parts.snapshots.change,
        change_knowledge=_knowledge_changes(parts, record, config_path).change,
        plans=parts.plans,
    )
    engine.change_by(SessionChanges(changed))
    return Queries(
        AskedParts(
            settings=settings,
            client=parts.client,
            models=models,
            rules=rules,
            paths=parts.paths,
            background=parts.toolbox.background,
            texts=parts.texts,
            masker=parts.masker,
            record=record,
            totals=parts.totals,
            folder=parts.folder,
            snapshots=parts.snapshots.keeper,
            knowledge=parts.knowledge,
            system_prompt=lambda: parts.prompts.assemble(PromptMode.REACT),
            declarations=lambda: parts.registry.declarations,
            policy=PolicySources(parts.policies, parts.registry, parts.masker, command_guard(settings)),
            environ=environ,
            environment=environment,
        )
    )


def _knowledge_changes(parts: ControlledParts, record: SessionRecord, config_path: Path) -> KnowledgeChanges:
    return KnowledgeChanges(
        parts.knowledge,
        config_path,
        masker=parts.masker,
        has_begun=lambda: record.conversation[0] > 0,
        brought=parts.settings.trust.layers,
    )
