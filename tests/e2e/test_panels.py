import threading
from pathlib import Path

import pytest

from tests.e2e.harness import Terminal, by_actor, last_message, plan_json, run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, delta_event, hang_mid_stream, say
from tests.patience import PATIENCE_S

ESC, CTRL_T, ENTER, UP, DOWN, PAGE_DOWN = "\x1b", "\x14", "\r", "\x1b[A", "\x1b[B", "\x1b[6~"
SIZES = [(24, 80), (10, 40)]
FOUR = plan_json(*((f"t{n}", f"写文件{n}", ()) for n in (1, 2, 3, 4)))


def type_line(terminal: Terminal, text: str) -> None:
    terminal.press(text)
    terminal.press(ENTER)


def user_texts(request: RecordedRequest) -> list[str]:
    return [message["content"] for message in request.body["messages"] if message["role"] == "user"]


@pytest.mark.parametrize("size", SIZES)
def test_esc_esc_lists_the_earlier_turns_and_goes_back_to_before_one(
    project: Path, home: Path, size: tuple[int, int]
) -> None:
    with (
        OpenAiServer([say("答一"), say("答二"), say("答三"), say("另答")]) as server,
        Terminal(project=project, home=home, server=server, size=size) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(ESC + ESC)  # nothing to go back to yet
        terminal.wait_for("还没有可以回到的任务")
        for text, answer in (("问题一", "答一"), ("问题二\\", ""), ("问题三", "答二"), ("问题四", "答三")):
            type_line(terminal, text)
            if answer:
                terminal.wait_for(answer)
        terminal.press(ESC + ESC)
        terminal.wait_for("回到哪一轮之前?", "› 3. ", "问题四", "选这一轮")
        terminal.press(UP)
        terminal.wait_for("› 2. ")
        terminal.press(ENTER)
        terminal.wait_for("› c  只回退对话")
        terminal.press(ENTER)
        terminal.wait_for("↩️ 对话已回到这一轮之前: 问题二".replace("\ufe0f", ""))
        terminal.wait_for("> 问题二")
        terminal.press("改")
        terminal.press(ENTER)
        terminal.wait_for("另答")
        assert user_texts(server.requests[-1]) == ["问题一", "问题二\n问题三改"]


def test_the_list_of_turns_closes_by_esc_and_one_esc_or_a_slow_second_opens_nothing(project: Path, home: Path) -> None:
    with (
        OpenAiServer([say("答一")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "问题一")
        terminal.wait_for("答一")
        terminal.press(ESC)
        terminal.press("半句")
        terminal.wait_for("> 半句")
        terminal.press(ESC)
        terminal.press(ESC)
        terminal.wait_for("回到哪一轮之前?")
        terminal.press(ESC)
        terminal.wait_until(lambda text: "回到哪一轮" not in "\n".join(terminal.screen.display), "the closed list")
        assert "> 半句" in terminal.text()
        type_line(terminal, "")
        assert server.requests != []


def test_rewind_by_command_in_the_session(project: Path, home: Path) -> None:
    with (
        OpenAiServer([say("答一"), say("答二"), say("另答")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        for text, answer in (("问题一", "答一"), ("问题二", "答二")):
            type_line(terminal, text)
            terminal.wait_for(answer)
        type_line(terminal, "/rewind 7")
        terminal.wait_for("/rewind N [files|both],N 为 1..2")
        type_line(terminal, "/rewind 1")
        terminal.wait_for("› c  只回退对话")
        terminal.press("c")
        terminal.wait_for("已回到这一轮之前", "> 问题一")
        terminal.press(ENTER)
        terminal.wait_for("另答")
        assert user_texts(server.requests[-1]) == ["问题一"]


@pytest.mark.parametrize("size", SIZES)
def test_ctrl_t_shows_the_running_plan_live_and_closes_by_itself_again_or_esc(
    project: Path, home: Path, size: tuple[int, int]
) -> None:
    may_end = threading.Event()

    def tasks(description: str, request: RecordedRequest) -> Reply:
        if description == "写文件2":
            assert may_end.wait(PATIENCE_S)
        return say(f"{description}好了")

    with (
        OpenAiServer(by_actor(plans=[FOUR], tasks=tasks)) as server,
        Terminal(project=project, home=home, server=server, size=size) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(CTRL_T)
        terminal.wait_for("没有正在执行的计划")
        type_line(terminal, "/plan 写四个文件")
        terminal.wait_for("ESC")
        terminal.wait_until(lambda text: "计划已生成" in text, "the review")
        terminal.press(ENTER)
        terminal.wait_for("本轮并行执行")
        terminal.press(CTRL_T)
        terminal.wait_for("计划 3/4 完成: 写四个文件")
        if size[0] < 20:
            terminal.press(PAGE_DOWN)
        terminal.wait_until(lambda text: "▶ task_2" in "\n".join(terminal.screen.display), "the running task")
        terminal.press("打字")
        terminal.wait_for("> 打字")  # the input stays the person's
        terminal.press(ESC)
        terminal.wait_until(lambda text: "3/4" not in "\n".join(terminal.screen.display), "the closed view")
        may_end.set()
        terminal.wait_for("计划执行完成")


def test_ctrl_t_shows_the_to_do_list_when_there_is_no_plan(project: Path, home: Path) -> None:
    items = [{"text": "先看", "status": "completed"}, {"text": "再改", "status": "in_progress"}]
    with (
        OpenAiServer([call("todo_write", {"items": items}), say("好")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "做事")
        terminal.wait_for("好")
        terminal.press(CTRL_T)
        terminal.wait_until(lambda text: text.count("◐ 再改") == 2, "the list over the prompt")
        terminal.press(CTRL_T)
        terminal.wait_until(lambda text: text.count("◐ 再改") == 1, "the closed view")


def test_four_tasks_ask_one_at_a_time_and_get_yes_no_yes_and_a_cancel(project: Path, home: Path) -> None:  # C56 C64
    may_ask = threading.Event()

    def tasks(description: str, request: RecordedRequest) -> Reply:
        if last_message(request)["role"] == "tool":
            return say(f"{description}完")
        assert may_ask.wait(PATIENCE_S)
        number = description[-1]
        return call("write_file", {"path": f"f{number}.txt", "content": f"{number}\n"})

    with (
        OpenAiServer(by_actor(plans=[FOUR], tasks=tasks, react=[say("之后")])) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "/plan 写四个文件")
        terminal.wait_for("计划已生成")
        terminal.press(ENTER)
        terminal.wait_for("本轮并行执行")
        terminal.press("还没想好")
        terminal.wait_for("> 还没想好")
        may_ask.set()
        answered: list[str] = []
        for key in ("y", "n", "y", ESC):
            asked = _asked_task(terminal, answered)
            terminal.wait_quiet(0.6)  # a key right after the half sentence would belong to it
            terminal.press(key)
            answered.append(asked)
        terminal.wait_until(lambda text: "已取消" in text and _open_task(terminal) == "", "the end")
        written = {f"task_{number}": (project / f"f{number}.txt").exists() for number in "1234"}
        assert [written[task] for task in answered] == [True, False, True, False]
        assert sorted(answered) == ["task_1", "task_2", "task_3", "task_4"]
        terminal.wait_for("> 还没想好")
        terminal.press(",换一个")
        terminal.press(ENTER)
        terminal.wait_for("之后")
        assert user_texts(server.requests[-1])[-1].endswith("还没想好,换一个")


def _open_task(terminal: Terminal) -> str:
    """The task that the panel on the screen names."""
    shown = "\n".join(terminal.screen.display)
    panel = shown[shown.rfind("需要批准") :] if "需要批准" in shown else ""
    return panel.split("任务 [", 1)[1].split("]", 1)[0] if "任务 [" in panel and "y/回车" in panel else ""


def _asked_task(terminal: Terminal, before: list[str]) -> str:
    terminal.wait_until(lambda text: _open_task(terminal) not in ("", *before), "the next question")
    return _open_task(terminal)


@pytest.mark.parametrize("size", SIZES)
def test_a_long_command_says_what_is_below_and_is_answered_with_a_reason(
    project: Path, home: Path, size: tuple[int, int]
) -> None:
    command = "\n".join(f"echo 第{number}行" for number in range(1, 31)) + "\nrm -r 缓存"
    with (
        OpenAiServer([call("execute_command", {"command": command}), say("那算了")]) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server, size=size) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "清理")
        terminal.wait_for("下面还有", "需要批准")
        for _ in range(30):
            if "rm -r 缓存" in "\n".join(terminal.screen.display):
                break
            before = list(terminal.screen.display)
            terminal.press(PAGE_DOWN)
            terminal.wait_until(lambda text, before=before: list(terminal.screen.display) != before, "the next page")
        assert "上面还有" in terminal.text()
        terminal.press("r")
        terminal.wait_for("拒绝原因>")
        type_line(terminal, "先备份")
        terminal.wait_for("那算了")
        assert "先备份" in last_message(server.requests[1])["content"]
        assert "会删除文件" in terminal.text()


def test_a_command_is_changed_in_the_input_line_checked_again_and_run(project: Path, home: Path) -> None:
    with (
        OpenAiServer([call("execute_command", {"command": "echo a >made"}), say("好")]) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "做")
        terminal.wait_for("需要批准", "会把输出写入文件", "本会话内允许这条命令")
        terminal.press("m")
        terminal.wait_for("修改> echo a >made")
        terminal.press("2")
        terminal.press(ENTER)
        terminal.wait_for("command: echo a >made2")
        terminal.press("y")
        terminal.wait_for("好")
        assert [path.name for path in project.glob("made*")] == ["made2"]
        assert "用户修改了参数" in last_message(server.requests[1])["content"]


def test_all_of_this_kind_names_its_rule_and_asks_no_more_for_it(project: Path, home: Path) -> None:  # C45
    script = [
        call("execute_command", {"command": "git status"}),
        call("execute_command", {"command": "git status -s"}),
        call("execute_command", {"command": "git status && echo x"}),
        say("完"),
    ]
    with (
        OpenAiServer(script) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "看看")
        terminal.wait_for("execute_command(git status:*)")
        terminal.press("a")
        terminal.wait_for("command: git status && echo x", "本会话内允许这条命令")
        assert len(server.requests) == 3
        terminal.press("n")
        terminal.wait_for("完")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["2"], "乙"), ([DOWN, DOWN, ENTER], "丙"), (["丁也行", ENTER], "丁也行"), (["0", "x y", ENTER], "x y")],
)
def test_a_question_is_answered_by_number_by_choice_or_in_own_words(
    project: Path, home: Path, size: tuple[int, int], keys: list[str], answer: str
) -> None:
    asked = call("ask_user", {"question": "选哪个?", "options": ["甲", "乙", "丙"]})
    with (
        OpenAiServer([asked, say("明白")]) as server,
        Terminal(project=project, home=home, server=server, size=size) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "开始")
        terminal.wait_for("选哪个?", "1. 甲", "3. 丙", "ESC")
        for key in keys:
            terminal.press(key)
            terminal.wait_quiet()
        terminal.wait_for("明白")
        assert f"用户的回答:{answer}\n" in last_message(server.requests[1])["content"]
        assert f"已回答: {answer}" in terminal.text()


def test_esc_at_a_question_cancels_the_turn_and_the_next_request_is_sound(project: Path, home: Path) -> None:  # C64
    with (
        OpenAiServer([call("ask_user", {"question": "怎么称呼?"}), say("再来")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "开始")
        terminal.wait_for("怎么称呼?", "回车 发送")
        terminal.press(ESC)
        terminal.wait_for("提问已取消", "已取消")
        type_line(terminal, "继续")
        terminal.wait_for("再来")
        roles = [message["role"] for message in server.requests[1].body["messages"]]
        assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]


def test_text_typed_while_a_turn_runs_joins_its_next_request_and_up_takes_it_back(project: Path, home: Path) -> None:
    command = "mkfifo gate; echo ready; read x <gate; echo $x"
    with (
        OpenAiServer([call("execute_command", {"command": command}), say("听到了")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "跑")
        terminal.wait_for("ready")
        type_line(terminal, "顺便看看 a")
        terminal.wait_for("已排队: 顺便看看 a")
        terminal.press(UP)
        terminal.wait_for("> 顺便看看 a")
        type_line(terminal, " 和 b")
        terminal.wait_for("已排队: 顺便看看 a 和 b")
        (project / "gate").write_text("go\n")
        terminal.wait_for("听到了")
        assert user_texts(server.requests[1]) == ["跑", "顺便看看 a 和 b"]


def test_text_typed_while_a_plan_runs_starts_the_next_turn(project: Path, home: Path) -> None:
    may_end = threading.Event()

    def tasks(description: str, request: RecordedRequest) -> Reply:
        assert may_end.wait(PATIENCE_S)
        return say("好了")

    one = plan_json(("a", "看", ()))
    with (
        OpenAiServer(by_actor(plans=[one], tasks=tasks, react=[say("接着答")])) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        type_line(terminal, "/plan 看看")
        terminal.wait_for("计划已生成")
        terminal.press(ENTER)
        terminal.wait_for("task_1")
        type_line(terminal, "然后呢")
        terminal.wait_for("已排队: 然后呢")
        may_end.set()
        terminal.wait_for("接着答")
        assert user_texts(server.requests[-1])[-1] == "然后呢"


def test_a_waiting_approval_rings_and_a_short_turn_does_not(project: Path, home: Path) -> None:
    home.joinpath(".paicli").mkdir(exist_ok=True)
    home.joinpath(".paicli", "config.toml").write_text('[ui]\nnotify = "all"\n')
    script = [say("短"), call("write_file", {"path": "a", "content": "x"}), say("完")]
    with (
        OpenAiServer(script) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "一")
        terminal.wait_for("短")
        assert b"\a" not in terminal.raw
        type_line(terminal, "二")
        terminal.wait_for("需要批准")
        assert terminal.raw.count(b"\a\x1b]9;") == 1
        terminal.press("n")
        terminal.wait_for("完")


def test_a_cancel_at_an_approval_leaves_no_hanging_stream_or_file(project: Path, home: Path) -> None:  # C64
    def tasks(description: str, request: RecordedRequest) -> Reply:
        if description == "写文件1":
            return call("write_file", {"path": "f1.txt", "content": "x"})
        return hang_mid_stream(delta_event(content="还在说"))

    with (
        OpenAiServer(by_actor(plans=[FOUR], tasks=tasks, react=[say("新的")])) as server,
        Terminal("--mode", "ask", project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("ASK")
        type_line(terminal, "/plan 写四个文件")
        terminal.wait_for("计划已生成")
        terminal.press(ENTER)
        terminal.wait_for("需要批准")
        terminal.press(ESC)
        terminal.wait_for("已取消当前计划执行")
        type_line(terminal, "继续")
        terminal.wait_for("新的")
        assert not (project / "f1.txt").exists()


def test_nobody_is_asked_where_nobody_is_there(project: Path, home: Path) -> None:
    with OpenAiServer([call("ask_user", {"question": "谁?"}), say("好吧")]) as server:
        done = run_paicli("-p", "开始", project=project, home=home, server=server)
        offered = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert (done.status, done.stdout) == (0, "好吧\n")
    assert "ask_user" not in offered
    assert "没有名为 ask_user 的工具" in last_message(server.requests[1])["content"]
