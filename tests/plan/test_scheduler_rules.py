"""Random plans with random failures and cancels, against a little model of the rules written for this test."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.event_bodies.plans import ReplanTriggered, RoundCommitted, RoundStarted, TaskSkipped, TaskStarted
from paicli.core.plan_view import PlanStatus
from paicli.plan.rounds import TaskOutput
from paicli.plan.scheduler import Replans, ScheduleStatus
from tests.plan.bench import SchedulerBench, failing, partial_result, plan_of, statuses
from tests.random_examples import examples


class Scenario(NamedTuple):
    edges: dict[int, list[int]]
    """In insertion order; a dependency may stand after the task that needs it."""
    fails: frozenset[int]
    partial: frozenset[int]
    replans: Replans


class Expected(NamedTuple):
    status: str
    statuses: str
    rounds: list[list[int]]
    skips: list[tuple[int, int | None]]


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    count = draw(st.integers(1, 8))
    rank = draw(st.permutations(range(1, count + 1)))
    below = {task: list(rank[:position]) for position, task in enumerate(rank)}
    edges = {
        task: draw(st.lists(st.sampled_from(below[task]), unique=True, max_size=3)) if below[task] else []
        for task in range(1, count + 1)
    }
    numbers = st.sampled_from(range(1, count + 1))
    fails = draw(st.frozensets(numbers, max_size=3))
    limit = draw(st.integers(0, 2))
    return Scenario(edges, fails, draw(st.frozensets(numbers, max_size=1)), Replans(limit, draw(st.integers(0, limit))))


def order_of(edges: dict[int, list[int]]) -> list[int]:
    order: list[int] = []

    def visit(task: int) -> None:
        if task not in order:
            for needed in edges[task]:
                visit(needed)
            order.append(task)

    for task in edges:
        visit(task)
    return order


def expected(scenario: Scenario) -> Expected:
    edges, order = scenario.edges, order_of(scenario.edges)
    state = dict.fromkeys(edges, "P")
    rounds: list[list[int]] = []
    skips: list[tuple[int, int | None]] = []

    def ended(status: str) -> Expected:
        return Expected(status, "".join(state[task] for task in edges), rounds, skips)

    def needs(task: int, failed: int) -> bool:
        return any(needed == failed or needs(needed, failed) for needed in edges[task])

    while True:
        ready = [task for task in order if state[task] == "P" and all(state[needed] == "C" for needed in edges[task])]
        if not ready:
            whole = all(each == "C" for each in state.values()) and not scenario.partial - scenario.fails
            return ended("completed" if whole else "partial")
        rounds.append(ready)
        decided: float | None = None
        for task in ready:
            state[task] = "F" if task in scenario.fails else "C"
            if state[task] == "F" and decided is None:
                decided = sum(each == "C" for each in state.values()) / len(state)
        if decided is None:
            continue
        if decided >= 0.5:
            for failed in (task for task in ready if state[task] == "F"):
                for task in order:
                    if state[task] == "P" and needs(task, failed):
                        state[task] = "S"
                        skips.append((task, failed))
        elif scenario.replans.used < scenario.replans.limit:
            return ended("replan_needed")
        else:
            for task in order:
                if state[task] == "P":
                    state[task] = "S"
                    skips.append((task, None))
            return ended("limit_reached")


def bench_of(scenario: Scenario) -> SchedulerBench:
    bench = SchedulerBench()
    for task in scenario.partial:
        bench.tell(task, partial_result)
    for task in scenario.fails:
        bench.tell(task, failing)
    return bench


def number(task_id: str) -> int:
    return int(task_id.removeprefix("task_"))


@examples(150)
@given(scenarios())
def test_every_run_is_what_the_rules_say(scenario: Scenario) -> None:
    bench, plan = bench_of(scenario), plan_of(scenario.edges)
    outcome = bench.run(plan, replans=scenario.replans)
    rounds = [[number(task) for task in each.task_ids] for each in bench.heard.of(RoundStarted)]
    skips = [
        (number(event.origin.task_id), number(event.body.cause_task_id) if event.body.cause_task_id else None)
        for event in bench.heard.events
        if isinstance(event.body, TaskSkipped)
    ]
    assert Expected(outcome.status.value, statuses(plan), rounds, skips) == expected(scenario)
    assert outcome.rounds == len(rounds) == len(bench.heard.of(RoundCommitted))
    assert [number(task) for task in plan.order] == order_of(scenario.edges)
    assert sorted(map(number, bench.ran)) == sorted(task for each in rounds for task in each)
    assert (plan.status is PlanStatus.COMPLETED) == (set(statuses(plan)) == {"C"} and outcome.status == "completed")


@examples(100)
@given(scenarios(), st.data())
def test_a_cancel_keeps_what_came_back_and_starts_nothing_more(scenario: Scenario, data: st.DataObject) -> None:
    bench, plan = bench_of(scenario), plan_of(scenario.edges)
    canceller = data.draw(st.sampled_from(sorted(scenario.edges)))
    returns = data.draw(st.booleans())

    def cancel_all(cancel: CancellationToken) -> TaskOutput:
        bench.cancel.cancel()
        if returns:
            return TaskOutput("behalten")
        raise TurnCancelled

    bench.tell(canceller, cancel_all)
    outcome = bench.run(plan, replans=scenario.replans)
    undisturbed = expected(scenario._replace(fails=scenario.fails - {canceller}))
    last = next((position for position, each in enumerate(undisturbed.rounds) if canceller in each), None)
    if last is None:
        assert outcome.status.value == undisturbed.status
        return
    rounds = [[number(task) for task in each.task_ids] for each in bench.heard.of(RoundStarted)]
    assert outcome.status is ScheduleStatus.CANCELLED
    assert plan.status is PlanStatus.CANCELLED
    assert rounds == undisturbed.rounds[: last + 1]
    assert len(bench.heard.of(RoundCommitted)) == last
    assert not any(event.origin.round == last + 1 for event in bench.heard.events if skips_or_replans(event.body))
    assert (plan.task(f"task_{canceller}").status == "COMPLETED") is returns
    started = {event.origin.task_id for event in bench.heard.events if isinstance(event.body, TaskStarted)}
    assert {task.id for task in plan.tasks if task.status.value in {"COMPLETED", "FAILED"}} <= started


def skips_or_replans(body: object) -> bool:
    return isinstance(body, TaskSkipped | ReplanTriggered)
