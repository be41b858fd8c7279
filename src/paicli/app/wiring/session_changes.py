"""Carries out the ops that change the session and not its conversation."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.app.wiring.model.switcher import ModelSwitcher
from paicli.app.wiring.rule_keeper import RuleKeeper
from paicli.app.wiring.session_record import SessionRecord
from paicli.context.project_rules import FILE_NAME as RULES_NAME
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import UserFacingError, reason_of
from paicli.core.event_bodies.plans import PlanAbandoned
from paicli.core.events import EventBody, Notice, SessionRenamed
from paicli.core.faults import Fault
from paicli.core.ops import (
    AbandonPlan,
    AddFolder,
    AppendRule,
    ChangeRule,
    CopyAnswer,
    ExportFormat,
    ExportSession,
    FileOp,
    ForgetMemory,
    Rename,
    RestoreFiles,
    SaveMemory,
    SessionOp,
    SetLanguage,
    SetModel,
    StopCommand,
    SwitchSkill,
    TakeSnapshot,
    UndoTurns,
)
from paicli.core.unicode import clipped, well_formed
from paicli.policy.path_guard import PathGuard
from paicli.session.stored.plans import PlanHistory
from paicli.system.background import BackgroundCommands
from paicli.system.files import write_new_file

_TITLE_CHARACTERS = 200


class SessionParts(NamedTuple):
    """What changes, and what it takes to change it."""

    models: ModelSwitcher
    rules: RuleKeeper
    paths: PathGuard
    background: BackgroundCommands
    texts: Texts
    record: SessionRecord
    journal: Path
    project_root: Path
    environment: Mapping[str, str]
    """For the person's own programs: no keys in it."""
    change_files: Callable[[FileOp], Iterator[EventBody]]
    change_knowledge: Callable[[SaveMemory | ForgetMemory | SwitchSkill], Iterator[EventBody]]
    plans: PlanHistory


class SessionChanges:
    """As `agent.engine.ChangeSession`."""

    def __init__(self, parts: SessionParts) -> None:
        self._parts = parts

    def __call__(self, op: SessionOp | FileOp) -> Iterator[EventBody]:
        parts = self._parts
        match op:
            case AbandonPlan(plan_id):
                yield self._abandoned(plan_id)
            case AppendRule(text):
                yield _rule_added(parts.project_root, text)
            case SetModel(name, storing):
                yield from parts.models.change(name, storing)
            case ChangeRule():
                yield from parts.rules.change(op)
            case AddFolder(path):
                added = self._added(path)
                yield Notice(Fault.of("session.dir_added", path=str(added)))
            case StopCommand(name):
                parts.background.request_stop(name)
                yield Notice(Fault.of("session.task_stopped", id=name))
            case Rename(title):
                yield SessionRenamed(_one_line(title))
            case SetLanguage(language):
                parts.texts.switch(Language(language))
                yield Notice(Fault.of("session.lang_set"))
            case CopyAnswer():
                yield self._copied()
            case ExportSession(kind, path):
                yield self._exported(kind, path)
            case RestoreFiles() | UndoTurns() | TakeSnapshot():
                yield from parts.change_files(op)
            case SaveMemory() | ForgetMemory() | SwitchSkill():
                yield from parts.change_knowledge(op)

    def _abandoned(self, plan_id: str) -> EventBody:
        left = self._parts.plans.unfinished
        if left is None or left.view.id != plan_id:
            raise UserFacingError("resume.other_plan")
        return PlanAbandoned(plan_id)

    def _added(self, path: str) -> Path:
        try:
            return self._parts.paths.add(self._parts.project_root / os.path.expanduser(path))
        except (OSError, ValueError):  # a NUL, a name too long
            raise UserFacingError("policy.added_folder_missing", path=path) from None

    def _copied(self) -> EventBody:
        # start-up: subprocess and what it needs cost 4 ms, and few sessions copy
        from paicli.system.programs.clipboard import ClipboardFailed, NoClipboardProgram, copy_to_clipboard

        text = self._parts.record.last_answer
        if not text:
            raise UserFacingError("session.copy_nothing")
        try:
            program = copy_to_clipboard(text, self._parts.environment)
        except NoClipboardProgram:
            raise UserFacingError("session.copy_no_program") from None
        except ClipboardFailed as error:
            name, reason = error.args
            raise UserFacingError("session.copy_failed", program=name, reason=reason) from None
        return Notice(Fault.of("session.copied", characters=len(text), program=program))

    def _exported(self, kind: ExportFormat, wished: str) -> EventBody:
        # start-up: 2 ms that only an export needs
        from paicli.session.transcript import as_json, as_markdown, read_transcript

        parts = self._parts
        if kind in (ExportFormat.PLAN, ExportFormat.MERMAID):
            return self._plan_exported(kind, wished)
        transcript = read_transcript(parts.journal)
        if not transcript.messages:
            raise UserFacingError("session.export_nothing")
        is_json = kind is ExportFormat.JSON
        text = as_json(transcript) if is_json else as_markdown(transcript, parts.texts)
        named = Path(os.path.expanduser(wished)) if wished else Path(f"paicli-{transcript.session_id}.{kind.value}")
        path = parts.project_root / named
        _write_new(path, text)
        return Notice(Fault.of("session.exported", path=path, messages=len(transcript.messages)))

    def _plan_exported(self, kind: ExportFormat, wished: str) -> EventBody:
        # start-up: 6 ms that only an export needs
        from paicli.plan.stored import stored_plan
        from paicli.session.stored.mermaid import as_mermaid

        parts = self._parts
        plan = parts.plans.plan
        if plan is None:
            raise UserFacingError("stored.no_plan")
        is_graph = kind is ExportFormat.MERMAID
        name = f"paicli-{parts.journal.stem}.{'mmd' if is_graph else 'plan.json'}"
        path = parts.project_root / (os.path.expanduser(wished) or name)
        _write_new(path, as_mermaid(plan) if is_graph else stored_plan(plan))
        code = "stored.plan_exported" if is_graph else "resume.plan_exported"
        return Notice(Fault.of(code, path=path, tasks=len(plan.tasks)))


def _rule_added(project_root: Path, text: str) -> EventBody:
    # start-up: 1 ms that only `#` needs
    from paicli.context.rule_notes import append_rule

    try:
        path = append_rule(project_root, text)
    except OSError as error:
        named = str(error.filename or project_root / RULES_NAME)
        raise UserFacingError("rule.failed", path=named, reason=reason_of(error)) from None
    return Notice(Fault.of("rule.added", path=str(path)))


def _write_new(path: Path, text: str) -> None:
    try:
        write_new_file(path, well_formed(text))
    except FileExistsError:
        raise UserFacingError("session.export_exists", path=str(path)) from None
    except OSError as error:
        raise UserFacingError("session.export_failed", path=str(path), reason=reason_of(error)) from None


def _one_line(title: str) -> str:
    shown = "".join(character if character.isprintable() else " " for character in well_formed(title))
    return clipped(" ".join(shown.split()), _TITLE_CHARACTERS)
