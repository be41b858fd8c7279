"""/cost and /context: what was spent, by whom, and what fills the window."""

from paicli.core.catalogue.lookup import Texts
from paicli.ui.command import CommandContext
from paicli.ui.live.status_bar import cost_text
from paicli.ui.queries import SpendingReport, SpentRow
from paicli.ui.rendering.styled import Line, Span, Style, cut, line, padded, prose, width
from paicli.ui.session_commands.columns import TableRow, table

_BAR_COLUMNS = 24
_FULL, _EMPTY = "█", "░"


def answer_context(context: CommandContext, argument: str) -> list[Line]:
    use, texts = context.queries.context(), context.texts
    total = sum(part.tokens for part in use.parts)
    parts = [*((part.kind, part.tokens) for part in use.parts), ("total", total)]
    rows = [(texts.screen(f"session.context_{kind}"), *_share(tokens, use.window_tokens)) for kind, tokens in parts]
    title = texts.screen("session.context_title", window=f"{use.window_tokens:,}", messages=use.message_count)
    shown = [*prose(title, Style.BOLD), *_columns(rows, context.columns)]
    if use.last_usage is None:
        return [*shown, *context.noted("session.context_no_usage")]
    usage = use.last_usage
    return shown + context.noted(
        "session.context_usage",
        input=f"{usage.input_tokens:,}",
        cached=f"{usage.cached_tokens:,}",
        output=f"{usage.output_tokens:,}",
    )


def _share(tokens: int, window: int) -> tuple[str, ...]:
    """A bar and figures."""
    if not window:
        return (f"{tokens:,} tokens",)
    cells = min(_BAR_COLUMNS, -(-_BAR_COLUMNS * tokens // window))
    bar = _FULL * cells + _EMPTY * (_BAR_COLUMNS - cells)
    return (bar, f"{tokens:,} tokens", f"{100 * tokens / window:.1f}%")


def _columns(rows: list[tuple[str, ...]], room: int) -> list[Line]:
    """The name dimmed, figures to the right; without bars where they are too much for a screen of `room` columns."""
    columns = [max(width(row[at]) for row in rows) for at in range(len(rows[0]))]
    if room and len(columns) > 2 and sum(columns) + 2 * len(columns) > room:
        return _columns(_without_bars(rows, room), 0)
    shown: list[Line] = []
    for row in rows:
        name, *rest = (
            padded(cell, size) if (at < 2 and len(row) > 2) or not at else " " * (size - width(cell)) + cell
            for at, (cell, size) in enumerate(zip(row, columns, strict=True))
        )
        shown.append(Line((Span(f"  {name}  ", Style.DIM), Span("  ".join(rest)))))
    return shown


def _without_bars(rows: list[tuple[str, ...]], room: int) -> list[tuple[str, ...]]:
    """The title says of what the figures are."""
    figures = [f"{tokens.removesuffix(' tokens')}  {share:>6}" for _, _, tokens, share in rows]
    left = max(8, room - 4 - max(map(width, figures)))
    return [(cut(row[0], left), text) for row, text in zip(rows, figures, strict=True)]


def answer_cost(context: CommandContext, argument: str) -> list[Line]:
    """A row for each who asked and each model; reviews and summaries apart; then the turn and the session."""
    report, texts = context.queries.spending(), context.texts
    if not report.rows:
        return context.said("cost.none")
    head = ("who", "model", "requests", "input", "cached", "output", "reasoning", "price")
    rows = [TableRow(_cells(row, texts)) for row in report.rows]
    for name, row in _sums(report):
        rows.append(TableRow(_cells(row._replace(actor=texts.screen(f"cost.{name}")), texts), Style.BOLD))
    heading = tuple(texts.screen(f"cost.{name}") for name in head)
    shown = [line(texts.screen("cost.title"), Style.BOLD)]
    shown += table(heading, rows, name_count=2, columns=context.columns)
    if report.limit_usd is not None:
        fields = {"limit": cost_text(report.limit_usd), "spent": cost_text(report.spent_usd)}
        shown += context.noted("cost.budget", **fields)
    return shown


def _sums(report: SpendingReport) -> tuple[tuple[str, SpentRow], ...]:
    reviews = [row for row in report.rows if row.actor.endswith("/review")]
    summaries = [row for row in report.rows if row.actor.endswith("/summary")]
    kinds = [(name, rows) for name, rows in (("kind_review", reviews), ("kind_summary", summaries)) if rows]
    return (*((name, _added(rows)) for name, rows in kinds), ("turn", report.turn), ("session", report.session))


def _added(rows: list[SpentRow]) -> SpentRow:
    usage = rows[0].usage
    for row in rows[1:]:
        usage = usage.plus(row.usage)
    costs, unpriced = sum(row.cost_usd for row in rows), sum(row.unpriced for row in rows)
    return SpentRow("", "", sum(row.requests for row in rows), usage, costs, unpriced)


def _cells(row: SpentRow, texts: Texts) -> tuple[str, ...]:
    usage = row.usage
    counts = (row.requests, usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.reasoning_tokens)
    return (row.actor, row.model, *(f"{count:,}" for count in counts), _price(row, texts))


def _price(row: SpentRow, texts: Texts) -> str:
    if row.unpriced == 0:
        return cost_text(row.cost_usd)
    if row.unpriced == row.requests:
        return texts.screen("cost.unknown")
    return texts.screen("cost.partly", cost=cost_text(row.cost_usd), count=row.unpriced)
