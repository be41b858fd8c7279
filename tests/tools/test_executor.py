import threading

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ToolCall, ToolEffect, ToolResult
from paicli.tools.executor import PlannedCall, ToolExecutor


def planned(*effects: ToolEffect | None) -> list[PlannedCall]:
    return [PlannedCall(ToolCall(str(number), "t", "{}"), effect) for number, effect in enumerate(effects)]


def never(call: ToolCall) -> ToolResult:
    raise AssertionError(f"{call.id} was cancelled")


def test_a_call_of_an_unknown_tool_is_a_barrier_between_reads_and_alone() -> None:
    together = threading.Barrier(2)
    seen: list[tuple[str, bool]] = []
    lock = threading.Lock()

    def run_one(call: ToolCall, is_parallel: bool) -> ToolResult:
        if call.id in "01":
            together.wait(5)
        with lock:
            seen.append((call.id, is_parallel))
        return ToolResult(call.id)

    calls = planned(ToolEffect.READ, ToolEffect.READ, None, None, ToolEffect.READ)
    results = ToolExecutor().run(calls, run_one, cancel=CancellationToken(), cancelled_result=never, give_up=never)
    assert [result.content for result in results] == ["0", "1", "2", "3", "4"]
    assert (sorted(seen[:2]), seen[2:]) == (
        [("0", True), ("1", True)],
        [("2", False), ("3", False), ("4", False)],
    )
