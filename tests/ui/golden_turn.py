"""A turn with everything in it, as golden files show it. `python -m tests.ui.golden_turn` writes the files anew."""

from collections.abc import Iterator
from pathlib import Path

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.plans import (
    PlanCause,
    PlanFinished,
    PlanningStarted,
    PlanReviewed,
    PlanStarted,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskSkipped,
    TaskStarted,
)
from paicli.core.events import (
    ApprovalRequested,
    CommandReviewed,
    DeltaKind,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    Notice,
    NoticeLevel,
    Origin,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.messages import (
    ChatResponse,
    CommandRun,
    FileRead,
    FileWritten,
    Listing,
    ProjectCreated,
    TodoItem,
    TodoList,
    ToolDetail,
    ToolOutcome,
)
from paicli.core.ops import Mode, ReviewDecision, TurnKind
from paicli.core.plan_view import PlanEnding, PlanReport, PlanStatus, SkipReason, TaskStatus
from paicli.ui.facts import ColorUse
from paicli.ui.output.pump import OutputPump
from paicli.ui.rendering.approval_lines import approval_lines
from paicli.ui.rendering.plan_lines import folded, unfolded
from paicli.ui.rendering.styled import Line, Painter, line, printed_rows, wrapped
from tests.ui.fake_engine import event_of, plan_of

FOLDER = Path(__file__).parent / "golden"
COLUMNS = (40, 80, 200)
GOAL = "读 pom.xml 并修好 Orders 的分页 👩‍💻, then check it"
DIFF = """--- a/src/Orders.java
+++ b/src/Orders.java
@@ -8,4 +8,5 @@ class Orders {
     List<Order> page(int number, int size) {
-        return orders.subList(number * size, number * size + size);
+        int from = Math.min(number * size, orders.size()); // 页码越界时返回空列表
+        return orders.subList(from, Math.min(from + size, orders.size()));
     }
 }
@@ -40 +41 @@
-x
+y
"""
ANSWER = """## 结果 **done**

The fix is in `Orders.page`, 见 [docs](https://example.org/a(b)):

1. one
- [x] 边界
  - nested *item*

| 文件 | what changed | + |
|------|:------------:|--:|
| Orders.java | 分页不再越界, and the last page may be short | 2 |
| README | `a|b` | 10 |

```java
int from = 0; // 注释
```

> quoted
> > twice
"""


def of(body: EventBody, task: str = "") -> Event:
    return event_of(body, Origin("turn_1", task or "react", "plan_1" if task else "", 1 if task else 0, task))


def said(text: str, task: str = "", thinking: str = "") -> Iterator[Event]:
    yield of(ModelRequestStarted(1, 2, ()), task)
    if thinking:
        yield of(ModelDelta(DeltaKind.THINKING, thinking), task)
    yield of(ModelDelta(DeltaKind.TEXT, text), task)
    yield of(ModelReplyReceived(ChatResponse(text), 0.1), task)


def called(
    name: str,
    arguments: str,
    detail: ToolDetail | None,
    *,
    task: str = "",
    content: str = "ok",
    outcome: str = "ok",
    fault: Fault | None = None,
) -> Iterator[Event]:
    yield of(ToolStarted("c1", name, arguments), task)
    yield of(ToolFinished("c1", name, ToolOutcome(outcome), content, detail, 0.1, fault=fault), task)


def calls() -> Iterator[Event]:
    yield from called("read_file", '{"path":"src/订单.java"}', FileRead("src/订单.java", 1, 120, "gb18030"))
    yield from called("list_dir", '{"path":"src"}', Listing("list", 12))
    yield from called("glob_files", '{"pattern":"**/*.java"}', Listing("glob", 500, True))
    yield from called("grep_code", '{"pattern":"page\\\\("}', Listing("grep", 3))
    yield from called("edit_file", '{"path":"src/Orders.java"}', FileWritten("src/Orders.java", DIFF, 3, 2))
    yield from called("execute_command", '{"command":"mvn -q test"}', CommandRun("mvn -q test", 0, 3.21))
    failed = CommandRun("mvn -q verify", 1, 2.0, (1, 0), tail="[ERROR] 编译失败\n[ERROR] 1 error\n")
    yield from called("execute_command", '{"command":"mvn -q verify | tail"}', failed, outcome="failed")
    timed_out = CommandRun("sleep 99", -15, 60.0, timed_out=True)
    yield from called("execute_command", '{"command":"sleep 99"}', timed_out, outcome="failed")
    yield from called("execute_command", '{"command":"serve"}', CommandRun("serve", None, 0.1, background_id="bg_1"))
    yield from called("create_project", '{"name":"demo"}', ProjectCreated("demo", "java", ("pom.xml", "a")))
    items = (TodoItem("读", "completed"), TodoItem("改", "in_progress"), TodoItem("test", "pending"))
    yield from called("todo_write", "{}", TodoList(items))
    yield of(TodoUpdated(items))
    outside = Fault.of("policy.path_outside", path="x", resolved="/etc/x")
    yield from called("write_file", '{"path":"x"}', None, outcome="denied", content="已拒绝写入", fault=outside)
    yield from called("read_file", '{"path":"y"}', None, outcome="cancelled")
    yield of(CommandReviewed("c9", "make install", False, "writes outside", "reviewer"))
    yield of(Notice(Fault("turn.was_cancelled"), NoticeLevel.WARNING))


def events() -> Iterator[Event]:
    view = plan_of(GOAL, {"task_1": (), "task_2": (), "task_3": ("task_1", "task_2"), "task_4": ("task_2",)})
    done = [
        task._replace(
            status=TaskStatus.SKIPPED if task.id == "task_4" else TaskStatus.COMPLETED,
            result=f"{task.id} 完成",
            skip_reason=SkipReason.DEPENDENCY_FAILED if task.id == "task_4" else None,
            skip_cause="task_2",
        )
        for task in view.tasks
    ]
    done[1] = done[1]._replace(status=TaskStatus.FAILED, result="", fault=Fault("plan.invalid.empty"))
    report = PlanReport(
        view._replace(tasks=tuple(done), status=PlanStatus.FAILED),
        PlanEnding.PARTIAL,
        rounds=2,
        wall_s=4.1,
        tasks_s=7.25,
        model_calls=6,
        tokens=12_345,
    )
    yield of(TurnStarted(TurnKind.PLAN, GOAL, Mode.AUTO))
    yield of(PlanningStarted(GOAL, PlanCause.GOAL))
    yield of(PlanReviewed("r1", ReviewDecision.EXECUTE))
    yield of(PlanStarted(view))
    yield of(RoundStarted(("task_1", "task_2")))
    yield of(TaskStarted("读 pom.xml", False), "task_1")
    yield of(TaskStarted("find the tests", False), "task_2")
    yield from called("grep_code", '{"pattern":"@Test"}', Listing("grep", 9), task="task_2")
    yield of(CommandReviewed("c8", "ls src", True, "", "reviewer"), "task_1")
    yield from called("read_file", '{"path":"pom.xml"}', FileRead("pom.xml", 1, 50), task="task_1")
    yield from said("A Maven project, 依赖 junit。", "task_1", "先看 pom.xml\nthen\nthe rest\nof it\nand more")
    yield of(TaskCompleted("A Maven project, 依赖 junit。"), "task_1")
    yield of(TaskFailed(Fault("plan.invalid.empty")), "task_2")
    yield of(TaskSkipped(SkipReason.DEPENDENCY_FAILED, "task_2"), "task_4")
    yield of(RoundCommitted(("task_1",), ("task_2",), 0.25))
    yield of(RoundStarted(("task_3",)))
    yield of(TaskStarted("修好分页", True), "task_3")
    yield from calls()
    yield from said(ANSWER, "task_3")
    yield of(TaskCompleted(ANSWER), "task_3")
    yield of(PlanFinished(report))
    yield of(TurnFinished(TurnStatus.PARTIAL, "summary"))


def shown(language: Language, columns: int, *, is_ascii: bool = False) -> str:
    """What stands on a screen of so many columns, row by row."""
    texts = Texts(language)
    printed: list[Line] = []
    pump = OutputPump(texts, columns=lambda: columns, show=lambda new, tail: printed.extend(new))
    view = plan_of(GOAL, {"task_1": (), "task_2": (), "task_3": ("task_1", "task_2")})
    request = ApprovalRequested(
        "r1",
        "c1",
        "edit_file",
        '{"path": "src/Orders\\u202e.java", "old_text": "a"}',
        FileWritten("a", DIFF, 3, 2),
        description="修好分页",
    )
    printed += [*folded(view, None, texts), line(), *unfolded(view, texts), line()]
    printed += [*approval_lines(of(request, "task_3"), request, texts), line()]
    for event in events():
        pump.put(event)
    pump.finish()
    painter = Painter(ColorUse.NEVER, is_ascii=is_ascii)
    plain = [
        Line(tuple(span._replace(text=painter.plain(span.text)) for span in row.spans), row.hang, row.is_prose)
        for row in printed
    ]
    return "".join(
        f"{piece.text}\n" for long in plain for row in printed_rows(long, columns) for piece in wrapped(row, columns)
    )


def path_of(language: Language, columns: int) -> Path:
    return FOLDER / f"{language.value}-{columns}.txt"


def write_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language in Language:
        for columns in COLUMNS:
            path_of(language, columns).write_text(shown(language, columns), encoding="utf-8")


if __name__ == "__main__":
    write_all()
