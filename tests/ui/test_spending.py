import pytest

from paicli.core.messages import Usage
from paicli.core.ops import Submit, TurnKind
from paicli.ui.live.status_bar import cost_text
from paicli.ui.queries import SpendingReport, SpentRow
from paicli.ui.routing import InputState, Send, route
from tests.fakes.canned_queries import CannedQueries
from tests.ui.test_commands import Desk

USAGE = Usage(12_000, 3_000, 400, 50)


def test_cost_has_a_row_for_each_who_asked_and_sums_below() -> None:
    rows = (
        SpentRow("react", "glm-5", 3, USAGE, 0.0123),
        SpentRow("react/review", "mini", 2, Usage(100, 0, 10), 0.0, 2),
        SpentRow("task_1/review", "mini", 1, Usage(50, 0, 5), 0.0001),
    )
    session = SpentRow("", "", 6, USAGE, 1.5, 2)
    report = SpendingReport(rows, SpentRow("", "", 1, Usage(1, 0, 1), 0.0), session, 2.0, 1.5)
    shown = Desk(CannedQueries(spent=report)).answer("/cost")
    assert isinstance(shown, str)
    assert shown.split("\n") == [
        "Usage and cost:",
        "  who                  model  requests      in  cached  out  thinking                                   cost",
        "  react                glm-5         3  12,000   3,000  400        50                                $0.0123",
        "  react/review         mini          2     100       0   10         0                          price unknown",
        "  task_1/review        mini          1      50       0    5         0                                $0.0001",
        "  reviews of commands                3     150       0   15         0  $0.0001 + 2 requests of unknown price",
        "  this turn                          1       1       0    1         0                                     $0",
        "  session                            6  12,000   3,000  400        50    $1.50 + 2 requests of unknown price",
        "Limit $2.00, spent since the start $1.50",
    ]


def test_cost_before_the_first_request_says_so() -> None:
    assert Desk().answer("/cost") == "No model was asked yet"


@pytest.mark.parametrize(("typed", "focus"), [("/compact", ""), ("/compact 保留接口 定义", "保留接口 定义")])
def test_compact_is_a_turn_of_its_own(typed: str, focus: str) -> None:
    assert route(typed, InputState()) == Send(Submit(focus, TurnKind.COMPACT))


@pytest.mark.parametrize(
    ("cost", "shown"), [(0, "$0"), (0.00001, "<$0.0001"), (0.0123, "$0.0123"), (0.9, "$0.9000"), (12.345, "$12.35")]
)
def test_a_cost_shows_digits_that_say_something(cost: float, shown: str) -> None:
    assert cost_text(cost) == shown
