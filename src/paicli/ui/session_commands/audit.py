"""/audit: what was done and what was refused, from the record on disk."""

from paicli.core.catalogue.lookup import Texts
from paicli.ui.command import CommandContext
from paicli.ui.queries import AuditRow
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Span, Style, cut, line, padded, prose, width

_SHOWN = 20
_MOST = 1_000
_GIST_COLUMNS = 100
_LEAST_GIST_COLUMNS = 24
_GOOD = frozenset({"ok"})


def answer_audit(context: CommandContext, argument: str) -> list[Line]:
    """The last 20, or as many as asked for."""
    count = argument or str(_SHOWN)
    if not (count.isascii() and count.isdigit() and 0 < int(count[:9]) <= _MOST):
        return context.wrong("session.audit_usage", most=_MOST)
    report, texts = context.queries.audit(int(count)), context.texts
    if report.fault is not None:
        return prose(fault_text(report.fault, texts), Style.WARNING)
    damaged = context.wrong("session.audit_damaged", lines=report.damaged_lines) if report.damaged_lines else []
    where = context.noted("session.audit_path", path=report.folder)
    if not report.rows:
        return [*context.said("session.audit_none"), *damaged, *where]
    return [*_table(report.rows, texts, room=context.columns), *damaged, *where]


def _table(rows: tuple[AuditRow, ...], texts: Texts, *, room: int) -> list[Line]:
    """A head, then a row each, or two where a screen of `room` columns (0: any number) has no room for what it was
    about; what belongs to other sessions of the day is dimmed."""
    cells = [_cells(row, texts) for row in rows]
    head = tuple(texts.screen(f"session.audit_{name}") for name in ("time", "actor", "tool", "decision", "outcome"))
    columns = [max(width(each[at]) for each in (head, *cells)) for at in range(len(head))]
    gist = room - sum(columns) - 2 * (len(columns) + 1) if room else _GIST_COLUMNS
    if gist < _LEAST_GIST_COLUMNS:
        return [shown for row, each in zip(rows, cells, strict=True) for shown in _two_lines(row, each)]
    shown = [line(("  " + "  ".join(map(padded, head, columns))).rstrip(), Style.BOLD)]
    for row, each in zip(rows, cells, strict=True):
        quiet, loud = _styles(row)
        texts_of_row = [padded(text, columns[at]) for at, text in enumerate(each[:-1])]
        *left, outcome = texts_of_row
        spans = (
            Span("  " + "  ".join(left) + "  ", quiet),
            Span(outcome + "  ", loud),
            Span(cut(each[-1], gist), quiet),
        )
        shown.append(Line(spans))
    return shown


def _two_lines(row: AuditRow, cells: tuple[str, ...]) -> list[Line]:
    """When and which tool; below, what came of it and what it was about."""
    time, actor, tool, decision, outcome, what = cells
    quiet, loud = _styles(row)
    below = (Span(f"    {decision} · ", quiet), Span(outcome, loud), Span(f"  {what}", quiet))
    return [
        Line((Span(f"  {time}  {actor}  {tool}", quiet),), is_prose=True),
        Line(below, hang=4, is_prose=True),
    ]


def _styles(row: AuditRow) -> tuple[Style, Style]:
    """Of the row, and of its outcome."""
    quiet = Style.PLAIN if row.is_here else Style.DIM
    return quiet, quiet if row.outcome in _GOOD else Style.WARNING


def _cells(row: AuditRow, texts: Texts) -> tuple[str, ...]:
    decision = texts.screen(f"audit.{row.decision}") if texts.has(f"audit.{row.decision}") else row.decision
    by = texts.screen(f"audit.by_{row.by}") if texts.has(f"audit.by_{row.by}") else row.by
    outcome = texts.screen(f"audit.was_{row.outcome}") if texts.has(f"audit.was_{row.outcome}") else row.outcome
    return (
        row.time[5:19].replace("T", " "),
        row.actor,
        row.tool,
        f"{decision} · {by}" if by else decision,
        f"{outcome} {row.duration_s:.1f}s",
        cut(" ".join(row.what.split()), _GIST_COLUMNS),
    )
