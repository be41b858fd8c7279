"""What the session may ask the rest of paicli. Answers change nothing; may be called from any thread."""

from typing import NamedTuple, Protocol

from paicli.core.faults import Fault, Finding
from paicli.core.messages import Usage
from paicli.core.ops import Mode
from paicli.ui.restoring.previews import RestorePreview, SnapshotRow


class ModelRow(NamedTuple):
    """A provider, and what can be asked of it."""

    provider: str
    models: tuple[str, ...]
    """The configured or default one first, then those known by name; empty: the person must name one."""
    is_ready: bool
    """Its key is there, or it needs none."""
    current: str = ""
    """The model in use, where it is this provider's."""


class ContextPart(NamedTuple):
    kind: str
    """system | rules | memory | skills | tools | conversation, or of it: summary | words | replies | results"""
    tokens: int
    """Estimated."""


class ContextUse(NamedTuple):
    """What fills the window with the next request."""

    parts: tuple[ContextPart, ...]
    window_tokens: int
    message_count: int
    last_usage: Usage | None = None
    """Of the last request of the conversation, as the server counted."""


class SpentRow(NamedTuple):
    """What somebody's requests to one model came to."""

    actor: str
    """"react", "planner", "task_1"; "task_1/review", "react/summary"."""
    model: str
    requests: int
    usage: Usage
    cost_usd: float
    """Of those whose price is known."""
    unpriced: int = 0
    """Requests of unknown price."""


class SpendingReport(NamedTuple):
    rows: tuple[SpentRow, ...]
    turn: SpentRow
    """The running turn's, else the last one's."""
    session: SpentRow
    limit_usd: float | None = None
    spent_usd: float = 0.0
    """Since this process began: what the limit is held against."""


class RulesFile(NamedTuple):
    """A file of rules that was loaded."""

    path: str
    size_bytes: int
    character_count: int
    """Of what the model gets."""
    is_cut: bool = False
    imported_by: str = ""
    """The path of the file that imports it."""


class MemoryReport(NamedTuple):
    """What is remembered now; the next conversation knows it."""

    path: str
    lines: tuple[str, ...] = ()
    fault: Fault | None = None
    """Why it could not be read."""


class SkillRow(NamedTuple):
    name: str
    description: str
    source: str
    """project | user | packaged"""
    path: str
    is_off: bool = False
    is_listed: bool = True
    """It stands in the prompt; else there was no room for it."""


class SkillsReport(NamedTuple):
    rows: tuple[SkillRow, ...]
    """The nearest first."""
    faults: tuple[Fault, ...] = ()
    """What was left aside, and why."""


class StatusReport(NamedTuple):
    version: str
    project: str
    provider: str
    model: str
    mode: Mode
    language: str
    journal: str
    title: str = ""
    branch: str = ""
    rules: RulesFile | None = None
    rules_since: str = ""
    """The project's rules as they are now, where the conversation has others or none: a path."""
    running_count: int = 0
    """Background commands and plan tasks."""
    added_folders: tuple[str, ...] = ()
    sandbox: str = "off"
    """off | workspace | strict"""


class RunningWork(NamedTuple):
    """A background command or a plan task."""

    id: str
    what: str
    duration_s: float
    is_command: bool
    exit_code: int | None = None
    """Of a command that has ended."""
    has_ended: bool = False


class SettingRow(NamedTuple):
    key: str
    value: str
    """Secrets masked."""
    source: str
    """Where it comes from, in words: a variable, a place in the file, "default"."""


class SettingsReport(NamedTuple):
    rows: tuple[SettingRow, ...]
    path: str
    """Of config.toml, whether it is there or not."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with the file as it stands now."""


class RuleRow(NamedTuple):
    decision: str
    """allow | ask | deny"""
    text: str
    source: str
    """option | file | session"""


class OfferedTool(NamedTuple):
    name: str
    hidden_by: str = ""
    """no_network | read_only | no_commands | no_trusted_url | not_configured; empty: the model sees it."""


class TrustedUrlRow(NamedTuple):
    url: str
    """Masked."""
    source: str
    """user | web_search | dependency"""


class PolicyReport(NamedTuple):
    """What the running turn may do, else what the last one might."""

    restrictions: tuple[str, ...]
    """no_network | read_only | no_commands, in the order in which they were said."""
    tools: tuple[OfferedTool, ...]
    urls: tuple[TrustedUrlRow, ...]
    outside_tools: tuple[str, ...]
    """What brought content from outside into the conversation."""
    closes_memory: bool
    """save_memory is refused because of it."""
    mode: Mode
    rule_count: int
    """Permission rules in force."""
    verdict: Fault | None = None
    """What the policy says to the command that was asked about; None: nothing, or none was."""


class ProjectDiff(NamedTuple):
    """Everything that is not committed."""

    diff: str = ""
    untracked: tuple[str, ...] = ()
    is_cut: bool = False
    fault: Fault | None = None
    """Why there is none."""


class AuditRow(NamedTuple):
    """A call of the audit."""

    time: str
    """UTC, ISO 8601."""
    actor: str
    tool: str
    what: str
    """The command, the path, or what else it was about; masked."""
    decision: str
    """allowed | denied | none"""
    by: str
    """As `ToolFinished.decided_by`; may be empty."""
    outcome: str
    duration_s: float
    is_here: bool
    """Of this session; else of another one of today."""


class AuditReport(NamedTuple):
    rows: tuple[AuditRow, ...]
    """Oldest first."""
    folder: str
    damaged_lines: int = 0
    fault: Fault | None = None
    """Why it could not be read."""


class BugReport(NamedTuple):
    version: str
    platform: str
    journal: str
    results: str
    """Folder of this session's large results; it need not exist."""
    logs: str
    """Folder of the crash logs; it need not exist."""
    config: str


class EditedFile(NamedTuple):
    """After the person's editor was closed."""

    path: str
    fault: Fault | None = None
    """It could not be edited, or what stands there now is wrong."""


class SessionRow(NamedTuple):
    """A session that lies on disk."""

    id: str
    title: str
    """Its own, else the first words written in it; may be empty."""
    changed_at: float
    """Seconds since the epoch, UTC."""
    turn_count: int
    model: str
    size_bytes: int
    is_current: bool = False


class SessionQueries(Protocol):
    def sessions(self) -> tuple[SessionRow, ...]:
        """Those of this project in which somebody asked for something, and this one; newest first."""
        ...

    def session_ids(self) -> tuple[str, ...]:
        """All of this project, newest first; quick enough to be asked with every key."""
        ...

    def session_named(self, wished: str) -> str:
        """The id that is or begins with `wished`. Raises SessionNotFound, which names what comes near."""
        ...

    def models(self) -> tuple[ModelRow, ...]: ...

    def sees_images(self) -> bool:
        """Whether the model of the moment does."""
        ...

    def context(self) -> ContextUse: ...

    def spending(self) -> SpendingReport: ...

    def status(self) -> StatusReport: ...

    def running(self) -> tuple[RunningWork, ...]:
        """Running first, then commands that have ended and are remembered."""
        ...

    def settings(self) -> SettingsReport: ...

    def rules(self) -> tuple[RuleRow, ...]:
        """In force: deny, then ask, then allow."""
        ...

    def policy(self, command: str = "") -> PolicyReport:
        """`command`: what would the turn's policy say to it?"""
        ...

    def rules_files(self) -> tuple[RulesFile, ...]:
        """All that were loaded, in the order in which the model reads them."""
        ...

    def memory(self) -> MemoryReport: ...

    def skills(self) -> SkillsReport: ...

    def skill_text(self, name: str) -> str:
        """Where that skill stands, and all it says. Raises UserFacingError."""
        ...

    def project_diff(self) -> ProjectDiff: ...

    def snapshots(self) -> tuple[SnapshotRow, ...]:
        """Newest first. Raises UserFacingError where there can be none, as do the next three."""
        ...

    def restore_preview(self, snapshot: str) -> RestorePreview:
        """What going back to that snapshot, by its number, would change now."""
        ...

    def undo_preview(self, turn_count: int, from_turn: str) -> RestorePreview:
        """As `UndoTurns` would."""
        ...

    def snapshot_diff(self, snapshot: str) -> ProjectDiff:
        """What changed since that snapshot; "" is the session's first."""
        ...

    def audit(self, count: int) -> AuditReport:
        """The last `count` calls of this session and of today that were not read-only."""
        ...

    def bug_report(self) -> BugReport: ...

    def examine(self, *, is_offline: bool) -> tuple[Finding, ...]:
        """What the doctor finds now; may ask the model, and then takes seconds."""
        ...

    def has_project_commands(self) -> bool:
        """The project brings commands of its own, which are not loaded: the folder is not trusted."""
        ...

    def edit_config(self) -> EditedFile:
        """The person's own editor on config.toml, which is checked afterwards. Needs the terminal; blocks."""
        ...

    def edit_project_rules(self, number: int = 0) -> EditedFile:
        """The person's own editor on that file of `rules_files`, counted from 1; 0: on the project's nearest, or a new
        one. Needs the terminal; blocks."""
        ...
