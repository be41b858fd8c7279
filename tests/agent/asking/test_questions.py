import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.agent.asking.questions import QuestionDesk
from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolCall, ToolOutcome, ToolResult
from paicli.core.ops import AnswerQuestion
from paicli.tools.builtin.ask_user import AskUser, PersonAnswer
from paicli.tools.tool import ToolContext
from tests.fakes.house import House
from tests.patience import PATIENCE_S

CALL = ToolCall("c1", "ask_user", '{"question":" which? ","options":["a hunter2-secret","b","b"]}')


class Asking(House):
    def __post_init__(self) -> None:
        self.tools = [AskUser(self._ask)]
        super().__post_init__()
        self.questions = QuestionDesk(self.stream, self.desk, SecretMasker(["hunter2-secret"]))

    def _ask(self, question: str, options: tuple[str, ...], context: ToolContext) -> PersonAnswer:
        return self.questions.ask(question, options, context)

    def run(self, meanwhile: Callable[[QuestionAsked], object]) -> ToolResult:
        results: list[ToolResult] = []
        worker = threading.Thread(target=lambda: results.append(self.gate.run(CALL, self.actor, False)))
        worker.start()
        meanwhile(self.listener.wait_for(QuestionAsked))
        worker.join(PATIENCE_S)
        return results[0]


def test_the_model_gets_what_the_person_answered(tmp_path: Path) -> None:
    room = Asking(tmp_path, [])
    result = room.run(lambda asked: room.desk.answer(AnswerQuestion(asked.request_id, "b")))
    assert (result.outcome, result.content) == (ToolOutcome.OK, "用户的回答:b")
    assert room.listener.of(QuestionAsked) == [QuestionAsked("request_1", "c1", "which?", ("a ***", "b"))]
    assert room.listener.of(QuestionAnswered) == [QuestionAnswered("request_1", "b")]


def test_nobody_there_is_told_as_that(tmp_path: Path) -> None:
    room = Asking(tmp_path, [])
    result = room.run(lambda asked: room.desk.answer(AnswerQuestion(asked.request_id, "", by="nobody")))
    assert "没有人可以回答" in result.content


def test_a_cancel_ends_the_question_and_the_call(tmp_path: Path) -> None:
    room = Asking(tmp_path, [])
    assert room.run(lambda asked: room.cancel.cancel()).outcome is ToolOutcome.CANCELLED
    assert room.listener.of(QuestionAnswered) == [QuestionAnswered("request_1", "", by="cancel")]


@pytest.mark.parametrize("arguments", ['{"question":" "}', "{}", '{"question":"x","options":["1",2]}'])
def test_a_question_without_words_or_with_odd_options_is_the_models_fault(tmp_path: Path, arguments: str) -> None:
    room = Asking(tmp_path, [])
    assert room.gate.run(ToolCall("c1", "ask_user", arguments), room.actor, False).outcome is ToolOutcome.FAILED
    assert room.listener.of(QuestionAsked) == []
