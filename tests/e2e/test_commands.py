import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.harness import Finished, Terminal, environment, first_user_text, run_paicli
from tests.fakes.openai_server import OpenAiServer, call, say
from tests.patience import PATIENCE_S

ENTER = "\r"


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in (*lines, "/exit"))


def session(project: Path, home: Path, *lines: str, server: OpenAiServer | None = None, **extra: str) -> Finished:
    """A whole session in line mode."""
    done = run_paicli(project=project, home=home, server=server, stdin=typed(*lines), **extra)
    assert done.status == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done


def answers(done: Finished) -> dict[str, str]:
    """What stands below each line that was typed."""
    parts = done.stdout.split("\n> ")[1:]
    return {part.split("\n", 1)[0]: part.partition("\n")[2] for part in parts}


def config_of(home: Path, text: str) -> Path:
    path = home / ".paicli" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_a_model_switch_sends_the_whole_conversation_to_the_other_server(project: Path, home: Path) -> None:
    with OpenAiServer([say("一号")]) as one, OpenAiServer([say("二号"), say("二号又")]) as two:
        config_of(home, f'[providers.deepseek]\nbase_url = "{two.base_url}"\napi_key = "sk-deepkey-0001"\n')
        done = session(
            project, home, "你好", "/model", "/model deepseek/ds-2", "继续", "/model", "/model ds-3", "再来", server=one
        )
        assert len(one.requests) == 1
        assert [request.body["model"] for request in two.requests] == ["ds-2", "ds-3"]
        assert [message["role"] for message in two.requests[0].body["messages"]] == [
            "system",
            "user",
            "assistant",
            "user",
        ]
        assert two.requests[0].body["messages"][2]["content"] == "一号"
        assert two.requests[0].headers["authorization"] == "Bearer sk-deepkey-0001"
        assert one.requests[0].headers["authorization"] == "Bearer sk-canary-1234567890"
    shown = answers(done)
    assert "模型: deepseek/ds-2" in shown["/model deepseek/ds-2"]
    assert "● deepseek" in shown["/model"]  # of the second time
    assert "sk-deepkey-0001" not in done.stdout
    assert 'api_key = "sk-deepkey-0001"' in (home / ".paicli" / "config.toml").read_text()  # nothing was saved


def test_a_model_that_can_not_be_used_is_one_line_and_the_session_goes_on(project: Path, home: Path) -> None:
    with OpenAiServer([say("还在")]) as server:
        done = session(project, home, "/model deepseek", "/model glm/x --save", "还在吗", server=server)
    shown = answers(done)
    assert "DEEPSEEK_API_KEY" in shown["/model deepseek"]
    assert len(shown["/model deepseek"].strip().split("\n")) == 1
    assert "GLM_API_KEY" in shown["/model glm/x --save"]
    assert "还在" in shown["还在吗"]
    assert not (home / ".paicli" / "config.toml").exists()


def test_a_saved_model_is_the_next_sessions(project: Path, home: Path) -> None:
    with OpenAiServer([say("新的")]) as server:
        path = config_of(
            home,
            f"# mine\n[model]\nprovider = 'custom'\nmodel = 'old'\nbase_url = '{server.base_url}'  # here\n",
        )
        session(project, home, "/model new --save")
        assert path.read_text() == (
            f'# mine\n[model]\nprovider = "custom"\nmodel = "new"\nbase_url = \'{server.base_url}\'  # here\n'
        )
        session(project, home, "你好")
        assert server.requests[0].body["model"] == "new"


def test_status_context_and_memory_say_how_things_stand(project: Path, home: Path) -> None:
    (project / "PAI.md").write_text("规则一\n" * 50)
    with OpenAiServer([say("好", usage=(1_234, 56))]) as server:
        done = session(
            project, home, "/context", "你好", "/context", "/rename 我的 标题", "/mode ask", "/status", "/memory",
            server=server,
        )  # fmt: skip
    shown = answers(done)
    assert f"项目      {project}" in shown["/status"]
    assert "标题      我的 标题" in shown["/status"]
    assert "模型      custom/test-1" in shown["/status"]
    assert "模式      ask" in shown["/status"]
    assert str(project / "PAI.md") in shown["/status"]
    journal = shown["/status"].split("日志")[1].split()[0]
    assert Path(journal).is_file()
    assert '"type":"session_renamed","title":"我的 标题"' in Path(journal).read_text()
    assert "输入 1,234(缓存 0),输出 56" in shown["/context"]
    assert "2 条消息" in shown["/context"]
    assert f"{project / 'PAI.md'}(500 字节,199 个字符)" in shown["/memory"]


def test_status_knows_rules_that_were_made_since_the_conversation_began(project: Path, home: Path) -> None:
    with OpenAiServer([say("好")]) as server:
        shown = answers(session(project, home, "你好", "#规则一", "/status", server=server))
    assert f"项目规则  {project / 'PAI.md'}(会话开始后才有" in shown["/status"]


def test_permissions_hold_at_once_and_what_is_saved_holds_the_next_time(project: Path, home: Path) -> None:  # C45
    rule = "execute_command(printf hello:*)"
    script = [call("execute_command", {"command": "printf hello"}), say("一"), say("二")]
    with OpenAiServer(script) as server:
        done = session(
            project, home, "/mode ask", f"/permissions allow {rule} --save", "执行", "/permissions", "又", server=server
        )
    assert "hello" in server.requests[1].body["messages"][-1]["content"]
    assert "需要批准" not in done.stdout
    shown = answers(done)
    saved = shown[f"/permissions allow {rule} --save"]
    assert saved.index(f"本会话规则: allow {rule}") < saved.index("已写入")
    assert f"allow  {rule}  (config.toml)" in shown["/permissions"]
    key = {"DEEPSEEK_API_KEY": "sk-unused-00001"}
    again = session(project, home, "/permissions", f"/permissions remove {rule} --save", **key)
    assert f"allow  {rule}  (config.toml)" in answers(again)["/permissions"]
    assert (home / ".paicli" / "config.toml").stat().st_mode & 0o777 == 0o600
    assert "没有权限规则" in answers(session(project, home, "/permissions", **key))["/permissions"]


def test_a_denial_beats_the_mode_and_a_rule_that_never_matches_is_refused(project: Path, home: Path) -> None:
    script = [call("write_file", {"path": "a.txt", "content": "x"}), say("没写")]
    with OpenAiServer(script) as server:
        done = session(
            project, home, "/permissions deny write_file", "写", "/permissions allow execute_command(a && b)",
            "/permissions", server=server,
        )  # fmt: skip
    assert not (project / "a.txt").exists()
    assert "execute_command(a && b)" in answers(done)["/permissions allow execute_command(a && b)"]
    assert "a && b" not in answers(done)["/permissions"]


def test_a_config_that_broke_meanwhile_costs_the_saving_only(project: Path, home: Path) -> None:  # C75
    script = [call("write_file", {"path": ".keep", "content": "x"}), say("好")]
    broken = "[permissions\nallow = nonsense\n"
    fifo = home / "go"
    os.mkfifo(fifo)
    with OpenAiServer(script) as server:
        config_of(home, "[ui]\nascii = false\n")
        child = subprocess.Popen(
            [shutil.which("paicli", path=environment(home, server)["PATH"]) or "paicli"],
            cwd=project,
            env=environment(home, server),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdin is not None
        child.stdin.write("写\n")
        child.stdin.flush()
        server.wait_for_requests(2)
        path = config_of(home, broken)
        out, err = child.communicate(
            "/permissions deny write_file --save\n/permissions\n/config\n/exit\n", timeout=PATIENCE_S
        )
    assert child.returncode == 0, err
    assert "本会话规则: deny write_file" in out
    assert f"{path}:1:" in out
    assert "规则只在本会话有效" in out
    assert "deny  write_file  (本会话)" in out
    assert path.read_text() == broken
    assert "Traceback" not in out + err


def test_add_dir_lets_the_file_tools_in(project: Path, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other one"
    other.mkdir()
    (other / "a.txt").write_text("INSIDE")
    read = call("read_file", {"path": str(other / "a.txt")})
    with OpenAiServer([read, say("一"), read, say("二")]) as server:
        done = session(
            project, home, "读", "/add-dir ../other one", "再读", "/add-dir /no/such", "/add-dir", server=server
        )
        assert "INSIDE" not in str(server.requests[1].body)
        assert "INSIDE" in server.requests[3].body["messages"][-1]["content"]
    shown = answers(done)
    assert f"文件工具现在可以使用 {other}" in shown["/add-dir ../other one"]
    assert "/no/such" in shown["/add-dir /no/such"]
    assert shown["/add-dir"].endswith(f"  {other}")


def test_tasks_lists_background_commands_and_stops_one(project: Path, home: Path) -> None:
    script = [call("execute_command", {"command": "tail -f /dev/null", "background": True}), say("启动了")]
    with OpenAiServer(script) as server:
        done = session(project, home, "/tasks", "启动", "/tasks", "/tasks stop bg_1", "/tasks stop bg_9", server=server)
    shown = answers(done)
    assert "bg_1  运行" in shown["/tasks"]
    assert "tail -f /dev/null" in shown["/tasks"]
    assert "正在停止 bg_1" in shown["/tasks stop bg_1"]
    assert "没有任务 bg_9" in shown["/tasks stop bg_9"]


def test_diff_shows_what_is_not_committed_and_runs_nothing(project: Path, home: Path) -> None:  # C81
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=project, env=environment(home, None), check=True, capture_output=True)

    git("init", "-q")
    (project / "a.txt").write_text("old\n")
    git("add", "-A")
    git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x")
    mark = home / "MARK"
    for key in ("core.fsmonitor", "core.pager", "diff.external", "filter.x.clean"):
        git("config", key, f"touch {mark}; false")
    (project / ".gitattributes").write_text("*.txt filter=x\n")
    (project / "a.txt").write_text("new \x1b]0;title\x07\n")
    done = session(project, home, "/diff", DEEPSEEK_API_KEY="sk-unused-00001")
    assert "old" in answers(done)["/diff"]
    assert "new" in answers(done)["/diff"]
    assert ".gitattributes" in answers(done)["/diff"]
    assert "\x1b" not in done.stdout
    assert not mark.exists()


def test_export_writes_the_conversation_once_and_privately(project: Path, home: Path) -> None:
    script = [call("read_file", {"path": "a.txt"}), say("内容是 A")]
    (project / "a.txt").write_text("A\n")
    with OpenAiServer(script) as server:
        done = session(
            project, home, "/export md early.md", "读 a.txt", "/export md out.md", "/export md out.md",
            "/export json out.json", "/export md", server=server,
        )  # fmt: skip
    shown = answers(done)
    assert "还没有对话" in shown["/export md early.md"]
    assert "已存在" in shown["/export md out.md"]  # of the second time
    text = (project / "out.md").read_text()
    assert '## 用户\n\n读 a.txt\n\n## paicli\n\n- `read_file` `{"path": "a.txt"}`' in text
    assert text.endswith("内容是 A\n")
    record = json.loads((project / "out.json").read_text())
    assert [message["role"] for message in record["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert (project / "out.md").stat().st_mode & 0o777 == 0o600
    assert len(list(project.glob("paicli-*.md"))) == 1


def test_copy_hands_the_last_answer_to_a_program_or_says_there_is_none(project: Path, home: Path) -> None:
    programs = home / "bin"
    programs.mkdir()
    (programs / "xclip").write_text('#!/bin/sh\ncat >"$HOME/clip"; printf %s "$PAICLI_API_KEY" >"$HOME/key"\n')
    (programs / "xclip").chmod(0o755)
    with OpenAiServer([say("第一行\n第二行"), say("完")]) as server:
        path = f"{programs}{os.pathsep}{environment(home, server)['PATH']}"
        done = session(project, home, "/copy", "说", "!echo own", "/copy", server=server, PATH=path)
    assert "已复制 7 个字符(xclip)" in answers(done)["/copy"]
    assert "还没有可复制的回答" in done.stdout
    assert (home / "clip").read_text() == "第一行\n第二行"
    assert (home / "key").read_text() == ""


def test_init_asks_for_a_pai_md_and_never_over_one_that_is_there(project: Path, home: Path) -> None:
    script = [call("write_file", {"path": "PAI.md", "content": "# 规则\n"}), say("写好了"), say("改好了")]
    with OpenAiServer(script) as server:
        done = session(project, home, "/init 注意测试", "/init", "/init --force", server=server)
        prompt = first_user_text(server.requests[0])
        assert "PAI.md" in prompt
        assert prompt.endswith("注意测试")
        assert len(server.requests) == 3
    assert (project / "PAI.md").read_text() == "# 规则\n"
    assert f"{project / 'PAI.md'} 已存在" in answers(done)["/init"]
    assert "改好了" in answers(done)["/init --force"]


def test_ones_own_commands_are_listed_filled_and_sent(project: Path, home: Path) -> None:
    folder = home / ".paicli" / "commands"
    folder.mkdir(parents=True)
    (folder / "look.md").write_text("---\ndescription: 仔细看\n---\n仔细看 $1: $ARGUMENTS\n/exit")
    (folder / "help.md").write_text("shadow")
    (folder / "Bad Name.md").write_text("x")
    (project / ".paicli" / "commands").mkdir(parents=True)
    (project / ".paicli" / "commands" / "theirs.md").write_text("their words")
    with OpenAiServer([say("看了"), say("又看了")]) as server:
        done = session(project, home, "/help", "/look a.py $1", "/theirs", server=server)
        assert first_user_text(server.requests[0]) == "仔细看 a.py: a.py $1\n/exit"
        asked = run_paicli("-p", "/look b.py", project=project, home=home, server=server)
        assert asked.stdout == "又看了\n"
        assert first_user_text(server.requests[1]) == "仔细看 b.py: b.py\n/exit"
    shown = answers(done)
    assert "/look […]" in shown["/help"]
    assert "仔细看" in shown["/help"]
    assert "项目的 .paicli/commands 未加载: 此目录未被信任(paicli trust)" in shown["/help"]
    assert "未知命令: /theirs" in shown["/theirs"]
    warnings = done.stderr + done.stdout
    assert "/help 是内置命令,未加载" in warnings
    assert "Bad Name.md: 名字应为" in warnings


def test_language_theme_config_and_bug_in_line_mode(project: Path, home: Path) -> None:
    config_of(home, "[plan]\nparallel = 2\n")
    done = session(
        project, home, "/config", "/lang en", "/theme light", "/theme", "/bug", DEEPSEEK_API_KEY="sk-secret-00001"
    )
    shown = answers(done)
    assert "plan.parallel" in shown["/config"]
    assert "DEEPSEEK_API_KEY" in shown["/config"]
    assert "sk-secret-00001" not in done.stdout
    assert shown["/lang en"].strip() == "Language of the interface: English"
    assert "Nothing is sent" in shown["/bug"]
    assert "dark light none" in shown["/theme"]


@pytest.mark.parametrize("size", [(24, 80), (12, 40)])
def test_commands_work_in_a_terminal_while_a_model_is_switched(
    project: Path, home: Path, size: tuple[int, int]
) -> None:
    config_of(home, "[plan]\nparallel = 2\n")
    with (
        OpenAiServer([say("答一"), say("答二")]) as server,
        Terminal(
            project=project, home=home, server=server, size=size, EDITOR='sh -c \'echo "[plan" >"$0"\''
        ) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("问" + ENTER)
        terminal.wait_for("答一")
        terminal.press("/model next" + ENTER)
        terminal.wait_for("模型: custom/next")
        terminal.wait_until(lambda text: "next" in text.split("AUTO")[-1] or size[1] < 60, "the status bar")
        terminal.press("/status" + ENTER)
        terminal.wait_for("custom/next", "日志")
        terminal.press("/config edit" + ENTER)
        terminal.wait_until(lambda text: "config.toml:1:" in text.replace("\n", ""), "the fault of the file")
        terminal.press("再问" + ENTER)
        terminal.wait_for("答二")
        assert [request.body["model"] for request in server.requests] == ["test-1", "next"]
        terminal.press("/exit" + ENTER)
        assert terminal.wait_end() == 0
