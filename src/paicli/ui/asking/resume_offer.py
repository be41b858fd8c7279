"""What can be done with a plan that was left unfinished, and how line mode asks for it."""

from enum import StrEnum

from paicli.core.catalogue.lookup import Texts
from paicli.core.ops import AbandonPlan, Submit, TurnKind
from paicli.core.plan_view import UnfinishedPlan
from paicli.ui.rendering.plan_lines import unfolded
from paicli.ui.rendering.styled import Line, line
from paicli.ui.stored.unfinished_lines import offer_lines


class ResumeChoice(StrEnum):
    GO_ON = "go_on"
    LOOK = "look"
    GIVE_UP = "give_up"


def resume_op(choice: ResumeChoice, left: UnfinishedPlan) -> Submit | AbandonPlan | None:
    """What the engine is told; None: nothing, the plan is looked at."""
    match choice:
        case ResumeChoice.GO_ON:
            return Submit("", TurnKind.PLAN_RESUME)
        case ResumeChoice.LOOK:
            return None
        case ResumeChoice.GIVE_UP:
            return AbandonPlan(left.view.id)


_WORDS: dict[str, ResumeChoice] = {
    **dict.fromkeys(("1", "继续执行", "继续", "y", "yes", "go", "go on", "resume", "/plan resume"), ResumeChoice.GO_ON),
    **dict.fromkeys(("2", "查看", "look", "view", "/view"), ResumeChoice.LOOK),
    **dict.fromkeys(("3", "放弃", "give up", "drop"), ResumeChoice.GIVE_UP),
}


class ResumeOffer:
    """The question as lines, and what an answer means."""

    def __init__(self, left: UnfinishedPlan, texts: Texts) -> None:
        self._left = left
        self._texts = texts

    def lines(self) -> list[Line]:
        choices = (f"  {number}. {self._texts.screen(f'resume.{each}')}" for number, each in enumerate(ResumeChoice, 1))
        return [*offer_lines(self._left, self._texts), *map(line, choices)]

    def taken(self, text: str) -> Submit | AbandonPlan | list[Line]:
        """An op; what to show before it is asked again; nothing where the text answers something else."""
        choice = _WORDS.get(text.strip().lower())
        if choice is None:
            return []
        return resume_op(choice, self._left) or unfolded(self._left.view, self._texts)
