"""Files come back: by /undo and /restore in line mode, by ESC ESC in the terminal, by the model's own tool."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import Terminal, last_message, plan_json, run_paicli
from tests.fakes.openai_server import OpenAiServer, Reply, call, say


def write(path: str, content: str) -> Reply:
    return call("write_file", {"path": path, "content": content})


def test_a_turn_is_taken_back_with_what_its_commands_did_and_the_model_hears_of_it(project: Path, home: Path) -> None:
    (project / "kept.txt").write_bytes(b"old\r\n")
    command = call("execute_command", {"command": "rm kept.txt; mkdir made; echo x > made/by_shell"})
    script = [write("new.txt", "n"), command, say("done"), say("again")]
    with OpenAiServer(script) as server:
        lines = "change\n/undo\ny\n/undo\ngo on\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
    assert done.status == 0
    assert "撤销这些任务的文件改动:" in done.stdout
    for shown in (
        "  change",
        "+ kept.txt  (+1)",
        "- made/by_shell  (-1)",
        "- new.txt  (-1)",
        "已恢复 1 个文件,移除 2 个",
    ):
        assert shown in done.stdout
    assert "没有可以撤销的文件改动" in done.stdout
    assert sorted(path.name for path in project.iterdir()) == ["kept.txt"]
    assert (project / "kept.txt").read_bytes() == b"old\r\n"
    told = last_message(server.requests[-1])["content"]
    assert told.startswith("[用户把项目文件恢复到了较早的状态: 写回 1 个,移除 2 个(kept.txt, made/by_shell, new.txt)")
    assert told.endswith("go on")


def test_the_snapshot_of_a_stored_plan_is_listed_by_its_goal(project: Path, home: Path) -> None:
    stored = json.loads(plan_json(("a", "write it", ()))) | {"goal": "tidy the tests"}
    (project / "plan.json").write_text(json.dumps(stored, indent=2))
    with OpenAiServer([write("new.txt", "n"), say("done")]) as server:
        assert run_paicli("run", "plan.json", "-y", project=project, home=home, server=server).status == 0
        listed = run_paicli(project=project, home=home, server=server, stdin="/restore\n/exit\n").stdout
    assert "  tidy the tests  (改动 1 个文件)" in listed


def test_a_no_changes_nothing(project: Path, home: Path) -> None:
    with OpenAiServer([write("new.txt", "n"), say("done")]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="change\n/undo\nn\n/exit\n")
    assert "没有改动任何文件" in done.stdout
    assert (project / "new.txt").read_text() == "n"


def test_snapshots_are_listed_and_a_restore_can_itself_be_taken_back(project: Path, home: Path) -> None:
    script = [write("one.txt", "1"), say("a"), write("two.txt", "2"), say("b")]
    lines = "first\nsecond\n/restore 1\ny\n/restore\n/diff 1\n/restore 3\ny\n/diff 1\n/restore 9\n/exit\n"
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
    assert "把文件恢复到快照 1:" in done.stdout
    assert "first  (改动 1 个文件)" in done.stdout
    assert "恢复到 1 之前" in done.stdout
    assert "自那时起没有改动" in done.stdout
    assert "没有编号为 9 的快照" in done.stdout
    assert sorted(path.name for path in project.iterdir()) == ["one.txt", "two.txt"]


def test_a_turn_that_only_reads_takes_no_snapshot(project: Path, home: Path) -> None:
    (project / "a.txt").write_text("a")
    with OpenAiServer([call("read_file", {"path": "a.txt"}), say("a")]) as server:
        run_paicli(project=project, home=home, server=server, stdin="look\n/exit\n")
    assert not (home / ".paicli" / "snapshots").exists()


def test_without_git_it_is_said_once_and_the_model_has_no_restore(project: Path, home: Path, tmp_path: Path) -> None:
    script = [write("one.txt", "1"), say("a"), write("two.txt", "2"), say("b")]
    empty = tmp_path / "bin"
    empty.mkdir()
    with OpenAiServer(script) as server:
        lines = "one\ntwo\n/undo\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines, PATH=str(empty))
    offered = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert "restore" not in offered
    assert (done.stdout + done.stderr).count("没有找到 git") == 2  # once by itself, once as the answer to /undo
    assert (project / "two.txt").read_text() == "2"


def test_switched_off_nothing_is_kept(project: Path, home: Path) -> None:
    (home / ".paicli").mkdir(exist_ok=True)
    (home / ".paicli" / "config.toml").write_text("[snapshots]\nenabled = false\n")
    with OpenAiServer([write("one.txt", "1"), say("a")]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="one\n/undo\n/exit\n")
    assert "快照已关闭" in done.stdout
    assert not (home / ".paicli" / "snapshots").exists()


def test_the_model_restores_only_when_a_person_says_yes(project: Path, home: Path) -> None:
    script = [write("new.txt", "n"), say("a"), call("restore", {"turn": "last"}), say("b")]
    with OpenAiServer(script) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="one\nback\ny\n/exit\n")
    assert "restore" in done.stdout
    assert "1 - n" in done.stdout
    assert not (project / "new.txt").exists()
    assert "已恢复: 写回 0 个文件,移除 1 个。" in last_message(server.requests[-1])["content"]


def test_line_mode_goes_back_with_files(project: Path, home: Path) -> None:
    with OpenAiServer([write("new.txt", "n"), say("a"), say("b")]) as server:
        lines = "one\n/rewind 1 files\ny\n/rewind 1 both\n/rewind\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
    assert "- new.txt  (-1)" in done.stdout
    assert "对话已回到这一轮之前: one" in done.stdout
    assert "还没有可以回到的任务" in done.stdout
    assert not (project / "new.txt").exists()


def test_a_session_that_was_resumed_goes_back_with_the_files_of_its_earlier_process(project: Path, home: Path) -> None:
    with OpenAiServer([write("new.txt", "n"), say("a")]) as server:
        run_paicli(project=project, home=home, server=server, stdin="one\n/exit\n")
        done = run_paicli("-c", project=project, home=home, server=server, stdin="/rewind 1 both\ny\n/exit\n")
    assert "- new.txt  (-1)" in done.stdout
    assert "对话已回到这一轮之前: one" in done.stdout
    assert not (project / "new.txt").exists()


def test_a_fork_takes_back_what_was_done_before_it(project: Path, home: Path) -> None:
    with OpenAiServer([write("new.txt", "n"), say("a")]) as server:
        run_paicli(project=project, home=home, server=server, stdin="one\n/fork\n/exit\n")
        done = run_paicli("-c", project=project, home=home, server=server, stdin="/undo\ny\n/exit\n")
    assert "- new.txt  (-1)" in done.stdout
    assert list(project.iterdir()) == []


@pytest.mark.parametrize("key", ["f", "b"])
def test_escape_escape_asks_what_goes_back_and_shows_it_first(project: Path, home: Path, key: str) -> None:
    with (
        OpenAiServer([write("new.txt", "n"), say("完成了"), say("b")]) as server,
        Terminal(project=project, home=home, server=server, size=(30, 100)) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("改一下\r")
        terminal.wait_for("完成了")
        terminal.wait_quiet()
        terminal.press("\x1b")
        terminal.wait_quiet(0.1)
        terminal.press("\x1b")
        terminal.wait_for("回到哪一轮之前?")
        terminal.press("\r")
        terminal.wait_for("只回退对话", "只恢复文件", "对话和文件")
        terminal.press(key)
        terminal.wait_for("- new.txt  (-1)", "y/回车 执行")
        assert (project / "new.txt").exists()
        terminal.press("y")
        terminal.wait_for("移除 1 个")
        if key == "b":
            terminal.wait_for("对话已回到这一轮之前")
        assert not (project / "new.txt").exists()


def test_undo_in_the_terminal_waits_for_a_key(project: Path, home: Path) -> None:
    with (
        OpenAiServer([write("new.txt", "n"), say("完成了")]) as server,
        Terminal(project=project, home=home, server=server, size=(30, 100)) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("改一下\r")
        terminal.wait_for("完成了")
        terminal.press("/undo\r")
        terminal.wait_for("- new.txt  (-1)", "y/回车 执行")
        terminal.press("n")
        terminal.wait_quiet()
        assert (project / "new.txt").exists()
        terminal.press("/undo\r")
        terminal.wait_quiet()
        terminal.press("y")
        terminal.wait_for("移除 1 个")
        assert not (project / "new.txt").exists()


def test_the_persons_repository_is_not_touched_and_runs_nothing(
    project: Path, home: Path, tmp_path: Path
) -> None:  # C81
    mark = tmp_path / "MARK"
    environ = {**os.environ, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str) -> bytes:
        asked = ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
        return subprocess.run(asked, cwd=project, env=environ, check=True, capture_output=True).stdout

    git("init", "-q")
    (project / "a.txt").write_bytes(b"a\r\n")
    (project / ".gitattributes").write_text("* text eol=lf filter=evil diff=evil\n")
    git("add", "-A")
    git("commit", "-qm", "first")
    hook = project / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    with (project / ".git" / "config").open("a") as config:
        config.write(f'[core]\n\tfsmonitor = "touch {mark}; false"\n\thooksPath = {hook.parent}\n')
        config.write(f'[filter "evil"]\n\tclean = "touch {mark}; cat"\n\tsmudge = "touch {mark}; cat"\n')
        config.write(f'[diff "evil"]\n\tcommand = "touch {mark}"\n\ttextconv = "touch {mark}; cat"\n')
    before = {path: path.read_bytes() for path in (project / ".git").rglob("*") if path.is_file()}
    with OpenAiServer([call("execute_command", {"command": "printf new > a.txt"}), say("a")]) as server:
        lines = "one\n/diff session\n/undo\ny\n/snapshot\n/restore 1\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
    assert done.status == 0
    assert not mark.exists()
    assert (project / "a.txt").read_bytes() == b"a\r\n"
    assert {path: path.read_bytes() for path in (project / ".git").rglob("*") if path.is_file()} == before
