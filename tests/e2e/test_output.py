import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.harness import Terminal, by_actor, plan_json, run_paicli
from tests.fakes.openai_server import (
    DONE,
    Chunk,
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    delta_event,
    finish_event,
    raw_sse,
    say,
)
from tests.patience import PATIENCE_S

CTRL_O, ENTER = "\x0f", "\r"
PLAN = plan_json(("a", "读取入口", ()), ("b", "读取测试", ()), ("c", "汇总", ("a", "b")))


class Gate:
    """Holds a reply back until the test lets it go on."""

    def __init__(self) -> None:
        self._opened = threading.Event()

    def open(self) -> None:
        self._opened.set()

    def __call__(self) -> None:
        self._opened.wait(PATIENCE_S)


def numbered(first: int, last: int) -> str:
    """`L001` …, every tenth with wide characters, flags and a joined emoji."""
    return "".join(f"L{n:03d}{' 你好，👩‍💻🇯🇵' if n % 10 == 0 else ''}\n" for n in range(first, last + 1))


def in_pieces(text: str, size: int) -> list[Chunk]:
    return [delta_event(content=text[at : at + size]) for at in range(0, len(text), size)]


def resize(terminal: Terminal, rows: int, columns: int) -> None:
    """pyte drops the lines that a lower screen has no room for; a terminal scrolls them off."""
    screen = terminal.screen
    for at in range(max(0, screen.lines - rows)):
        row = screen.buffer[at]
        kept = type(row)(screen.default_char)
        kept.update(row)
        screen.history.top.append(kept)
    terminal.resize(rows, columns)


def test_a_hundred_lines_stand_there_once_through_two_resizes_and_a_short_answer_stays_whole(  # C54
    project: Path, home: Path
) -> None:
    thirty, sixty = Gate(), Gate()
    chunks: list[Chunk] = [
        *in_pieces(numbered(1, 30), 3),
        thirty,
        *in_pieces(numbered(31, 60), 5),
        sixty,
        *in_pieces(numbered(61, 100), 2),
        finish_event(),
        DONE,
    ]
    with (
        OpenAiServer([raw_sse(*chunks), say("一\n二\n三 end")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("数到一百")
        terminal.press(ENTER)
        terminal.wait_for("L030")
        terminal.press("half typed")
        terminal.wait_for("> half typed")
        resize(terminal, 10, 40)
        thirty.open()
        terminal.wait_for("L060")
        resize(terminal, 24, 80)
        sixty.open()
        terminal.wait_for("L100", "> half typed")
        shown = [text for text in terminal.lines() if re.match(r"L\d", text)]
        assert [text[:4] for text in shown] == [f"L{n:03d}" for n in range(1, 101)]
        assert [text[5:] for text in shown if text[3] == "0"] == ["你好，👩💻🇯🇵"] * 10
        terminal.press("\x03")  # clears the input
        terminal.press("再说")
        terminal.press(ENTER)
        terminal.wait_for("三 end")
        lines = terminal.lines()
        at = lines.index("三 end")
        assert lines[at - 2 : at + 1] == ["一", "二", "三 end"]
        assert sum(text == "一" for text in lines) == 1


def test_a_parallel_round_is_a_live_row_for_each_task_and_is_printed_whole_and_in_order(
    project: Path, home: Path
) -> None:
    (project / "a.txt").write_text("1\n2\n")
    first, second = Gate(), Gate()

    def answer(description: str, request: RecordedRequest) -> Reply:
        has_read = request.body["messages"][-1]["role"] == "tool"
        if description == "读取入口":
            return say("入口读好了") if has_read else call("read_file", {"path": "a.txt"})
        if description == "读取测试":
            return raw_sse(delta_event(content="测试"), second, delta_event(content="读好了"), finish_event(), DONE)
        return raw_sse(first, delta_event(content="汇总好了"), finish_event(), DONE)

    with (
        OpenAiServer(by_actor(plans=[PLAN], tasks=answer)) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("/plan 看看")
        terminal.press(ENTER)
        terminal.wait_for("📝 计划已生成。")
        terminal.press(ENTER)
        board = terminal.wait_for("第 1/2 轮 · 任务 0/3", "  task_1 ✅ 已回答,等待本轮其他任务", "正在回答")
        assert re.search(r"^  task_2 \d+s · 正在回答$", board, re.MULTILINE)
        assert "入口读好了" not in board  # its output waits for the end of the round
        second.open()
        terminal.wait_for("第 2/2 轮 · 任务 2/3", "▶ 执行任务 [task_3]: 汇总")
        first.open()
        terminal.wait_for("✅ 计划执行完成!")
        wanted = [
            "▶ 并行任务 [task_1]: 读取入口",
            "  ● read_file a.txt  → 2 lines",
            "入口读好了",
            "✅ 完成 [task_1]: 入口读好了",
            "▶ 并行任务 [task_2]: 读取测试",
            "测试读好了",
            "✅ 完成 [task_2]: 测试读好了",
            "▶ 执行任务 [task_3]: 汇总",
            "汇总好了",
            "✅ 完成 [task_3]: 汇总好了",
            "✅ 计划执行完成!",
        ]
        lines = terminal.lines()
        start = lines.index(wanted[0])
        assert lines[start : start + len(wanted)] == wanted
        assert "2/2 轮" not in "\n".join(lines)  # the board is gone


def test_ctrl_o_unfolds_the_last_folded_thing_and_then_the_one_before(project: Path, home: Path) -> None:
    content = "".join(f"line {number}\n" for number in range(1, 41))
    thinking = "\n".join(f"thought {number}" for number in range(20))
    script = [call("write_file", {"path": "new.txt", "content": content}), say("写好了", thinking=thinking)]
    with (
        OpenAiServer(script) as server,
        Terminal(project=project, home=home, server=server, size=(60, 80)) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("写")
        terminal.press(ENTER)
        text = terminal.wait_for("… 还有 10 行(Ctrl+O 展开)", "… 还有 17 行(Ctrl+O 展开)", "写好了")
        assert "    30 + line 30\n" in text
        assert ("line 31" in text, "thought 3" in text) == (False, False)
        terminal.press(CTRL_O)
        terminal.wait_for("🧠 thought 0\nthought 1\nthought 2\nthought 3", "thought 19")
        terminal.press(CTRL_O)
        terminal.wait_for("    31 + line 31", "    40 + line 40")
        terminal.press(CTRL_O)
        terminal.wait_for("没有可展开的内容")


@pytest.mark.parametrize(
    ("config", "extra", "is_colored"),
    [
        ("", {}, False),  # a pipe
        ("", {"FORCE_COLOR": "1"}, True),
        ("", {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ("", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ('[ui]\ntheme = "none"\n', {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_follows_the_environment_and_the_theme(
    project: Path, home: Path, config: str, extra: dict[str, str], is_colored: bool
) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text(config)
    with OpenAiServer([call("list_dir", {}), say("好", thinking="想")]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="看看\n/exit\n", **extra)
    assert done.status == 0
    assert ("\x1b[2m" in done.stdout) == is_colored
    assert is_colored or "\x1b" not in done.stdout


def sgr(theme: str) -> Callable[[bytes], bool]:
    wanted = {"dark": b"\x1b[38;5;34m", "light": b"\x1b[38;5;22m", "none": b""}[theme]
    others = {b"\x1b[38;5;34m", b"\x1b[38;5;22m"} - {wanted}
    return lambda raw: wanted in raw and not any(other in raw for other in others)


@pytest.mark.parametrize("theme", ["dark", "light", "none"])
def test_the_theme_of_the_configuration_colours_the_session(project: Path, home: Path, theme: str) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text(f'[ui]\ntheme = "{theme}"\n')
    with (
        OpenAiServer([call("write_file", {"path": "a", "content": "x\n"}), say("好了")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("写")
        terminal.press(ENTER)
        terminal.wait_for("1 + x", "好了")
        assert sgr(theme)(terminal.raw)
