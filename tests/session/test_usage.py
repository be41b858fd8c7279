from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, ModelChanged, ModelReplyReceived, Origin, SessionStarted, TurnStarted
from paicli.core.messages import ChatResponse, Usage
from paicli.core.ops import Mode, TurnKind
from paicli.session.usage import Spender, Spent, UsageTotals
from tests.fakes.recording_listener import RecordingListener

USAGE = Usage(100, 20, 10, 5)


def reply(cost_usd: float | None, side_model: str = "") -> ModelReplyReceived:
    return ModelReplyReceived(ChatResponse("x", usage=USAGE), 0.1, cost_usd, side_model)


def heard(*said: tuple[Origin, EventBody]) -> tuple[UsageTotals, RecordingListener]:
    stream, totals, listener = EventStream("s"), UsageTotals("m1"), RecordingListener()
    stream.subscribe(totals)
    stream.subscribe(listener)
    for origin, body in said:
        stream.publish(body, origin)
    return totals, listener


def turn(number: int) -> tuple[Origin, EventBody]:
    return Origin(f"turn_{number}"), TurnStarted(TurnKind.REACT, "t", Mode.AUTO)


REACT = Origin("turn_1", "react")
TASK = Origin("turn_2", "task_1", "plan_1", 1, "task_1")


def test_who_asked_which_model_reviews_summaries_and_tasks_apart() -> None:
    totals, _ = heard(
        turn(1),
        (REACT, reply(0.5)),
        (REACT, reply(0.25)),
        (REACT._replace(actor="react/review"), reply(None, "small")),
        turn(2),
        (Origin(), ModelChanged("p", "m2")),
        (TASK, reply(1.0)),
    )
    assert dict(totals.rows) == {
        Spender("react", "m1"): Spent(2, USAGE.plus(USAGE), 0.75, 0),
        Spender("react/review", "small"): Spent(1, USAGE, 0.0, 1),
        Spender("task_1", "m2", "plan_1"): Spent(1, USAGE, 1.0, 0),
    }
    assert totals.turn == Spent(1, USAGE, 1.0, 0)
    assert (totals.session.requests, totals.session.cost_usd, totals.session.unpriced) == (4, 1.75, 1)
    assert totals.spent_usd() == 1.75


def test_a_resumed_session_knows_its_past_and_its_limit_counts_from_now_on() -> None:
    _, listener = heard(
        (Origin(), SessionStarted("1", "p", "old", Mode.AUTO, "/p", "zh")), turn(1), (REACT, reply(0.5))
    )
    totals = UsageTotals("new")
    totals.catch_up(listener.events)
    assert dict(totals.rows) == {Spender("react", "old"): Spent(1, USAGE, 0.5, 0)}
    assert (totals.session.cost_usd, totals.spent_usd()) == (0.5, 0.0)


def test_a_reply_without_usage_counts_as_a_request() -> None:
    totals, _ = heard((REACT, ModelReplyReceived(ChatResponse("x"), 0.1)))
    assert totals.session == Spent(1, Usage(), 0.0, 1)


def test_memory_stays_bounded_however_many_tasks_ask() -> None:
    tasks = [(TASK._replace(actor=f"task_{number}"), reply(1.0)) for number in range(600)]
    totals, _ = heard(*tasks)
    assert len(totals.rows) <= 401
    assert totals.session.cost_usd == 600.0
    assert sum(spent.requests for _, spent in totals.rows) == 600
