"""What a person types, with the installed program in a real terminal: completion, mentions, pastes, history, editor."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import Terminal, first_user_text, last_message, run_paicli
from tests.fakes.openai_server import OpenAiServer, call, say

ESC, ENTER, TAB, DOWN, UP = "\x1b", "\r", "\t", "\x1b[B", "\x1b[A"
CTRL_C, CTRL_E, CTRL_G, CTRL_J, CTRL_R, CTRL_X = "\x03", "\x05", "\x07", "\n", "\x12", "\x18"
SIZES = pytest.mark.parametrize("size", [(24, 80), (10, 40)], ids=["80x24", "40x10"])


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def put(project: Path, *names: str) -> None:
    for name in names:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}\n")


@SIZES
def test_the_menu_of_commands_opens_as_one_types_and_tab_takes_from_it(
    project: Path, home: Path, size: tuple[int, int]
) -> None:
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=server, size=size) as terminal:
        terminal.wait_for("AUTO")
        terminal.press("/mo")
        terminal.wait_for("/mode [auto")
        terminal.press(TAB)
        terminal.wait_for("> /mode")
        terminal.press(" p")
        terminal.wait_for("plan")
        terminal.press(TAB)
        terminal.wait_for("> /mode plan")
        terminal.press(ENTER)
        terminal.wait_for("PLAN shift+tab")


@SIZES
def test_a_path_is_found_by_its_parts_and_its_content_is_sent(project: Path, home: Path, size: tuple[int, int]) -> None:
    put(project, "src/ui/composer.py", "docs/我的 说明.md", "build/composer.py")
    (project / ".gitignore").write_text("build/\n")
    with (
        OpenAiServer([say("看过了"), say("也看过了")]) as server,
        Terminal(project=project, home=home, server=server, size=size) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("看 @ui/comp")
        terminal.wait_for("src/ui/composer.py")
        assert "build/" not in terminal.text()
        terminal.press(TAB)
        terminal.wait_for("> 看 @src/ui/composer.py")
        terminal.press(ENTER)  # takes what is chosen, and the menu goes
        terminal.wait_until(lambda text: text.count("src/ui/composer.py") == 1, "the end of the menu")
        terminal.press(" 吧")
        terminal.wait_for("@src/ui/composer.py 吧")
        terminal.press(ENTER)
        terminal.wait_for("看过了", "📎 已附上: src/ui/composer.py")
        sent = last_message(server.requests[0])["content"]
        assert sent.startswith("看 @src/ui/composer.py 吧\n\n")
        assert "src/ui/composer.py\n1\tcontent of src/ui/composer.py\n</tool_result>" in sent

        terminal.press("再看 @说明")
        terminal.wait_for('"docs/我的 说明.md"')
        terminal.press(TAB)
        terminal.wait_for('@"docs/我的 说明.md"')
        terminal.press(ENTER)
        terminal.wait_until(lambda text: text.count('"docs/我的 说明.md"') == 1, "the end of the menu")
        terminal.press(ENTER)
        terminal.wait_for("也看过了")
        assert "1\tcontent of docs/我的 说明.md" in last_message(server.requests[1])["content"]


def test_a_folder_that_is_taken_opens_what_is_in_it(project: Path, home: Path) -> None:
    put(project, "src/deep/one.py", "src/two.py")
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=server) as terminal:
        terminal.wait_for("AUTO")
        terminal.press("@sr")
        terminal.wait_for("src/ ")
        terminal.press(TAB)
        terminal.wait_for("> @src/")
        terminal.press(ENTER)
        terminal.wait_for("src/deep/", "src/two.py")


def test_a_command_of_ones_own_is_completed_by_tab_runs_and_joins_the_conversation(project: Path, home: Path) -> None:
    put(project, "my notes.txt")
    with (
        OpenAiServer([say("知道了")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("!cat my")
        terminal.wait_for("!cat my")
        terminal.press(TAB)
        terminal.wait_for("!cat 'my notes.txt'")
        terminal.press(ENTER)
        terminal.wait_for("content of my notes.txt")
        terminal.press("刚才看到什么")
        terminal.press(ENTER)
        terminal.wait_for("知道了")
        sent = last_message(server.requests[0])["content"]
        assert "$ cat 'my notes.txt'" in sent
        assert "content of my notes.txt" in sent


def test_a_command_of_ones_own_never_gets_the_terminal_and_the_guards_hold(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=server) as terminal:
        terminal.wait_for("AUTO")
        terminal.press("!sh -c 'echo X''Y >/dev/tty'; cat; echo the end $?")  # C36 C46: no terminal, no input
        terminal.press(ENTER)
        terminal.wait_for("the end 0")
        assert "XY" not in terminal.text()
        (project / "kept").write_text("x")
        terminal.press("!sudo -n true")
        terminal.press(ENTER)
        terminal.wait_for("sudo")
        terminal.wait_until(lambda text: "拒绝" in text or "denied" in text, "the refusal")


def test_mentions_outside_missing_or_without_content_are_told_and_the_words_are_sent(project: Path, home: Path) -> None:
    os.mkfifo(project / "pipe")
    (project / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (home / "secret").write_text("top secret")
    words = "@pipe @/etc/passwd @~/secret @none.txt @shot.png \\@x a@b.cd"  # C31 C79
    with OpenAiServer([say("好")]) as server:
        done = run_paicli("-p", words, project=project, home=home, server=server)
    assert (done.status, done.stdout) == (0, "好\n")
    assert last_message(server.requests[0])["content"] == words
    for told in (
        "@pipe 不是普通文件",
        "@/etc/passwd 在项目之外",
        "@~/secret 在项目之外",
        "@none.txt 不存在",
        "shot.png 是图片",
    ):
        assert done.stderr.count(told) == 1
    assert "@x" not in done.stderr
    assert "b.cd" not in done.stderr


def test_a_mention_works_line_by_line_and_never_joins_a_plans_goal(project: Path, home: Path) -> None:
    put(project, "a.py")
    with OpenAiServer([say("好"), say("不是计划")]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="看 @a.py\n/plan 改 @a.py\n/exit\n")
    assert done.status == 0
    assert "1\tcontent of a.py" in last_message(server.requests[0])["content"]
    planned = first_user_text(server.requests[1])
    assert "1\tcontent of a.py" in planned
    goal = planned[: planned.index("content of a.py")]
    assert "改 @a.py" in goal


def test_a_line_behind_a_hash_joins_pai_md_and_holds_in_the_next_conversation(project: Path, home: Path) -> None:
    with (
        OpenAiServer([say("一"), say("二")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("先说")
        terminal.press(ENTER)
        terminal.wait_for("一")
        terminal.press("#总是写测试")
        terminal.press(ENTER)
        # The path is as long as the folder's, and so is where the line breaks.
        terminal.wait_until(lambda screen: "下一次对话起生效" in screen.replace("\n", ""), "what becomes of the rule")
        assert (project / "PAI.md").read_text() == "总是写测试\n"
        terminal.press("/clear")
        terminal.press(ENTER)
        terminal.wait_for("已清空对话")
        terminal.press("再说")
        terminal.press(ENTER)
        terminal.wait_for("二")
        system = [request.body["messages"][0]["content"] for request in server.requests]
        assert ["总是写测试" in text for text in system] == [False, True]


def test_pastes_are_text_in_their_order_and_nothing_in_them_runs(project: Path, home: Path) -> None:  # C50
    long = "\n".join(f"row {number}" for number in range(1, 40))
    with (
        OpenAiServer([say("收到一"), say("收到二"), say("收到三"), say("收到四")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(paste("l1\r\nl2\tx\nl3"))
        terminal.press(ENTER)
        terminal.wait_for("收到一")
        assert last_message(server.requests[0])["content"] == "l1\nl2\tx\nl3"

        terminal.press("头 ")
        terminal.press(paste(long))
        terminal.press(" 中 ")
        terminal.press(paste(long.replace("row", "col")))
        terminal.press(" 尾")
        terminal.wait_for("头 [粘贴 #1:39 行] 中 [粘贴 #2:39 行] 尾")
        terminal.press(ENTER)
        terminal.wait_for("收到二")
        sent = last_message(server.requests[1])["content"]
        assert long in sent
        assert sent.index("row 39") < sent.index("col 1\n")

        terminal.press(paste("/exit\n"))
        terminal.press(ENTER)
        terminal.wait_for("收到三")
        assert last_message(server.requests[2])["content"] == "/exit"

        terminal.press(paste("red \x1b[31m and \x1b]0;title\x07 end"))
        terminal.wait_for("red ^[[31m")
        terminal.press(ENTER)
        terminal.wait_for("收到四")
        assert b"\x1b]0;" not in terminal.raw
        assert "red " in last_message(server.requests[3])["content"]


def test_a_paste_without_brackets_is_one_turn(project: Path, home: Path) -> None:  # C50
    with (
        OpenAiServer([say("收到")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("first line\r/exit\rthird line\r")
        terminal.wait_for("third line")
        terminal.press(ENTER)
        terminal.wait_for("收到")
        assert [last_message(request)["content"] for request in server.requests] == ["first line\n/exit\nthird line"]


def test_three_hundred_thousand_characters_are_pasted_and_sent_whole(project: Path, home: Path) -> None:
    text = "".join(f"line {number:05d} 中文 of the paste\n" for number in range(11_000))[:300_000]  # C50
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text("[model]\nwindow_tokens = 200000\n")  # it has to fit
    with (
        OpenAiServer([say("收到")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press(paste(text))
        terminal.wait_for("[粘贴 #1:")
        terminal.press(ENTER)
        terminal.wait_for("收到")
        assert last_message(server.requests[0])["content"].endswith(text)


def test_history_is_private_searched_and_keeps_entries_of_several_lines(project: Path, home: Path) -> None:
    replies = [say(f"答{number}") for number in range(1, 6)]
    with OpenAiServer(replies) as server:
        with Terminal(project=project, home=home, server=server) as terminal:
            terminal.wait_for("AUTO")
            for number, text in enumerate(("find the needle", "two" + CTRL_J + "lines", " a secret"), start=1):
                terminal.press(text)
                terminal.press(ENTER)
                terminal.wait_for(f"答{number}")
            terminal.press("/exit")
            terminal.press(ENTER)
            assert terminal.wait_end() == 0
        (kept,) = [path for path in (home / ".paicli" / "history").iterdir() if path.is_file()]
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert kept.read_text() == '"find the needle"\n"two\\nlines"\n"/exit"\n'
        with Terminal(project=project, home=home, server=server, size=(10, 40)) as terminal:
            terminal.wait_for("AUTO")
            terminal.press(CTRL_R)
            terminal.press("needl")
            terminal.wait_for("find the needle", "搜索历史: needl")
            terminal.press(ENTER)
            terminal.wait_for("> find the needle")
            terminal.press(ENTER)
            terminal.wait_for("答4")
            terminal.press(UP)
            terminal.press(UP)
            terminal.press(UP)
            terminal.wait_for("two", "lines")
            terminal.press(ENTER)
            terminal.wait_for("答5")
        assert last_message(server.requests[3])["content"] == "find the needle"
        assert last_message(server.requests[4])["content"] == "two\nlines"


def editor_script(home: Path, body: str) -> str:
    path = home / "my editor"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return f"'{path}' --wait"


@pytest.mark.parametrize("keys", [[CTRL_G], [CTRL_X, CTRL_E]], ids=["ctrl-g", "ctrl-x ctrl-e"])
def test_the_editor_gets_the_text_and_gives_it_back(project: Path, home: Path, keys: list[str]) -> None:
    editor = editor_script(home, 'test "$1" = --wait; cp "$2" seen; printf "改过的\\n第二行\\n" >"$2"')
    with (
        OpenAiServer([say("好的")]) as server,
        Terminal(project=project, home=home, server=server, EDITOR="false", VISUAL=editor) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("half typed")
        terminal.wait_for("half typed")
        for key in keys:
            terminal.press(key)
        terminal.wait_for("改过的", "第二行")
        assert (project / "seen").read_text() == "half typed\n"
        terminal.press(ENTER)
        terminal.wait_for("好的")
        assert last_message(server.requests[0])["content"] == "改过的\n第二行"
    assert [path.name for path in (home / ".paicli" / "drafts").iterdir()] == []


def test_an_editor_that_fails_leaves_the_text_and_what_the_agent_says_waits_for_it(project: Path, home: Path) -> None:
    editor = editor_script(home, "echo open >opened; read line; exit 3")
    with (
        OpenAiServer([say("后来的回答")]) as server,
        Terminal(project=project, home=home, server=server, VISUAL=editor) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("问")
        terminal.press(ENTER)
        terminal.press("kept text")
        terminal.press(CTRL_G)
        terminal.wait_until(lambda text: (project / "opened").exists(), "the editor")
        terminal.press(CTRL_C + "\n")
        terminal.wait_for("exit", "kept text", "后来的回答")
        terminal.press(CTRL_C)
        terminal.press("/exit")
        terminal.press(ENTER)
        assert terminal.wait_end() == 0


def test_the_index_follows_the_tree_and_a_git_clone_is_not_asked(project: Path, home: Path) -> None:
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (project / ".git" / "config").write_text("[core]\n\tfsmonitor = touch ran\n")
    put(project, "one.py")
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=server) as terminal:
        terminal.wait_for("AUTO")
        terminal.press("@one")
        terminal.wait_for("one.py")
    assert not (project / "ran").exists()


def test_what_is_queued_may_mention_files_too(project: Path, home: Path) -> None:
    put(project, "a.py")
    os.mkfifo(project / "gate")
    with (
        OpenAiServer([call("execute_command", {"command": "cat gate"}), say("都看了")]) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("开始")
        terminal.press(ENTER)
        terminal.wait_for("cat gate")
        terminal.press("再看 @a.py")
        terminal.wait_for("再看 @a.py")
        terminal.press(ENTER)
        terminal.wait_for("已排队")
        with (project / "gate").open("w") as gate:
            gate.write("opened\n")
        terminal.wait_for("都看了", "📎 已附上: a.py")
        sent = last_message(server.requests[1])["content"]
        assert sent.startswith("再看 @a.py\n\n")
        assert "1\tcontent of a.py" in sent


def test_a_line_behind_a_hash_works_line_by_line(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="#用 tab 缩进\n#\n/exit\n")
    assert done.status == 0
    assert (project / "PAI.md").read_text() == "用 tab 缩进\n"
    assert f"已写入 {project / 'PAI.md'}" in done.stdout
    assert "用法: #文字" in done.stdout
