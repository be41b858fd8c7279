"""What leaves the session: /copy, /export, /rename, /diff and /bug."""

from collections.abc import Iterable

from paicli.core.ops import CopyAnswer, ExportFormat, ExportSession, Rename
from paicli.ui.command import ArgumentSources, CommandContext
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Style, line
from paicli.ui.rendering.tool_lines import diff_lines
from paicli.ui.session_commands.columns import two_columns
from paicli.ui.session_commands.permissions import PATHS_OFFERED

_UNTRACKED_SHOWN = 20


def answer_copy(context: CommandContext, argument: str) -> list[Line]:
    context.submit(CopyAnswer())
    return []


def answer_export(context: CommandContext, argument: str) -> list[Line]:
    word, _, path = argument.partition(" ")
    if word.lower() not in set(ExportFormat):
        return context.wrong("session.export_usage")
    context.submit(ExportSession(ExportFormat(word.lower()), path.strip()))
    return []


def export_arguments(sources: ArgumentSources, typed: str) -> Iterable[str]:
    """A format, and behind it where the file is to be."""
    word, space, path = typed.partition(" ")
    if not space or word.lower() not in set(ExportFormat):
        return list(ExportFormat)
    found = sources.paths.below(path.lstrip(), PATHS_OFFERED)
    return [f"{word} {each.path}{'/' * each.is_folder}" for each in found]


def answer_rename(context: CommandContext, argument: str) -> list[Line]:
    title = " ".join(argument.split())
    if not title:
        return context.wrong("session.rename_usage")
    context.submit(Rename(title))
    return []


def answer_diff(context: CommandContext, argument: str) -> list[Line]:
    """What is not committed, or what changed since a snapshot. All of it: it was asked for."""
    if argument:
        return _since_snapshot(context, argument)
    found = context.queries.project_diff()
    if found.fault is not None:
        return [line(text, Style.WARNING) for text in fault_text(found.fault, context.texts).split("\n")]
    if not found.diff and not found.untracked:
        return context.said("session.diff_none")
    shown = diff_lines(found.diff)
    if found.is_cut:
        shown += context.wrong("session.diff_cut")
    if found.untracked:
        shown += context.said("session.diff_untracked", count=len(found.untracked))
        shown += [line(f"    {name}", Style.ADDED) for name in found.untracked[:_UNTRACKED_SHOWN]]
        left = len(found.untracked) - _UNTRACKED_SHOWN
        shown += [line(context.texts.screen("tool.diff_folded_lines", count=left), Style.DIM)] if left > 0 else []
    return shown


def _since_snapshot(context: CommandContext, argument: str) -> list[Line]:
    is_number = argument.isascii() and argument.isdigit()
    if not is_number and argument.lower() != "session":
        return context.wrong("snapshots.diff_usage")
    found = context.queries.snapshot_diff(argument if is_number else "")
    if not found.diff:
        return context.said("snapshots.diff_none")
    return [*diff_lines(found.diff), *(context.wrong("session.diff_cut") if found.is_cut else [])]


def answer_bug(context: CommandContext, argument: str) -> list[Line]:
    """Where everything is that helps to find a fault. Nothing is sent."""
    report, texts = context.queries.bug_report(), context.texts
    rows = [
        ("version", report.version),
        ("platform", report.platform),
        ("journal", report.journal),
        ("results", report.results),
        ("logs", report.logs),
        ("config", report.config),
    ]
    shown = two_columns([(texts.screen(f"session.bug_{name}"), value) for name, value in rows])
    return [*shown, *context.said("session.bug_hint")]
