"""The sandbox as a scripted model meets it, through the installed program."""

from pathlib import Path

import pytest

from paicli.system.sandbox.confinement import SandboxMode
from paicli.system.sandbox.sandbox import Sandbox
from tests.e2e.harness import Terminal, run_paicli
from tests.e2e.strict import ask, live_processes_in, tool_results
from tests.fakes.openai_server import OpenAiServer, call, calls, say

_TRIED = Sandbox(SandboxMode.STRICT, lambda: (), user_home=Path("/none"), own_home=Path("/none"))
REFUSAL = _TRIED.refusal()
_TRIED.close()
pytestmark = pytest.mark.skipif(REFUSAL is not None, reason=f"no sandbox here: {REFUSAL}")
ANYTHING = ("--allowed-tools", "*")


def command(text: str, **more: object) -> tuple[str, dict[str, object]]:
    return ("execute_command", {"command": text, **more})


def enter(screen: Terminal, text: str) -> None:
    screen.press(text)
    screen.wait_for(f"> {text}")
    screen.wait_quiet()
    screen.press("\r")


def test_a_command_is_confined_and_file_tools_and_added_folders_work_as_ever(
    project: Path, home: Path, tmp_path: Path
) -> None:
    added = tmp_path / "added"
    added.mkdir()
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text('[sandbox]\nmode = "workspace"\n')
    (home / ".ssh").mkdir()
    (home / ".ssh" / "id_ed25519").write_text("PRIVATE")
    commands = [
        command(f"echo in >in; echo added >{added}/file; echo out >{tmp_path}/out; echo out >/usr/paicli-out"),
        command("cat ~/.paicli/config.toml ~/.ssh/id_ed25519"),
        ("write_file", {"path": "written", "content": "w"}),
        command("cat written; sleep 30 & echo $?"),
        command("sleep 30", timeout_s=1),
        command("for i in $(seq 9000); do echo line $i; done"),
    ]
    arguments = (*ANYTHING, "--add-dir", str(added))
    outside, hidden, _, mixed, timed_out, long = tool_results(
        ask(project, home, [calls(*commands), say("好")], *arguments).requests[1]
    )
    assert "Read-only file system" in outside
    assert ((project / "in").read_text(), (added / "file").read_text()) == ("in\n", "added\n")
    assert not (tmp_path / "out").exists()  # the temporary folder is another one
    assert not Path("/usr/paicli-out").exists()
    assert "PRIVATE" not in hidden
    assert "sandbox" not in hidden
    assert "\nw0\n" in mixed
    assert "bwrap" not in mixed
    assert "timed out after 1 s" in timed_out
    assert "完整输出: " in long
    assert live_processes_in(project) == []


def test_the_persons_own_command_is_confined_too_and_the_session_says_how(project: Path, home: Path) -> None:
    with (
        OpenAiServer([call("execute_command", {"command": "sleep 30"}), say("fine")]) as server,
        Terminal(*ANYTHING, "--sandbox", "strict", project=project, home=home, server=server) as screen,
    ):
        screen.wait_for("输入任务")
        enter(screen, "!echo x >/usr/paicli-out; echo end")
        screen.wait_for("Read-only file system")
        enter(screen, "/status")
        screen.wait_for("strict")
        enter(screen, "go")
        screen.wait_for("execute_command sleep 30")
        screen.press("\x1b")
        screen.wait_for("已取消")
        enter(screen, "/exit")
        assert screen.wait_end() == 0
    assert not Path("/usr/paicli-out").exists()
    assert live_processes_in(project) == []


def test_the_doctor_tries_the_sandbox_that_is_asked_for(project: Path, home: Path) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text('[sandbox]\nmode = "strict"\n')
    done = run_paicli("doctor", "--offline", project=project, home=home, PAICLI_LANG="en")
    assert "the sandbox (strict) works (bwrap)" in done.stdout
