"""What a person decides on when a call needs approval: the tool, the task, why, and everything the call would do."""

import json
from collections.abc import Callable
from enum import StrEnum

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import ApprovalRequested, Event
from paicli.core.messages import FileWritten
from paicli.core.ops import ApprovalDecision
from paicli.ui.rendering.diff_lines import diff_lines
from paicli.ui.rendering.fault_texts import reason_text
from paicli.ui.rendering.styled import Line, Style, line, lines
from paicli.ui.rendering.tool_lines import parsed_arguments
from paicli.ui.sanitize import hidden_count, revealed

UNREADABLE_LIMIT = 5
"""So many unreadable answers are a no."""

SHOWN_PATHS = 3

_SHOWN_BY_DIFF = frozenset({"content", "old_text", "new_text", "old_string", "new_string", "edits"})


class Unreadable(StrEnum):
    """An answer that is none."""

    ANSWER = "unreadable"


_ANSWERS = {
    "": ApprovalDecision.ALLOW,
    "y": ApprovalDecision.ALLOW,
    "yes": ApprovalDecision.ALLOW,
    "a": ApprovalDecision.ALLOW_SESSION,
    "n": ApprovalDecision.DENY,
    "no": ApprovalDecision.DENY,
    "s": ApprovalDecision.SKIP,
    "m": ApprovalDecision.EDIT,
    "esc": ApprovalDecision.CANCEL,
    "cancel": ApprovalDecision.CANCEL,
    "/cancel": ApprovalDecision.CANCEL,
}


def decision_of(answer: str) -> tuple[ApprovalDecision | Unreadable, str]:
    """A typed answer as a decision, and the reason of a no (`n too big`) or the changed text (`m make test`)."""
    word, _, reason = answer.strip().partition(" ")
    decision = _ANSWERS.get(word.lower(), Unreadable.ANSWER)
    takes_text = decision in (ApprovalDecision.DENY, ApprovalDecision.EDIT)
    if (reason and not takes_text) or (decision is ApprovalDecision.EDIT and not reason.strip()):
        return Unreadable.ANSWER, ""
    return decision, reason.strip()


def approval_lines(
    event: Event,
    request: ApprovalRequested,
    texts: Texts,
    *,
    fold: Callable[[list[Line]], list[Line]] = lambda diff: diff,
) -> list[Line]:
    """The panel, whole: nothing of the call is left out, and nothing in it is invisible (C48, C84).

    `fold`: what becomes of the diff, in what stays above the prompt once it was decided.
    """
    shown = [line(texts.screen("approval.title", tool=revealed(request.tool)), Style.WARNING)]
    if event.origin.task_id:
        description = revealed(request.description)
        shown += lines(texts.screen("approval.task", task=event.origin.task_id, description=description))
    if request.reason:
        command = str(parsed_arguments(request.arguments).get("command", request.tool))
        reason = reason_text(request.reason, request.matched or command, texts)
        shown += lines(texts.screen("approval.reason", reason=revealed(reason)))
    shown += [
        line(texts.screen("approval.danger", danger=texts.screen(f"danger.{danger}")), Style.WARNING)
        for danger in request.dangers
        if texts.has(f"danger.{danger}")
    ]
    diff = request.preview.diff if isinstance(request.preview, FileWritten) else ""
    shown += _argument_lines(request.arguments, texts, has_diff=bool(diff))
    shown += fold(diff_lines(revealed(diff)))
    if request.files_read:
        shown.append(line(texts.screen("approval.files_read", paths=_some_paths(request.files_read, texts)), Style.DIM))
    if request.outside_read:
        tools = _some_paths(request.outside_read, texts)
        shown.append(line(texts.screen("approval.outside_read", tools=tools), Style.WARNING))
    hidden = hidden_count(_all_text(request.arguments) + diff)
    if hidden:
        shown.append(line(texts.screen("approval.hidden", count=hidden), Style.WARNING))
    return shown


def keys_line(request: ApprovalRequested, texts: Texts) -> Line:
    """Which keys answer, and what "all of this kind" would allow."""
    return _keys("approval.keys_line", request, texts)


def words_line(request: ApprovalRequested, texts: Texts) -> Line:
    """As `keys_line`, where a line is the answer."""
    return _keys("approval.words_line", request, texts)


def _keys(code: str, request: ApprovalRequested, texts: Texts) -> Line:
    return line(texts.screen(code, grant=grant_text(request, texts)), Style.ACCENT)._replace(is_prose=True)


def grant_text(request: ApprovalRequested, texts: Texts) -> str:
    """Exactly what "all of this kind" would allow."""
    if not request.rule and "command" in parsed_arguments(request.arguments):
        return texts.screen("approval.this_command")
    return texts.screen("approval.rule", rule=revealed(request.rule or request.tool))


def _some_paths(paths: tuple[str, ...], texts: Texts) -> str:
    named = revealed(", ".join(paths[:SHOWN_PATHS]))
    if len(paths) <= SHOWN_PATHS:
        return named
    return texts.screen("approval.files_more", paths=named, count=len(paths))


def _argument_lines(arguments: str, texts: Texts, *, has_diff: bool) -> list[Line]:
    values = parsed_arguments(arguments)
    if not values:
        bare = arguments.strip()
        return lines(revealed(bare)) if bare not in ("", "{}") else [line(texts.screen("approval.no_arguments"))]
    shown: list[Line] = []
    for name, value in values.items():
        if has_diff and name in _SHOWN_BY_DIFF:
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        first, *more = revealed(text).split("\n")
        shown.append(line("  " + texts.screen("approval.argument", name=revealed(name), value=first)))
        shown += [line("    " + part) for part in more]
    return shown


def _all_text(arguments: str) -> str:
    """The arguments with JSON's own escapes undone: what is invisible there counts too."""
    values = parsed_arguments(arguments)
    return json.dumps(values, ensure_ascii=False) if values else arguments
