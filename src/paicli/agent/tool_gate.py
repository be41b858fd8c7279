"""What stands before each tool: its arguments, whether it may; then it runs and its result is bounded."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from paicli.agent.actor import Actor
from paicli.agent.gating.decision import Decision, Permitted
from paicli.agent.gating.masked import masked_detail
from paicli.agent.gating.outcomes import note_outcome, note_refusal, refused_in_tool
from paicli.agent.gating.permission import CallPermission, GateRules
from paicli.agent.large_results import bound_result
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import (
    ModelFacingError,
    PolicyDenied,
    ToolFailed,
    ToolInputInvalid,
    TurnCancelled,
    UserFacingError,
)
from paicli.core.events import Origin, TodoUpdated, ToolFinished, ToolProgressed, ToolStarted
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import ErrorKind, TodoList, ToolCall, ToolEffect, ToolOutcome, ToolResult
from paicli.policy.path_guard import PathGuard
from paicli.policy.rules import COMMAND_TOOL
from paicli.tools.arguments import parse_arguments
from paicli.tools.executor import PlannedCall
from paicli.tools.ledger import FileLocks
from paicli.tools.registry import ToolRegistry
from paicli.tools.results import ResultStore
from paicli.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["COMMAND_TOOL", "GateRules", "ToolGate", "cancelled_result"]

SELF_BOUNDED = frozenset({"read_file"})
"""Tools whose own ranges bound their result."""


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
        self._permission = CallPermission(rules, paths=paths, masker=masker, context_of=self._context)
        self._before_change = rules.before_change
        self._results = results
        self._masker = masker
        self._clock = clock
        self._lock = threading.Lock()
        self._unanswered: dict[tuple[Origin, str], Decision] = {}
        """Calls that run, by actor and call id: whoever takes one out of here answers it, once."""

    def planned(self, calls: Sequence[ToolCall]) -> list[PlannedCall]:
        """The calls with what their tools do, for the executor."""
        tools = [(call, self.registry.get(call.name)) for call in calls]
        return [PlannedCall(call, tool.effect if tool else None) for call, tool in tools]

    def run(self, call: ToolCall, actor: Actor, is_parallel: bool) -> ToolResult:
        """Runs one call, from its `ToolStarted` to its `ToolFinished`."""
        started = self._clock()
        decision = Decision()
        with self._lock:
            self._unanswered[actor.origin, call.id] = decision
        actor.emit(ToolStarted(call.id, call.name, self._masker.mask(call.arguments), is_parallel))
        result = self._attempt(call, actor, decision)
        masked = self._masker.mask(result.content)
        result = result._replace(content=masked, detail=masked_detail(result.detail, self._masker))
        if call.name not in SELF_BOUNDED or result.outcome is not ToolOutcome.OK:
            result = result._replace(content=bound_result(result.content, call.name, self._results))
        if self._taken(call, actor) is None:
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
                decision.by,
                result.fault,
            )
        )
        if isinstance(result.detail, TodoList):
            actor.emit(TodoUpdated(result.detail.items))
        return result

    def answer_unrun(self, call: ToolCall, actor: Actor, result: ToolResult) -> ToolResult:
        """Tells the events of a call that never ran (cancelled, cut by the output limit); returns `result`."""
        actor.emit(ToolStarted(call.id, call.name, self._masker.mask(call.arguments)))
        told = ToolFinished(call.id, call.name, result.outcome, result.content, None, 0.0, result.error_kind)
        actor.emit(told._replace(fault=result.fault))
        return result

    def give_up(self, call: ToolCall, actor: Actor) -> ToolResult | None:
        """Answers a call that still runs after a cancel; None when it is just answering itself."""
        decision = self._taken(call, actor)
        if decision is None:
            return None
        result = cancelled_result(call)
        actor.emit(ToolFinished(call.id, call.name, result.outcome, result.content, None, 0.0, decided_by=decision.by))
        return result

    def _taken(self, call: ToolCall, actor: Actor) -> Decision | None:
        """Who decided on a call that is still to be answered; None: it is answered."""
        with self._lock:
            return self._unanswered.pop((actor.origin, call.id), None)

    def _attempt(self, call: ToolCall, actor: Actor, decision: Decision) -> ToolResult:
        try:
            tool = self.registry.find(call.name)
            asked_for = parse_arguments(tool, call.arguments)
            context = self._context(call, actor)
            permitted = self._permission.permit(tool, asked_for, call=call, actor=actor, decision=decision)
            actor.cancel.raise_if_cancelled()
            return self._run(tool, permitted, context, actor=actor, decision=decision)
        except TurnCancelled:
            return cancelled_result(call)
        except ToolInputInvalid as error:
            return self._failed(error, ErrorKind.INVALID_ARGUMENT)
        except ToolFailed as error:
            return self._failed(error, error.kind or error.code)
        except PolicyDenied as error:
            note_refusal(error, actor, self._masker)
            return self._failed(error, ErrorKind.PERMISSION, ToolOutcome.DENIED)
        except Exception as error:  # tool boundary: a tool's own fault is the model's to read, the loop lives
            what = f"{type(error).__name__}: {error}"
            return self._failed(ToolFailed("tool.broke", tool=call.name, what=what), what[:200])

    def _run(
        self, tool: Tool, permitted: Permitted, context: ToolContext, *, actor: Actor, decision: Decision
    ) -> ToolResult:
        if tool.effect in (ToolEffect.WRITE, ToolEffect.EXECUTE):
            self._before_change(actor)
        try:
            result = tool.run(permitted.arguments, context)
        except PolicyDenied as error:
            decision.by = refused_in_tool(error)
            raise
        note_outcome(tool, permitted.arguments, result, actor=actor)
        return _with_edit(result, permitted.arguments) if permitted.is_edited else result

    def _failed(self, error: ModelFacingError, kind: str, outcome: ToolOutcome = ToolOutcome.FAILED) -> ToolResult:
        """A person is told the error of their own that stands behind it, where there is one."""
        cause = error.__cause__ if isinstance(error.__cause__, UserFacingError) else error
        words = model_text(error.code, **error.fields)
        return ToolResult(words, outcome=outcome, error_kind=kind, fault=fault_of(cause, self._masker))

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
            actor.policy.trusts,
            actor.skills,
        )


def _with_edit(result: ToolResult, arguments: "BaseModel") -> ToolResult:
    """The model has to know that something else ran than what it wrote."""
    ran = arguments.model_dump_json(exclude_unset=True)
    return result._replace(content=f"{model_text('approval.edited', arguments=ran)}\n{result.content}")


def cancelled_result(call: ToolCall) -> ToolResult:
    """The answer of a call that a cancel kept from running or from being awaited."""
    return ToolResult(model_text("tool.cancelled", tool=call.name), outcome=ToolOutcome.CANCELLED)
