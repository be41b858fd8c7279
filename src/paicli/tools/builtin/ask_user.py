"""The tool ask_user: one question to the person, where there is one."""

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.question_arguments import AskUserArguments


class PersonAnswer(NamedTuple):
    text: str
    is_from_person: bool = True
    """False: nobody was there."""


class AskPerson(Protocol):
    def __call__(self, question: str, options: tuple[str, ...], context: ToolContext) -> PersonAnswer:
        """Waits for the answer. Raises TurnCancelled."""
        ...


class AskUser:
    """Questions come one at a time: a call that touches the session runs beside no other."""

    name: ClassVar[str] = "ask_user"
    effect: ClassVar[ToolEffect] = ToolEffect.SESSION
    needs_approval: ClassVar[bool] = False

    def __init__(self, ask: AskPerson) -> None:
        self._ask = ask

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.builtin.question_arguments import AskUserArguments

        return AskUserArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("AskUserArguments", arguments)
        answer = self._ask(call.question, tuple(dict.fromkeys(call.options)), context)
        code = "ask_user.answered" if answer.is_from_person else "ask_user.nobody"
        return ToolResult(model_text(code, answer=answer.text))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
