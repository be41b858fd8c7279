"""The model's own questions to the person, in the same line as approvals and reviews."""

from paicli.agent.desk import PersonDesk
from paicli.core.errors import TurnCancelled
from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.event_stream import EventStream
from paicli.core.masking import SecretMasker
from paicli.core.ops import AnswerQuestion
from paicli.tools.builtin.ask_user import PersonAnswer
from paicli.tools.tool import ToolContext


class QuestionDesk:
    """One for all actors of a session. `ask` is an `AskPerson`."""

    def __init__(self, stream: EventStream, desk: PersonDesk, masker: SecretMasker) -> None:
        self._stream = stream
        self._desk = desk
        self._masker = masker

    def ask(self, question: str, options: tuple[str, ...], context: ToolContext) -> PersonAnswer:
        """Waits its turn, then for the answer. Raises TurnCancelled; a question that stood then is told as over."""
        emit = self._stream.emitter(context.origin)
        published: list[str] = []

        def publish(request_id: str) -> None:
            published.append(request_id)
            shown = tuple(map(self._masker.mask, options))
            asked = QuestionAsked(
                request_id, context.call_id, self._masker.mask(question), shown, context.task_description
            )
            emit(asked)

        try:
            answer = self._desk.ask(AnswerQuestion, publish, context.cancel)
        except TurnCancelled:
            for request_id in published:
                emit(QuestionAnswered(request_id, "", by="cancel"))
            raise
        emit(QuestionAnswered(answer.request_id, self._masker.mask(answer.answer), answer.by))
        return PersonAnswer(answer.answer, answer.by == "user")
