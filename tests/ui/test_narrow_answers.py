"""What commands answer on a screen that is narrower than their tables."""

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.messages import Usage
from paicli.core.ops import Op
from paicli.ui.command import ChooseSession, CommandContext, Handler
from paicli.ui.commands import COMMANDS
from paicli.ui.queries import AuditRow, SessionRow, SpendingReport, SpentRow
from paicli.ui.rendering.styled import Line, printed_rows, width
from tests.fakes.canned_queries import CannedQueries

USAGE = Usage(12_000, 3_000, 400, 50)
SPENT = SpendingReport(
    (SpentRow("react", "glm-5", 3, USAGE, 0.0123), SpentRow("task_1/review", "mini", 2, Usage(100, 0, 10), 0.0, 2)),
    SpentRow("", "", 1, Usage(1, 0, 1), 0.0),
    SpentRow("", "", 6, USAGE, 1.5, 2),
    2.0,
    1.5,
)
AUDITED = (
    AuditRow("2026-11-30T12:00:01.250Z", "react", "write_file", "a.py", "allowed", "mode", "ok", 0.04, True),
    AuditRow(
        "2026-11-30T12:00:02.250Z", "task_1", "execute_command", "rm x y", "denied", "reviewer", "denied", 1.2, True
    ),
)
STORED = tuple(
    SessionRow(f"20261201-00000{number}-aaaaaa", "重构 the whole renderer of tables", 60.0, number, "glm-5", 999)
    for number in range(40)
)
NAMES = sorted({name for name, each in COMMANDS.items() if each.handler is Handler.ANSWER} - {"diff", "undo"})
"""A diff is wrapped as code is; an undo is asked about in a panel."""
QUERIES = CannedQueries(spent=SPENT, audited=AUDITED, stored=STORED)


def answered(name: str, columns: int, language: Language = Language.EN) -> list[Line]:
    command = COMMANDS[name]
    assert command.answer is not None
    ops: list[Op] = []
    found = command.answer(CommandContext(QUERIES, ops.append, Texts(language), {}, columns), "")
    if isinstance(found, ChooseSession):
        return list(found.listed)
    assert isinstance(found, list)
    return found


def texts(shown: list[Line]) -> list[str]:
    return [line.text for line in shown]


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_fits_the_screen_but_for_words_that_fit_nowhere(name: str, language: Language, columns: int) -> None:
    shown = answered(name, columns, language)
    rows = [row.text for line in shown for row in printed_rows(line, columns)]
    assert [row for row in rows if width(row) > columns and len(row.split()) > 1] == []


def test_cost_takes_two_lines_a_row_where_its_table_is_too_wide() -> None:
    assert texts(answered("cost", 60)) == [
        "Usage and cost:",
        "  react  glm-5",
        "    requests 3 · in 12,000 · cached 3,000 · out 400 · thinking 50 · cost $0.0123",
        "  task_1/review  mini",
        "    requests 2 · in 100 · cached 0 · out 10 · thinking 0 · cost price unknown",
        "  reviews of commands",
        "    requests 2 · in 100 · cached 0 · out 10 · thinking 0 · cost price unknown",
        "  this turn",
        "    requests 1 · in 1 · cached 0 · out 1 · thinking 0 · cost $0",
        "  session",
        "    requests 6 · in 12,000 · cached 3,000 · out 400 · thinking 50 · cost $1.50 + 2 requests of unknown price",
        "Limit $2.00, spent since the start $1.50",
    ]


def test_context_has_no_bars_on_a_narrow_screen() -> None:
    assert texts(answered("context", 40))[1:4] == [
        "  system prompt    300    0.3%",
        "  PAI.md           200    0.2%",
        "  conversation   1,500    1.5%",
    ]
    assert "█" in answered("context", 80)[1].text


def test_the_audit_says_what_it_was_about_on_a_line_of_its_own() -> None:
    assert texts(answered("audit", 60))[:4] == [
        "  11-30 12:00:01  react  write_file",
        "    allowed · mode · ok 0.0s  a.py",
        "  11-30 12:00:02  task_1  execute_command",
        "    denied · review · denied 1.2s  rm x y",
    ]


def test_sessions_are_short_rows_and_the_older_ones_are_named() -> None:
    shown = texts(answered("sessions", 60))
    assert len([row for row in shown if "turn" in row]) == 30
    assert shown[1].endswith("1 turn   重构 the whole renderer of t…")
    assert shown[30:] == [
        "10 older sessions: /resume offers them, paicli sessions lists all",
        "/resume NUMBER or ID goes on with one of them, /fork makes a copy from here",
    ]
