import os
import signal
from pathlib import Path

from tests.e2e.harness import (
    Terminal,
    actor_of,
    by_actor,
    first_user_text,
    plan_json,
    task_of,
)
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, delta_event, hang_mid_stream, say

ESC, CTRL_C, CTRL_D, CTRL_O, SHIFT_TAB, ENTER = "\x1b", "\x03", "\x04", "\x0f", "\x1b[Z", "\r"
TWO = plan_json(("a", "读取入口", ()), ("b", "汇总情况", ("a",)))
REVISED = plan_json(("a", "读取入口", ()), ("b", "用表格汇总", ("a",)))


def tasks(description: str, request: RecordedRequest) -> Reply:
    return say(f"{description}好了")


def test_a_plan_from_the_keyboard_review_feedback_and_run(project: Path, home: Path) -> None:
    with (
        OpenAiServer(by_actor(plans=[TWO, REVISED], tasks=tasks)) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("/plan 了解项目")
        terminal.press(ENTER)
        terminal.wait_for("📝 计划已生成。", "Ctrl+O")
        terminal.press("\x1b[A")  # an arrow key is no ESC and no decision
        terminal.press(CTRL_O)
        terminal.wait_for("task_2", "汇总情况", "⏳")
        terminal.press(ESC)
        terminal.wait_for("任务数: 2")  # folded again; an ESC with a letter right behind it would be Alt+letter
        terminal.press("i")
        terminal.wait_for("补充>")
        terminal.press("汇总时用表格")
        terminal.press(ENTER)
        terminal.wait_for(
            "📝 已收到补充要求,正在修改计划...", "保留: task_1 · 新增: task_2 · 删除: task_2", "📝 计划已生成。"
        )
        terminal.press(ENTER)
        terminal.wait_for("✅ 计划执行完成!", "用表格汇总好了")
        assert [actor_of(request) for request in server.requests] == ["planner", "planner", "task", "task"]
        assert "补充要求:汇总时用表格" in first_user_text(server.requests[1])
        assert [task_of(request) for request in server.requests[2:]] == ["读取入口", "用表格汇总"]
        terminal.press("/exit")
        terminal.press(ENTER)
        assert terminal.wait_end() == 0


def test_shift_tab_goes_through_the_modes_and_plan_mode_plans_plain_input(project: Path, home: Path) -> None:
    with (
        OpenAiServer(by_actor(plans=[TWO], tasks=tasks)) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(SHIFT_TAB)
        terminal.wait_for("PLAN shift+tab to cycle")
        terminal.press(SHIFT_TAB)
        terminal.wait_for("ASK shift+tab to cycle")
        terminal.press(SHIFT_TAB)
        terminal.wait_for("AUTO shift+tab to cycle")
        terminal.press(SHIFT_TAB)
        terminal.wait_for("PLAN shift+tab to cycle")
        terminal.press("一个目标")
        terminal.press(ENTER)
        terminal.wait_for("📝 计划已生成。")
        terminal.press(ESC)
        terminal.wait_for("⏹ 已取消本次计划执行。")
        assert [actor_of(request) for request in server.requests] == ["planner"]
        terminal.press(CTRL_D)
        assert terminal.wait_end() == 0


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_esc_ends_a_running_command_with_all_it_started_and_the_session_goes_on(project: Path, home: Path) -> None:
    command = "sh -c 'trap \"\" TERM; echo $$ >inner; echo started; tail -f /dev/null' & wait"
    with (
        OpenAiServer([call("execute_command", {"command": command}), say("接着说")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("跑一下")
        terminal.press(ENTER)
        terminal.wait_until(lambda text: (project / "inner").exists() and "started" in text, "the command's output")
        inner = int((project / "inner").read_text())
        assert is_alive(inner)
        terminal.press(ESC)
        terminal.wait_for("取消")
        terminal.wait_until(lambda text: not is_alive(inner), "the end of the command")
        terminal.press("继续")
        terminal.press(ENTER)
        terminal.wait_for("接着说")
        sent = server.requests[1].body["messages"]
        assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "assistant", "user"]
        terminal.press("/exit")
        terminal.press(ENTER)
        assert terminal.wait_end() == 0


def test_esc_ends_a_silent_stream_and_the_half_answer_is_not_kept(project: Path, home: Path) -> None:
    with (
        OpenAiServer([hang_mid_stream(delta_event(content="半个")), say("好的")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("说")
        terminal.press(ENTER)
        terminal.wait_for("半个")
        terminal.press(CTRL_C)
        terminal.wait_for("取消")
        terminal.press("再说")
        terminal.press(ENTER)
        terminal.wait_for("好的")
        assert "半个" not in str(server.requests[1].body)


def test_ask_mode_asks_in_one_line_and_no_means_no(project: Path, home: Path) -> None:
    script = [call("write_file", {"path": "a.txt", "content": "x\n"}), say("没写"), say("再见")]
    with (
        OpenAiServer(script) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        terminal.press("写一个文件")
        terminal.press(ENTER)
        terminal.wait_for("write_file", "a.txt", "n 拒绝")
        terminal.press("n")
        terminal.wait_for("没写")
        assert not (project / "a.txt").exists()
        assert "拒绝" in server.requests[1].body["messages"][-1]["content"]


def test_two_ctrl_c_at_an_idle_prompt_leave_and_the_terminal_is_sane(project: Path, home: Path) -> None:
    with (
        OpenAiServer([]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(CTRL_C)
        terminal.press(CTRL_C)
        assert terminal.wait_end() == 0
        assert b"\x1b[?2004l" in terminal.raw[terminal.raw.rindex(b"\x1b[?2004h") :]


def test_a_signal_restores_the_terminal_and_leaves_no_child(project: Path, home: Path) -> None:  # C55
    command = "echo $$ >pid; tail -f /dev/null"
    with (
        OpenAiServer([call("execute_command", {"command": command})]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("跑")
        terminal.press(ENTER)
        terminal.wait_until(lambda text: (project / "pid").exists() and (project / "pid").read_text() != "", "a pid")
        child = int((project / "pid").read_text())
        os.kill(terminal.child.pid, signal.SIGTERM)
        assert terminal.wait_end() != 0
        assert b"\x1b[?2004l" in terminal.raw[terminal.raw.rindex(b"\x1b[?2004h") :]
        assert not is_alive(child)
