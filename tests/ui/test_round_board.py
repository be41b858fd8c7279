from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import (
    PlanStarted,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskStarted,
)
from paicli.core.events import (
    DeltaKind,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    Origin,
    ToolFinished,
    ToolProgressed,
    ToolStarted,
    TurnFinished,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.messages import ChatResponse, ToolCall, ToolOutcome
from paicli.ui.asking.work_view import WorkView
from paicli.ui.facts import ColorUse
from paicli.ui.live.live_view import LiveView
from paicli.ui.live.round_board import RoundBoard
from paicli.ui.rendering.styled import Painter, line, width
from tests.ui.fake_engine import event_of, plan_of

EN = Texts(Language.EN)
VIEW = plan_of("go", {"task_1": (), "task_2": (), "task_3": ("task_1", "task_2")})


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def of(body: EventBody, task: str = "", number: int = 1) -> Event:
    return event_of(body, Origin("turn_1", task or "engine", "plan_1", number, task))


def rows(board: RoundBoard) -> list[str]:
    return [row.text for row in board.rows()]


def test_a_board_follows_each_task_of_a_parallel_round() -> None:
    clock = Clock()
    board = RoundBoard(EN, clock)
    for event in (
        of(PlanStarted(VIEW)),
        of(RoundStarted(("task_1", "task_2"))),
        of(TaskStarted("one", False), "task_1"),
    ):
        board.accept(event)
    clock.now += 65
    assert rows(board) == ["round 1/2 · 0/3 tasks", "  task_1 1m05s · one", "  task_2 ⏳ waiting"]
    assert (board.has("task_1"), board.has("react")) == (True, False)
    board.accept(of(TaskStarted("two", False), "task_2"))
    board.accept(of(ToolStarted("c1", "read_file", '{"path": "a\\u202e.txt"}'), "task_1"))
    board.accept(of(ModelDelta(DeltaKind.TEXT, "x"), "task_2"))
    assert rows(board)[1:] == ["  task_1 1m05s · ● read_file a<U+202E>.txt", "  task_2 0s · answering"]
    with_calls = ChatResponse("", tool_calls=(ToolCall("c2", "x", "{}"),))
    board.accept(of(ModelReplyReceived(with_calls, 0.1), "task_2"))
    assert rows(board)[2] == "  task_2 0s · answering"
    board.accept(of(ModelReplyReceived(ChatResponse("done"), 0.1), "task_2"))
    board.accept(of(ModelRequestStarted(2, 4, ()), "task_1"))
    assert rows(board)[1:] == [
        "  task_1 1m05s · 🧠 thinking",
        "  task_2 ✅ answered, waits for the others of its round",
    ]
    board.accept(of(TaskCompleted("done"), "task_2"))
    board.accept(of(TaskFailed(Fault("x")), "task_1"))
    assert rows(board) == ["round 1/2 · 1/3 tasks", "  task_1 ❌ failed", "  task_2 ✅ done"]
    board.accept(of(RoundCommitted(("task_2",), ("task_1",), 0.3)))
    board.accept(of(RoundStarted(("task_3",)), number=2))
    assert rows(board) == ["round 2/2 · 1/3 tasks"]
    board.accept(of(TurnFinished(TurnStatus.PARTIAL, "")))
    assert rows(board) == []


def view_of(columns: int, height: int) -> LiveView:
    return LiveView(EN, Painter(ColorUse.NEVER), lambda: (columns, height), clock=Clock())


def test_a_command_shows_its_last_lines_unless_its_task_has_a_row_on_the_board() -> None:
    view = view_of(40, 24)
    started = ToolStarted("c1", "execute_command", '{"command": "make 你好你好你好你好你好你好你好"}')
    tail = "".join(f"out {n}\n" for n in range(9)) + "\x1b[2Jlast"
    for event in (event_of(started, Origin("t", "react")), event_of(ToolProgressed("c1", tail), Origin("t", "react"))):
        view.accept(event)
    shown = [row.text for row in view.rows()]
    assert shown[1:] == [*(f"    out {n}" for n in range(5, 9)), "    last"]
    assert (shown[0][:25], width(shown[0]) <= 40) == ("● execute_command make 你好", True)
    view.accept(event_of(ToolFinished("c1", "execute_command", ToolOutcome.OK, "", None, 0.1), Origin("t", "react")))
    assert view.rows() == []
    for event in (
        of(PlanStarted(VIEW)),
        of(RoundStarted(("task_1", "task_2"))),
        of(TaskStarted("one", False), "task_1"),
        of(started, "task_1"),
        of(ToolProgressed("c1", tail), "task_1"),
    ):
        view.accept(event)
    assert len(view.rows()) == 3


def test_the_live_rows_are_never_more_than_the_screen_has_room_for() -> None:
    view = view_of(40, 10)
    view.tail = [line("x" * 400), line("y" * 400)]
    for event in (of(PlanStarted(VIEW)), of(RoundStarted(("task_1", "task_2")))):
        view.accept(event)
    shown = [row.text for row in view.rows()]
    assert len(shown) == 6
    assert shown[-3:] == ["round 1/2 · 0/3 tasks", "  task_1 ⏳ waiting", "  task_2 ⏳ waiting"]


def test_what_is_asked_in_a_tasks_name_is_not_its_answer() -> None:
    board, work = RoundBoard(EN, Clock()), WorkView(EN, Clock())
    running = ToolStarted("c1", "execute_command", '{"command": "make"}')
    reviewer = Origin("turn_1", "task_1/review", "plan_1", 1, "task_1")
    for event in (
        of(PlanStarted(VIEW)),
        of(RoundStarted(("task_1", "task_2"))),
        of(TaskStarted("one", False), "task_1"),
        of(running, "task_1"),
        event_of(ModelRequestStarted(2, 4, ()), reviewer),
        event_of(ModelReplyReceived(ChatResponse("allow"), 0.1), reviewer),
    ):
        board.accept(event)
        work.accept(event)
    assert rows(board)[1] == "  task_1 0s · ● execute_command make"
    assert "task_1" in "".join(row.text for row in work.rows(80, 20) if "▶️" in row.text)
    assert not any("✅" in row.text for row in work.rows(80, 20))
