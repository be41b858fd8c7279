"""What stands before each tool: its arguments, guards, rules, the person; then it runs and its result is bounded."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from paicli.agent.actor import Actor
from paicli.agent.approval import ApprovalDesk, ApprovalQuestion, session_rule
from paicli.agent.asking.dangers import dangers_of, files_read_before
from paicli.agent.large_results import bound_result
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ModelFacingError, PolicyDenied, ToolFailed, ToolInputInvalid, TurnCancelled
from paicli.core.events import (
    CommandReviewed,
    Notice,
    NoticeLevel,
    Origin,
    TodoUpdated,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
)
from paicli.core.faults import Fault
from paicli.core.masking import MASK, SecretMasker
from paicli.core.messages import (
    CommandRun,
    ErrorKind,
    FileWritten,
    TodoList,
    ToolCall,
    ToolDetail,
    ToolEffect,
    ToolOutcome,
    ToolResult,
)
from paicli.core.ops import Mode
from paicli.policy.command_guard import CommandGuard
from paicli.policy.path_guard import PathGuard
from paicli.policy.rules import RuleDecision
from paicli.policy.verdict import CommandVerdict, VerdictKind
from paicli.tools.arguments import parse_arguments
from paicli.tools.executor import PlannedCall
from paicli.tools.ledger import FileLocks
from paicli.tools.registry import ToolRegistry
from paicli.tools.results import ResultStore
from paicli.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

COMMAND_TOOL = "execute_command"
SELF_BOUNDED = frozenset({"read_file"})
"""Tools whose own ranges bound their result (SPEC 5.4)."""


class DecideByRule(Protocol):
    """What the configured rules say about a call."""

    def __call__(self, tool: str, arguments: dict[str, Any]) -> RuleDecision: ...


@dataclass(frozen=True, slots=True)
class GateRules:
    """What decides whether a call may run."""

    mode: Callable[[], Mode]
    """The mode that holds for the running turn, asked anew before each call."""
    command_guard: CommandGuard
    decide_by_rule: DecideByRule
    approvals: ApprovalDesk


class ToolGate:
    """The one way to a tool, for every actor. `run` always returns a result."""

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        paths: PathGuard,
        locks: FileLocks,
        rules: GateRules,
        results: ResultStore,
        masker: SecretMasker,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.registry = registry
        self._paths = paths
        self._locks = locks
        self._rules = rules
        self._results = results
        self._masker = masker
        self._clock = clock
        self._lock = threading.Lock()
        self._unanswered: set[tuple[Origin, str]] = set()
        """Calls that run, by actor and call id: whoever takes one out of here answers it, once."""

    def planned(self, calls: Sequence[ToolCall]) -> list[PlannedCall]:
        """The calls with what their tools do, for the executor."""
        tools = [(call, self.registry.get(call.name)) for call in calls]
        return [PlannedCall(call, tool.effect if tool else None) for call, tool in tools]

    def run(self, call: ToolCall, actor: Actor, is_parallel: bool) -> ToolResult:
        """Runs one call, from its `ToolStarted` to its `ToolFinished`."""
        started = self._clock()
        with self._lock:
            self._unanswered.add((actor.origin, call.id))
        actor.emit(ToolStarted(call.id, call.name, self._masker.mask(call.arguments), is_parallel))
        result = self._attempt(call, actor)
        result = result._replace(content=self._masker.mask(result.content), detail=self._masked(result.detail))
        if call.name not in SELF_BOUNDED or result.outcome is not ToolOutcome.OK:
            result = result._replace(content=bound_result(result.content, call.name, self._results))
        if not self._takes_answer(call, actor):
            return result  # it was given up: what came too late is nobody's any more
        actor.emit(
            ToolFinished(
                call.id,
                call.name,
                result.outcome,
                result.content,
                result.detail,
                self._clock() - started,
                result.error_kind,
                result.files_read,
                result.files_written,
            )
        )
        if isinstance(result.detail, TodoList):
            actor.emit(TodoUpdated(result.detail.items))
        return result

    def answer_unrun(self, call: ToolCall, actor: Actor, result: ToolResult) -> ToolResult:
        """Tells the events of a call that never ran (cancelled, cut by the output limit); returns `result`."""
        actor.emit(ToolStarted(call.id, call.name, self._masker.mask(call.arguments)))
        actor.emit(ToolFinished(call.id, call.name, result.outcome, result.content, None, 0.0, result.error_kind))
        return result

    def give_up(self, call: ToolCall, actor: Actor) -> ToolResult | None:
        """Answers a call that still runs after a cancel; None when it is just answering itself."""
        if not self._takes_answer(call, actor):
            return None
        result = cancelled_result(call)
        actor.emit(ToolFinished(call.id, call.name, result.outcome, result.content, None, 0.0))
        return result

    def _takes_answer(self, call: ToolCall, actor: Actor) -> bool:
        with self._lock:
            is_open = (actor.origin, call.id) in self._unanswered
            self._unanswered.discard((actor.origin, call.id))
        return is_open

    def _attempt(self, call: ToolCall, actor: Actor) -> ToolResult:
        try:
            tool = self.registry.find(call.name)
            asked_for = parse_arguments(tool, call.arguments)
            context = self._context(call, actor)
            arguments = self._permitted(tool, asked_for, call=call, actor=actor)
            actor.cancel.raise_if_cancelled()
            result = tool.run(arguments, context)
            return result if arguments is asked_for else _with_edit(result, arguments)
        except TurnCancelled:
            return cancelled_result(call)
        except ToolInputInvalid as error:
            return _failed(error, ErrorKind.INVALID_ARGUMENT)
        except ToolFailed as error:
            return _failed(error, error.kind or error.code)
        except PolicyDenied as error:
            return ToolResult(_words(error), outcome=ToolOutcome.DENIED, error_kind=ErrorKind.PERMISSION)
        except Exception as error:  # tool boundary: a tool's own fault is the model's to read, the loop lives
            what = f"{type(error).__name__}: {error}"
            return ToolResult(
                model_text("tool.broke", tool=call.name, what=what), outcome=ToolOutcome.FAILED, error_kind=what[:200]
            )

    def _context(self, call: ToolCall, actor: Actor) -> ToolContext:
        def progress(tail: str) -> None:
            actor.emit(ToolProgressed(call.id, self._masker.mask(tail)))

        return ToolContext(
            actor.name,
            call.id,
            actor.cancel,
            self._paths,
            actor.ledger,
            self._locks,
            progress,
            actor.origin,
            actor.description,
        )

    def _permitted(self, tool: Tool, arguments: "BaseModel", *, call: ToolCall, actor: Actor) -> "BaseModel":
        """The arguments to run with: the model's, or the person's own. Raises PolicyDenied or TurnCancelled."""
        while True:
            values = arguments.model_dump()
            doubt = self._guard_command(tool, values, call=call, actor=actor)
            if actor.is_person:
                return arguments
            rule = self._rules.decide_by_rule(tool.name, values)
            if rule is RuleDecision.DENY:
                raise PolicyDenied("policy.rule_denied", tool=tool.name)
            asks = tool.needs_approval and self._rules.mode() is Mode.ASK
            if rule is RuleDecision.ALLOW or not (asks or doubt.reason or rule is RuleDecision.ASK):
                return arguments
            preview = tool.preview(arguments, self._context(call, actor))
            question = self._question(tool, values, preview, call=call, actor=actor, doubt=doubt)
            edited = self._rules.approvals.approve(question, actor)
            if not edited:
                return arguments
            new_arguments = self._edited(tool, edited, call=call, actor=actor)
            if new_arguments is not None:
                arguments, call = new_arguments, call._replace(arguments=edited)

    def _question(
        self,
        tool: Tool,
        values: dict[str, Any],
        preview: ToolDetail | None,
        *,
        call: ToolCall,
        actor: Actor,
        doubt: CommandVerdict,
    ) -> ApprovalQuestion:
        root = self._paths.root
        rule = "" if doubt.reason else session_rule(tool.name, values)
        return ApprovalQuestion(
            call,
            values,
            self._masker.mask(call.arguments),
            self._masked(preview),
            rule if self._masker.mask(rule) == rule else "",  # a rule that can't be shown is none
            doubt.reason,
            doubt.matched,
            dangers_of(tool, values, preview, root=root),
            () if tool.effect is ToolEffect.WRITE else files_read_before(actor, root),
        )

    def _edited(self, tool: Tool, edited: str, *, call: ToolCall, actor: Actor) -> "BaseModel | None":
        """The person's arguments, checked like the model's; None: they are told why not, and asked again."""
        if MASK in edited and MASK not in call.arguments:
            actor.emit(Notice(Fault("approval.edit_masked", (("mask", MASK),)), NoticeLevel.WARNING))
            return None
        try:
            return parse_arguments(tool, edited)
        except ToolInputInvalid as error:
            what = str(error.fields.get("what", error.code))
            actor.emit(Notice(Fault("approval.edit_invalid", (("what", what),)), NoticeLevel.WARNING))
            return None

    def _guard_command(self, tool: Tool, values: dict[str, Any], *, call: ToolCall, actor: Actor) -> CommandVerdict:
        """A verdict with a reason when a person has to look. Raises PolicyDenied for what can't be meant."""
        if tool.name != COMMAND_TOOL:
            return CommandVerdict(VerdictKind.ALLOWED)
        verdict = self._rules.command_guard.check(values["command"])
        if verdict.kind is VerdictKind.ALLOWED:
            return verdict
        command = self._masker.mask(values["command"])
        is_refused = verdict.kind is VerdictKind.REFUSED
        actor.emit(
            CommandReviewed(
                call.id, command, not is_refused, verdict.reason, "guard", self._masker.mask(verdict.matched)
            )
        )
        if is_refused:
            raise PolicyDenied(verdict.reason, matched=verdict.matched)
        return verdict._replace(matched=self._masker.mask(verdict.matched))

    def _masked(self, detail: ToolDetail | None) -> ToolDetail | None:
        match detail:
            case FileWritten():
                return detail._replace(diff=self._masker.mask(detail.diff))
            case CommandRun():
                return detail._replace(command=self._masker.mask(detail.command), tail=self._masker.mask(detail.tail))
            case _:
                return detail


def _with_edit(result: ToolResult, arguments: "BaseModel") -> ToolResult:
    """The model has to know that something else ran than what it wrote."""
    ran = arguments.model_dump_json(exclude_unset=True)
    return result._replace(content=f"{model_text('approval.edited', arguments=ran)}\n{result.content}")


def cancelled_result(call: ToolCall) -> ToolResult:
    """The answer of a call that a cancel kept from running or from being awaited."""
    return ToolResult(model_text("tool.cancelled", tool=call.name), outcome=ToolOutcome.CANCELLED)


def _failed(error: ModelFacingError, kind: str) -> ToolResult:
    return ToolResult(_words(error), outcome=ToolOutcome.FAILED, error_kind=kind)


def _words(error: ModelFacingError) -> str:
    return model_text(error.code, **error.fields)
