"""Runs the calls of one reply: neighbouring reads side by side, everything else alone and in the model's order.

A read, even a lone one, has a thread of its own: one that hangs (a network file system) can be left behind.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ToolCall, ToolEffect, ToolResult
from paicli.system.pool import DaemonPool, wait_for_all

MAX_PARALLEL = 4
GRACE_S = 0.25
"""How long a batch of reads is awaited after a cancel; what is not back by then is abandoned."""


class PlannedCall(NamedTuple):
    call: ToolCall
    effect: ToolEffect | None
    """None: the tool is not known. Its call is no read: nothing runs beside it, as after any barrier."""

    @property
    def is_read(self) -> bool:
        return self.effect in {ToolEffect.READ, ToolEffect.NETWORK}


class ToolExecutor:
    """One for all actors; its limit of 4 counts per call of `run`, so per actor."""

    def run(
        self,
        calls: Sequence[PlannedCall],
        run_one: Callable[[ToolCall, bool], ToolResult],
        *,
        cancel: CancellationToken,
        cancelled_result: Callable[[ToolCall], ToolResult],
        give_up: Callable[[ToolCall], ToolResult | None],
    ) -> list[ToolResult]:
        """One result per call, in the model's order. `run_one(call, is_parallel)` must not raise.

        A call that has not started when the cancel comes gets `cancelled_result`; one that is not back in time is
        answered by `give_up`, which returns None when the call was just answering itself.
        """
        results: list[ToolResult] = []
        for is_read, group in groupby(calls, key=lambda planned: planned.is_read):
            batch = [planned.call for planned in group]
            if is_read:
                results += _run_together(
                    batch, run_one, cancel=cancel, cancelled_result=cancelled_result, give_up=give_up
                )
                continue
            for call in batch:
                results.append(cancelled_result(call) if cancel.cancelled else run_one(call, False))
        return results


def _run_together(
    batch: list[ToolCall],
    run_one: Callable[[ToolCall, bool], ToolResult],
    *,
    cancel: CancellationToken,
    cancelled_result: Callable[[ToolCall], ToolResult],
    give_up: Callable[[ToolCall], ToolResult | None],
) -> list[ToolResult]:
    pool = DaemonPool("paicli-tool", MAX_PARALLEL)
    is_parallel = len(batch) > 1

    def work(call: ToolCall) -> Callable[[], ToolResult]:
        return lambda: cancelled_result(call) if cancel.cancelled else run_one(call, is_parallel)

    def result_of(call: ToolCall, future: "Future[ToolResult]") -> ToolResult:
        if future.cancelled():  # it never got a thread
            return cancelled_result(call)
        return (None if future.done() else give_up(call)) or future.result()

    futures = [pool.submit(work(call)) for call in batch]
    wait_for_all(futures, cancel, grace_s=GRACE_S)
    return [result_of(call, future) for call, future in zip(batch, futures, strict=True)]
