"""/model: which models there are, and a switch to another one."""

from collections.abc import Iterable

from paicli.core.ops import SetModel, Storing
from paicli.ui.command import ArgumentSources, CommandContext
from paicli.ui.queries import ModelRow
from paicli.ui.rendering.styled import Line, Span, Style, line, padded, width

SAVE = "--save"


def split_save(argument: str) -> tuple[str, Storing]:
    """The argument without `--save` at its end or start, and what that said."""
    words = argument.split()
    if not words or SAVE not in (words[0], words[-1]):
        return argument, Storing.SESSION
    rest = argument.removesuffix(SAVE) if words[-1] == SAVE else argument.removeprefix(SAVE)
    return rest.strip(), Storing.SAVED


def answer_model(context: CommandContext, argument: str) -> list[Line]:
    name, storing = split_save(argument)
    if argument and (not name or not name.isprintable() or " " in name):
        return context.wrong("session.model_usage")
    if not name:
        return _listed(context)
    context.submit(SetModel(name, storing))
    return []


def model_names(sources: ArgumentSources, typed: str) -> Iterable[str]:
    """Those that can be used as they are, the current one left out."""
    for row in sources.queries.models():
        if row.is_ready:
            yield from (f"{row.provider}/{model}" for model in row.models if model != row.current)


def _listed(context: CommandContext) -> list[Line]:
    rows = context.queries.models()
    columns = max((width(row.provider) for row in rows), default=0)
    ready = [_row(row, columns) for row in rows if row.is_ready or row.current]
    others = " ".join(row.provider for row in rows if not (row.is_ready or row.current))
    shown = [line(context.texts.screen("session.models"), Style.BOLD), *ready]
    if others:
        shown += context.noted("session.models_no_key", names=others)
    return [*shown, *context.noted("session.model_hint")]


def _row(row: ModelRow, columns: int) -> Line:
    mark = "●" if row.current else " "
    known = [model for model in row.models if model != row.current]
    spans = [Span(f"{mark} ", Style.ACCENT), Span(padded(row.provider, columns) + "  ")]
    if row.current:
        spans.append(Span(row.current, Style.BOLD))
    if known:
        spans.append(Span(("  " if row.current else "") + " · ".join(known), Style.DIM if row.current else Style.PLAIN))
    return Line(tuple(spans))
