"""/status and /context: how the session stands, and what the model sees."""

from paicli.ui.command import CommandContext
from paicli.ui.queries import RulesFile, StatusReport
from paicli.ui.rendering.styled import Line, Style, line
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


def answer_context(context: CommandContext, argument: str) -> list[Line]:
    use, texts = context.queries.context(), context.texts
    total = sum(part.tokens for part in use.parts)
    window = use.window_tokens

    def share(tokens: int) -> str:
        percent = f"{100 * tokens / window:.1f}%" if window else ""
        return texts.screen("session.context_tokens", tokens=f"{tokens:,}", percent=percent).rstrip()

    rows = [(texts.screen(f"session.context_{part.kind}"), share(part.tokens)) for part in use.parts]
    rows.append((texts.screen("session.context_total"), share(total)))
    title = texts.screen("session.context_title", window=f"{window:,}", messages=use.message_count)
    shown = [line(title, Style.BOLD), *two_columns(rows)]
    if use.last_usage is None:
        return [*shown, line(texts.screen("session.context_no_usage"), Style.DIM)]
    usage = use.last_usage
    counted = texts.screen(
        "session.context_usage",
        input=f"{usage.input_tokens:,}",
        cached=f"{usage.cached_tokens:,}",
        output=f"{usage.output_tokens:,}",
    )
    return [*shown, line(counted, Style.DIM)]


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
