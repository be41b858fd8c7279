"""/policy: what the person's words of this turn forbid, which tools are offered, which URLs are trusted."""

from paicli.ui.command import CommandContext
from paicli.ui.queries import PolicyReport
from paicli.ui.rendering.styled import Line, Style, line, prose
from paicli.ui.session_commands.columns import two_columns


def answer_policy(context: CommandContext, argument: str) -> list[Line]:
    """The report; with a command: what the policy would say to it."""
    report, texts = context.queries.policy(argument), context.texts
    if argument:
        if report.verdict is None:
            return context.said("session.policy_passes", command=argument)
        return context.wrong(report.verdict.code, **dict(report.verdict.fields))
    rows = [
        ("restrictions", _restrictions(report, context)),
        ("mode", report.mode.value),
        ("rules", str(report.rule_count)),
        ("offered", ", ".join(row.name for row in report.tools if not row.hidden_by)),
    ]
    shown = two_columns([(texts.screen(f"session.policy_{name}"), value) for name, value in rows])
    return [
        *prose(texts.screen("session.policy_title"), Style.BOLD),
        *shown,
        *_section("hidden", _hidden(report, context), context),
        *_section("refuses", _refused(report, context), context),
        *_section(
            "urls", [(url.url, texts.screen(f"session.policy_url_{url.source}")) for url in report.urls], context
        ),
        *_outside(report, context),
    ]


def _section(name: str, rows: list[tuple[str, str]], context: CommandContext) -> list[Line]:
    return [line(context.texts.screen(f"session.policy_{name}"), Style.BOLD), *two_columns(rows)] if rows else []


def _restrictions(report: PolicyReport, context: CommandContext) -> str:
    texts = context.texts
    names = [texts.screen(f"session.policy_{restriction}") for restriction in report.restrictions]
    return ", ".join(names) or texts.screen("session.policy_none")


def _hidden(report: PolicyReport, context: CommandContext) -> list[tuple[str, str]]:
    return [
        (row.name, context.texts.screen(f"session.policy_{row.hidden_by}")) for row in report.tools if row.hidden_by
    ]


def _refused(report: PolicyReport, context: CommandContext) -> list[tuple[str, str]]:
    texts = context.texts
    what = (*report.restrictions, "untrusted", *(("memory",) if report.closes_memory else ()))
    return [(texts.screen(f"session.policy_{each}"), texts.screen(f"session.policy_refuses_{each}")) for each in what]


def _outside(report: PolicyReport, context: CommandContext) -> list[Line]:
    if not report.outside_tools:
        return []
    return context.said("session.policy_outside", tools=", ".join(report.outside_tools))
