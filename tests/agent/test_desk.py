import threading

import pytest

from paicli.agent.desk import PersonDesk
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.ops import AnswerQuestion, ApprovalDecision, DecideApproval, DecideReview, ReviewDecision
from tests.patience import PATIENCE_S


def test_questions_from_many_workers_come_one_at_a_time_in_line() -> None:  # C56
    desk, token = PersonDesk(), CancellationToken()
    open_now: list[str] = []
    overlaps: list[int] = []
    published = threading.Semaphore(0)
    answers: dict[str, str] = {}

    def ask(name: str) -> None:
        def publish(request_id: str) -> None:
            open_now.append(request_id)
            overlaps.append(len(open_now))
            published.release()

        answer = desk.ask(DecideApproval, publish, token)
        answers[name] = answer.reason

    threads = [threading.Thread(target=ask, args=(f"task_{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for number in range(4):
        assert published.acquire(timeout=PATIENCE_S)
        request_id = open_now.pop()
        assert desk.answer(DecideApproval(request_id, ApprovalDecision.DENY, str(number)))
        assert not desk.answer(DecideApproval(request_id, ApprovalDecision.ALLOW))
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answers.values()) == ["0", "1", "2", "3"]
    assert overlaps == [1, 1, 1, 1]


def test_a_cancel_ends_the_open_question_and_those_in_line() -> None:
    desk, token = PersonDesk(), CancellationToken()
    published = threading.Semaphore(0)
    cancelled: list[str] = []

    def ask(name: str) -> None:
        try:
            desk.ask(DecideApproval, lambda request_id: published.release(), token)
        except TurnCancelled:
            cancelled.append(name)

    threads = [threading.Thread(target=ask, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    assert published.acquire(timeout=PATIENCE_S)
    token.cancel()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(cancelled) == ["a", "b", "c"]


def test_a_question_of_a_cancelled_turn_is_never_published() -> None:
    token = CancellationToken()
    token.cancel()
    with pytest.raises(TurnCancelled):
        PersonDesk().ask(DecideApproval, lambda request_id: pytest.fail("published"), token)


def test_what_answers_another_kind_of_question_answers_nothing() -> None:
    desk, token = PersonDesk(), CancellationToken()
    published: list[str] = []
    refused: list[bool] = []

    def publish(request_id: str) -> None:
        published.append(request_id)
        refused.append(desk.answer(DecideReview(request_id, ReviewDecision.EXECUTE)))
        refused.append(desk.answer(AnswerQuestion(request_id, "yes")))
        assert desk.answer(DecideApproval(request_id, ApprovalDecision.ALLOW))

    answer = desk.ask(DecideApproval, publish, token)

    assert (answer.request_id, answer.decision) == (published[0], ApprovalDecision.ALLOW)
    assert refused == [False, False]
