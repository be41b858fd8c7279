from paicli.core.catalogue.lookup import Language, Texts
from paicli.ui.command import GoOn
from paicli.ui.live.panels import Closed, StillOpen
from paicli.ui.queries import SessionRow
from paicli.ui.rendering.styled import width
from paicli.ui.stored.session_list import SessionListPanel

ROWS = tuple(
    SessionRow(f"s{number}", f"标题 {number} of a long session with many words", 60.0 * number, number, "m", 9)
    for number in range(12)
)


def panel(rows: tuple[SessionRow, ...] = ROWS) -> tuple[SessionListPanel, list[GoOn]]:
    taken: list[GoOn] = []
    return SessionListPanel(rows, Texts(Language.EN), take=taken.append), taken


def test_a_session_is_chosen_by_arrows_and_taken_by_enter() -> None:
    shown, taken = panel()
    shown.rows(80, 8)
    for key in ("down", "down", "up", "x", "end", "pageup"):
        assert shown.press(key) == StillOpen()
    assert shown.press("enter") == Closed()
    assert taken == [GoOn("s6")]


def test_escape_takes_none() -> None:
    shown, taken = panel()
    assert shown.press("escape") == Closed()
    assert taken == []


def test_the_current_session_is_not_offered() -> None:
    shown, taken = panel((ROWS[0]._replace(is_current=True), ROWS[1]))
    shown.press("enter")
    assert taken == [GoOn("s1")]


def test_the_list_fits_a_small_screen_with_the_chosen_row_in_it() -> None:
    shown, _ = panel()
    shown.press("end")
    rows = [row.text for row in shown.rows(40, 6)]
    assert len(rows) <= 6
    assert max(map(width, rows)) <= 40
    assert [row for row in rows if row.startswith("›") and "11 turns" in row]


def test_a_list_that_is_longer_than_the_screen_says_what_is_not_seen() -> None:
    shown, _ = panel()
    assert [row.text for row in shown.rows(80, 8)][-2:] == [
        "  ↓ 7 more",
        "↑↓ choose · Enter goes on with it · ESC closes",
    ]
    for _press in range(6):
        shown.press("down")
    assert [row.text for row in shown.rows(80, 8)][-2] == "  ↑ 4 more · ↓ 3 more"
    assert not [row for row in shown.rows(80, 14) if "more" in row.text]
