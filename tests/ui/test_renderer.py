import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import (
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanningStarted,
    PlanRejected,
    PlanReviewed,
    PlanStarted,
    ReplanTriggered,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    BudgetExhausted,
    CommandReviewed,
    DeltaKind,
    DiagnosticsFound,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyReceived,
    ModelReplyRestarted,
    ModelRequestStarted,
    ModelRetryScheduled,
    Notice,
    NoticeLevel,
    Origin,
    QueueTaken,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
    UrlRefused,
)
from paicli.core.faults import Fault
from paicli.core.messages import (
    ChatResponse,
    CommandRun,
    FileRead,
    FileWritten,
    Listing,
    TodoItem,
    ToolDetail,
    ToolOutcome,
)
from paicli.core.ops import ApprovalDecision, Mode, ReviewDecision, TurnKind
from paicli.core.plan_view import PlanChanges, PlanEnding, PlanReport, PlanStatus, SkipReason, TaskStatus
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.answer_stream import AnswerStream
from paicli.ui.rendering.folds import FoldShelf
from paicli.ui.rendering.plan_lines import folded, revision_lines, unfolded
from paicli.ui.rendering.renderer import EventRenderer
from paicli.ui.rendering.styled import Line, Painter, Style, fitted_rows, line
from paicli.ui.rendering.task_order import TaskOrder
from paicli.ui.rendering.theme import DARK
from tests.ui.fake_engine import event_of, plan_of

ZH, EN = Texts(Language.ZH), Texts(Language.EN)
PLAIN = Painter(ColorUse.NEVER)


def transcript(events: Iterable[Event], texts: Texts = ZH, painter: Painter = PLAIN) -> list[str]:
    """The lines a live terminal prints above its prompt."""
    order, renderer, stream = TaskOrder(), EventRenderer(texts), AnswerStream(texts)
    printed = [
        committed
        for event in events
        for ordered in order.accept(event)
        for shown in renderer.show(ordered)
        for committed in stream.accept(shown)
    ]
    return painter.block(printed).splitlines()


def of(body: EventBody, *, task: str = "", actor: str = "react") -> Event:
    return event_of(body, Origin("turn_1", task or actor, "plan_1" if task else "", 1 if task else 0, task))


def reply(text: str, *, task: str = "", actor: str = "react", purpose: str = "step") -> list[Event]:
    return [
        of(ModelRequestStarted(1, 2, (), purpose), task=task, actor=actor),
        *(of(ModelDelta(DeltaKind.TEXT, text[at : at + 3]), task=task, actor=actor) for at in range(0, len(text), 3)),
        of(ModelReplyReceived(ChatResponse(text), 0.1), task=task, actor=actor),
    ]


def call(name: str, arguments: str, detail: ToolDetail | None, **more: object) -> list[Event]:
    outcome = more.get("outcome", ToolOutcome.OK)
    assert isinstance(outcome, ToolOutcome)
    finished = ToolFinished("c1", name, outcome, str(more.get("content", "ok")), detail, 0.1)
    return [of(ToolStarted("c1", name, arguments)), of(finished)]


def plan_turn() -> list[Event]:
    """Read and check side by side, then write; the check fails, the last task is skipped."""
    view = plan_of("make it", {"task_1": (), "task_2": (), "task_3": ("task_1",), "task_4": ("task_2",)})
    statuses = [TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.COMPLETED, TaskStatus.SKIPPED]
    results = ["read all", "", "wrote it", ""]
    tasks = [
        task._replace(status=status, result=result)
        for task, status, result in zip(view.tasks, statuses, results, strict=True)
    ]
    tasks[1] = tasks[1]._replace(error="no answer")
    tasks[3] = tasks[3]._replace(skip_reason=SkipReason.DEPENDENCY_FAILED, skip_cause="task_2")
    report = PlanReport(view._replace(tasks=tuple(tasks), status=PlanStatus.FAILED), PlanEnding.PARTIAL, rounds=2)
    return [
        of(TurnStarted(TurnKind.PLAN, "make it", Mode.AUTO)),
        of(PlanningStarted("make it", PlanCause.GOAL)),
        of(ModelRequestStarted(1, 2, (), "plan"), actor="planner"),
        of(ModelDelta(DeltaKind.THINKING, "two parts\nthen one"), actor="planner"),
        of(ModelDelta(DeltaKind.TEXT, '{"tasks": []}'), actor="planner"),
        of(PlanCreated(view, PlanCause.GOAL)),
        of(PlanReviewed("r1", ReviewDecision.EXECUTE)),
        of(PlanStarted(view)),
        of(RoundStarted(("task_1", "task_2"))),
        of(TaskStarted("do task_2", False), task="task_2"),
        of(TaskStarted("do task_1", False), task="task_1"),
        *reply("read all", task="task_1"),
        of(TaskCompleted("read all"), task="task_1"),
        of(TaskFailed(Fault("x.unknown", (("what", "no answer"),))), task="task_2"),
        of(TaskSkipped(SkipReason.DEPENDENCY_FAILED, "task_2"), task="task_4"),
        of(RoundCommitted(("task_1",), ("task_2",), 0.25)),
        of(RoundStarted(("task_3",))),
        of(TaskStarted("do task_3", True), task="task_3"),
        *reply("wrote it", task="task_3"),
        of(TaskCompleted("## Result\n**wrote** `it`"), task="task_3"),
        of(RoundCommitted(("task_3",), (), 0.5)),
        of(PlanFinished(report)),
        of(TurnFinished(TurnStatus.PARTIAL, "the whole summary")),
    ]


def test_a_whole_plan_turn_reads_in_order() -> None:
    shown = transcript(plan_turn())
    assert shown[:17] == [
        "📋 使用 Plan-and-Execute 模式",
        "📋 正在规划任务: make it",
        "规划只依据本条输入和 PAI.md",
        "🧠 two parts",
        "then one",
        "🚀 开始执行计划...",
        "⚡ 本轮并行执行 2 个任务: task_1, task_2",
        "▶️ 并行任务 [task_1]: do task_1",
        "read all",
        "✅ 完成 [task_1]: read all",
        "▶️ 并行任务 [task_2]: do task_2",
        "❌ 失败 [task_2]: x.unknown what=no answer",
        "⏭️ 跳过 [task_4]: 依赖的任务 task_2 失败",
        "▶️ 执行任务 [task_3]: do task_3",
        "wrote it",
        "✅ 完成 [task_3]: Result wrote it",
        "⚠️ 计划部分完成,有任务失败。",
    ]
    assert "任务 task_4 已跳过: 依赖的任务 task_2 失败" in shown
    assert "the whole summary" not in shown


def test_the_same_turn_in_english_has_no_chinese_of_ours() -> None:
    shown = transcript(plan_turn(), EN)
    assert shown[0] == "📋 Using Plan-and-Execute mode"
    assert not [text for text in shown if any("\u4e00" <= letter <= "\u9fff" for letter in text)]


def test_a_leaf_that_was_printed_with_its_round_is_not_printed_again() -> None:
    view = plan_of("go", {"task_1": (), "task_2": ()})
    done = tuple(task._replace(status=TaskStatus.COMPLETED, result=f"{task.id} result") for task in view.tasks)
    report = PlanReport(view._replace(tasks=done, status=PlanStatus.COMPLETED), PlanEnding.COMPLETED)
    events = [
        of(RoundStarted(("task_1", "task_2"))),
        *reply("task_1 result", task="task_1"),
        of(TaskCompleted("task_1 result"), task="task_1"),
        of(TaskCompleted("task_2 result"), task="task_2"),
        of(RoundCommitted(("task_1", "task_2"), (), 1.0)),
        of(PlanFinished(report)),
    ]
    shown = transcript(events)
    assert shown.count("[task_1] task_1 result") == 0
    assert shown.count("[task_2] task_2 result") == 1


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (call("read_file", '{"path":"src/a.py"}', FileRead("src/a.py", 1, 120)), ["● read_file src/a.py  → 120 lines"]),
        (
            call("read_file", '{"path":"a"}', FileRead("a", 1, 3, "gb18030")),
            ["● read_file a  → 3 lines (gb18030)"],
        ),
        (
            call("execute_command", '{"command":"npm\\n test"}', CommandRun("npm test", 1, 2.04)),
            ["● execute_command npm test  → exit 1 · 2.0 s"],
        ),
        (
            call("execute_command", '{"command":"x"}', CommandRun("x", -9, 1.0)),
            ["● execute_command x  → 被信号 9 终止 · 1.0 s"],
        ),
        (
            call("execute_command", '{"command":"a | b"}', CommandRun("a | b", 0, 1.0, (1, 0))),
            ["● execute_command a | b  → exit 0(各段 1 0)· 1.0 s"],
        ),
        (call("grep_code", '{"pattern":"x"}', Listing("grep", 7, True)), ["● grep_code x  → 7 处匹配(已截断)"]),
        (
            call("edit_file", '{"path":"a"}', FileWritten("a", "@@ -1 +1 @@\n-a\n+b", 1, 1)),
            ["● edit_file a  → +1 -1", "    1 - a", "    1 + b"],
        ),
        (
            call("read_file", '{"path":"x"}', None, outcome=ToolOutcome.FAILED, content="没有这个文件\n更多"),
            ["● read_file x  → 失败: 没有这个文件"],
        ),
        (
            call("write_file", "not json", None, outcome=ToolOutcome.DENIED, content="no"),
            ["● write_file  → 已拒绝: no"],
        ),
        (
            [of(ModelRetryScheduled(2, 5, 3.0, Fault("x.y")))],
            ["第 2/5 次重试,3 s 后 (x.y)"],
        ),
        (
            [of(TodoUpdated((TodoItem("a", "completed"), TodoItem("b", "in_progress"), TodoItem("c", "pending"))))],
            ["任务清单:", "  ✓ a", "  ◐ b", "  ○ c"],
        ),
        ([of(CommandReviewed("c1", "make\n it", True, "", "reviewer"))], ["auto 已放行: make it"]),
        (  # C84: nothing of a command vanishes from what was allowed or refused
            [of(CommandReviewed("c1", "make \U000e0041\u202ex\x1b[2J", True, "", "reviewer"))],
            ["auto 已放行: make <U+E0041><U+202E>x^[[2J"],
        ),
        (
            [of(CommandReviewed("c1", "sudo \u200bls", False, "policy.command_privilege", "guard"))],
            ["auto 已拦截: 已拒绝 sudo <U+200B>ls: 不能使用 sudo、su 等提权命令"],
        ),
        ([of(CommandReviewed("c1", "ls", True, "", "plain_reading"))], []),
        ([of(CommandReviewed("c1", "rm x", False, "deletes", "reviewer"))], ["auto 已拦截: deletes"]),
        (
            [of(CommandReviewed("c1", "sudo\n ls", False, "policy.command_privilege", "guard"))],
            ["auto 已拦截: 已拒绝 sudo ls: 不能使用 sudo、su 等提权命令"],
        ),
        (
            [of(UrlRefused("http://a.example/x", "policy.url_untrusted"))],
            ["URL 已拒绝: http://a.example/x(不是你本轮写下的,也不是搜索到的)"],
        ),
        ([of(BudgetExhausted("steps"))], ["⚠️ 已达到步数上限,不再调用工具"]),
        ([of(BudgetExhausted("brand_new"))], ["notice.budget.brand_new"]),
        ([of(DiagnosticsFound("a.py", ("1:2 bad",)))], ["a.py 有 1 处新的语法问题", "    1:2 bad"]),
        ([of(Notice(Fault("no.such", (("a", "1"),)), NoticeLevel.ERROR))], ["no.such a=1"]),
        ([of(QueueTaken(("one", "two"), "turn"))], ["> one", "> two"]),
        ([of(QueueTaken(("one",), "input"))], []),
        ([of(ReplanTriggered(1, 2, ("task_1",), 0.0))], ["🔄 尝试重新规划(第 1/2 次)..."]),
        (
            [of(TurnFinished(TurnStatus.FAILED, "", Fault("plan.invalid.empty")))],
            ["❌ 执行失败: 计划必须包含非空 JSON 对象"],
        ),
        ([of(TurnFinished(TurnStatus.CANCELLED, ""))], ["⏹️ 已取消。"]),
        (
            [of(PlanReviewed("r", ReviewDecision.CANCEL)), of(TurnFinished(TurnStatus.CANCELLED, ""))],
            ["⏹️ 已取消本次计划执行。"],
        ),
        ([of(TurnFinished(TurnStatus.PARTIAL, "not streamed\nyet", was_streamed=False))], ["not streamed", "yet"]),
        (
            [of(PlanRejected(Fault("plan.invalid.tasks"), PlanCause.FEEDBACK))],
            ["❌ 修改后的计划无效: 计划 tasks 必须是非空数组", "仍保留修改前的计划。"],
        ),
        ([of(PlanRejected(Fault("plan.invalid.tasks"), PlanCause.GOAL))], []),
        (
            [
                of(ApprovalRequested("r1", "c1", "write_file", "{}")),
                of(ApprovalDecided("r1", ApprovalDecision.DENY)),
            ],
            ["❌ 已拒绝: write_file"],
        ),
        (
            [
                of(ApprovalRequested("r1", "c1", "write_file", "{}")),
                of(ApprovalDecided("r1", ApprovalDecision.DENY, "put it\nelsewhere\x1b[2J")),
            ],
            ["❌ 已拒绝: write_file · put it elsewhere^[[2J"],
        ),
        (
            [
                of(ApprovalRequested("r1", "c1", "write_file", "{}")),
                of(ApprovalDecided("r1", ApprovalDecision.DENY, "approval.nobody", by="nobody")),
            ],
            ["❌ 已拒绝: write_file"],
        ),
    ],
)
def test_an_event_reads(events: list[Event], expected: list[str]) -> None:
    assert transcript(events) == expected


def test_a_persons_own_command_shows_its_output() -> None:
    events = [
        of(TurnStarted(TurnKind.SHELL, "ls", Mode.AUTO)),
        *call("execute_command", '{"command":"ls"}', CommandRun("ls", 0, 0.1), content="a\nb\n"),
    ]
    assert transcript(events) == ["● execute_command ls  → exit 0 · 0.1 s", "a", "b"]


def written(line_count: int) -> list[Event]:
    diff = f"--- /dev/null\n+++ b/a\n@@ -0,0 +1,{line_count} @@\n"
    diff += "\n".join(f"+line {number}" for number in range(line_count))
    return call("write_file", '{"path":"a"}', FileWritten("a", diff, line_count, 0, is_new=True))


def test_a_long_diff_is_folded_and_can_be_unfolded_whole() -> None:
    shelf = FoldShelf()
    renderer = EventRenderer(ZH, shelf=shelf)
    shown = [part.text for event in written(45) for part in renderer.show(event) if isinstance(part, Line)]
    whole = [f"    {number + 1:>2} + line {number}" for number in range(45)]
    assert shown == ["● write_file a  → 新文件 +45", *whole[:30], "… 还有 15 行(Ctrl+O 展开)"]
    assert [line.text for line in shelf.unfold()] == whole
    assert shelf.unfold() == []


def test_without_a_key_to_unfold_none_is_named() -> None:
    assert transcript(written(45))[-1] == "… 还有 15 行"
    assert len(transcript(written(30))) == 31


def test_folded_things_unfold_from_the_last_to_the_first() -> None:
    shelf = FoldShelf()
    shelf.put([line("older")])
    shelf.put([line("newer")])
    assert [shelf.unfold(), shelf.unfold(), shelf.unfold()] == [[line("newer")], [line("older")], []]


def test_a_failed_command_shows_its_last_lines_and_unfolds_its_output() -> None:
    shelf = FoldShelf()
    renderer = EventRenderer(ZH, shelf=shelf)
    tail = "".join(f"out {number}\n" for number in range(9))
    events = call(
        "execute_command",
        '{"command":"make"}',
        CommandRun("make", 2, 1.0, tail=tail),
        outcome=ToolOutcome.FAILED,
        content="everything\nit said",
    )
    shown = [part.text for event in events for part in renderer.show(event) if isinstance(part, Line)]
    assert shown == ["● execute_command make  → exit 2 · 1.0 s", *(f"    out {number}" for number in range(4, 9))]
    assert [line.text for line in shelf.unfold()] == [shown[0], "everything", "it said"]


def test_a_long_output_of_a_persons_own_command_is_folded() -> None:
    shelf = FoldShelf()
    renderer = EventRenderer(ZH, shelf=shelf)
    output = [str(number) for number in range(250)]
    events = [
        of(TurnStarted(TurnKind.SHELL, "seq 250", Mode.AUTO)),
        *call("execute_command", "{}", CommandRun("seq", 0, 0.1), content="\n".join(output)),
    ]
    shown = [part.text for event in events for part in renderer.show(event) if isinstance(part, Line)]
    assert shown[1:] == [*output[:200], "… 还有 50 行(Ctrl+O 展开)"]
    assert [line.text for line in shelf.unfold()] == output


def test_every_refusal_of_a_url_says_why_in_both_languages() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[2] / "src").rglob("*.py"))
    codes = set(re.findall(r'PolicyDenied\("([\w.]+)", [^)]*\burl=', source))
    assert "web.redirect_refused" in codes
    for language in Language:
        texts = Texts(language)
        assert [code for code in codes if not texts.has(f"notice.url_why.{code.rpartition('.')[2]}")] == []


def test_what_tasks_side_by_side_do_stands_below_their_lines_and_what_is_told_at_once_names_its_task() -> None:
    started = ToolStarted("c1", "read_file", '{"path":"a"}')
    finished = ToolFinished("c1", "read_file", ToolOutcome.OK, "", FileRead("a", 1, 3), 0.1)
    events = [
        of(RoundStarted(("task_1", "task_2"))),
        of(TaskStarted("one", False), task="task_1"),
        of(TaskStarted("two", False), task="task_2"),
        of(started, task="task_2"),
        of(CommandReviewed("c2", "make", True, "", "reviewer"), task="task_1"),
        of(finished, task="task_2"),
        of(TaskCompleted("done"), task="task_2"),
        of(TaskCompleted("done"), task="task_1"),
        of(RoundCommitted(("task_1", "task_2"), (), 0.5)),
        of(RoundStarted(("task_3",))),
        of(TaskStarted("three", True), task="task_3"),
        of(started, task="task_3"),
        of(finished, task="task_3"),
    ]
    assert transcript(events)[1:] == [
        "[task_1] auto 已放行: make",
        "▶️ 并行任务 [task_1]: one",
        "✅ 完成 [task_1]: done",
        "▶️ 并行任务 [task_2]: two",
        "  ● read_file a  → 3 lines",
        "✅ 完成 [task_2]: done",
        "▶️ 执行任务 [task_3]: three",
        "● read_file a  → 3 lines",
    ]


def test_streams_of_planner_text_reviews_and_summaries_are_not_shown() -> None:
    hidden = [
        *reply('{"tasks": 1}', actor="planner", purpose="plan"),
        *reply('{"decision":"allow"}', actor="review", purpose="review"),
        *reply("a summary", actor="react", purpose="summary"),
    ]
    assert transcript(hidden) == []


def test_an_answer_that_starts_again_says_so_between_its_two_texts() -> None:
    events = [
        of(ModelRequestStarted(1, 2, ())),
        of(ModelDelta(DeltaKind.TEXT, "half an ans")),
        of(ModelReplyRestarted()),
        of(ModelDelta(DeltaKind.TEXT, "whole")),
        of(ModelReplyReceived(ChatResponse("whole"), 0.1)),
    ]
    assert transcript(events) == ["half an ans", "以上未完成的回答作废,重新生成", "whole"]


MARKUP = [
    "[/nope]",
    "error [/usr/lib/x.csproj]",
    "{p}/{t}[/{n}...]/read",
    "a[0] [bold]x",
    "[link=http://x]y[/link]",
    "[red]hi",
    "\\[x]",
]


@pytest.mark.parametrize("foreign", MARKUP)
def test_foreign_text_stands_there_letter_for_letter(foreign: str) -> None:  # C47
    fault = Fault("error.nowhere", (("what", foreign),))
    places: dict[str, list[Event]] = {
        "model text": reply(foreign),
        "tool name and subject": call(foreign, f'{{"path": "{foreign.replace(chr(92), chr(92) * 2)}"}}', None),
        "tool result": call("x", "{}", None, outcome=ToolOutcome.FAILED, content=foreign),
        "fault": [of(TurnFinished(TurnStatus.FAILED, "", fault))],
        "goal": [of(PlanningStarted(foreign, PlanCause.GOAL))],
        "echo": [of(QueueTaken((foreign,), "turn"))],
        "result": [of(TaskCompleted(foreign), task="task_1")],
    }
    for place, events in places.items():
        assert foreign in "\n".join(transcript(events)), place


def test_foreign_sequences_never_reach_the_terminal_in_color_either() -> None:  # C48
    painter = Painter(ColorUse.ALLOWED)
    hostile = "A\x1b]52;c;YQ==\x07B\x1b[2JC\x9b2JD"
    events = [
        *reply(hostile),
        *call("read_file", '{"path":"A\\u001b[2JB"}', None, outcome=ToolOutcome.FAILED, content=hostile),
        of(TaskStarted(hostile, True), task="task_1"),
        of(TurnFinished(TurnStatus.FAILED, "", Fault("x", (("a", hostile),)))),
    ]
    shown = "\n".join(transcript(events, painter=painter))
    without_ours = shown.replace("\x1b[0m", "")
    for look in DARK.looks.values():
        without_ours = without_ours.replace(f"\x1b[{look.printed}m", "")
    assert all(letter.isprintable() or letter in "\n\t" for letter in without_ours)
    assert "ABCD" in shown


def test_ascii_output_has_no_glyph_of_ours() -> None:
    shown = transcript(plan_turn(), EN, Painter(ColorUse.NEVER, is_ascii=True))
    assert all(text.isascii() for text in shown)
    assert shown[5] == "[start] Running the plan..."


def test_the_folded_review_cuts_its_goal_at_48_columns_and_its_ids_at_five() -> None:
    view = plan_of("把这个项目的所有接口都加上单元测试并且写一份报告然后发布", {f"task_{n}": () for n in range(1, 8)})
    shown = [line.text for line in folded(view, None, ZH)]
    assert shown == [
        "目标: 把这个项目的所有接口都加上单元测试并且写一份报…",
        "任务数: 7",
        "轮数: 1",
        "当前可执行: 7",
        "首轮: task_1, task_2, task_3, task_4, task_5, …",
        "末轮: task_1, task_2, task_3, task_4, task_5, …",
    ]


def test_what_a_review_added_to_the_goal_is_shown_in_the_screens_words() -> None:
    view = plan_of("look\n补充要求:and change it", {"task_1": ()})
    assert folded(view, None, EN)[0].text == "Goal: look added: and change it"
    assert folded(view, None, ZH)[0].text == "目标: look 补充要求:and change it"


def test_the_unfolded_review_shows_every_task_by_rounds() -> None:
    view = plan_of("go", {"task_1": (), "task_2": ("task_1",)})
    assert [line.text for line in unfolded(view, EN)] == [
        "Goal: go",
        "Summary: a summary",
        "Round 1",
        "  ⏳ task_1 [ANALYSIS] no dependencies",
        "     do task_1",
        "Round 2",
        "  ⏳ task_2 [ANALYSIS] after: task_1",
        "     do task_2",
    ]


def test_a_long_description_stays_under_its_task() -> None:
    plan = plan_of("go", {"task_1": ()})
    long = plan._replace(tasks=(plan.tasks[0]._replace(description="read the whole README"),))
    rows = [row.text for whole in unfolded(long, EN) for row in fitted_rows(whole, 20)]
    assert rows[-2:] == ["     read the whole", "     README"]


def test_a_revision_names_what_it_did() -> None:
    changes = PlanChanges(kept=("task_1",), changed=("task_2",), removed=("task_3", "task_4"))
    assert revision_lines(changes, ZH) == [line("保留: task_1 · 修改: task_2 · 删除: task_3, task_4", Style.ACCENT)]


def test_why_a_plan_failed_is_said_once() -> None:
    fault = Fault.of("plan.invalid.cycle", path="a → a")
    report = PlanReport(
        plan_of("x", {"task_1": ()}), PlanEnding.REPLAN_FAILED, fault_code=fault.code, fault_fields=fault.fields
    )
    failed = TurnFinished(TurnStatus.FAILED, "text", fault)
    events = [of(TurnStarted(TurnKind.PLAN, "x", Mode.AUTO)), of(PlanFinished(report)), of(failed)]
    assert [row for row in transcript(events) if "执行失败" in row] == ["❌ 执行失败: 计划中存在循环依赖: a → a"]
    again = [*events, of(TurnStarted(TurnKind.PLAN, "y", Mode.AUTO)), of(failed)]
    assert len([row for row in transcript(again) if "执行失败" in row]) == 2


@pytest.mark.parametrize(("asked", "rows"), [("@@ -1 +1 @@\n-x\n+y\n", 0), ("@@ -1 +1 @@\n-x\n+z\n", 2)])
def test_a_diff_that_was_asked_about_is_not_shown_again_unless_it_is_another(asked: str, rows: int) -> None:
    started, finished = call("edit_file", '{"path":"a"}', FileWritten("a", "@@ -1 +1 @@\n-x\n+y\n", 1, 1))
    request = ApprovalRequested("r1", "c1", "edit_file", '{"path":"a"}', FileWritten("a", asked, 1, 1))
    shown = transcript([started, of(request), of(ApprovalDecided("r1", ApprovalDecision.ALLOW)), finished])
    assert shown[0] == "✓ 已允许: edit_file"
    assert shown[1].startswith("● edit_file a")
    assert len(shown) == 2 + rows
