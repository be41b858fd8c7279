import threading

from paicli.core.cancellation import CancellationToken
from paicli.core.messages import ToolCall, ToolEffect, ToolResult
from paicli.tools.executor import PlannedCall, ToolExecutor
from tests.patience import PATIENCE_S


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
            together.wait(PATIENCE_S)
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


def test_four_reads_run_at_once_and_no_fifth() -> None:
    four, lock = threading.Barrier(4), threading.Lock()
    inside, most = 0, 0

    def run_one(call: ToolCall, is_parallel: bool) -> ToolResult:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        four.wait(PATIENCE_S)
        with lock:
            inside -= 1
        return ToolResult(call.id)

    calls = planned(*[ToolEffect.READ] * 12)
    results = ToolExecutor().run(calls, run_one, cancel=CancellationToken(), cancelled_result=never, give_up=never)
    assert [result.content for result in results] == [str(number) for number in range(12)]
    assert most == 4


def test_after_a_cancel_nothing_more_is_run_and_each_call_is_answered() -> None:
    cancel, ran = CancellationToken(), list[str]()

    def run_one(call: ToolCall, is_parallel: bool) -> ToolResult:
        ran.append(call.id)
        cancel.cancel()
        return ToolResult("ran")

    calls = planned(ToolEffect.WRITE, ToolEffect.WRITE, ToolEffect.READ, ToolEffect.READ, ToolEffect.SESSION)
    cancelled = ToolResult("cancelled")
    results = ToolExecutor().run(calls, run_one, cancel=cancel, cancelled_result=lambda call: cancelled, give_up=never)
    assert ran == ["0"]
    assert results == [ToolResult("ran"), *[cancelled] * 4]


def test_what_changes_the_session_runs_alone_and_in_order() -> None:
    seen: list[tuple[str, bool]] = []

    def run_one(call: ToolCall, is_parallel: bool) -> ToolResult:
        seen.append((call.id, is_parallel))
        return ToolResult(call.id)

    calls = planned(*[ToolEffect.SESSION] * 3)
    ToolExecutor().run(calls, run_one, cancel=CancellationToken(), cancelled_result=never, give_up=never)
    assert seen == [("0", False), ("1", False), ("2", False)]


def test_a_read_that_answers_itself_while_it_is_given_up_keeps_its_own_answer() -> None:
    cancel, inside, answered = CancellationToken(), threading.Event(), threading.Event()

    def run_one(call: ToolCall, is_parallel: bool) -> ToolResult:
        inside.set()
        assert answered.wait(PATIENCE_S)
        return ToolResult("its own")

    def give_up(call: ToolCall) -> ToolResult | None:
        answered.set()
        return None

    def cancel_it() -> None:
        assert inside.wait(PATIENCE_S)
        cancel.cancel()

    threading.Thread(target=cancel_it, daemon=True).start()
    results = ToolExecutor().run(
        planned(ToolEffect.READ), run_one, cancel=cancel, cancelled_result=never, give_up=give_up
    )
    assert results == [ToolResult("its own")]
