"""From events to what a terminal shows: lines, streamed text, and the end of a stream. Knows no terminal.

Approval and review panels are asked for apart (`approval_lines`, `plan_lines.folded`): how they are answered differs
between line mode and a live terminal.
"""

from typing import NamedTuple, assert_never

from paicli.core.actors import PLANNER
from paicli.core.catalogue.lookup import Texts, command_output
from paicli.core.event_bodies.plans import (
    PlanCreated,
    PlanFinished,
    PlanReviewed,
    RoundStarted,
)
from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    BudgetExhausted,
    CommandReviewed,
    CompactionFinished,
    CompactionStarted,
    ConversationCleared,
    ConversationRewound,
    DeltaKind,
    DiagnosticsFound,
    Event,
    MessageAppended,
    ModeChanged,
    ModelChanged,
    ModelDelta,
    ModelReplyReceived,
    ModelReplyRestarted,
    ModelRequestFailed,
    ModelRequestStarted,
    ModelRetryScheduled,
    Notice,
    NoticeLevel,
    Origin,
    QuestionAnswered,
    QuestionAsked,
    QueueTaken,
    RepetitionNoticed,
    SessionFinished,
    SessionRenamed,
    SessionStarted,
    TextQueued,
    TodoUpdated,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
    UrlRefused,
    UrlTrusted,
)
from paicli.core.messages import FileWritten
from paicli.core.ops import ApprovalDecision, ReviewDecision, TurnKind
from paicli.core.plan_view import PlanEnding, PlanReport, PlanView
from paicli.ui.rendering.fault_texts import code_text, fault_text, reason_text
from paicli.ui.rendering.folds import FoldShelf, folded_at
from paicli.ui.rendering.plan_lines import PlanBody, RunBody, plan_lines, run_lines, unfolded
from paicli.ui.rendering.question_lines import one_line, question_lines
from paicli.ui.rendering.stored_lines import StoredBody, stored_lines
from paicli.ui.rendering.styled import Line, Span, Style, as_prose, line, lines, prose
from paicli.ui.rendering.task_order import PASSING
from paicli.ui.rendering.tool_lines import (
    FOLD_LINES,
    change_lines,
    failure_lines,
    finished_line,
    repetition_text,
    todo_lines,
)
from paicli.ui.sanitize import revealed

SHELL_LINES = 200
"""Lines of a `!command`'s output that are shown."""


class StreamText(NamedTuple):
    """A piece of a model's answer or thinking."""

    kind: DeltaKind
    text: str


class StreamEnd(NamedTuple):
    """What streamed so far is complete: the next text starts on a new line."""


Shown = Line | StreamText | StreamEnd

_PLAN_KINDS = frozenset({TurnKind.PLAN, TurnKind.PLAN_ONLY, TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME})
_SILENT_PURPOSES = frozenset({"review", "summary"})
_NOTICE_STYLES = {NoticeLevel.INFO: Style.DIM, NoticeLevel.WARNING: Style.WARNING, NoticeLevel.ERROR: Style.BAD}


class EventRenderer:
    """Events in reading order (see `task_order`) in, shown things out."""

    def __init__(self, texts: Texts, *, shelf: FoldShelf | None = None) -> None:
        """What is folded goes to `shelf`; None: nobody can unfold it, and no key is named."""
        self._texts = texts
        self._shelf = shelf
        self._kind = TurnKind.REACT
        self._has_said_cancelled = False
        self._has_said_fault = False
        """A plan's summary did."""
        self._purposes: dict[str, str] = {}
        self._arguments: dict[tuple[str, str], str] = {}
        self._streamed_tasks: set[tuple[str, str]] = set()
        """(plan, task) whose last reply stands on this screen."""
        self._tools: dict[str, str] = {}
        self._asked_about: dict[tuple[str, str], str] = {}
        """(actor, call) → the diff that stands on the screen since its approval was asked for."""
        self._side_by_side: frozenset[str] = frozenset()
        """The tasks of a parallel round."""

    def show(self, event: Event) -> list[Shown]:
        """What `event` adds to the screen."""
        task = event.origin.task_id
        shown = self._shown(event)
        if task not in self._side_by_side or isinstance(event.body, RunBody):
            return shown
        # What is told at once names its task; all else stands below the line that begins it.
        mark = f"[{task}] " if isinstance(event.body, PASSING) else "  "
        return [_marked(part, mark) if isinstance(part, Line) else part for part in shown]

    def _shown(self, event: Event) -> list[Shown]:
        body = event.body
        if isinstance(body, RoundStarted):
            self._side_by_side = frozenset(body.task_ids if len(body.task_ids) > 1 else ())
        elif isinstance(body, TurnStarted | TurnFinished | PlanFinished):
            self._side_by_side = frozenset()
        if isinstance(body, PlanBody):
            return [StreamEnd(), *as_prose(self._plan(body))]
        if isinstance(body, RunBody):
            return [StreamEnd(), *as_prose(run_lines(event, body, self._texts))]
        if isinstance(body, StoredBody):
            return [StreamEnd(), *as_prose(stored_lines(body, self._texts))]
        match body:
            case SessionRenamed(title):
                return [StreamEnd(), *as_prose(self._dim("session.renamed", title=title))]
            case TurnStarted() | TurnFinished() | QueueTaken() | ConversationCleared() | ConversationRewound():
                return [StreamEnd(), *as_prose(self._turn(body))]
            case QuestionAsked() | QuestionAnswered():
                return [StreamEnd(), *as_prose(question_lines(body, self._texts))]
            case (
                ModelRequestStarted()
                | ModelDelta()
                | ModelReplyRestarted()
                | ModelRetryScheduled()
                | ModelReplyReceived()
                | ModelRequestFailed()
            ):
                return self._model(event.origin, body)
            case (
                ToolStarted()
                | ToolFinished()
                | CommandReviewed()
                | ApprovalRequested()
                | ApprovalDecided()
                | TodoUpdated()
            ):
                return [StreamEnd(), *self._tool(event.origin.actor, body)]
            case (
                CompactionStarted()
                | CompactionFinished()
                | RepetitionNoticed()
                | BudgetExhausted()
                | DiagnosticsFound()
                | UrlRefused()
                | ModelChanged()
                | Notice()
            ):
                return [StreamEnd(), *as_prose(self._notice(body))]
            case (
                SessionStarted()
                | SessionFinished()
                | TextQueued()
                | MessageAppended()
                | ToolProgressed()
                | UrlTrusted()
                | ModeChanged()
            ):
                return []
            case _:
                assert_never(body)

    def _turn(
        self, body: TurnStarted | TurnFinished | QueueTaken | ConversationCleared | ConversationRewound
    ) -> list[Line]:
        match body:
            case TurnStarted(kind):
                self._kind, self._has_said_cancelled, self._has_said_fault = kind, False, False
                self._purposes, self._arguments, self._tools, self._asked_about = {}, {}, {}, {}
                is_planned = kind in (TurnKind.PLAN, TurnKind.PLAN_ONLY)
                return [line(self._texts.screen("session.plan_banner"), Style.ACCENT)] if is_planned else []
            case TurnFinished():
                return self._finished(body)
            case QueueTaken(texts, into):
                return [] if into == "input" else [said for text in texts for said in echo_lines(text, self._texts)]
            case ConversationCleared():
                return [line(self._texts.screen("session.cleared"), Style.DIM)]
            case ConversationRewound(text=text):
                return [line(self._texts.screen("rewind.done", text=one_line(text)), Style.ACCENT)]

    def _finished(self, body: TurnFinished) -> list[Line]:
        match body.status:
            case TurnStatus.FAILED:
                if self._has_said_fault:
                    return []
                if body.fault is None:
                    return lines(body.text) if body.text else [self._bad("turn.failed_unknown")]
                reason = fault_text(body.fault, self._texts)
                return lines(self._texts.screen("turn.failed", reason=reason), Style.BAD)
            case TurnStatus.CANCELLED:
                is_said = self._has_said_cancelled
                return [] if is_said else [line(self._texts.screen("turn.was_cancelled"), Style.WARNING)]
            case TurnStatus.COMPLETED | TurnStatus.PARTIAL:
                is_shown = body.was_streamed or self._kind in _PLAN_KINDS or not body.text
                return [] if is_shown else lines(body.text)

    def _model(
        self,
        origin: Origin,
        body: ModelRequestStarted
        | ModelDelta
        | ModelReplyRestarted
        | ModelRetryScheduled
        | ModelReplyReceived
        | ModelRequestFailed,
    ) -> list[Shown]:
        match body:
            case ModelRequestStarted():
                self._purposes[origin.actor] = body.purpose
                self._streamed_tasks.discard((origin.plan_id, origin.task_id))
                return [StreamEnd()]
            case ModelDelta(kind, text):
                purpose = self._purposes.get(origin.actor, "plan" if origin.actor == PLANNER else "step")
                if purpose in _SILENT_PURPOSES or (purpose == "plan" and kind is DeltaKind.TEXT):
                    return []
                if kind is DeltaKind.TEXT:
                    self._streamed_tasks.add((origin.plan_id, origin.task_id))
                return [StreamText(kind, text)]
            case ModelReplyRestarted():
                return [StreamEnd(), line(self._texts.screen("model.restarted"), Style.DIM)]
            case ModelRetryScheduled():
                shown = self._texts.screen(
                    "model.retry",
                    attempt=body.attempt,
                    max_attempts=body.max_attempts,
                    wait_s=f"{round(body.wait_s, 1):g}",
                )
                why = fault_text(body.fault, self._texts)
                return [StreamEnd(), *prose(f"{shown} ({why})", Style.WARNING)]
            case ModelReplyReceived() | ModelRequestFailed():
                return [StreamEnd()]

    def _tool(
        self,
        actor: str,
        body: ToolStarted | ToolFinished | CommandReviewed | ApprovalRequested | ApprovalDecided | TodoUpdated,
    ) -> list[Line]:
        match body:
            case ToolStarted():
                self._arguments[actor, body.call_id] = body.arguments
                return []
            case ToolFinished():
                shown = self._asked_about.pop((actor, body.call_id), "")
                arguments = self._arguments.pop((actor, body.call_id), "{}")
                return self._tool_finished(body, arguments, shown_diff=shown)
            case CommandReviewed():
                return self._reviewed(body)
            case ApprovalRequested():
                self._tools[body.request_id] = body.tool
                if isinstance(body.preview, FileWritten):
                    self._asked_about[actor, body.call_id] = body.preview.diff
                return []
            case ApprovalDecided():
                return self._decided(body)
            case TodoUpdated(items):
                return todo_lines(items, self._texts)

    def _decided(self, body: ApprovalDecided) -> list[Line]:
        is_denied = body.decision is ApprovalDecision.DENY
        said = self._texts.screen(f"approval.decided.{body.decision.value}", tool=self._tools.pop(body.request_id, ""))
        if is_denied and body.reason and body.by == "user":
            said += f" · {revealed(' '.join(body.reason.split()))}"
        return prose(said, Style.BAD if is_denied else Style.DIM, hang=2)

    def _tool_finished(self, body: ToolFinished, arguments: str, *, shown_diff: str) -> list[Line]:
        (head,) = as_prose([finished_line(body, arguments, self._texts)], hang=2)
        if self._kind is TurnKind.SHELL:
            printed = command_output(body.content)
            output = lines(printed) if printed else []
            return [head, *folded_at(output, SHELL_LINES, self._texts, shelf=self._shelf)]
        failure = failure_lines(body)
        if failure and self._shelf is not None:
            self._shelf.put([head, *lines(body.content)])
        is_shown = isinstance(body.detail, FileWritten) and body.detail.diff == shown_diff
        changes = [] if is_shown else change_lines(body)
        return [head, *failure, *folded_at(changes, FOLD_LINES, self._texts, shelf=self._shelf)]

    def _reviewed(self, body: CommandReviewed) -> list[Line]:
        if not body.allowed:
            reason = reason_text(body.reason, revealed(body.matched or body.command), self._texts)
            return [self._bad("tool.review_denied", reason=reason)]
        if body.by in ("plain_reading", "guard"):
            return []  # nothing was reviewed: the plain reading commands pass, and a guard only asks or refuses
        command = revealed(" ".join(body.command.split()))
        return [line(self._texts.screen("tool.review_allowed", command=command), Style.DIM)]

    def _plan(self, body: PlanBody) -> list[Line]:
        match body:
            case PlanReviewed(decision=ReviewDecision.CANCEL | ReviewDecision.STOP):
                self._has_said_cancelled = True
            case PlanFinished(report):
                self._has_said_cancelled = True
                self._has_said_fault = report.ending is PlanEnding.REPLAN_FAILED
                return plan_lines(PlanFinished(self._as_streamed_here(report)), self._texts)
            case PlanCreated(view) if self._kind is TurnKind.PLAN_ONLY:
                return unfolded(view, self._texts)
            case _:
                pass
        return plan_lines(body, self._texts)

    def _as_streamed_here(self, report: PlanReport) -> PlanReport:
        """A parallel task's output was shown as well, when its round ended: what stands here is not said twice."""

        def marked(view: PlanView) -> PlanView:
            tasks = (task._replace(was_streamed=(view.id, task.id) in self._streamed_tasks) for task in view.tasks)
            return view._replace(tasks=tuple(tasks))

        return report._replace(plan=marked(report.plan), earlier=tuple(marked(view) for view in report.earlier))

    def _notice(
        self,
        body: CompactionStarted
        | CompactionFinished
        | RepetitionNoticed
        | BudgetExhausted
        | DiagnosticsFound
        | UrlRefused
        | ModelChanged
        | Notice,
    ) -> list[Line]:
        match body:
            case Notice(fault, level):
                return lines(fault_text(fault, self._texts), _NOTICE_STYLES[level])
            case DiagnosticsFound(path, problems):
                title = self._texts.screen("notice.diagnostics", path=path, count=len(problems))
                shown = [line(title, Style.WARNING)]
                return shown + [part for problem in problems for part in prose(f"    {problem}", Style.DIM, hang=4)]
            case CompactionFinished(fault=fault) if fault is not None:
                reason = fault_text(fault, self._texts)
                return lines(self._texts.screen("notice.compaction_failed", reason=reason), Style.WARNING)
            case CompactionStarted(tokens):
                return self._dim("notice.compaction_started", tokens=tokens)
            case CompactionFinished() if self._kind is TurnKind.COMPACT:
                return []  # the turn's own last words say it
            case CompactionFinished(tokens):
                return self._dim("notice.compaction_finished", tokens=tokens)
            case RepetitionNoticed():
                return prose(repetition_text(body, self._texts), Style.DIM)
            case BudgetExhausted(reason):
                return [line(code_text(f"notice.budget.{reason}", {}, self._texts), Style.WARNING)]
            case UrlRefused(url, reason):
                why = code_text(f"notice.url_why.{reason.rpartition('.')[2]}", {}, self._texts)
                return self._dim("notice.url_refused", url=url, reason=why)
            case ModelChanged(provider, model):
                return self._dim("model.changed", provider=provider, model=model)

    def _dim(self, code: str, **fields: object) -> list[Line]:
        return lines(self._texts.screen(code, **fields), Style.DIM)

    def _bad(self, code: str, **fields: object) -> Line:
        return line(self._texts.screen(code, **fields), Style.BAD)


def _marked(shown: Line, mark: str) -> Line:
    return Line(
        (Span(mark, Style.DIM), *shown.spans),
        shown.hang + len(mark) if shown.hang or shown.is_prose else 0,
        shown.is_prose,
    )


def echo_lines(text: str, texts: Texts) -> list[Line]:
    """What the person typed, as it stands above the prompt afterwards."""
    first, *more = text.split("\n")
    return [line(texts.screen("session.prompt") + first, Style.ECHO), *(line(f"  {part}", Style.ECHO) for part in more)]
