"""/status, /context and /memory: how the session stands, and what the model sees."""

from paicli.ui.command import CommandContext, Edit, EditedThing
from paicli.ui.queries import RulesFile
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
        ("rules", _rules_text(report.rules, context)),
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


def answer_memory(context: CommandContext, argument: str) -> list[Line] | Edit:
    if argument.lower() == "edit":
        return Edit(EditedThing.PROJECT_RULES)
    if argument:
        return context.wrong("session.memory_usage")
    rules = context.queries.project_rules()
    if rules is None:
        return context.said("session.memory_none")
    shown = [line(_rules_text(rules, context))]
    return [*shown, line(context.texts.screen("session.memory_hint"), Style.DIM)]


def _rules_text(rules: RulesFile | None, context: CommandContext) -> str:
    if rules is None:
        return context.texts.screen("session.status_no_rules")
    code = "session.rules_file_cut" if rules.is_cut else "session.rules_file"
    return context.texts.screen(
        code, path=rules.path, size=f"{rules.size_bytes:,}", characters=f"{rules.character_count:,}"
    )
