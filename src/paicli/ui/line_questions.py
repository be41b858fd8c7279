"""The engine's questions in line mode: approvals, reviews of plans, questions of the model; a line is the answer."""

from collections.abc import Callable
from typing import Protocol, assert_never

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAsked
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.events import ApprovalRequested, Event
from paicli.core.ops import AnswerQuestion, ApprovalDecision, Cancel, DecideApproval, DecideReview, Op, ReviewDecision
from paicli.ui.asking.argument_edits import ArgumentEdit
from paicli.ui.rendering.approval_lines import UNREADABLE_LIMIT, Unreadable, approval_lines, decision_of, words_line
from paicli.ui.rendering.plan_lines import folded, unfolded
from paicli.ui.rendering.question_lines import CANCEL_WORDS, asked_lines, chosen_answer, option_lines
from paicli.ui.rendering.styled import Line
from paicli.ui.review_words import ReviewAct, review_answer


class Saying(Protocol):
    def __call__(self, code: str, /, **fields: object) -> None: ...


class LineQuestions:
    """Each is asked until it is answered, and answered by an op."""

    def __init__(
        self,
        *,
        submit: Callable[[Op], None],
        texts: Texts,
        show: Callable[[Line], None],
        say: Saying,
        read: Callable[[str], str | None],
    ) -> None:
        """`read` shows a prompt and gives a line; None: the input has ended."""
        self._submit = submit
        self._texts = texts
        self._show = show
        self._say = say
        self._read = read

    def ask_approval(self, event: Event, request: ApprovalRequested) -> None:
        for shown in [*approval_lines(event, request, self._texts), words_line(request, self._texts)]:
            self._show(shown)
        for count in range(1, UNREADABLE_LIMIT + 1):
            answer = self._read(self._texts.screen("approval.prompt"))
            if answer is None:
                decision, reason = ApprovalDecision.DENY, ""
            else:
                decision, reason = decision_of(answer)
            if decision is ApprovalDecision.EDIT:
                changed = ArgumentEdit(request.arguments).arguments_of(reason)
                if isinstance(changed, str):
                    self._submit(DecideApproval(request.request_id, decision, arguments=changed))
                    return
                self._say(changed.code, **dict(changed.fields))
            elif decision is not Unreadable.ANSWER:
                self._submit(DecideApproval(request.request_id, decision, reason))
                return
            self._say("approval.unreadable", count=count)
        self._say("approval.given_up")
        self._submit(DecideApproval(request.request_id, ApprovalDecision.DENY))

    def ask(self, event: Event, asked: QuestionAsked) -> None:
        for shown in [*asked_lines(event, asked, self._texts), *option_lines(asked, self._texts)]:
            self._show(shown)
        self._say("question.line_hint")
        while True:
            text = self._read(self._texts.screen("question.prompt"))
            if text is None:
                self._submit(AnswerQuestion(asked.request_id, "", by="nobody"))
            elif text.strip().lower() in CANCEL_WORDS:
                self._submit(Cancel())
            elif text.strip():
                self._submit(AnswerQuestion(asked.request_id, chosen_answer(text.strip(), asked.options)))
            else:
                self._say("question.empty")
                continue
            return

    def ask_review(self, request: PlanReviewRequested) -> bool:
        """True: the person leaves as well."""
        for shown in folded(request.view, request.changes, self._texts):
            self._show(shown)
        self._say("session.review_keys")
        while True:
            text = self._read(self._texts.screen("plan.review.line_prompt"))
            answer = review_answer(text)
            match answer.act:
                case ReviewAct.EXECUTE:
                    self._submit(DecideReview(request.request_id, ReviewDecision.EXECUTE))
                case ReviewAct.CANCEL | ReviewAct.LEAVE:
                    self._submit(DecideReview(request.request_id, ReviewDecision.CANCEL))
                    return text is None or answer.act is ReviewAct.LEAVE
                case ReviewAct.REVISE:
                    self._submit(DecideReview(request.request_id, ReviewDecision.REVISE, answer.text))
                case ReviewAct.VIEW:
                    for shown in unfolded(request.view, self._texts):
                        self._show(shown)
                    continue
                case ReviewAct.UNKNOWN:
                    self._say("plan.review.unknown_command", command=answer.text)
                    continue
                case _:
                    assert_never(answer.act)
            return False
