import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from tests.patience import PATIENCE_S
from tests.ui.pty_screen import ROOT, PtyApp

ESC, SHIFT_TAB, CTRL_C, CTRL_Z, CTRL_R, UP = "\x1b", "\x1b[Z", "\x03", "\x1a", "\x12", "\x1b[A"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[PtyApp]:
    started = PtyApp(tmp_path)
    started.wait_for_screen(has("shift+tab"))
    yield started
    started.child.close(force=True)


def has(text: str) -> Callable[[list[str]], bool]:
    return lambda lines: any(text in line for line in lines)


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def test_a_line_typed_before_the_prompt_is_there_is_sent_by_its_enter(tmp_path: Path) -> None:
    early = PtyApp(tmp_path)
    early.send("quiet\r")
    early.wait_for("answer three")
    early.child.close(force=True)


def test_lines_typed_before_the_prompt_is_there_are_not_cut_into_turns(tmp_path: Path) -> None:  # C50
    early = PtyApp(tmp_path)
    early.send("quiet\rquiet\r")
    early.wait_for_screen(lambda lines: "> quiet" in lines and lines[lines.index("> quiet") + 1] == "  quiet")
    early.child.close(force=True)


def test_a_hundred_streamed_lines_stand_there_once_and_in_order_through_two_resizes(app: PtyApp) -> None:  # C54
    app.send("quiet\r")
    app.wait_for("answer three")
    app.send("lines\r")
    app.wait_for("L030")
    app.send("half typed")
    app.resize(40, 10)
    app.wait_for("L060")
    app.resize(80, 24)
    app.wait_for("L100")
    app.wait_for_screen(has("> half typed"))
    scrolled, visible = app.screen()
    everything = [*scrolled, *visible]
    assert [line[:4] for line in everything if re.match(r"L\d", line)] == [f"L{n:03d}" for n in range(1, 101)]
    assert [line for line in everything if re.match(r"L\d\d0 ", line)] == [
        f"L{n:03d} 你好，👩💻🇯🇵" for n in range(10, 101, 10)
    ]
    app.send(CTRL_C)
    app.send("quiet\r")
    lines = app.wait_for_screen(lambda lines: sum("answer" in line for line in lines) >= 3)
    assert [line for line in lines if "answer" in line][-3:] == ["answer one", "answer two", "answer three"]


def test_esc_brings_the_idle_prompt_back_at_once(app: PtyApp) -> None:
    app.send("slow\r")
    app.wait_for("SENT")
    app.send(ESC)
    app.wait_for("Cancelled.")
    app.send("next\r")
    app.wait_for("answer three")


def test_the_mode_in_the_status_bar_follows_shift_tab(app: PtyApp) -> None:
    app.send(SHIFT_TAB)
    app.wait_for_screen(has("PLAN shift+tab to cycle"))
    app.send(SHIFT_TAB)
    app.wait_for_screen(has("ASK shift+tab to cycle"))


def test_a_plan_is_reviewed_by_keys(app: PtyApp) -> None:
    app.send("plan\r")
    app.wait_for_screen(has("I: say what to change"))
    app.send("\x0f")
    app.wait_for_screen(has("task_3 [ANALYSIS] after: task_1, task_2"))
    app.send(ESC)
    app.wait_for_screen(lambda lines: not has("[ANALYSIS]")(lines))
    app.send("i")
    app.wait_for_screen(has("Change>"))
    app.send("with tests")
    app.wait_for_screen(has("with tests"))
    app.send("\r")
    app.wait_for("DECIDED")
    app.wait_for("revise with tests")
    app.wait_for_screen(has("I: say what to change"))
    app.send("\r")
    app.wait_for("Running the plan...")


def test_pastes_are_sent_whole_and_nothing_in_them_runs(app: PtyApp) -> None:  # C50
    app.send(paste("l1\r\nl2\tx\nl3"))
    app.wait_for_screen(has("l3"))
    app.send("\r")
    app.wait_for(r'{"text": "l1\nl2\tx\nl3"')
    app.wait_for("answer three")
    app.send(paste("/exit\n\x1b[31m"))
    app.wait_for_screen(has("/exit"))
    app.send("\r")
    app.wait_for(r'{"text": "/exit\n\u001b[31m"')
    app.wait_for("answer three")
    assert b"\x1b[31m" not in app.raw
    app.send("quiet " + paste("y" * 300_000))
    app.wait_for_screen(has("[Paste #1: 300000 characters]"))
    app.send(" b1\rb2\r")
    app.wait_for_screen(has("  b2"))
    app.wait_for_screen(after_s(0.2))  # a person's Enter; one that follows at once belongs to the burst
    app.send("\r")
    app.wait_for("answer three")


def test_four_approvals_come_one_at_a_time_and_ctrl_c_cancels_the_last(app: PtyApp) -> None:  # C56
    app.send("approve\r")
    for number, key in enumerate("yny", start=1):
        app.wait_for_screen(has(f"Task [task_{number}]"))
        app.send(key)
        app.wait_for(f"ANSWER {number}")
    app.wait_for_screen(has("Task [task_4]"))
    app.send(CTRL_C)
    app.wait_for("ANSWER 4 cancelled")
    scrolled, visible = app.screen()
    answers = [line for line in [*scrolled, *visible] if line.startswith("ANSWER")]
    assert answers == ["ANSWER 1 allow", "ANSWER 2 deny", "ANSWER 3 allow", "ANSWER 4 cancelled"]


def test_nothing_foreign_steers_the_terminal(app: PtyApp) -> None:  # C48
    app.send("hostile\r")
    app.wait_for_screen(has("text: safe^MEVIL"))
    app.send("n")
    app.wait_for("denied")
    scrolled, visible = app.screen()
    assert [line for line in [*scrolled, *visible] if re.match("A.*B$", line)][:7] == ["AB"] * 7
    assert has("path: ^[]52;c;YQ==^G^[]0;t^G^[[2J")(visible)
    for sequence in (b"\x1b]", b"\x1b[2J", b"\x1b[6n", b"\x1bc", b"\x1bP", b"\xc2\x9b", b"\x00", b"\x07"):
        assert sequence not in app.raw, sequence


def test_the_history_is_searched_with_ctrl_r_in_the_next_session(tmp_path: Path) -> None:
    first = PtyApp(tmp_path)
    first.wait_for_screen(has("shift+tab"))
    first.send("quiet build the parser\r")
    first.wait_for("answer three")
    first.send("/exit\r")
    assert first.end() == 0
    second = PtyApp(tmp_path)
    second.wait_for_screen(has("shift+tab"))
    second.send(CTRL_R + "parser")
    second.wait_for_screen(has("> quiet build the parser"))
    second.wait_for_screen(has("Search the history: parser"))
    second.send("\r")
    second.wait_for_screen(lambda lines: not has("Search the history")(lines))
    second.send("\r")
    second.wait_for("answer three")
    second.send("\x04")
    assert second.end() == 0


def is_restored(app: PtyApp) -> bool:
    last_modes = {mode: app.raw.rfind(mode) for mode in (b"\x1b[?2004h", b"\x1b[?2004l", b"\x1b[?25h", b"\x1b[?25l")}
    return (
        last_modes[b"\x1b[?2004l"] > last_modes[b"\x1b[?2004h"]
        and last_modes[b"\x1b[?25h"] > last_modes[b"\x1b[?25l"]
        and b"\x1b[?1000h" not in app.raw
    )


@pytest.mark.parametrize("turn", ["slow", "approve", ""])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(app: PtyApp, turn: str, number: signal.Signals) -> None:  # C55
    if turn:
        app.send(f"{turn}\r")
        app.wait_for("SENT")
    if turn == "approve":
        app.wait_for_screen(has("Task [task_1]"))
    app.child.kill(number)
    assert app.end() == 128 + number
    assert is_restored(app)


def test_a_fault_of_the_ui_leaves_the_terminal_as_it_was(app: PtyApp) -> None:  # C55
    app.send("break\r")
    assert app.end() == 1
    assert is_restored(app)
    assert b"KeyError" in app.raw


@pytest.mark.parametrize("leave", ["/exit\r", "\x04"])
def test_leaving_leaves_the_terminal_as_it_was(app: PtyApp, leave: str) -> None:  # C55
    app.send("slow\r")
    app.wait_for("SENT")
    app.send(leave)
    assert app.end() == 0
    assert is_restored(app)


def test_two_ctrl_c_leave_but_not_right_after_a_cancel(app: PtyApp) -> None:  # C55
    app.send("slow\r")
    app.wait_for("SENT")
    app.send(CTRL_C)
    app.wait_for("Cancelled.")
    app.send(CTRL_C + CTRL_C)
    app.wait_for_screen(lambda lines: not has("cancelling")(lines))
    app.wait_for_screen(after_s(1.1))
    app.send(CTRL_C)
    app.wait_for("Press Ctrl+C again to leave")
    app.send(CTRL_C)
    assert app.end() == 0
    assert is_restored(app)


def after_s(seconds: float) -> Callable[[list[str]], bool]:
    began = time.monotonic()
    return lambda lines: time.monotonic() - began > seconds


def test_ctrl_z_stops_the_session_and_fg_brings_it_back(tmp_path: Path) -> None:  # C55
    command = shlex.join([sys.executable, "-m", "tests.ui.fake_engine_app", "en", str(tmp_path / "history")])
    shell = pexpect.spawn(
        "bash",
        ["--norc", "--noprofile", "-i"],
        cwd=str(ROOT),
        env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PS1": "SHELL> ", "HOME": str(tmp_path)},
        timeout=PATIENCE_S,
    )
    shell.delaybeforesend = None
    shell.expect_exact("SHELL> ")
    shell.sendline(command)
    shell.expect_exact("Type a task")
    shell.expect_exact("shift+tab")
    shell.send(CTRL_Z)
    shell.expect_exact("Stopped")
    shell.expect_exact("SHELL> ")
    shell.sendline("echo still $((40+2))")
    shell.expect_exact("still 42")
    shell.expect_exact("SHELL> ")
    shell.sendline("fg")
    shell.expect_exact("shift+tab")
    shell.send("quiet after\r")
    shell.expect_exact("answer three")
    shell.send("/exit\r")
    shell.expect_exact("LEFT 0")
    shell.sendline("stty -a; exit")
    shell.expect(pexpect.EOF)
    modes = shell.before.decode()
    assert " echo" in modes
    assert " icanon" in modes
    assert "-icanon" not in modes
    shell.close()


def test_one_turn_runs_and_leaves(tmp_path: Path) -> None:
    app = PtyApp(tmp_path, "plan")
    app.wait_for_screen(has("I: say what to change"))
    app.send("\r")
    app.wait_for("FINISHED completed 0")
    assert app.end() == 0
    assert is_restored(app)


def test_chinese_at_forty_columns_keeps_within_the_screen(tmp_path: Path) -> None:
    app = PtyApp(tmp_path, language="zh", size=(40, 16))
    app.wait_for_screen(has("AUTO shift+tab"))
    app.send("plan\r")
    app.wait_for_screen(has("I:输入补充要求"))
    app.send("\x0f")
    lines = app.wait_for_screen(has("PgDn"))
    assert has("I:输入补充要求,在当前计划上修改")(lines)
    app.send("\x1b[6~")
    app.wait_for_screen(has("task_3 [ANALYSIS]"))
    app.send("\r")
    app.wait_for("🚀 开始执行计划...")
    app.send("/exit\r")
    assert app.end() == 0
