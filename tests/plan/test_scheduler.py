"""Rounds, failures and cancels, case by case."""

import threading
from collections.abc import Sequence
from itertools import count

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.event_bodies.plans import (
    FileOverlapped,
    PlanStuck,
    ReplanLimitReached,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.plan_view import PlanStatus, SkipReason, TaskView
from paicli.plan.rounds import FinishedRound, RoundRunner, TaskOutput
from paicli.plan.scheduler import Replans, ScheduleOutcome, ScheduleStatus, TaskScheduler
from tests.fakes.recording_listener import RecordingListener
from tests.patience import PATIENCE_S
from tests.plan.bench import SchedulerBench, failing, partial_result, plan_of, statuses

BROKEN = Fault("llm.broken", (("detail", "断线"),), is_retryable=True)
DEPENDENCY_FAILED, REPLAN_LIMIT = SkipReason.DEPENDENCY_FAILED, SkipReason.REPLAN_LIMIT


def test_a_diamond_runs_in_three_rounds_and_says_so() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1], 3: [1], 4: [2, 3]})
    both_run = threading.Barrier(2)

    def meet(cancel: CancellationToken) -> TaskOutput:
        both_run.wait(PATIENCE_S)
        return TaskOutput("并行")

    bench.tell(2, meet)
    bench.tell(3, meet)
    assert bench.run(plan) == ScheduleOutcome(ScheduleStatus.COMPLETED, 3, 0.0)
    told = bench.told
    began = told[5:7]
    assert sorted(began) == [
        (2, "task_2", TaskStarted("做 2", False)),
        (2, "task_3", TaskStarted("做 3", False)),
    ]
    assert told[:5] + told[7:] == [
        (1, "", RoundStarted(("task_1",))),
        (1, "task_1", TaskStarted("做 1", True)),
        (1, "task_1", TaskCompleted("结果 1")),
        (1, "", RoundCommitted(("task_1",), (), 0.25)),
        (2, "", RoundStarted(("task_2", "task_3"))),
        (2, "task_2", TaskCompleted("并行")),
        (2, "task_3", TaskCompleted("并行")),
        (2, "", RoundCommitted(("task_2", "task_3"), (), 0.75)),
        (3, "", RoundStarted(("task_4",))),
        (3, "task_4", TaskStarted("做 4", True)),
        (3, "task_4", TaskCompleted("结果 4")),
        (3, "", RoundCommitted(("task_4",), (), 1.0)),
    ]
    assert (plan.status, statuses(plan), plan.progress) == (PlanStatus.COMPLETED, "CCCC", 1.0)
    assert [task.view.was_streamed for task in plan.tasks] == [True, False, False, True]


def test_a_single_task_runs_on_the_calling_thread_and_several_on_daemons_of_the_pool() -> None:
    bench = SchedulerBench()
    bench.run(plan_of({1: [], 2: [1], 3: [1]}))
    assert bench.threads["task_1"] is threading.current_thread()
    workers = [bench.threads["task_2"], bench.threads["task_3"]]
    assert [(worker.name, worker.daemon) for worker in workers] == [("paicli-plan-executor", True)] * 2


def test_four_tasks_overlap_and_a_fifth_waits_for_a_place() -> None:
    bench = SchedulerBench()
    four_run, ended, seen_by_fifth = threading.Barrier(4), [], []

    def first_four(cancel: CancellationToken) -> TaskOutput:
        four_run.wait(PATIENCE_S)
        ended.append(1)
        return TaskOutput("四")

    def fifth(cancel: CancellationToken) -> TaskOutput:
        seen_by_fifth.append(len(ended))
        return TaskOutput("五")

    for number in (1, 2, 3, 4):
        bench.tell(number, first_four)
    bench.tell(5, fifth)
    plan = plan_of({number: [] for number in range(1, 6)})
    assert bench.run(plan).rounds == 1
    assert statuses(plan) == "CCCCC"
    assert seen_by_fifth[0] >= 1


def test_no_more_than_the_limit_run_at_once() -> None:
    bench = SchedulerBench(max_parallel=2)
    lock, running, most = threading.Lock(), [0], [0]
    pair = threading.Barrier(2)

    def work(cancel: CancellationToken) -> TaskOutput:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        pair.wait(PATIENCE_S)
        with lock:
            running[0] -= 1
        return TaskOutput("")

    for number in range(1, 7):
        bench.tell(number, work)
    bench.run(plan_of({number: [] for number in range(1, 7)}))
    assert most == [2]


def test_a_round_is_a_barrier_and_commits_in_topological_order() -> None:
    bench = SchedulerBench()
    second_ended, third_ran = threading.Event(), []

    def slow(cancel: CancellationToken) -> TaskOutput:
        assert second_ended.wait(PATIENCE_S)
        third_ran.append("task_3" in bench.ran)
        return TaskOutput("慢")

    def quick(cancel: CancellationToken) -> TaskOutput:
        second_ended.set()
        return TaskOutput("快")

    bench.tell(1, slow)
    bench.tell(2, quick)
    bench.run(plan_of({1: [], 2: [], 3: [2]}))
    assert third_ran == [False]
    assert [task for _, task, body in bench.told if isinstance(body, TaskCompleted)] == ["task_1", "task_2", "task_3"]


def test_the_order_follows_dependencies_in_declared_order() -> None:
    bench, plan = SchedulerBench(max_parallel=1), plan_of({1: [4, 3], 2: [], 3: [], 4: [], 5: [3]})
    assert plan.order == ("task_4", "task_3", "task_1", "task_2", "task_5")
    bench.run(plan)
    assert bench.heard.of(RoundStarted) == [
        RoundStarted(("task_4", "task_3", "task_2")),
        RoundStarted(("task_1", "task_5")),
    ]


def test_the_times_are_those_of_the_worker() -> None:
    bench, plan = SchedulerBench(), plan_of({1: []})
    bench.run(plan)
    view = plan.task("task_1").view
    assert (view.started_at, view.ended_at) == (2, 3)  # tick 1 was the handing out


def test_a_failure_early_in_the_plan_asks_for_a_new_one() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1]})
    bench.tell(1, failing)
    outcome = bench.run(plan)
    assert outcome == ScheduleOutcome(ScheduleStatus.REPLAN_NEEDED, 1, 0.0, first_failed="task_1")
    assert bench.told == [
        (1, "", RoundStarted(("task_1",))),
        (1, "task_1", TaskStarted("做 1", True)),
        (1, "task_1", TaskFailed(BROKEN)),
        (1, "", RoundCommitted((), ("task_1",), 0.0)),
        (1, "", ReplanTriggered(1, 2, ("task_1",), 0.0)),
    ]
    assert (plan.status, statuses(plan), plan.task("task_1").view.fault) == (PlanStatus.FAILED, "FP", BROKEN)


def test_with_no_replan_left_the_rest_is_skipped() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [], 3: [1], 4: [2], 5: [3]})
    bench.tell(1, failing)
    outcome = bench.run(plan, replans=Replans(2, 2))
    assert outcome == ScheduleOutcome(ScheduleStatus.LIMIT_REACHED, 1, 0.0, first_failed="task_1")
    assert [entry for entry in bench.told if not isinstance(entry[2], TaskStarted)] == [
        (1, "", RoundStarted(("task_1", "task_2"))),
        (1, "task_1", TaskFailed(BROKEN)),
        (1, "task_2", TaskCompleted("结果 2")),
        (1, "", RoundCommitted(("task_2",), ("task_1",), 0.2)),
        (1, "", ReplanLimitReached(2, 0.0)),
        (1, "task_3", TaskSkipped(REPLAN_LIMIT)),
        (1, "task_4", TaskSkipped(REPLAN_LIMIT)),
        (1, "task_5", TaskSkipped(REPLAN_LIMIT)),
    ]
    assert (plan.status, statuses(plan)) == (PlanStatus.FAILED, "FCSSS")


@pytest.mark.parametrize(
    ("replans", "expected"), [(Replans(0, 0), False), (Replans(1, 0), True), (Replans(3, 2), True)]
)
def test_the_replans_left_decide(replans: Replans, expected: bool) -> None:
    bench = SchedulerBench()
    bench.tell(1, failing)
    outcome = bench.run(plan_of({1: [], 2: [1], 3: [1]}), replans=replans)
    assert (outcome.status is ScheduleStatus.REPLAN_NEEDED) is expected
    assert [each.number for each in bench.heard.of(ReplanTriggered)] == ([replans.used + 1] if expected else [])


def test_from_half_way_on_only_what_depends_on_the_failure_is_skipped() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1], 3: [2], 4: [3], 5: [4], 6: [2]})
    bench.tell(4, failing)
    plan_before = plan.order
    outcome = bench.run(plan)
    assert plan_before == ("task_1", "task_2", "task_3", "task_4", "task_5", "task_6")
    assert outcome == ScheduleOutcome(ScheduleStatus.PARTIAL, 4, 0.0)
    assert (plan.status, statuses(plan)) == (PlanStatus.FAILED, "CCCFSC")
    assert bench.told[-3:] == [
        (4, "task_4", TaskFailed(BROKEN)),
        (4, "", RoundCommitted((), ("task_4",), 4 / 6)),
        (4, "task_5", TaskSkipped(DEPENDENCY_FAILED, "task_4")),
    ]


@pytest.mark.parametrize(("failed", "status"), [(1, ScheduleStatus.REPLAN_NEEDED), (3, ScheduleStatus.PARTIAL)])
def test_progress_counts_earlier_siblings_of_the_round_and_not_later_ones(failed: int, status: ScheduleStatus) -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [], 3: [], 4: []})
    bench.tell(failed, failing)
    assert bench.run(plan).status is status
    assert statuses(plan).count("C") == 3  # the rest of the round is committed all the same


def test_of_two_failures_in_a_round_the_first_decides() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [], 3: [], 4: [2]})
    bench.tell(1, failing)
    bench.tell(3, failing)
    assert bench.run(plan).first_failed == "task_1"
    assert bench.heard.of(ReplanTriggered) == [ReplanTriggered(1, 2, ("task_1", "task_3"), 0.0)]
    assert statuses(plan) == "FCFP"


def test_what_two_failures_both_lead_to_is_skipped_once() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [], 3: [], 4: [], 5: [3], 6: [3, 4]})
    bench.tell(3, failing)
    bench.tell(4, failing)
    # 2 of 6 done: a replan; with 2 more done before, both failures are looked at past the half
    wide = plan_of({7: [], 8: [], 1: [], 2: [], 3: [], 4: [], 5: [3], 6: [3, 4]})
    assert bench.run(plan).status is ScheduleStatus.REPLAN_NEEDED
    second = SchedulerBench()
    second.tell(3, failing)
    second.tell(4, failing)
    assert second.run(wide).status is ScheduleStatus.PARTIAL
    assert [entry for entry in second.told if isinstance(entry[2], TaskSkipped)] == [
        (1, "task_5", TaskSkipped(DEPENDENCY_FAILED, "task_3")),
        (1, "task_6", TaskSkipped(DEPENDENCY_FAILED, "task_3")),
    ]


def test_one_failure_disturbs_no_sibling() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: []})
    first_failed = threading.Event()

    def fail(cancel: CancellationToken) -> TaskOutput:
        first_failed.set()
        raise ValueError("kaputt")

    def survive(cancel: CancellationToken) -> TaskOutput:
        assert first_failed.wait(PATIENCE_S)
        return TaskOutput("gut")

    bench.tell(1, survive)
    bench.tell(2, fail)
    assert bench.run(plan).status is ScheduleStatus.PARTIAL
    fault = Fault("error.unexpected", (("kind", "ValueError"), ("what", "kaputt")))
    assert bench.heard.of(TaskFailed) == [TaskFailed(fault)]
    assert statuses(plan) == "CF"


def test_a_partial_task_is_completed_and_makes_the_plan_partial() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1]})
    bench.tell(1, partial_result)
    assert bench.run(plan) == ScheduleOutcome(ScheduleStatus.PARTIAL, 2, 0.0)
    assert plan.task("task_1").view.is_partial
    assert bench.heard.of(TaskCompleted)[0] == TaskCompleted("一半", is_partial=True)


def test_a_plan_that_cannot_go_on_says_so() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1], 3: []})
    plan.task("task_1").skip(REPLAN_LIMIT)
    assert bench.run(plan).status is ScheduleStatus.STUCK
    assert bench.told[-1] == (1, "", PlanStuck())
    assert (plan.status, statuses(plan)) == (PlanStatus.FAILED, "SPC")


def test_overlaps_are_told_with_the_round_and_stay_with_the_outcome() -> None:  # C60
    bench = SchedulerBench()
    asked: list[list[str]] = []

    def find(task_ids: Sequence[str]) -> list[tuple[str, str, str]]:
        asked.append(list(task_ids))
        return [("/p/f", "task_1", "task_2")]

    outcome = bench.run(plan_of({1: [], 2: [], 3: [1]}), find_overlaps=find)
    assert asked == [["task_1", "task_2"]]
    assert outcome.overlaps == (("/p/f", "task_1", "task_2"),)
    overlap = bench.told.index((1, "", FileOverlapped("/p/f", ("task_1", "task_2"))))
    assert bench.told[overlap + 1] == (1, "", RoundCommitted(("task_1", "task_2"), (), 2 / 3))


def test_the_tasks_times_add_up_over_rounds_and_a_fault_hides_what_is_secret() -> None:
    stream, heard, plan = EventStream("session"), RecordingListener(), plan_of({1: [], 2: [1], 3: [2]})
    stream.subscribe(heard)
    ticks = count()
    rounds = RoundRunner(stream, masker=SecretMasker(["sk-canary-1"]), limit=4, stopwatch=lambda: next(ticks) * 2.0)

    def run_task(task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
        if task.id == "task_3":
            raise ValueError("sk-canary-1")
        return TaskOutput("x")

    outcome = TaskScheduler(stream, rounds).run(plan, run_task, CancellationToken(), turn_id="t", replans=Replans())
    assert (outcome.rounds, outcome.tasks_s) == (3, 6.0)
    assert heard.of(TaskFailed) == [TaskFailed(Fault("error.unexpected", (("kind", "ValueError"), ("what", "***"))))]
    assert plan.task("task_3").view.error.count("***") == 1


def test_a_plan_cancelled_before_its_start_runs_nothing() -> None:
    bench, plan = SchedulerBench(), plan_of({1: []})
    bench.cancel.cancel()
    assert bench.run(plan) == ScheduleOutcome(ScheduleStatus.CANCELLED, 0, 0.0)
    assert (bench.told, plan.status, statuses(plan)) == ([], PlanStatus.CANCELLED, "P")


def test_a_cancelled_task_is_interrupted_and_not_failed() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: [1]})

    def cancelled_meanwhile(cancel: CancellationToken) -> TaskOutput:
        bench.cancel.cancel()
        raise RuntimeError("the pipe broke because of the cancel")

    bench.tell(1, cancelled_meanwhile)
    assert bench.run(plan) == ScheduleOutcome(ScheduleStatus.CANCELLED, 1, 0.0)
    assert bench.told == [
        (1, "", RoundStarted(("task_1",))),
        (1, "task_1", TaskStarted("做 1", True)),
        (1, "task_1", TaskInterrupted()),
    ]
    assert (plan.status, statuses(plan)) == (PlanStatus.CANCELLED, "RP")


@pytest.mark.parametrize("edges", [{1: []}, {1: [], 2: []}])
def test_what_a_cancel_interrupts_took_its_time_too(edges: dict[int, list[int]]) -> None:
    now_s, cancel, are_at_work = [0.0], CancellationToken(), threading.Barrier(len(edges))
    rounds = RoundRunner(EventStream("session"), masker=SecretMasker(), limit=4, stopwatch=lambda: now_s[0])
    release = threading.Event()

    def run_task(task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
        are_at_work.wait(PATIENCE_S)
        now_s[0] = 3.0
        cancel.cancel()
        if task.id == "task_2":
            release.wait(PATIENCE_S)  # left behind
        raise TurnCancelled

    plan = plan_of(edges)
    outcome = TaskScheduler(EventStream("session"), rounds).run(plan, run_task, cancel, turn_id="t", replans=Replans())
    release.set()
    assert (outcome.status, outcome.tasks_s) == (ScheduleStatus.CANCELLED, 3.0 * len(edges))


def test_a_result_that_came_back_is_kept_after_a_cancel() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: []})
    first_done = threading.Event()

    def done_first(cancel: CancellationToken) -> TaskOutput:
        first_done.set()
        return TaskOutput("behalten")

    def stopped(cancel: CancellationToken) -> TaskOutput:
        assert first_done.wait(PATIENCE_S)
        bench.cancel.cancel()
        raise TurnCancelled

    bench.tell(1, done_first)
    bench.tell(2, stopped)
    assert bench.run(plan).status is ScheduleStatus.CANCELLED
    assert bench.told[-2:] == [(1, "task_1", TaskCompleted("behalten")), (1, "task_2", TaskInterrupted())]
    assert statuses(plan) == "CR"


def test_a_failure_before_the_cancel_is_kept_and_asks_for_no_new_plan() -> None:
    bench, plan = SchedulerBench(), plan_of({1: [], 2: []})
    both_run = threading.Barrier(2)

    def fail(cancel: CancellationToken) -> TaskOutput:
        both_run.wait(PATIENCE_S)
        return failing(cancel)

    def stopped(cancel: CancellationToken) -> TaskOutput:
        both_run.wait(PATIENCE_S)
        bench.threads["task_1"].join(PATIENCE_S)  # its fault is handed back when its thread ends
        bench.cancel.cancel()
        raise TurnCancelled

    bench.tell(1, fail)
    bench.tell(2, stopped)
    assert bench.run(plan).status is ScheduleStatus.CANCELLED
    assert bench.heard.of(ReplanTriggered) == []
    assert statuses(plan) == "FR"


def test_a_worker_that_ignores_the_cancel_is_left_behind_and_queued_tasks_never_start() -> None:  # C64
    bench, plan = SchedulerBench(), plan_of({number: [] for number in range(1, 8)})
    all_run, let_go = threading.Barrier(4), threading.Event()

    def deaf(cancel: CancellationToken) -> TaskOutput:
        if all_run.wait(PATIENCE_S) == 0:
            bench.cancel.cancel()
        assert let_go.wait(PATIENCE_S)
        return TaskOutput("zu spät")

    for number in range(1, 5):
        bench.tell(number, deaf)
    outcome = bench.run(plan)
    left_behind = [worker.is_alive() for worker in bench.threads.values()]
    told = len(bench.told)
    let_go.set()
    for worker in bench.threads.values():
        worker.join(PATIENCE_S)
    assert outcome.status is ScheduleStatus.CANCELLED
    assert left_behind == [True] * 4
    assert sorted(bench.ran) == ["task_1", "task_2", "task_3", "task_4"]
    assert len(bench.heard.of(TaskInterrupted)) == 4
    assert statuses(plan) == "RRRRPPP"
    assert len(bench.told) == told


def test_places_that_a_cancel_frees_are_given_to_nobody() -> None:  # C64
    bench, plan = SchedulerBench(), plan_of({number: [] for number in range(1, 8)})
    all_run = threading.Barrier(4)

    def stopped(cancel: CancellationToken) -> TaskOutput:
        if all_run.wait(PATIENCE_S) == 0:
            bench.cancel.cancel()
        assert cancel.wait(PATIENCE_S)
        raise TurnCancelled

    for number in range(1, 5):
        bench.tell(number, stopped)
    assert bench.run(plan).status is ScheduleStatus.CANCELLED
    assert sorted(bench.ran) == ["task_1", "task_2", "task_3", "task_4"]
    assert statuses(plan) == "RRRRPPP"


@pytest.mark.parametrize("edges", [{1: []}, {1: [], 2: []}])
def test_a_task_that_a_cancel_overtakes_on_its_way_to_its_thread_never_begins(edges: dict[int, list[int]]) -> None:
    stream, heard, cancel, plan = EventStream("session"), RecordingListener(), CancellationToken(), plan_of(edges)
    stream.subscribe(heard)

    def clock() -> float:  # read when a task is handed out
        cancel.cancel()
        return 0.0

    def run_task(task: TaskView, *, origin: Origin, cancel: CancellationToken) -> TaskOutput:
        raise AssertionError("it ran")

    rounds = RoundRunner(stream, masker=SecretMasker(), limit=4, clock=clock)
    finished = rounds.run(plan.ready(), run_task, origin=Origin("t"), cancel=cancel)
    assert finished == FinishedRound((), (), was_cancelled=True)
    assert [type(body) for body in heard.bodies] == [RoundStarted]
