"""What a person reads of a plan that was left unfinished."""

from collections.abc import Sequence

from paicli.core.catalogue.lookup import Texts
from paicli.core.plan_view import PlanView, TaskStatus, UnfinishedPlan
from paicli.ui.rendering.question_lines import one_line
from paicli.ui.rendering.styled import Line, Style, line, lines
from paicli.ui.sanitize import clean

_GOAL_COLUMNS = 60


def offer_lines(left: UnfinishedPlan, texts: Texts) -> list[Line]:
    """What is left of it: the question stands below."""
    shown = lines(_text("resume.offer", left.view, left.interrupted, texts=texts), Style.BOLD)
    return shown if left.was_approved else [*shown, line(texts.screen("resume.offer_review"), Style.WARNING)]


def going_on_lines(view: PlanView, texts: Texts) -> list[Line]:
    """Said when a plan goes on."""
    interrupted = [task.id for task in view.tasks if task.was_interrupted and task.status is TaskStatus.PENDING]
    return lines(_text("resume.going_on", view, interrupted, texts=texts), Style.BOLD)


def _text(code: str, view: PlanView, interrupted: Sequence[str], *, texts: Texts) -> str:
    listed = texts.screen(f"{code}_interrupted", tasks=", ".join(interrupted)) if interrupted else ""
    done = sum(task.status is TaskStatus.COMPLETED for task in view.tasks)
    goal = one_line(clean(view.goal), _GOAL_COLUMNS)
    return texts.screen(code, goal=goal, done=done, count=len(view.tasks), interrupted=listed)
