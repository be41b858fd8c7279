"""/status and /context: how the session stands, and what the model sees."""

from paicli.ui.command import CommandContext
from paicli.ui.queries import RulesFile, StatusReport
from paicli.ui.rendering.styled import Line
from paicli.ui.session_commands.columns import two_columns


def answer_status(context: CommandContext, argument: str) -> list[Line]:
    report, texts = context.queries.status(), context.texts
    rows = [
        ("version", report.version),
        ("title", report.title),
        ("project", report.project),
        ("branch", report.branch),
        ("model", f"{report.provider}/{report.model}"),
        ("mode", report.mode.value),
        ("sandbox", report.sandbox),
        ("language", report.language),
        ("rules", _rules_status(report, context)),
        ("folders", ", ".join(report.added_folders)),
        ("running", str(report.running_count)),
        ("journal", report.journal),
    ]
    return two_columns([(texts.screen(f"session.status_{name}"), value) for name, value in rows if value])


def _rules_status(report: StatusReport, context: CommandContext) -> str:
    texts = context.texts
    if not report.rules_since:
        return rules_text(report.rules, context)
    if report.rules is None:
        return texts.screen("session.status_rules_new", path=report.rules_since)
    return texts.screen("session.status_rules_changed", rules=rules_text(report.rules, context))


def rules_text(rules: RulesFile | None, context: CommandContext) -> str:
    """The file with its size."""
    if rules is None:
        return context.texts.screen("session.status_no_rules")
    code = "session.rules_file_cut" if rules.is_cut else "session.rules_file"
    return context.texts.screen(
        code, path=rules.path, size=f"{rules.size_bytes:,}", characters=f"{rules.character_count:,}"
    )
