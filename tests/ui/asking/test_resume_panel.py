import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.ops import AbandonPlan, Submit, TurnKind
from paicli.core.plan_view import TaskStatus, UnfinishedPlan
from paicli.ui.asking.resume_offer import ResumeOffer
from paicli.ui.asking.resume_panel import ResumePanel
from paicli.ui.live.panels import Closed, Decided, StillOpen
from paicli.ui.stored.unfinished_lines import going_on_lines
from tests.ui.fake_engine import plan_of

TEXTS = Texts(Language.EN)
MADE = plan_of("goal", {"task_1": (), "task_2": ("task_1",)})
FIRST, SECOND = MADE.tasks
LEFT = UnfinishedPlan(
    MADE._replace(tasks=(FIRST._replace(status=TaskStatus.COMPLETED), SECOND._replace(status=TaskStatus.RUNNING))),
    interrupted=(SECOND.id,),
)
GO_ON, GIVE_UP = Submit("", TurnKind.PLAN_RESUME), AbandonPlan(MADE.id)


def shown(panel: ResumePanel, columns: int = 60, height: int = 20) -> str:
    return "\n".join(row.text for row in panel.rows(columns, height))


def test_the_panel_says_what_is_left_and_takes_a_number_or_a_line() -> None:
    panel = ResumePanel(LEFT, TEXTS)
    assert "1 of 2 tasks are done; interrupted: task_2." in shown(panel)
    assert "› 1. Go on\n  2. Look\n  3. Give up" in shown(panel)
    assert "never reviewed" not in shown(panel)
    assert panel.press("x") == StillOpen()
    assert panel.press("2") == StillOpen()
    assert "✅ task_1" in shown(panel)
    assert panel.press("2") == StillOpen()
    assert "✅ task_1" not in shown(panel)
    assert panel.press("1") == Decided(GO_ON)
    assert panel.press("3") == Decided(GIVE_UP)
    assert panel.press("enter") == Decided(GO_ON)
    assert panel.press("up") == StillOpen()
    assert "› 3. Give up" in shown(panel, 40, 6)
    assert panel.press("enter") == Decided(GIVE_UP)
    assert panel.press("escape") == Closed()


def test_a_plan_that_was_never_reviewed_says_so() -> None:
    assert "going on begins with its review" in shown(ResumePanel(LEFT._replace(was_approved=False), TEXTS))


@pytest.mark.parametrize(
    ("text", "meant"),
    [(" 1 ", GO_ON), ("继续执行", GO_ON), ("Go on", GO_ON), ("/plan resume", GO_ON), ("放弃", GIVE_UP), ("3", GIVE_UP)],
)
def test_a_line_that_answers_the_question(text: str, meant: object) -> None:
    assert ResumeOffer(LEFT, TEXTS).taken(text) == meant


@pytest.mark.parametrize("text", ["", "4", "no", "go away", "/exit", "12"])
def test_any_other_line_answers_nothing(text: str) -> None:
    assert ResumeOffer(LEFT, TEXTS).taken(text) == []


def test_looking_shows_the_whole_plan() -> None:
    found = ResumeOffer(LEFT, TEXTS).taken("查看")
    assert isinstance(found, list)
    assert any("task_2" in each.text for each in found)


def test_what_goes_on_names_the_tasks_that_start_anew() -> None:
    anew = SECOND._replace(was_interrupted=True)
    said = [each.text for each in going_on_lines(MADE._replace(tasks=(LEFT.view.tasks[0], anew)), TEXTS)]
    assert said[-1] == "1 of 2 tasks are done; these were interrupted and start anew: task_2."
