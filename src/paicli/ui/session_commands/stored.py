"""Sessions that lie on disk: /sessions, /resume and /fork."""

from collections.abc import Iterable

from paicli.ui.command import ArgumentSources, ChooseSession, CommandContext, Found, GoOn
from paicli.ui.rendering.styled import Line, line

_SHOWN = 30
"""So many sessions are listed; all others can be chosen."""


def answer_sessions(context: CommandContext, argument: str) -> list[Line]:
    from paicli.ui.stored.session_rows import row_texts  # start-up: 1 ms that only a list needs

    rows = context.queries.sessions()
    if not rows:
        return context.said("stored.list_none")
    shown = row_texts(rows[:_SHOWN], context.texts, room=context.columns)
    left = len(rows) - len(shown)
    older = context.noted("stored.list_older", count=left) if left > 0 else []
    return [*map(line, shown), *older, *context.said("stored.list_hint")]


def answer_resume(context: CommandContext, argument: str) -> Found:
    """A number of the list, an id, or the beginning of one; without any the list to choose from."""
    rows = context.queries.sessions()
    if not argument:
        listed = answer_sessions(context, argument)
        return ChooseSession(rows, tuple(listed)) if any(not row.is_current for row in rows) else listed
    is_number = argument.isascii() and argument.isdigit() and 0 < int(argument[:9]) <= len(rows) and len(argument) < 4
    session = rows[int(argument) - 1].id if is_number else context.queries.session_named(argument)
    if any(row.is_current and row.id == session for row in rows):
        return context.said("stored.is_current", id=session)
    return GoOn(session)


def answer_fork(context: CommandContext, argument: str) -> Found:
    current = next((row for row in context.queries.sessions() if row.is_current), None)
    if current is None or not current.turn_count:
        return context.wrong("stored.nothing_to_fork")
    return GoOn(current.id, is_fork=True)


def session_ids(sources: ArgumentSources, typed: str) -> Iterable[str]:
    return sources.queries.session_ids()
