"""Area c of the cases, with a reviewer that allows everything: execute_command as a scripted model calls it."""

import http.server
import os
import re
import shutil
import signal
import threading
from pathlib import Path

import pytest

from paicli.policy.command_guard import CommandGuard
from paicli.policy.verdict import VerdictKind
from tests.e2e.harness import Terminal, run_paicli
from tests.e2e.strict import Step, ask, at_once, live_processes_in, started, tool_results
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, calls, say
from tests.patience import PATIENCE_S

ANYTHING = ("--allowed-tools", "*")


def command(text: str, **more: object) -> tuple[str, dict[str, object]]:
    return ("execute_command", {"command": text, **more})


def results_of(project: Path, home: Path, *commands: str, **extra: str) -> list[str]:
    """What the model is told of each, run one after the other in one turn."""
    steps: list[Step] = [calls(*map(command, commands)), say("好")]
    return tool_results(ask(project, home, steps, *ANYTHING, **extra).requests[1])


def output_of(result: str) -> str:
    """What the command printed, as the model reads it."""
    return result.partition("\n输出:\n")[2].rpartition("\n</tool_result>")[0]


def test_c34_a_background_child_holds_nothing_up_is_named_and_ends_with_paicli(project: Path, home: Path) -> None:
    server = "python3 -m http.server 0 >/dev/null 2>&1 & echo $!"
    count = "ls /proc/$PPID/fd | wc -l; ls /proc/$PPID/task | wc -l"
    commands = ["sleep 30 & echo done", server, "(sleep 30 >&2) & exit 4", count, *["sleep 30 & true"] * 20, count]
    done, pid, silent, before, *_, after = results_of(project, home, *commands)
    assert output_of(done) == "done"
    assert output_of(pid).isdigit()
    assert ["退出码 0" in result for result in (done, pid, silent)] == [True, True, False]
    assert "退出码 4" in silent
    assert all("后台仍在运行" in result for result in (done, pid, silent))
    (files, threads), (files_before, threads_before) = (map(int, output_of(each).split()) for each in (after, before))
    assert files < files_before + 2 * 20  # a pipe for each that lives, and what was open for a moment: no second one
    assert threads < threads_before + 20  # and no thread for each
    assert live_processes_in(project) == []


class _AsksForAPassword(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Basic")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass


def test_c36_nothing_waits_for_input_an_editor_or_a_pager(project: Path, home: Path) -> None:
    git = "git -c user.name=n -c user.email=e@x"
    setup = f"git init -q . && {git} commit -q --allow-empty -m one && {git} commit -q --allow-empty -m two"
    remote = http.server.HTTPServer(("127.0.0.1", 0), _AsksForAPassword)
    thread = threading.Thread(target=remote.serve_forever)
    thread.start()
    waiting = [
        "cat",
        'read x; echo "[$x]"',
        "python3 -c 'input()' 2>&1 | tail -n 1",
        f"echo a >a && git add a && {git} commit",
        f"{git} rebase -i HEAD~1",
        "git config core.pager 'less -+F' && git log",
        f"git push http://127.0.0.1:{remote.server_port}/r HEAD:x",
        "man ls",
    ]
    try:
        results = results_of(project, home, setup, *waiting, PAGER="less", LESS="")[1:]
    finally:
        remote.shutdown()
        thread.join()
        remote.server_close()
    assert not any("超时" in result for result in results)
    cat, read, python, commit, _, log, push, _ = results
    assert "退出码 0" in cat
    assert output_of(read) == "[]"
    assert "EOFError" in python
    assert "退出码 0" not in commit + push
    assert "one" in log
    assert "two" in log


def timed_out(project: Path, home: Path, text: str) -> None:
    """The command runs into its time-out of 1 s; when the model is told, nothing of it lives."""
    seen: list[list[str]] = []

    def after(request: RecordedRequest) -> Reply:
        seen.append(live_processes_in(project))
        return say("好")

    ran = ask(project, home, [calls(command(text, timeout_s=1)), after], *ANYTHING)
    assert ran.requests[1].arrived_at - ran.requests[0].sent_at[0] < 5  # 1 s, 2 s of grace, and a busy machine
    (result,) = tool_results(ran.requests[1])
    assert "timed out after 1 s" in result
    assert "so far" in result
    assert seen == [[]]


def test_c37_a_time_out_ends_the_whole_group_and_keeps_the_output_so_far(tmp_path: Path) -> None:
    texts = [
        "echo so far; (sleep 3; touch MARK) & wait",
        """echo so far; sh -c 'trap "" TERM; while :; do sleep 1; done'""",
        """echo so far; yes | sh -c 'trap "" TERM; cat >/dev/null'""",
    ]
    folders = [tmp_path / str(number) for number in range(3)]
    for folder in folders:
        (folder / "project").mkdir(parents=True)
        (folder / "home").mkdir()
    works = [
        lambda folder=folder, text=text: timed_out(folder / "project", folder / "home", text)
        for folder, text in zip(folders, texts, strict=True)
    ]
    at_once(*works)
    assert not (folders[0] / "project" / "MARK").exists()


def test_c37_a_signal_ends_a_command_that_ignores_term_with_all_it_started(project: Path, home: Path) -> None:
    text = "sh -c 'trap \"\" TERM; sleep 30 & while :; do sleep 1; done' & echo started >ready; wait"
    os.mkfifo(project / "ready")
    with (
        OpenAiServer([calls(command(text))]) as server,
        started("-p", "x", *ANYTHING, project=project, home=home, server=server) as process,
    ):
        assert (project / "ready").read_text() == "started\n"
        os.kill(process.pid, signal.SIGINT)
        answer, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, told.decode()
    assert "Traceback" not in told.decode()
    assert answer == b""
    assert live_processes_in(project) == []


def test_c38_endless_output_costs_no_memory_and_its_ends_are_kept(project: Path, home: Path) -> None:
    (home / ".paicli").mkdir()
    # In a small window the results of one step share it, and each is cut further.
    (home / ".paicli" / "config.toml").write_text("[model]\nwindow_tokens = 200000\n")
    memory = "grep VmHWM /proc/$PPID/status"
    steps: list[Step] = [
        calls(
            command("true"),
            command(memory),
            command("yes", timeout_s=1),
            command("cat /dev/zero | tr '\\0' a", timeout_s=1),
            command("seq 1 2000000"),
            command("head -c 200000000 /dev/zero | tr '\\0' b >&2"),
            command(memory),
        ),
        say("好"),
    ]
    ran = ask(project, home, steps, *ANYTHING)
    _, before, yes, zero, sequence, stderr, after = tool_results(ran.requests[1])
    peaks_kib = [int(output_of(result).split()[1]) for result in (before, after)]
    assert peaks_kib[1] - peaks_kib[0] < 50_000
    assert all("timed out after 1 s" in result for result in (yes, zero))
    assert output_of(sequence).startswith("1\n2\n3\n")
    assert "\n2000000" in output_of(sequence)
    for result in (yes, zero, sequence, stderr):
        assert len(result) < 20_000
    for result in (yes, zero, stderr):
        assert re.search(r"另有 \d+ 字节未保留", result)
    assert ran.requests[1].arrived_at - ran.requests[0].sent_at[0] < 12  # two time-outs of 1 s, on a busy machine


def test_c40_the_shells_own_code_is_told_with_those_of_every_stage(project: Path, home: Path) -> None:
    commands = {
        "sh -c 'echo out; exit 1' | tail -1": ("退出码 0", "1 0"),
        "seq 1 100000 | head -3": ("退出码 0", "141 0"),
        "grep zzz /etc/hostname | wc -l": ("退出码 0", "1 0"),
        "false; true": ("退出码 0", ""),
        "kill -9 $$": ("信号 9", "强制终止"),
        "exit 300": ("退出码 44", ""),
        "no_such_cmd": ("退出码 127", ""),
    }
    results = results_of(project, home, *commands)
    for result, (code, stages) in zip(results, commands.values(), strict=True):
        assert code in result
        assert stages in result
    assert "不算失败" in results[1]


def test_c41_a_folder_that_has_gone_ends_no_command_and_tools_say_so(project: Path, home: Path) -> None:
    def vanish(request: RecordedRequest) -> Reply:
        shutil.rmtree(project)
        return calls(
            command("echo hi"),
            ("read_file", {"path": "a"}),
            ("list_dir", {}),
            ("write_file", {"path": "b", "content": "x"}),
            ("glob_files", {"pattern": "*"}),
            ("grep_code", {"pattern": "x"}),
            ("create_project", {"name": "p", "kind": "python"}),
        )

    steps: list[Step] = [
        calls(*map(command, ["mkdir d && cd d", "pwd", "rm -rf d", "echo hi"])),
        vanish,
        say("好"),
    ]
    ran = ask(project, home, steps)
    _, pwd, removed, hi, gone, *tools = tool_results(ran.requests[2])
    assert output_of(pwd) == str(project)
    assert "退出码 0" in removed
    assert output_of(hi) == "hi"
    assert output_of(gone) == "hi"
    assert "已不存在" in gone
    assert [result for result in tools if "意外错误" in result] == []
    assert [result for result in tools if "不存在" not in result] == []
    assert ran.done.stdout == "好\n"


def test_c42_commands_see_the_persons_environment_without_any_key(project: Path, home: Path) -> None:
    keys = {name: f"sk-canary-{name.lower()}" for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GLM_API_KEY")}
    commands = ["env", "cat /proc/$PPID/environ | tr '\\0' '\\n'", "ps -eo args || cat /proc/[0-9]*/cmdline"]
    mine = {"VIRTUAL_ENV": "/v", "MY_OWN": "mine"}
    results = results_of(project, home, *commands, **keys, **mine)
    assert all("canary" not in result for result in results)
    seen = dict(line.partition("=")[::2] for line in output_of(results[0]).splitlines())
    assert (seen["HOME"], seen["LANG"], seen["VIRTUAL_ENV"], seen["MY_OWN"]) == (str(home), "C.UTF-8", "/v", "mine")
    assert "PATH" in seen
    assert [name for name in seen if name.endswith("_API_KEY")] == []


NEVER_RUN = [
    "rm -rf ~",
    "rm -rf $HOME",
    'rm -rf "$HOME"',
    "rm -rf ${HOME}/",
    'rm -rf "$HOME"/x',
    "rm -fr /",
    "rm -r -f /",
    "rm --recursive --force /",
    "rm -rf -- /",
    "/bin/rm -rf /",
    "\\rm -rf /",
    "command rm -rf /",
    "rm -rf /*",
    "rm -rf ../..",
    "cd / && rm -rf *",
    "rm -rf ~/",
]
"""Fed to the classifier only."""
HARMLESS = ["rm notes.txt~", 'echo "rm -rf /"', "git rm -r --cached build", "grep -rf pats src"]


@pytest.mark.parametrize("text", NEVER_RUN)
def test_c43_usual_spellings_of_a_fatal_delete_never_pass_the_guard(tmp_path: Path, text: str) -> None:
    (tmp_path / "~").mkdir()
    verdict = CommandGuard(tmp_path, Path("/home/me")).check(text)
    assert verdict.kind is not VerdictKind.ALLOWED
    assert verdict.matched in text
    assert "rm" in verdict.matched


@pytest.mark.parametrize("text", HARMLESS)
def test_c43_what_only_looks_like_one_is_not_blocked(tmp_path: Path, text: str) -> None:
    assert CommandGuard(tmp_path, Path("/home/me")).check(text).kind is VerdictKind.ALLOWED


def test_c46_a_command_has_no_terminal_to_prompt_on(project: Path, home: Path) -> None:
    texts = [
        "sh -c 'echo T\"TY\"MARK >/dev/tty'",
        "sh -c 'read l </dev/tty'",
        "ssh -o StrictHostKeyChecking=ask 127.0.0.1 || sh -c 'read l </dev/tty'",
    ]
    with (
        OpenAiServer([calls(*map(command, texts)), say("说完了")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("跑\r")
        terminal.wait_for("说完了")
        results = tool_results(server.requests[1])
        assert b"TTYMARK" not in terminal.raw
        terminal.press("/exit\r")
        assert terminal.wait_end() == 0
    assert all("没有终端" in result for result in results)
    assert all("退出码 0" not in result for result in results)
    assert "No such device or address" in results[0]


def test_a_background_command_is_read_stopped_and_gone(project: Path, home: Path) -> None:
    start = call("execute_command", {"command": "echo $$; cat /dev/zero | tail -f", "background": True})

    def look(request: RecordedRequest) -> Reply:
        (told,) = tool_results(request)
        (name,) = re.findall(r"后台命令 (\S+) 已启动", told)
        return calls(("command_output", {"id": name}), ("stop_command", {"id": name}), ("command_output", {"id": "no"}))

    def after(request: RecordedRequest) -> Reply:
        assert live_processes_in(project) == []
        return say("好")

    _, reading, stopped, unknown = tool_results(ask(project, home, [start, look, after]).requests[2])
    assert "正在运行" in reading
    assert "已停止" in stopped
    assert "没有后台命令 no" in unknown


def test_the_persons_own_command_meets_the_guards_and_joins_the_conversation(project: Path, home: Path) -> None:
    with OpenAiServer([say("看到了")]) as server:
        lines = '!echo own; exit 3\n!rm -rf "$HOME"\n看\n/exit\n'
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
        (request,) = server.requests
    assert done.status == 0
    assert home.exists()
    told = str(request.body["messages"])
    assert "own" in told
    assert "退出码 3" in told
    assert "拒绝" in told
