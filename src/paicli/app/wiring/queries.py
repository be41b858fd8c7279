"""Answers what the session asks of the rest of the house."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.config.listing import effective_settings
from paicli.app.settings import ModelSettings, Settings
from paicli.app.trust.project_trust import BroughtKind
from paicli.app.wiring.guarding.audit import audit_report
from paicli.app.wiring.guarding.policy_report import PolicySources, policy_report
from paicli.app.wiring.knowledge.answers import memory_report, rules_files, skill_shown, skills_report
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.app.wiring.model.spending import spending_report
from paicli.app.wiring.model.switcher import ModelSwitcher
from paicli.app.wiring.project_facts import git_branch
from paicli.app.wiring.rule_keeper import RuleKeeper
from paicli.app.wiring.session_record import SessionRecord
from paicli.app.wiring.snapshots.answers import restore_preview, snapshot_diff, snapshot_rows, undo_preview
from paicli.context.project_rules import FILE_NAME, load_project_rules
from paicli.context.token_estimate import declaration_tokens, estimated_tokens
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError, reason_of
from paicli.core.faults import Fault, Finding, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolDeclaration
from paicli.llm.client import LlmClient
from paicli.policy.path_guard import PathGuard
from paicli.policy.secret_files import is_secret
from paicli.session.folder import SessionFolder
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.usage import UsageTotals
from paicli.system.background import BackgroundCommands
from paicli.ui.queries import (
    AuditReport,
    BugReport,
    ContextPart,
    ContextUse,
    EditedFile,
    MemoryReport,
    ModelRow,
    PolicyReport,
    ProjectDiff,
    RuleRow,
    RulesFile,
    RunningWork,
    SessionRow,
    SettingRow,
    SettingsReport,
    SkillsReport,
    SpendingReport,
    StatusReport,
)
from paicli.ui.restoring.previews import RestorePreview, SnapshotRow
from paicli.version import VERSION


class AskedParts(NamedTuple):
    """Whom the answers come from."""

    settings: Settings
    client: LlmClient
    models: ModelSwitcher
    rules: RuleKeeper
    paths: PathGuard
    background: BackgroundCommands
    texts: Texts
    masker: SecretMasker
    record: SessionRecord
    totals: UsageTotals
    folder: SessionFolder
    snapshots: SnapshotKeeper
    knowledge: SessionKnowledge
    system_prompt: Callable[[], str]
    """As the next conversation would begin."""
    declarations: Callable[[], tuple[ToolDeclaration, ...]]
    policy: PolicySources
    environ: Mapping[str, str]
    environment: Mapping[str, str]
    """For the person's own programs: no keys in it."""


class Queries:
    """As `ui.queries.SessionQueries`."""

    def __init__(self, parts: AskedParts) -> None:
        self._parts = parts

    def sessions(self) -> tuple[SessionRow, ...]:
        # start-up: 5 ms that only a list of sessions needs
        from paicli.app.stored.command import session_row
        from paicli.session.stored.finding import list_sessions

        current = self._parts.folder.journal
        found = list_sessions(current.parent)
        rows = (session_row(summary, is_current=summary.journal == current) for summary in found)
        return tuple(row for row in rows if row.turn_count or row.is_current)

    def session_ids(self) -> tuple[str, ...]:
        from paicli.session.stored.finding import session_ids  # start-up: as above

        return session_ids(self._parts.folder.journal.parent)

    def session_named(self, wished: str) -> str:
        from paicli.session.stored.finding import find_session  # start-up: as above

        settings = self._parts.settings
        return find_session(settings.home, settings.project_root, wished).stem

    def models(self) -> tuple[ModelRow, ...]:
        return self._parts.models.rows()

    def sees_images(self) -> bool:
        return self._parts.client.capabilities.vision

    def context(self) -> ContextUse:
        parts, record = self._parts, self._parts.record
        count, _ = record.conversation
        system = record.system_tokens
        if system is None:
            system = estimated_tokens(parts.system_prompt())
        rules, memory, skills = map(estimated_tokens, self._known_texts())
        tools = sum(map(declaration_tokens, parts.declarations()))
        shares = (
            ContextPart("system", max(0, system - rules - memory - skills)),
            ContextPart("rules", rules),
            *(ContextPart(kind, tokens) for kind, tokens in (("memory", memory), ("skills", skills)) if tokens),
            ContextPart("tools", tools),
            *(ContextPart(kind, tokens) for kind, tokens in record.by_kind.items() if tokens),
        )
        return ContextUse(shares, parts.client.capabilities.window_tokens, count, record.last_usage)

    def spending(self) -> SpendingReport:
        return spending_report(self._parts.totals, self._parts.settings.max_budget_usd)

    def status(self) -> StatusReport:
        parts = self._parts
        root, *added = parts.paths.folders
        running = [work for work in self.running() if not work.has_ended]
        return StatusReport(
            version=VERSION,
            project=str(root),
            provider=parts.client.provider,
            model=parts.client.model,
            mode=parts.record.mode,
            language=parts.texts.language.value,
            journal=str(parts.folder.journal),
            title=parts.record.title,
            branch=git_branch(root),
            rules=self._project_rules(),
            rules_since=self._rules_since(),
            running_count=len(running),
            added_folders=tuple(map(str, added)),
            sandbox=parts.settings.sandbox.value,
        )

    def running(self) -> tuple[RunningWork, ...]:
        record = self._parts.record
        now = record.clock()
        tasks = [
            RunningWork(task.id, task.description, now - task.since, is_command=False) for task in record.running_tasks
        ]
        mask = self._parts.masker.mask
        commands = [
            RunningWork(
                state.id,
                mask(state.command),
                state.duration_s,
                is_command=True,
                exit_code=state.exit_code,
                has_ended=state.has_ended,
            )
            for state in self._parts.background.states()
        ]
        return tuple(sorted((*tasks, *commands), key=lambda work: work.has_ended))

    def settings(self) -> SettingsReport:
        parts, path = self._parts, self._config_path
        faults: tuple[Fault, ...] = ()
        try:
            config = read_config(path)
        except SettingsError as error:
            config, faults = ConfigFile(path, {}), (fault_of(error, parts.masker),)
        config = config._replace(above=parts.settings.trust.layers)
        listed = effective_settings(parts.environ, config, parts.texts)
        rows = {setting.key: SettingRow(setting.key, setting.shown, setting.source) for setting in listed.settings}
        for key, value in self._in_force().items():
            shown = json.dumps(value, ensure_ascii=False)
            if key not in rows or rows[key].value != shown:
                rows[key] = SettingRow(key, shown, parts.texts.screen("session.source_here"))
        return SettingsReport(tuple(rows[key] for key in sorted(rows)), str(path), (*faults, *config.warnings))

    def rules(self) -> tuple[RuleRow, ...]:
        return self._parts.rules.rows()

    def policy(self, command: str = "") -> PolicyReport:
        parts = self._parts
        return policy_report(parts.policy, command, mode=parts.record.mode, rule_count=len(parts.rules.rows()))

    def _project_rules(self) -> RulesFile | None:
        nearest = self._parts.knowledge.rules.path
        return next((file for file in self.rules_files() if file.path == nearest), None)

    def _rules_since(self) -> str:
        settings = self._parts.settings
        now = load_project_rules(settings.project_root, home=settings.home, is_secret=is_secret)
        return now.path if now.text != self._parts.knowledge.rules.text else ""

    def rules_files(self) -> tuple[RulesFile, ...]:
        return rules_files(self._parts.knowledge.rules)

    def memory(self) -> MemoryReport:
        return memory_report(self._parts.knowledge)

    def skills(self) -> SkillsReport:
        return skills_report(self._parts.knowledge)

    def skill_text(self, name: str) -> str:
        return skill_shown(self._parts.knowledge, name)

    def _known_texts(self) -> tuple[str, str, str]:
        knowledge = self._parts.knowledge
        return knowledge.rules.text, knowledge.memory, knowledge.shelf.index_text

    def project_diff(self) -> ProjectDiff:
        # start-up: 3 ms that only /diff needs
        from paicli.app.wiring.project_diff import project_diff

        return project_diff(self._parts.settings.project_root, self._parts.environ, CancellationToken())

    def audit(self, count: int) -> AuditReport:
        return audit_report(self._parts.settings.home, self._parts.folder.id, count)

    def snapshots(self) -> tuple[SnapshotRow, ...]:
        return snapshot_rows(self._parts.snapshots)

    def restore_preview(self, snapshot: str) -> RestorePreview:
        return restore_preview(self._parts.snapshots, snapshot)

    def undo_preview(self, turn_count: int, from_turn: str) -> RestorePreview:
        return undo_preview(self._parts.snapshots, turn_count, from_turn)

    def snapshot_diff(self, snapshot: str) -> ProjectDiff:
        return snapshot_diff(self._parts.snapshots, snapshot)

    def bug_report(self) -> BugReport:
        parts = self._parts
        system = os.uname()
        python = ".".join(map(str, sys.version_info[:3]))
        return BugReport(
            VERSION,
            f"{system.sysname} {system.release} {system.machine} · Python {python}",
            str(parts.folder.journal),
            str(parts.folder.results),
            str(parts.settings.home / "logs"),
            str(self._config_path),
        )

    def examine(self, *, is_offline: bool) -> tuple[Finding, ...]:
        # start-up: 10 ms that only a doctor needs
        from paicli.app.doctor.session_doctor import examine_for_session

        home, root, current = self._parts.settings.home, self._parts.settings.project_root, self._parts.models.current
        is_model = isinstance(current, ModelSettings)
        return examine_for_session(
            home,
            root,
            trust=self._parts.settings.trust,
            model=f"{current.provider}/{current.model}" if is_model else f"replay:{current.path}",
            base_url=current.base_url if is_model else "",
            is_offline=is_offline,
        )

    def has_project_commands(self) -> bool:
        trust = self._parts.settings.trust
        return not trust.is_trusted and any(file.kind is BroughtKind.COMMANDS for file in trust.files)

    def edit_config(self) -> EditedFile:
        path = self._config_path
        # start-up: 2 ms that only an editor needs
        from paicli.system.files import keep_private

        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600), "wb"):
                keep_private(path.parent)
        except OSError as error:
            return EditedFile(str(path), _unwritable(path, error))
        edited = self._edit(path)
        if edited.fault is not None:
            return edited
        try:
            config = read_config(path)
        except SettingsError as error:
            return EditedFile(str(path), fault_of(error, self._parts.masker))
        return EditedFile(str(path), config.warnings[0] if config.warnings else None)

    def edit_project_rules(self, number: int = 0) -> EditedFile:
        files = self._parts.knowledge.rules.files
        loaded = files[number - 1].path if 0 < number <= len(files) else self._parts.knowledge.rules.path
        return self._edit(Path(loaded) if loaded else self._parts.settings.project_root / FILE_NAME)

    def _edit(self, path: Path) -> EditedFile:
        # start-up: subprocess and what it needs cost 4 ms, and few sessions edit a file
        from paicli.system.programs.editor import EditorFailed, NoEditor, edit_file

        try:
            edit_file(path, self._parts.environment)
        except NoEditor:
            return EditedFile(str(path), Fault("session.no_editor"))
        except EditorFailed as error:
            editor, reason = error.args
            return EditedFile(str(path), Fault("session.editor_failed", (("editor", editor), ("reason", reason))))
        return EditedFile(str(path))

    def _in_force(self) -> dict[str, str | int | bool]:
        """What options or the session itself may have changed."""
        parts = self._parts
        current: dict[str, str | int | bool] = {
            "session.mode": parts.record.mode.value,
            "ui.language": parts.texts.language.value,
            "sandbox.mode": parts.settings.sandbox.value,
        }
        if isinstance(parts.models.current, ModelSettings):
            chosen = parts.models.current
            current |= {"model.provider": chosen.provider, "model.model": chosen.model}
            current["model.base_url"] = parts.masker.mask(chosen.base_url)
        if parts.settings.max_steps is not None:
            current["limits.max_turns"] = parts.settings.max_steps
        return current

    @property
    def _config_path(self) -> Path:
        return self._parts.settings.home / "config.toml"


def _unwritable(path: Path, error: OSError) -> Fault:
    what = reason_of(error)
    return Fault("settings.config_unwritable", (("path", str(path)), ("what", what)))
