from collections.abc import Callable

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import UserFacingError
from paicli.core.ops import Op, RestoreFiles, Rewind, RewindScope, TakeSnapshot, UndoTurns
from paicli.ui.command import CommandContext, Confirm, Found
from paicli.ui.live.panels import Closed, Decided, StillOpen
from paicli.ui.rendering.styled import Style, line
from paicli.ui.restoring.commands import answer_restore, answer_snapshot, answer_undo, rewind_asked
from paicli.ui.restoring.confirm_panel import ConfirmPanel
from paicli.ui.restoring.going_back import split_rewind
from paicli.ui.restoring.preview_lines import preview_lines
from paicli.ui.restoring.previews import ChangeKind, FileChange, RestorePreview
from paicli.ui.routing import InputState, Say, route
from tests.fakes.canned_queries import CannedQueries

TEXTS = Texts(Language.EN)


class NothingToUndo(CannedQueries):
    def undo_preview(self, turn_count: int, from_turn: str) -> RestorePreview:
        raise UserFacingError("snapshots.nothing_to_undo")


def context(queries: CannedQueries | None = None, submitted: list[Op] | None = None) -> CommandContext:
    return CommandContext(queries or CannedQueries(), (submitted if submitted is not None else []).append, TEXTS)


def text_of(found: Found) -> str:
    assert isinstance(found, list)
    return "\n".join(line.text for line in found)


@pytest.mark.parametrize(
    ("answer", "argument", "op"),
    [
        (answer_undo, "", UndoTurns(1)),
        (answer_undo, "3", UndoTurns(3)),
        (answer_restore, "7", RestoreFiles("7")),
    ],
)
def test_files_come_back_only_after_a_yes(
    answer: Callable[[CommandContext, str], Found], argument: str, op: Op
) -> None:
    submitted: list[Op] = []
    found = answer(context(submitted=submitted), argument)
    assert isinstance(found, Confirm)
    assert (found.op, submitted) == (op, [])


@pytest.mark.parametrize("argument", ["0", "x", "-1", "1 2", "٣"])
def test_undo_takes_a_number(argument: str) -> None:
    assert "Usage: /undo" in text_of(answer_undo(context(), argument))


def test_restore_alone_lists_the_snapshots_newest_first() -> None:
    shown = text_of(answer_restore(context(), "")).splitlines()
    assert shown[1].split()[0] == "2"
    assert shown[1].endswith("second  (1 file changed)")
    assert shown[2].split()[0] == "1"


def test_a_snapshot_at_the_persons_word_is_an_op() -> None:
    submitted: list[Op] = []
    answer_snapshot(context(submitted=submitted), "")
    assert submitted == [TakeSnapshot()]


@pytest.mark.parametrize("command", ["/undo", "/restore 1", "/snapshot"])
def test_nothing_is_put_back_while_a_turn_runs(command: str) -> None:
    assert route(command, InputState(is_running=True)) == Say("session.busy")


def test_going_back_with_nothing_to_undo_takes_the_conversation_alone() -> None:
    back = Rewind("turn_1", RewindScope.BOTH)
    assert rewind_asked(context(NothingToUndo()), back) == Rewind("turn_1")
    assert isinstance(rewind_asked(context(), back), Confirm)
    with pytest.raises(UserFacingError):
        rewind_asked(context(NothingToUndo()), Rewind("turn_1", RewindScope.FILES))


def test_the_preview_names_what_would_be_lost_and_shows_names_as_they_are() -> None:
    preview = RestorePreview(
        "4",
        (FileChange("a\nb\x1b[2J", ChangeKind.ADD, 2, 0), FileChange("c", ChangeKind.REMOVE, 0, 1)),
        ("do\nmore",),
        by_person=("c",),
        in_the_way=("log",),
        left_out=("big",),
    )
    shown = "\n".join(line.text for line in preview_lines(preview, TEXTS))
    assert "\x1b" not in shown
    assert "+ a\\nb" in shown
    assert "- c  (-1)" in shown
    assert "that goes too: c" in shown
    assert "no snapshot holds what is there now): log" in shown
    assert shown.splitlines()[1] == "  do"
    assert "can't be told apart" not in shown
    unknown = preview_lines(preview._replace(has_unknown_end=True), TEXTS)
    assert sum("can't be told apart" in line.text for line in unknown) == 1


NOT_DONE = Closed((line("Nothing was changed", Style.DIM),))


@pytest.mark.parametrize(
    ("key", "outcome"),
    [
        ("y", Decided(UndoTurns(1))),
        ("enter", Decided(UndoTurns(1))),
        ("n", NOT_DONE),
        ("escape", NOT_DONE),
        ("x", StillOpen()),
        ("paste", StillOpen()),
    ],
)
def test_one_key_answers_the_question(key: str, outcome: object) -> None:
    assert ConfirmPanel(Confirm((), UndoTurns(1)), TEXTS).press(key) == outcome


def test_the_scope_of_going_back_is_a_word_behind_the_number() -> None:
    assert split_rewind("2") == ("2", RewindScope.CONVERSATION)
    assert split_rewind("2 Files") == ("2", RewindScope.FILES)
    assert split_rewind("2 both") == ("2", RewindScope.BOTH)
    assert split_rewind("2 all") == ("2", None)
