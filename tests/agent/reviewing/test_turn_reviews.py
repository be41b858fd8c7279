import threading

import pytest

from paicli.agent.reviewing.turn_reviews import SessionReviews, TurnReviews
from paicli.core.event_bodies.plans import PlanCause, PlanCreated, PlanStarted
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, Origin, TextQueued, TurnStarted
from paicli.core.ops import Mode, TurnKind
from paicli.plan.parser import parse_plan
from tests.patience import PATIENCE_S

PLAN = '{"summary": "s", "tasks": [{"id": "a", "description": "count the lines"}]}'


def words_after(*bodies: EventBody) -> tuple[str, ...]:
    stream, reviews = EventStream("session"), SessionReviews()
    stream.subscribe(reviews)
    for body in bodies:
        stream.publish(body, Origin("turn_1"))
    return reviews.of_turn("turn_1").words


def created(goal: str, cause: PlanCause) -> tuple[EventBody, EventBody]:
    view = parse_plan(PLAN, goal=goal, plan_id="turn_1_plan_1").view()
    return PlanCreated(view, cause), PlanStarted(view)


@pytest.mark.parametrize("kind", [TurnKind.PLAN_FILE, TurnKind.PLAN_RESUME])
def test_the_words_of_a_stored_plans_turn_are_its_goal_and_never_its_json(kind: TurnKind) -> None:
    started = TurnStarted(kind, '{"goal": "x", "tasks": []}', Mode.AUTO)
    assert words_after(started, *created("count lines", PlanCause.FILE)) == ("count lines",)


def test_the_words_of_a_planned_turn_are_what_was_typed_and_not_what_plans_make_of_it() -> None:
    started = TurnStarted(TurnKind.PLAN, "count lines", Mode.PLAN)
    assert words_after(started, *created("count lines\nfeedback", PlanCause.FEEDBACK)) == ("count lines",)


@pytest.mark.parametrize("kind", [TurnKind.SHELL, TurnKind.COMPACT])
def test_a_command_of_ones_own_is_no_request(kind: TurnKind) -> None:
    assert words_after(TurnStarted(kind, "rm x", Mode.AUTO)) == ()


def test_what_is_typed_while_a_plan_runs_counts_at_once_and_elsewhere_when_it_joins_the_turn() -> None:
    def words(kind: TurnKind) -> tuple[str, ...]:
        stream, reviews = EventStream("session"), SessionReviews()
        stream.subscribe(reviews)
        stream.publish(TurnStarted(kind, "tidy", Mode.AUTO), Origin("turn_1"))
        stream.publish(TextQueued("keep the tests"), Origin())
        return reviews.of_turn("turn_1").words

    assert words(TurnKind.PLAN) == ("tidy", "keep the tests")
    assert words(TurnKind.REACT) == ("tidy",)


def test_of_denials_counted_from_many_threads_each_third_is_the_persons() -> None:
    turn = TurnReviews()
    together = threading.Barrier(8)
    found: list[bool] = []

    def deny() -> None:
        together.wait(PATIENCE_S)
        found.extend(turn.note_denied() for _ in range(30))

    threads = [threading.Thread(target=deny, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert (len(found), sum(found)) == (240, 80)


def test_a_late_worker_of_an_earlier_turn_changes_nothing_of_the_next() -> None:
    stream, reviews = EventStream("session"), SessionReviews()
    stream.subscribe(reviews)
    stream.publish(TurnStarted(TurnKind.REACT, "one", Mode.AUTO), Origin("turn_1"))
    stream.publish(TurnStarted(TurnKind.REACT, "two", Mode.AUTO), Origin("turn_2"))
    for _ in range(2):
        reviews.of_turn("turn_1").note_denied()
    assert not reviews.of_turn("turn_2").note_denied()
    assert reviews.of_turn("turn_2").words == ("two",)
