import itertools
import json
from collections.abc import Callable, Sequence

from evals.e1_replay import check
from hypothesis import given
from hypothesis import strategies as st

from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import PlanCreated
from paicli.core.event_codec import to_record
from paicli.core.events import Event, MessageAppended, Origin, TurnFinished, TurnStarted, TurnStatus
from paicli.core.messages import UserMessage
from paicli.core.ops import Mode, TurnKind
from paicli.core.plan_view import TaskStatus
from paicli.session.stored.plans import PlanHistory
from tests.agent.plan_bench import PlanBench, breaks, plan_reply
from tests.random_examples import examples

Talk = Callable[[Origin, CancellationToken], LoopOutcome]
Tasks = list[tuple[str, list[int]]]


class JournalBench(PlanBench):
    """Tells what each task was told, as the real loop does, and how the turn begins and ends, as the engine does."""

    def _converse(
        self, system: str, user: str, *, description: str, origin: Origin, cancel: CancellationToken
    ) -> LoopOutcome:
        self.stream.publish(MessageAppended(UserMessage(user)), origin)
        return super()._converse(system, user, description=description, origin=origin, cancel=cancel)

    def events(self, kind: TurnKind = TurnKind.PLAN) -> list[Event]:
        self.stream.publish(TurnStarted(kind, "目标", Mode.PLAN), Origin(self.turn_id))
        ending = self.run(kind=kind).ending(Texts(Language.ZH))
        self.stream.publish(TurnFinished(ending.status, ending.text, ending.fault), Origin(self.turn_id))
        return self.heard.events


def records_of(events: Sequence[Event]) -> list[dict[str, object]]:
    return [json.loads(json.dumps(to_record(event))) for event in events]


@st.composite
def plans(draw: st.DrawFn) -> Tasks:
    """Tasks whose dependencies are any earlier ones; "坏" in a description fails, "半" ends partly."""
    count = draw(st.integers(1, 9))
    tasks: Tasks = []
    for number in range(1, count + 1):
        fate = draw(st.sampled_from(["好", "好", "好", "半", "坏"]))
        needs = draw(st.lists(st.integers(1, number - 1), unique=True, max_size=3)) if number > 1 else []
        tasks.append((f"{fate}{number}", needs))
    return tasks


def half(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
    return LoopOutcome(LoopStatus.PARTIAL, f"一半:{origin.task_id}")


def fated(bench: JournalBench, drawn: Sequence[Tasks]) -> JournalBench:
    for tasks in drawn:
        bench.talks |= {name: breaks for name, _ in tasks if name.startswith("坏")}
        bench.talks |= {name: half for name, _ in tasks if name.startswith("半")}
    return bench


@given(st.lists(plans(), min_size=4, max_size=4), st.integers(0, 3))
@examples(60)
def test_whatever_fails_the_real_scheduler_keeps_the_replayers_rules(drawn: Sequence[Tasks], max_replans: int) -> None:
    bench = fated(JournalBench([plan_reply(*tasks) for tasks in drawn], max_replans=max_replans), drawn)
    assert check(records_of(bench.events())) == []


# A share of 1 would leave out nothing: a plan that came to its end is not one that was killed.
@given(st.lists(plans(), min_size=7, max_size=7), st.integers(0, 3), st.floats(0, 1, exclude_max=True))
@examples(80)
def test_wherever_it_is_killed_a_plan_that_goes_on_keeps_the_replayers_rules(
    drawn: Sequence[Tasks], max_replans: int, killed_at: float
) -> None:
    replies = [plan_reply(*tasks) for tasks in drawn]
    whole = fated(JournalBench(replies[:4], max_replans=max_replans), drawn).events()
    before = whole[: int(killed_at * len(whole))]
    left = PlanHistory(before).unfinished
    if left is None:
        assert not any(isinstance(event.body, PlanCreated) for event in before)
        return
    again = fated(JournalBench(replies[4:], max_replans=max_replans, after=before), drawn)
    after = again.events(TurnKind.PLAN_RESUME)
    assert check(records_of([*before, *after])) == []
    done = {task.id for task in left.view.tasks if task.status is TaskStatus.COMPLETED}
    ran = {told.task_id for told in again.conversations if told.plan_id == "t2_plan_1"}
    assert not ran & done
    assert again.plans.unfinished is None


@given(st.lists(plans(), min_size=4, max_size=4), st.integers(0, 3), st.integers(0, 8))
@examples(60)
def test_wherever_a_person_cancels_the_real_scheduler_keeps_the_replayers_rules(
    drawn: Sequence[Tasks], max_replans: int, cancelled_after: int
) -> None:
    bench = fated(JournalBench([plan_reply(*tasks) for tasks in drawn], max_replans=max_replans), drawn)
    begun = itertools.count()

    def cancelling(told: Talk) -> Talk:
        """As many tasks begin as usual; the one after them is at work when ESC is pressed."""

        def talk(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
            if next(begun) < cancelled_after:
                return told(origin, cancel)
            bench.cancel.cancel()
            return LoopOutcome(LoopStatus.CANCELLED, "")

        return talk

    fates = {name: bench.talks.get(name, good) for tasks in drawn for name, _ in tasks}
    bench.talks |= {name: cancelling(told) for name, told in fates.items()}
    events = bench.events()
    assert check(records_of(events)) == []
    if next(begun) > cancelled_after:
        assert [event.body.status for event in events if isinstance(event.body, TurnFinished)] == [TurnStatus.CANCELLED]


def good(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
    return LoopOutcome(LoopStatus.DONE, f"完成:{origin.task_id}")
