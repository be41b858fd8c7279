"""Stored sessions as rows of text, and what is shown of one that goes on."""

import time
from collections.abc import Sequence

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import ConversationCleared, ConversationRewound, TurnFinished, TurnStarted
from paicli.core.ops import TurnKind
from paicli.ui.asking.turn_history import typed_form
from paicli.ui.facts import EarlierSession
from paicli.ui.queries import SessionRow
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.renderer import echo_lines
from paicli.ui.rendering.styled import Line, Style, cut, line, padded, prose, width
from paicli.ui.sanitize import clean

_TITLE_COLUMNS = 60
_SHOWN_TURNS = 2
_SHOWN_LINES = 12
"""Of one earlier answer."""


def row_texts(rows: Sequence[SessionRow], texts: Texts, *, room: int = 0) -> list[str]:
    """One line each, in columns; the current one is marked. Short ones where a screen of `room` columns (0: any number)
    has no room for the whole."""
    columns = max((width(row.model) for row in rows), default=0)
    whole = [_row(number, row, texts, columns=columns) for number, row in enumerate(rows, 1)]
    if not room or all(width(text) <= room for text in whole):
        return whole
    choices = choice_texts(rows, texts)
    marks = ["●" if row.is_current else " " for row in rows]
    short = zip(marks, range(1, len(rows) + 1), choices, strict=True)
    return [cut(f"{mark} {number:>3}  {choice}", room) for mark, number, choice in short]


def choice_texts(rows: Sequence[SessionRow], texts: Texts) -> list[str]:
    """One line each, short: when, how many turns, and the title."""
    return [
        texts.screen(
            "stored.choice",
            time=time.strftime("%m-%d %H:%M", time.localtime(row.changed_at)),
            turns=row.turn_count,
            title=one_line(clean(row.title), _TITLE_COLUMNS) or texts.screen("stored.untitled"),
        )
        for row in rows
    ]


def _row(number: int, row: SessionRow, texts: Texts, *, columns: int) -> str:
    return texts.screen(
        "stored.row",
        mark="●" if row.is_current else " ",
        number=number,
        id=row.id,
        time=time.strftime("%Y-%m-%d %H:%M", time.localtime(row.changed_at)),
        turns=row.turn_count,
        size=size_text(row.size_bytes),
        model=padded(clean(row.model), columns),
        title=one_line(clean(row.title), _TITLE_COLUMNS) or texts.screen("stored.untitled"),
    )


def size_text(size_bytes: int) -> str:
    """`950 B`, `12.3 KB`, `1.2 MB`"""
    if size_bytes < 1_000:
        return f"{size_bytes} B"
    return f"{size_bytes / 1_000:.1f} KB" if size_bytes < 1_000_000 else f"{size_bytes / 1_000_000:.1f} MB"


def earlier_lines(earlier: EarlierSession, texts: Texts, *, columns: int = 0) -> list[Line]:
    """The last turns, short, and what was brought back; answers as Markdown where `columns` is not 0."""
    shown: list[Line] = []
    turns = _last_turns(earlier)
    if earlier.turn_count > len(turns):
        shown += prose(texts.screen("stored.earlier", turns=earlier.turn_count - len(turns)), Style.DIM)
    for typed, answer in turns:
        shown += echo_lines(typed, texts)
        if answer is None:
            shown += prose(texts.screen("stored.interrupted"), Style.WARNING)
        else:
            shown += _cut(_answer_lines(answer, columns))
    fields = {
        "id": earlier.id,
        "title": one_line(clean(earlier.title), _TITLE_COLUMNS) or texts.screen("stored.untitled"),
        "turns": earlier.turn_count,
        "messages": earlier.message_count,
        "todos": earlier.todo_count,
        "tokens": f"{earlier.tokens:,}",
    }
    return [*shown, *prose(texts.screen("stored.restored", **fields), Style.DIM)]


def _last_turns(earlier: EarlierSession) -> list[tuple[str, str | None]]:
    """(as typed, answer) of the last turns, oldest first; no answer: the turn never ended, as after a kill."""
    begun: dict[str, str] = {}
    turns: dict[str, tuple[str, str | None]] = {}
    for event in earlier.events:
        turn_id = event.origin.turn_id
        match event.body:
            case TurnStarted(kind, text) if kind is not TurnKind.PLAN_FILE:
                begun[turn_id] = typed_form(kind, text)
                turns[turn_id] = (begun[turn_id], None)
            case TurnFinished(text=text) if turn_id in begun:
                turns[turn_id] = (begun[turn_id], text)
            case ConversationCleared():
                turns.clear()
            case ConversationRewound(before_turn):
                ids = list(begun)
                for later in ids[ids.index(before_turn) :] if before_turn in ids else ():
                    turns.pop(later, None)
            case _:
                pass
    return list(turns.values())[-_SHOWN_TURNS:]


def _answer_lines(answer: str, columns: int) -> list[Line]:
    said = clean(answer).strip()
    if not said or not columns:
        return prose(said) if said else []
    from paicli.ui.rendering.markdown.blocks import MarkdownLines  # start-up: 7 ms that line mode does not need

    markdown = MarkdownLines(lambda: columns)
    return [*(shown for text in said.split("\n") for shown in markdown.feed(text)), *markdown.finish()]


def _cut(whole: list[Line]) -> list[Line]:
    return whole if len(whole) <= _SHOWN_LINES else [*whole[: _SHOWN_LINES - 1], line("…")]
