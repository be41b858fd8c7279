import json
from collections.abc import Sequence

from evals.e1_replay import check
from hypothesis import given, settings
from hypothesis import strategies as st

from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_codec import to_record
from paicli.core.events import MessageAppended, Origin, TurnFinished
from paicli.core.messages import UserMessage
from tests.agent.plan_bench import PlanBench, breaks, plan_reply

Tasks = list[tuple[str, list[int]]]


class JournalBench(PlanBench):
    """Tells what each task was told, as the real loop does, and the end of the turn, as the engine does."""

    def _converse(
        self, system: str, user: str, *, description: str, origin: Origin, cancel: CancellationToken
    ) -> LoopOutcome:
        self.stream.publish(MessageAppended(UserMessage(user)), origin)
        return super()._converse(system, user, description=description, origin=origin, cancel=cancel)

    def records(self) -> list[dict[str, object]]:
        ending = self.run().ending(Texts(Language.ZH))
        self.stream.publish(TurnFinished(ending.status, ending.text, ending.fault), Origin("t"))
        return [json.loads(json.dumps(to_record(event))) for event in self.heard.events]


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


@given(st.lists(plans(), min_size=4, max_size=4), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_whatever_fails_the_real_scheduler_keeps_the_replayers_rules(drawn: Sequence[Tasks], max_replans: int) -> None:
    bench = JournalBench([plan_reply(*tasks) for tasks in drawn], max_replans=max_replans)
    for tasks in drawn:
        bench.talks |= {name: breaks for name, _ in tasks if name.startswith("坏")}
        bench.talks |= {name: half for name, _ in tasks if name.startswith("半")}
    assert check(bench.records()) == []
