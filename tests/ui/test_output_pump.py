import asyncio

from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import RoundCommitted, RoundStarted, TaskCompleted, TaskStarted
from paicli.core.events import DeltaKind, Event, ModelDelta, ModelReplyReceived, Origin
from paicli.core.messages import ChatResponse
from paicli.ui.output.pump import MERGED_CHARACTERS, OutputPump, merged
from paicli.ui.rendering.styled import Line, line, prose
from tests.patience import PATIENCE_S
from tests.random_examples import examples
from tests.ui.fake_engine import event_of

ZH = Texts(Language.ZH)


def delta(text: str, actor: str = "react", kind: DeltaKind = DeltaKind.TEXT) -> Event:
    is_task = actor.startswith("task")
    origin = Origin("turn_1", actor, "plan_1" if is_task else "", int(is_task), actor if is_task else "")
    return event_of(ModelDelta(kind, text), origin)


streams = st.lists(
    st.builds(
        delta,
        st.text("ab\n", min_size=1, max_size=400),
        st.sampled_from(["react", "task_1"]),
        st.sampled_from(list(DeltaKind)),
    ),
    max_size=20,
)


def runs(events: list[Event]) -> dict[str, list[tuple[DeltaKind, str]]]:
    """Per actor its texts in order, neighbours of one kind joined without any limit."""
    found: dict[str, list[tuple[DeltaKind, str]]] = {}
    for event in events:
        assert isinstance(event.body, ModelDelta)
        kind, text = event.body.kind, event.body.text
        actor = found.setdefault(event.origin.actor, [])
        if actor and actor[-1][0] is kind:
            text = actor.pop()[1] + text
        actor.append((kind, text))
    return found


@given(streams)
@examples(100)
def test_merging_keeps_every_stream_and_its_order(events: list[Event]) -> None:
    joined = list(merged(events))
    assert runs(joined) == runs(events)
    assert all(len(each.body.text) < MERGED_CHARACTERS + 400 for each in joined if isinstance(each.body, ModelDelta))


def test_streams_side_by_side_become_one_event_each() -> None:
    events = [delta(text, task) for text in "abc" for task in ("task_1", "task_2")]
    assert [(each.origin.actor, each.body) for each in merged(events)] == [
        (task, ModelDelta(DeltaKind.TEXT, "abc")) for task in ("task_1", "task_2")
    ]


def test_other_events_stay_where_they_are() -> None:
    end = event_of(ModelReplyReceived(ChatResponse("ab"), 0.1), Origin("turn_1", "react"))
    first, second, last = delta("a"), delta("b"), delta("c")
    both = first._replace(body=ModelDelta(DeltaKind.TEXT, "ab"))
    assert list(merged([first, second, end, last])) == [both, end, last]


def test_much_to_show_leaves_the_loop_free_in_between_and_comes_whole_and_in_order() -> None:
    printed: list[Line] = []
    shown_in_turn: list[int] = []
    total = 30_000

    async def run() -> None:
        loop, done, turns = asyncio.get_running_loop(), asyncio.Event(), 0

        def show(shown: list[Line], tail: list[Line]) -> None:
            printed.extend(shown)
            shown_in_turn.append(turns)
            if len(printed) == total:
                done.set()

        pump = OutputPump(ZH, columns=lambda: 80, show=show)
        for start in range(0, total, 10):
            pump.put(delta("".join(f"{number}\n" for number in range(start, start + 10))))
        pump.work()
        pump.work()  # one worker is enough
        assert len(printed) < total
        while not done.is_set():
            turn = asyncio.Event()
            loop.call_soon(turn.set)  # as a key would get its turn
            await turn.wait()
            turns += 1

    asyncio.run(run())
    assert [row.text for row in printed] == [str(number) for number in range(total)]
    assert len(set(shown_in_turn)) == len(shown_in_turn) > 3


def test_while_the_terminal_is_held_nothing_is_shown_and_nothing_lost() -> None:
    printed: list[Line] = []
    is_held = True

    async def run() -> None:
        nonlocal is_held
        done = asyncio.Event()

        def show(shown: list[Line], tail: list[Line]) -> None:
            printed.extend(shown)
            done.set()

        pump = OutputPump(ZH, columns=lambda: 80, show=show, is_held=lambda: is_held)
        pump.put(delta("one\n"))
        pump.work()
        assert printed == []
        is_held = False
        await asyncio.wait_for(done.wait(), PATIENCE_S)

    asyncio.run(run())
    assert printed == prose("one")


def test_a_parallel_round_is_shown_whole_and_in_order_when_it_ends() -> None:
    def of_task(body: TaskStarted | TaskCompleted, task: str) -> Event:
        return event_of(body, Origin("turn_1", task, "plan_1", 1, task))

    printed: list[Line] = []
    pump = OutputPump(ZH, columns=lambda: 80, show=lambda shown, tail: printed.extend(shown))
    pump.put(event_of(RoundStarted(("task_1", "task_2")), Origin("turn_1", "engine", "plan_1", 1)))
    for task in ("task_2", "task_1"):
        pump.put(of_task(TaskStarted(task, False), task))
        pump.put(delta(f"answer of {task}", task))
        pump.put(of_task(TaskCompleted(f"answer of {task}"), task))
    pump.finish()
    assert [row.text for row in printed] == ["⚡ 本轮并行执行 2 个任务: task_1, task_2"]
    pump.put(event_of(RoundCommitted(("task_1", "task_2"), (), 1.0), Origin("turn_1", "engine", "plan_1", 1)))
    pump.put_lines([line("> next")])
    pump.finish()
    assert [row.text for row in printed[1:]] == [
        "▶️ 并行任务 [task_1]: task_1",
        "answer of task_1",
        "✅ 完成 [task_1]: answer of task_1",
        "▶️ 并行任务 [task_2]: task_2",
        "answer of task_2",
        "✅ 完成 [task_2]: answer of task_2",
        "> next",
    ]
