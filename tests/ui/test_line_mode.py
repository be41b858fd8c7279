import io
import os
import re
import signal
import threading
from collections.abc import Callable

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import PlanStarted
from paicli.core.events import DeltaKind, ModelDelta, ModelRequestStarted, TurnFinished, TurnStatus
from paicli.core.ops import (
    AnswerQuestion,
    ApprovalDecision,
    Cancel,
    DecideApproval,
    DecideReview,
    Mode,
    Op,
    ReviewDecision,
    Rewind,
    RunShell,
    SetMode,
    Submit,
    TurnKind,
)
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.ui.line_mode import LineSession
from tests.fakes.canned_queries import CannedQueries
from tests.patience import PATIENCE_S
from tests.ui.fake_engine import FakeEngine, plan_of

FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 100_000, Mode.AUTO, "zh", color=ColorUse.NEVER)
BANNER = "paicli 0.1 · glm/glm-5 · /w/p\n输入任务,/help 查看命令\n"
VIEW = plan_of("x", {"task_1": (), "task_2": ("task_1",)})
FOLDED = "目标: x\n任务数: 2\n轮数: 2\n当前可执行: 1\n首轮: task_1\n末轮: task_2\n"
KEYS = "📝 计划已生成。回车 / y / run 执行 · /view 展开 · cancel 取消 · /exit 退出 · 其他文字作为补充要求\n"


class Session:
    def __init__(
        self,
        typed: str,
        play: Callable[[FakeEngine, Submit | RunShell], TurnFinished | None],
        *,
        facts: SessionFacts = FACTS,
        language: Language = Language.ZH,
    ) -> None:
        self.engine = FakeEngine(play)
        self.out = io.StringIO()
        self.session = LineSession(
            submit=self.engine.submit,
            texts=Texts(language),
            facts=facts,
            queries=CannedQueries(),
            reader=io.StringIO(typed),
            writer=self.out,
        )
        self.engine.listen = self.session.listen

    def run(self) -> str:
        assert self.session.run() == 0
        return self.out.getvalue()

    @property
    def ops(self) -> list[Op]:
        return self.engine.ops


def nothing(engine: FakeEngine, op: Submit | RunShell) -> None:
    engine.say("ok")


def plan(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    while True:
        answer = engine.ask_review(VIEW)
        if answer.decision is ReviewDecision.CANCEL:
            return TurnFinished(TurnStatus.CANCELLED, "")
        if answer.decision is ReviewDecision.EXECUTE:
            engine.emit(PlanStarted(VIEW))
            return None


def test_a_plan_is_planned_executed_and_left_from_a_pipe() -> None:
    session = Session("/plan x\n\n/exit\n", plan)
    assert session.run() == (
        f"{BANNER}> /plan x\n📋 使用 Plan-and-Execute 模式\n{FOLDED}{KEYS}操作/补充> \n🚀 开始执行计划...\n> /exit\n"
    )
    assert session.ops == [Submit("x", TurnKind.PLAN), DecideReview("request_1", ReviewDecision.EXECUTE)]


@pytest.mark.parametrize(
    ("typed", "decisions"),
    [
        ("y\n", [("execute", "")]),
        ("yes\n", [("execute", "")]),
        ("run\n", [("execute", "")]),
        ("/view\n\n", [("execute", "")]),
        ("cancel\n", [("cancel", "")]),
        ("esc\n", [("cancel", "")]),
        ("/cancel\n", [("cancel", "")]),
        ("", [("cancel", "")]),
        ("/exit\nnever read\n", [("cancel", "")]),
        ("/nonsense\n\n", [("execute", "")]),
        ("add tests\n\n", [("revise", "add tests"), ("execute", "")]),
    ],
)
def test_a_review_reads_its_line(typed: str, decisions: list[tuple[str, str]]) -> None:
    session = Session(f"/plan x\n{typed}", plan)
    session.run()
    answers = [(op.decision.value, op.feedback) for op in session.ops if isinstance(op, DecideReview)]
    assert answers == decisions
    assert [op for op in session.ops if isinstance(op, Submit)] == [Submit("x", TurnKind.PLAN)]


def test_the_view_and_an_unknown_word_are_answered_at_the_review() -> None:
    shown = Session("/plan x\n/view\n/nonsense\n\n", plan).run()
    assert "  ⏳ task_2 [ANALYSIS] 依赖: task_1\n     do task_2\n" in shown
    assert "此处没有命令 /nonsense;" in shown


def test_input_is_never_read_ahead_while_a_turn_runs() -> None:
    read_before_end: list[str] = []

    class Reader(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            text = super().readline()
            if not ended.is_set() and text.startswith("second"):
                read_before_end.append(text)
            return text

    ended = threading.Event()

    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.say("answer")
        ended.set()

    session = Session("", play)
    session.session = LineSession(
        submit=session.engine.submit,
        texts=Texts(Language.ZH),
        facts=FACTS,
        reader=Reader("first\nsecond\n"),
        writer=session.out,
    )
    session.engine.listen = session.session.listen
    session.run()
    assert read_before_end == []
    assert [op.text for op in session.ops if isinstance(op, Submit)] == ["first", "second"]


def test_streamed_text_keeps_its_lines_and_thinking_stands_before_it() -> None:
    session = Session("hi\n", lambda engine, op: engine.say("one\ntwo", thinking="hm"))
    assert session.run() == f"{BANNER}> hi\n🧠 hm\none\ntwo\n> \n"


def test_commands_are_answered_without_a_turn() -> None:
    shown = Session("/mode plan\n/mode\n/frobnicate\n/team x\n/plan\n/help\n/config edit\n/editor\n", nothing).run()
    assert "> /mode plan\n当前模式: plan\n" in shown
    assert "> /frobnicate\n未知命令: /frobnicate" in shown
    assert "/team 尚未提供\n" in shown
    assert "📋 下一条任务将使用 Plan-and-Execute 模式\n" in shown
    assert re.search(r"  /mode \[auto\|plan\|ask\] +查看或切换模式\n", shown)
    assert "/config edit 需要终端\n" in shown
    assert "/editor 需要终端\n" in shown


def test_an_armed_plan_takes_the_next_text_only() -> None:
    session = Session(
        "/plan\none\n\ntwo\n", lambda engine, op: plan(engine, op) if is_plan(op) else nothing(engine, op)
    )
    session.run()
    assert [op for op in session.ops if isinstance(op, Submit)] == [Submit("one", TurnKind.PLAN), Submit("two")]


def is_plan(op: Submit | RunShell) -> bool:
    return isinstance(op, Submit) and op.kind is TurnKind.PLAN


def test_the_mode_of_the_session_follows_its_events() -> None:
    session = Session("/hitl on\n", nothing)
    assert "当前模式: ask" in session.run()
    assert session.ops == [SetMode(Mode.ASK)]


def ask(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    arguments = '{"command": "make \\u001b[8m clean\\n&& rm x"}'
    engine.ask_approval("execute_command", arguments, reason="不确定", task="task_1", description="build")
    return None


@pytest.mark.parametrize(
    ("typed", "decision", "reason"),
    [
        ("\n", ApprovalDecision.ALLOW, ""),
        ("y\n", ApprovalDecision.ALLOW, ""),
        ("a\n", ApprovalDecision.ALLOW_SESSION, ""),
        ("n\n", ApprovalDecision.DENY, ""),
        ("n too big\n", ApprovalDecision.DENY, "too big"),
        ("s\n", ApprovalDecision.SKIP, ""),
        ("esc\n", ApprovalDecision.CANCEL, ""),
        ("what\ny\n", ApprovalDecision.ALLOW, ""),
        ("1\n2\n3\n4\n5\n", ApprovalDecision.DENY, ""),
        ("", ApprovalDecision.DENY, ""),
    ],
)
def test_an_approval_reads_its_line(typed: str, decision: ApprovalDecision, reason: str) -> None:
    session = Session(f"go\n{typed}", ask)
    session.run()
    assert [op for op in session.ops if isinstance(op, DecideApproval)] == [
        DecideApproval("request_1", decision, reason)
    ]


def test_an_approval_shows_tool_task_reason_and_the_whole_command() -> None:  # C48: nothing of it can hide
    shown = Session("go\nn\n", ask).run()
    assert (
        "⚠️ 需要批准: execute_command\n任务 [task_1]: build\n原因: 不确定\n"
        "  command: make ^[[8m clean\n    && rm x\n"
        "y/回车 允许一次 · a 本会话内允许这条命令 · n [原因] 拒绝 · s 跳过 · m 新内容 修改参数 · cancel 取消任务\n"
        "允许? [y/n/a/s/m] n\n❌ 已拒绝: execute_command\n"
    ) in shown


def test_color_is_used_only_where_it_is_allowed() -> None:
    facts = FACTS._replace(color=ColorUse.ALLOWED)
    assert "\x1b[2m" in Session("hi\n", lambda engine, op: engine.say("a", thinking="b"), facts=facts).run()
    assert "\x1b" not in Session("hi\n", lambda engine, op: engine.say("a", thinking="b")).run()


def test_hostile_deltas_are_cleaned_across_their_cuts() -> None:  # C48
    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.emit(ModelRequestStarted(1, 2, ()))
        for piece in "A\x1b]0;evil\x07B\x1b[2JC\rD":
            engine.emit(ModelDelta(DeltaKind.TEXT, piece))

    assert "\nABC^MD\n" in Session("go\n", play).run()


def test_lone_surrogates_typed_or_streamed_do_no_harm() -> None:  # C51
    session = Session("a\ud83db\n", lambda engine, op: engine.say("x\ud83dy"))
    assert "x\ufffdy" in session.run()
    assert session.ops == [Submit("a\ufffdb")]


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_line() -> None:  # C75
    session = Session("\ufeff/help\r\nhi\r\n", lambda engine, op: engine.say("x"))
    session.run()
    assert session.ops == [Submit("hi")]


def test_no_input_at_all_leaves_with_zero() -> None:  # C52
    assert Session("", nothing).run() == f"{BANNER}> \n"
    session = LineSession(
        submit=lambda op: None, texts=Texts(Language.EN), facts=FACTS, reader=None, writer=io.StringIO()
    )
    assert session.run() == 0


def test_a_closed_output_is_no_success() -> None:  # C52
    session = LineSession(
        submit=lambda op: None, texts=Texts(Language.EN), facts=FACTS, reader=io.StringIO("/help\n"), writer=None
    )
    assert session.run() == 1


def test_a_broken_pipe_is_quiet_cancels_and_is_no_success() -> None:  # C52
    read_end, write_end = os.pipe()
    os.close(read_end)
    engine = FakeEngine(nothing)
    with open(write_end, "w") as writer:
        session = LineSession(
            submit=engine.submit, texts=Texts(Language.EN), facts=FACTS, reader=io.StringIO("hi\n"), writer=writer
        )
        engine.listen = session.listen
        assert session.run() == 1
        assert isinstance(engine.ops[-1], Cancel)


def test_one_turn_is_run_and_its_end_returned() -> None:
    finished = TurnFinished(TurnStatus.PARTIAL, "text")
    session = Session("", lambda engine, op: finished)
    assert session.session.run_once(Submit("x", TurnKind.REACT)) == finished


def test_ctrl_c_cancels_the_turn_and_the_session_goes_on() -> None:
    def play(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
        if isinstance(op, Submit) and op.text == "long":
            os.kill(os.getpid(), signal.SIGINT)
            assert engine.cancelled.wait(PATIENCE_S)
            return TurnFinished(TurnStatus.CANCELLED, "")
        return nothing(engine, op)

    session = Session("long\nnext\n", play)
    shown = session.run()
    assert "⏹️ 已取消。\n> next\nok\n" in shown
    assert [type(op) for op in session.ops] == [Submit, Cancel, Submit]


def test_two_ctrl_c_at_an_idle_prompt_leave() -> None:
    class Reader(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            raise KeyboardInterrupt

    out = io.StringIO()
    session = LineSession(
        submit=lambda op: None, texts=Texts(Language.ZH), facts=FACTS, reader=Reader(), writer=out, clock=lambda: 1.0
    )
    assert session.run() == 0
    assert out.getvalue() == f"{BANNER}> \n再按一次 Ctrl+C 退出\n> \n"


def test_a_shell_command_is_a_turn_of_its_own() -> None:
    session = Session("!ls\nhi\n", nothing)
    session.run()
    assert session.ops == [RunShell("ls"), Submit("hi")]


def edit(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    engine.ask_approval("write_file", '{"path":"a","content":"x"}')
    return None


@pytest.mark.parametrize(
    ("play", "typed", "arguments"),
    [
        (ask, 'm {"command": "make test"}\n', '{"command": "make test"}'),
        (edit, 'm\nm {"path"\nm {"path":"b"}\n', '{"path":"b"}'),
    ],
)
def test_arguments_are_changed_on_the_line_of_the_answer(
    play: Callable[[FakeEngine, Submit | RunShell], TurnFinished | None], typed: str, arguments: str
) -> None:
    session = Session(f"go\n{typed}", play)
    session.run()
    decided = [op for op in session.ops if isinstance(op, DecideApproval)]
    assert decided == [DecideApproval("request_1", ApprovalDecision.EDIT, arguments=arguments)]


def test_a_plain_command_is_changed_without_json() -> None:
    def play(engine: FakeEngine, op: Submit | RunShell) -> None:
        engine.ask_approval("execute_command", '{"command":"make","timeout_s":5}', rule="execute_command(make)")

    session = Session("go\nm make test\n", play)
    assert "a 本会话内允许所有 execute_command(make) · n [原因] 拒绝" in session.run()
    decided = [op.arguments for op in session.ops if isinstance(op, DecideApproval)]
    assert decided == ['{"command": "make test", "timeout_s": 5}']


def choose(engine: FakeEngine, op: Submit | RunShell) -> TurnFinished | None:
    engine.ask_question("选哪个?", "甲", "乙")
    return None


@pytest.mark.parametrize(
    ("typed", "op"),
    [
        ("2\n", AnswerQuestion("request_1", "乙")),
        ("7\n", AnswerQuestion("request_1", "7")),
        ("\n都行\n", AnswerQuestion("request_1", "都行")),
        ("cancel\n", Cancel()),
        ("", AnswerQuestion("request_1", "", by="nobody")),
    ],
)
def test_a_question_reads_its_line(typed: str, op: Op) -> None:
    session = Session(f"go\n{typed}", choose)
    shown = session.run()
    assert "❓ 模型提问\n选哪个?\n  1. 甲\n  2. 乙\n输入编号或自己的回答,cancel 取消任务\n回答> " in shown
    assert op in session.ops


def test_rewind_lists_the_turns_and_goes_back_by_number() -> None:
    session = Session("/rewind\none\ntwo\nlines\n/rewind\n/rewind 9\n/rewind 2\n/rewind 2\n", nothing)
    shown = session.run()
    assert [op for op in session.ops if isinstance(op, Rewind)] == [Rewind("turn_2")]
    assert "还没有可以回到的任务" in shown
    assert re.search(
        r"\n1\. \d\d:\d\d  one\n2\. \d\d:\d\d  two\n3\. \d\d:\d\d  lines\n用法: /rewind N \[files\|both\],N 为 1..3\n",
        shown,
    )
    assert "↩️ 对话已回到这一轮之前: two\n" in shown
    assert shown.count("用法: /rewind N [files|both],N 为 1..1") == 1
