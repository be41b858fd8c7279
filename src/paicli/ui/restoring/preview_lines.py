"""A list of snapshots, and a restore before it happens, as lines."""

import time

from paicli.core.catalogue.lookup import Texts
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.styled import Line, Style, line, prose
from paicli.ui.restoring.previews import ChangeKind, FileChange, RestorePreview, SnapshotRow
from paicli.ui.sanitize import revealed
from paicli.ui.session_commands.columns import two_columns

_SHOWN_CHANGES = 100
_SHOWN_PATHS = 10
_STYLES = {ChangeKind.ADD: Style.ADDED, ChangeKind.REMOVE: Style.REMOVED, ChangeKind.CHANGE: Style.PLAIN}


def snapshot_lines(rows: tuple[SnapshotRow, ...], texts: Texts, *, shown: int = 30) -> list[Line]:
    """The latest ones, newest first."""
    listed = two_columns([(str(row.number), _row_text(row, texts)) for row in rows[:shown]])
    more = [_more(len(rows) - shown, texts)] if len(rows) > shown else []
    title = line(texts.screen("snapshots.list_title"), Style.BOLD)
    return [title, *listed, *more, *prose(texts.screen("snapshots.list_hint"), Style.DIM)]


def preview_lines(preview: RestorePreview, texts: Texts) -> list[Line]:
    """Everything the person should know before they say yes."""
    if preview.turns:
        title = [line(texts.screen("snapshots.undo_title"), Style.BOLD)]
        title += [line(f"  {one_line(text)}", Style.DIM) for text in preview.turns]
    else:
        title = [line(texts.screen("snapshots.restore_title", number=preview.snapshot), Style.BOLD)]
    changes = [_change_line(change, texts) for change in preview.changes[:_SHOWN_CHANGES]]
    hidden = len(preview.changes) - _SHOWN_CHANGES
    more = [_more(hidden, texts)] if hidden > 0 else []
    notes = [
        shown
        for code, paths, style in (
            ("snapshots.by_person", preview.by_person, Style.WARNING),
            ("snapshots.in_the_way", preview.in_the_way, Style.WARNING),
            ("snapshots.left_out", preview.left_out, Style.DIM),
        )
        if paths
        for shown in prose(texts.screen(code, paths=_some(paths, texts)), style)
    ]
    if preview.has_unknown_end:
        notes = [*prose(texts.screen("snapshots.end_unknown"), Style.WARNING), *notes]
    return [*title, *changes, *more, *notes, *prose(texts.screen("snapshots.question"))]


def _row_text(row: SnapshotRow, texts: Texts) -> str:
    when = time.strftime("%m-%d %H:%M", time.localtime(row.time))
    match row.kind:
        case "restore":
            what = texts.screen("snapshots.before_restore", number=row.text)
        case "asked":
            what = texts.screen("snapshots.asked")
        case _:
            what = one_line(row.text)
    code = "snapshots.row_changed" if row.changed and row.kind == "turn" else "snapshots.row"
    return texts.screen(code, time=when, what=what, count=row.changed)


def _change_line(change: FileChange, texts: Texts) -> Line:
    path = revealed(change.path).replace("\n", "\\n")
    text = texts.screen(f"snapshots.{change.kind}", path=path, added=change.added, removed=change.removed)
    return line(f"  {text}", _STYLES[change.kind])


def _some(paths: tuple[str, ...], texts: Texts) -> str:
    named = ", ".join(revealed(path).replace("\n", "\\n") for path in paths[:_SHOWN_PATHS])
    hidden = len(paths) - _SHOWN_PATHS
    return f"{named} {texts.screen('snapshots.more', count=hidden)}" if hidden > 0 else named


def _more(count: int, texts: Texts) -> Line:
    return line(texts.screen("snapshots.more", count=count), Style.DIM)
