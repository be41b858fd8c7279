"""A SessionQueries that answers what it was made with."""

from dataclasses import dataclass, field

from paicli.core.errors import SessionNotFound, UserFacingError
from paicli.core.faults import Fault, Finding, Verdict
from paicli.core.messages import Usage
from paicli.core.ops import Mode
from paicli.ui.queries import (
    AuditReport,
    AuditRow,
    BugReport,
    ContextPart,
    ContextUse,
    EditedFile,
    MemoryReport,
    ModelRow,
    OfferedTool,
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
    SpentRow,
    StatusReport,
    TrustedUrlRow,
)
from paicli.ui.restoring.previews import ChangeKind, FileChange, RestorePreview, SnapshotRow

NO_DIFF = ProjectDiff()
EDITED = EditedFile("/h/config.toml")
RULES = RulesFile("/w/p/PAI.md", 1_200, 1_100)

STORED = (
    SessionRow("20261130-1-aaa", "this one", 1_000_000.0, 3, "glm/glm-5", 12_345, is_current=True),
    SessionRow("20261129-1-bbb", "tidy the tests", 900_000.0, 12, "deepseek/ds", 950),
    SessionRow("20261128-1-ccc", "", 800_000.0, 1, "", 2_300_000),
)

POLICY = PolicyReport(
    ("no_network",),
    (OfferedTool("read_file"), OfferedTool("web_fetch", "no_network")),
    (TrustedUrlRow("https://example.com/a", "user"),),
    ("web_search",),
    True,
    Mode.AUTO,
    2,
)


NOTHING_REMEMBERED = MemoryReport("/h/memory.md")
NO_SKILLS = SkillsReport(())
NOTHING_SPENT = SpendingReport((), SpentRow("", "", 0, Usage(), 0.0), SpentRow("", "", 0, Usage(), 0.0))


@dataclass
class CannedQueries:
    spent: SpendingReport = NOTHING_SPENT
    work: tuple[RunningWork, ...] = ()
    booked: tuple[RuleRow, ...] = ()
    audited: tuple[AuditRow, ...] = ()
    loaded: RulesFile | None = RULES
    rules_since: str = ""
    remembered: MemoryReport = NOTHING_REMEMBERED
    known_skills: SkillsReport = NO_SKILLS
    diff: ProjectDiff = NO_DIFF
    policed: PolicyReport = POLICY
    brings_commands: bool = False
    edited: EditedFile = EDITED
    edits: list[str] = field(default_factory=list[str])
    stored: tuple[SessionRow, ...] = STORED

    def sessions(self) -> tuple[SessionRow, ...]:
        return self.stored

    def session_ids(self) -> tuple[str, ...]:
        return tuple(row.id for row in self.stored)

    def session_named(self, wished: str) -> str:
        found = [row.id for row in self.stored if row.id.startswith(wished)]
        if not found:
            raise SessionNotFound("stored.unknown", id=wished)
        return found[0]

    def sees_images(self) -> bool:
        return True

    def models(self) -> tuple[ModelRow, ...]:
        return (
            ModelRow("glm", ("glm-5", "glm-4.6"), True, "glm-5"),
            ModelRow("deepseek", ("deepseek-chat",), True),
            ModelRow("kimi", ("kimi-k2",), False),
        )

    def context(self) -> ContextUse:
        parts = (ContextPart("system", 300), ContextPart("rules", 200), ContextPart("conversation", 1_500))
        return ContextUse(parts, 100_000, 7, Usage(1_900, 1_024, 80))

    def spending(self) -> SpendingReport:
        return self.spent

    def status(self) -> StatusReport:
        return StatusReport(
            "0.1", "/w/p", "glm", "glm-5", Mode.AUTO, "zh", "/h/j.jsonl", branch="main", rules=self.loaded,
            rules_since=self.rules_since,
        )  # fmt: skip

    def running(self) -> tuple[RunningWork, ...]:
        return self.work

    def settings(self) -> SettingsReport:
        rows = (SettingRow("model.api_key", '"***"', "GLM_API_KEY"), SettingRow("plan.parallel", "4", "default"))
        return SettingsReport(rows, "/h/config.toml")

    def rules(self) -> tuple[RuleRow, ...]:
        return self.booked

    def policy(self, command: str = "") -> PolicyReport:
        verdict = Fault("policy.turn_network_command", (("matched", command),)) if "curl" in command else None
        return self.policed._replace(verdict=verdict)

    def rules_files(self) -> tuple[RulesFile, ...]:
        return (self.loaded,) if self.loaded else ()

    def memory(self) -> MemoryReport:
        return self.remembered

    def skills(self) -> SkillsReport:
        return self.known_skills

    def skill_text(self, name: str) -> str:
        if name not in {row.name for row in self.known_skills.rows}:
            raise UserFacingError("skills.unknown", name=name, known="tidy")
        return f"/w/{name}\nhow to be {name}"

    def project_diff(self) -> ProjectDiff:
        return self.diff

    def audit(self, count: int) -> AuditReport:
        return AuditReport(self.audited[-count:], "/h/audit", 2 if self.audited else 0)

    def snapshots(self) -> tuple[SnapshotRow, ...]:
        return (SnapshotRow(2, 1_000.0, "turn", "second", 1), SnapshotRow(1, 900.0, "asked", "", None))

    def restore_preview(self, snapshot: str) -> RestorePreview:
        return RestorePreview(snapshot, (FileChange("a.txt", ChangeKind.CHANGE, 1, 2),))

    def undo_preview(self, turn_count: int, from_turn: str) -> RestorePreview:
        return RestorePreview("2", (FileChange("b.txt", ChangeKind.REMOVE, 0, 2),), ("second",))

    def snapshot_diff(self, snapshot: str) -> ProjectDiff:
        return self.diff

    def bug_report(self) -> BugReport:
        return BugReport("0.1", "Linux", "/h/j.jsonl", "/h/results", "/h/logs", "/h/config.toml")

    def examine(self, *, is_offline: bool) -> tuple[Finding, ...]:
        return (Finding(Verdict.OK, Fault("session.diff_none")),)

    def has_project_commands(self) -> bool:
        return self.brings_commands

    def edit_config(self) -> EditedFile:
        self.edits.append("config")
        return self.edited

    def edit_project_rules(self, number: int = 0) -> EditedFile:
        self.edits.append(f"rules {number}" if number else "rules")
        return self.edited
