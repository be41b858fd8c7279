import threading
from pathlib import Path

from tests.e2e.harness import (
    PLANNING,
    actor_of,
    by_actor,
    first_user_text,
    plan_json,
    run_paicli,
    task_of,
)
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, say, status
from tests.patience import PATIENCE_S

JOINED = plan_json(
    ("a", "读取 pom.xml", ()),
    ("b", "列出 main", ()),
    ("c", "列出 test", ()),
    ("d", "读取 README", ()),
    ("e", "汇总", ("a", "b", "c", "d")),
)
CLOSING = "请执行此任务。如果是ANALYSIS或VERIFICATION类型,请基于以上上下文直接给出结果。"


def in_order(text: str, *parts: str) -> bool:
    position = 0
    for part in parts:
        position = text.find(part, position)
        if position < 0:
            return False
    return True


def test_four_tasks_overlap_and_the_join_gets_all_four_results(project: Path, home: Path) -> None:
    together = threading.Barrier(4)

    def task(description: str, request: RecordedRequest) -> Reply:
        if description != "汇总":
            together.wait(PATIENCE_S)  # breaks unless all four requests are there at once
        return say(f"{description}的结果")

    with OpenAiServer(by_actor(plans=[JOINED], tasks=task)) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 了解这个项目\n\n/exit\n")
        requests = server.requests
    assert done.status == 0, done.stderr
    assert [actor_of(request) for request in requests] == ["planner", *["task"] * 5]
    assert len(requests[0].body["messages"]) == 2
    assert first_user_text(requests[0]) == f"{PLANNING}了解这个项目"
    assert "tools" not in requests[0].body
    assert first_user_text(requests[5]) == (
        "总目标:了解这个项目\n当前任务:汇总\n依赖任务结果:\n"
        "- task_1 / 读取 pom.xml / 状态=COMPLETED\n读取 pom.xml的结果\n"
        "- task_2 / 列出 main / 状态=COMPLETED\n列出 main的结果\n"
        "- task_3 / 列出 test / 状态=COMPLETED\n列出 test的结果\n"
        "- task_4 / 读取 README / 状态=COMPLETED\n读取 README的结果\n"
        f"{CLOSING}"
    )
    alone = next(request for request in requests if task_of(request) == "读取 pom.xml")
    assert first_user_text(alone) == f"总目标:了解这个项目\n当前任务:读取 pom.xml\n依赖任务:无\n{CLOSING}"
    assert in_order(
        done.stdout,
        "📋 正在规划任务: 了解这个项目",
        "📝 计划已生成。",
        "🚀 开始执行计划...",
        "⚡ 本轮并行执行 4 个任务: task_1, task_2, task_3, task_4",
        "▶️ 并行任务 [task_1]: 读取 pom.xml",
        "✅ 完成 [task_1]: 读取 pom.xml的结果",
        "▶️ 并行任务 [task_2]",
        "✅ 完成 [task_2]: 列出 main的结果",
        "✅ 完成 [task_3]: 列出 test的结果",
        "✅ 完成 [task_4]: 读取 README的结果",
        "▶️ 执行任务 [task_5]: 汇总",
        "✅ 完成 [task_5]: 汇总的结果",
        "✅ 计划执行完成!",
    )
    assert "\x1b" not in done.stdout


def failing(*names: str):
    """Tasks of these descriptions can't reach the model; the others answer."""

    def task(description: str, request: RecordedRequest) -> Reply:
        if description in names:
            return status(400, {"error": {"message": f"no {description}"}})
        return say(f"{description}做完了")

    return task


def test_below_half_a_failure_is_replanned_with_what_is_done_and_what_is_not(project: Path, home: Path) -> None:
    first = plan_json(("a", "甲", ()), ("b", "乙", ()), ("c", "丙", ("b",)), ("d", "丁", ("c",)))
    second = plan_json(("x", "乙的另一种做法", ()), ("y", "丙", ("x",)))
    script = by_actor(plans=[first, second], tasks=failing("乙"))
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n\n\n/exit\n")
        planning = [request for request in server.requests if actor_of(request) == "planner"]
        tasks = [request for request in server.requests if actor_of(request) == "task"]
    assert done.status == 0, done.stderr
    text = first_user_text(planning[1])
    assert text.startswith(f"{PLANNING}原任务: 目标\n失败原因: ")
    assert "no 乙" in text
    assert "已完成的任务:\n- task_1: 甲\n  结果: 甲做完了\n未完成的任务:\n- task_2: 乙 (FAILED" in text
    assert "- task_3: 丙 (未执行)\n- task_4: 丁 (未执行)\n" in text
    assert in_order(
        done.stdout,
        "❌ 失败 [task_2]: ",
        "🔄 尝试重新规划(第 1/2 次)...",
        "📝 计划已生成。",
        "▶️ 执行任务 [task_1]: 乙的另一种做法",
        "▶️ 执行任务 [task_2]: 丙",
        "✅ 计划执行完成!",
    )
    assert [task_of(request) for request in tasks].count("甲") == 1  # C61
    carried = next(first_user_text(request) for request in tasks if task_of(request) == "乙的另一种做法")
    assert "依赖任务:无\n此前计划已完成:\n" in carried
    assert "甲做完了" in carried
    assert "甲做完了" not in next(first_user_text(request) for request in tasks if task_of(request) == "丙")


def test_at_the_replan_limit_the_rest_is_skipped(project: Path, home: Path) -> None:
    plan = plan_json(("a", "甲", ()), ("b", "乙", ("a",)), ("c", "丙", ("b",)))
    script = by_actor(plans=[plan], tasks=failing("甲"))
    with OpenAiServer(script) as server:
        done = run_paicli(
            project=project, home=home, server=server, stdin="/plan 目标\n\n/exit\n", PAICLI_PLAN_MAX_REPLANS="0"
        )
        seen = [actor_of(request) for request in server.requests]
    assert done.status == 0
    assert seen == ["planner", "task"]
    assert in_order(
        done.stdout,
        "🛑 已达到重新规划上限(0 次),停止执行剩余任务。",
        "⚠️ 计划部分完成,有任务失败。",
        "任务 task_1 失败: ",
        "任务 task_2 已跳过: 已达到重新规划上限",
        "任务 task_3 已跳过: 已达到重新规划上限",
    )


def test_above_half_the_downstream_is_skipped_and_the_rest_goes_on(project: Path, home: Path) -> None:
    plan = plan_json(
        ("a", "甲", ()),
        ("b", "乙", ()),
        ("c", "丙", ("a", "b")),
        ("d", "丁", ("c",)),
        ("e", "戊", ("a",)),
        ("f", "己", ()),
    )
    script = by_actor(plans=[plan], tasks=failing("丙"))
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n\n/exit\n")
        seen = [task_of(request) for request in server.requests]
    assert done.status == 0
    assert sorted(seen[1:]) == sorted(["甲", "乙", "己", "丙", "戊"])
    assert in_order(
        done.stdout,
        "⏭️ 跳过 [task_4]: ",
        "⚠️ 计划部分完成,有任务失败。",
        "已完成的任务结果:",
        "[task_1] 甲做完了",
        "任务 task_3 失败: ",
        "任务 task_4 已跳过: 依赖的任务 task_3 失败",
    )
    assert "🔄" not in done.stdout


def test_a_cancel_in_the_review_of_a_replan_ends_with_what_is_done(project: Path, home: Path) -> None:
    first = plan_json(("a", "甲", ()), ("b", "乙", ()), ("c", "丙", ("b",)))
    script = by_actor(plans=[first, plan_json(("x", "再来", ()))], tasks=failing("乙"))
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n\ncancel\n/exit\n")
        seen = [actor_of(request) for request in server.requests]
    assert done.status == 0
    assert seen.count("planner") == 2
    assert seen.count("task") == 2
    assert in_order(done.stdout, "🔄 尝试重新规划(第 1/2 次)...", "[task_1] 甲做完了", "⏹️ 已取消本次计划执行。")


def test_feedback_revises_the_plan_and_an_invalid_revision_leaves_the_one_that_stood(project: Path, home: Path) -> None:
    first = plan_json(("a", "读取", ()), ("b", "汇总", ("a",)))
    second = plan_json(("a", "读取", ()), ("b", "用表格汇总", ("a",)))
    script = by_actor(plans=[first, "not json", second], tasks=failing())
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n乱来\n汇总时用表格\n\n/exit\n")
        planning = [first_user_text(request) for request in server.requests if actor_of(request) == "planner"]
        tasks = [task_of(request) for request in server.requests if actor_of(request) == "task"]
    assert done.status == 0
    revising = f"{PLANNING}目标\n补充要求:汇总时用表格\n\n下面是用户刚审阅过的当前计划。"
    assert planning[2].startswith(revising)
    assert '"汇总"' in planning[2]
    assert tasks == ["读取", "用表格汇总"]
    assert in_order(done.stdout, "📝 已收到补充要求,正在修改计划...", "计划不是合法的 JSON", "📝 计划已生成。")


def test_an_invalid_plan_fails_at_once_and_runs_nothing(project: Path, home: Path) -> None:  # C57, C58
    with OpenAiServer(by_actor(plans=['{"tasks": []}'], tasks=failing())) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n/exit\n")
        assert len(server.requests) == 1
    assert done.status == 0
    assert "❌ 执行失败: 计划 tasks 必须是非空数组" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_conversation_after_a_plan_knows_goal_and_summary(project: Path, home: Path) -> None:
    script = by_actor(plans=[plan_json(("a", "甲", ()))], tasks=failing(), react=[say("知道了")])
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n\n然后呢\n/exit\n")
        (react,) = [request for request in server.requests if actor_of(request) == "react"]
    assert done.status == 0
    roles = [(message["role"], message["content"]) for message in react.body["messages"][1:]]
    assert roles[0] == ("user", "目标")
    assert roles[1][0] == "assistant"
    assert "甲做完了" in roles[1][1]
    assert roles[2] == ("user", "然后呢")


def test_the_end_of_input_at_the_review_cancels_and_leaves_with_0(project: Path, home: Path) -> None:
    with OpenAiServer(by_actor(plans=[plan_json(("a", "甲", ()))], tasks=failing())) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/plan 目标\n")
        assert len(server.requests) == 1
    assert done.status == 0
    assert "⏹️ 已取消本次计划执行。" in done.stdout
