"""Tool calls as lines: one line with the outcome, a coloured diff below a write."""

import json
from typing import assert_never, cast

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import RepetitionNoticed, ToolFinished
from paicli.core.messages import (
    CommandRun,
    FileRead,
    FileWritten,
    Listing,
    PageFetched,
    ProjectCreated,
    TodoItem,
    TodoList,
    ToolDetail,
    ToolOutcome,
    WebSearched,
)
from paicli.core.unicode import clipped
from paicli.ui.rendering.diff_lines import diff_lines
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Span, Style, cut, line
from paicli.ui.sanitize import revealed

FOLD_LINES = 30
"""A diff longer than this is folded."""
SUBJECT_COLUMNS = 100
TITLE_COLUMNS = 60
REASON_CHARACTERS = 200
FAILURE_LINES = 5
"""Of a command that did not end well, so many of its last lines are shown."""
OUTPUT_LINE_CHARACTERS = 400

_SUBJECTS = ("path", "command", "pattern", "url", "query", "name", "id", "goal")
_TODO_GLYPHS = {"completed": ("✓", Style.DIM), "in_progress": ("◐", Style.ACCENT)}


def call_subject(arguments: str) -> str:
    """What a call is about, in one line: its path, command, pattern, …; empty when nothing says it."""
    values = parsed_arguments(arguments)
    for name in _SUBJECTS:
        value = values.get(name)
        if isinstance(value, str) and value.strip():
            return cut(revealed(" ".join(value.split())), SUBJECT_COLUMNS)
    return ""


def parsed_arguments(arguments: str) -> dict[str, object]:
    """The arguments as an object; empty when they are no JSON object."""
    try:
        values: object = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return cast(dict[str, object], values) if isinstance(values, dict) else {}


def finished_line(finished: ToolFinished, arguments: str, texts: Texts) -> Line:
    """A finished call; `arguments` are those of its start."""
    outcome = outcome_text(finished, texts)
    style = {ToolOutcome.OK: Style.PLAIN, ToolOutcome.CANCELLED: Style.DIM}.get(finished.outcome, Style.BAD)
    subject = call_subject(arguments)
    code = "tool.line" if subject else "tool.line_bare"
    name = cut(revealed(finished.name), SUBJECT_COLUMNS)
    return line(texts.screen(code, name=name, subject=subject, outcome=outcome), style)


def repetition_text(noticed: RepetitionNoticed, texts: Texts) -> str:
    """What came three times: the call in one line, or the kind of error."""
    if noticed.what == "call":
        name, _, arguments = noticed.key.partition(" ")
        call = f"{revealed(name)} {call_subject(arguments)}".rstrip()
        return texts.screen("notice.repeated_call", call=call)
    code = f"notice.error_kind.{noticed.key}"
    kind = texts.screen(code if texts.has(code) else "notice.error_kind.other")
    return texts.screen("notice.repeated_error", kind=kind)


def change_lines(finished: ToolFinished) -> list[Line]:
    """The diff of a call that wrote a file, whole."""
    is_written = finished.outcome is ToolOutcome.OK and isinstance(finished.detail, FileWritten)
    return diff_lines(finished.detail.diff) if is_written and isinstance(finished.detail, FileWritten) else []


def failure_lines(finished: ToolFinished) -> list[Line]:
    """The last lines a command said that did not end well."""
    run = finished.detail
    if not isinstance(run, CommandRun) or not (run.exit_code or run.timed_out) or not run.tail.strip():
        return []
    last = run.tail.strip("\n").split("\n")[-FAILURE_LINES:]
    return [line(f"    {clipped(text, OUTPUT_LINE_CHARACTERS)}", Style.DIM) for text in last]


def outcome_text(finished: ToolFinished, texts: Texts) -> str:
    reason = _reason(finished, texts)
    match finished.outcome:
        case ToolOutcome.OK:
            return _ok_text(finished.detail, texts)
        case ToolOutcome.FAILED:
            if isinstance(finished.detail, CommandRun):
                return _command_text(finished.detail, texts)
            return texts.screen("tool.failed", reason=reason)
        case ToolOutcome.DENIED:
            return texts.screen("tool.denied", reason=reason)
        case ToolOutcome.CANCELLED:
            return texts.screen("tool.was_cancelled")


def _reason(finished: ToolFinished, texts: Texts) -> str:
    """In the person's words where there are some, else the first line of what the model was told."""
    fault = finished.fault
    if fault is not None and texts.has(f"tool.why.{fault.code}"):
        fault = fault._replace(code=f"tool.why.{fault.code}")
    if fault is None or not texts.has(fault.code):
        return _first_line(finished.content)
    return _first_line(fault_text(fault, texts))


def _ok_text(detail: ToolDetail | None, texts: Texts) -> str:
    match detail:
        case None:
            return texts.screen("tool.ok")
        case FileRead():
            code = "tool.read" if detail.encoding.lower() in {"utf-8", "utf8"} else "tool.read_encoded"
            return texts.screen(code, count=detail.line_count, encoding=detail.encoding)
        case FileWritten():
            code = "tool.written_corrected" if detail.is_corrected else "tool.written"
            code = "tool.written_same" if not detail.diff else code
            code = "tool.written_new" if detail.is_new else code
            return texts.screen(code, added=detail.added, removed=detail.removed)
        case Listing():
            code = {"list": "tool.list", "glob": "tool.glob"}.get(detail.what, "tool.grep")
            found = texts.screen(code, found=detail.found)
            return texts.screen("tool.listing_cut", found=found) if detail.is_cut else found
        case CommandRun():
            return _command_text(detail, texts)
        case TodoList():
            return texts.screen("tool.todos", count=len(detail.items))
        case ProjectCreated():
            return texts.screen("tool.project", kind=detail.kind, count=len(detail.files))
        case PageFetched():
            return _page_text(detail, texts)
        case WebSearched():
            return texts.screen("tool.web_found", count=detail.found, provider=detail.provider)
        case _:
            assert_never(detail)


def _page_text(page: PageFetched, texts: Texts) -> str:
    size = f"{page.size_bytes / 1000:.1f} KB" if page.size_bytes >= 1000 else f"{page.size_bytes} B"
    title = cut(revealed(page.title), TITLE_COLUMNS)
    shown = texts.screen("tool.page_titled" if title else "tool.page", title=title, size=size)
    return texts.screen("tool.page_cut", page=shown) if page.is_cut else shown


def _command_text(run: CommandRun, texts: Texts) -> str:
    duration_s = f"{run.duration_s:.1f}"
    if run.background_id and run.exit_code is None:
        return texts.screen("tool.background", id=run.background_id)
    if run.timed_out:
        return texts.screen("tool.timed_out", duration_s=duration_s)
    if run.exit_code is None:
        return texts.screen("tool.unfinished")
    if run.exit_code < 0:
        return texts.screen("tool.signal", signal=-run.exit_code, duration_s=duration_s)
    if len(run.stage_codes) > 1 and any(run.stage_codes):
        stages = " ".join(map(str, run.stage_codes))
        return texts.screen("tool.exit_stages", code=run.exit_code, stages=stages, duration_s=duration_s)
    return texts.screen("tool.exit", code=run.exit_code, duration_s=duration_s)


def todo_lines(items: tuple[TodoItem, ...], texts: Texts) -> list[Line]:
    listed = [texts.screen("tool.todo_title")] if items else []
    shown = [line(title, Style.BOLD) for title in listed]
    for item in items:
        glyph, style = _TODO_GLYPHS.get(item.status, ("○", Style.PLAIN))
        shown.append(Line((Span(f"  {glyph} {_first_line(item.text)}", style),)))
    return shown


def _first_line(text: str) -> str:
    stripped = text.strip()
    return clipped(stripped.split("\n", 1)[0], REASON_CHARACTERS) if stripped else ""
